// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/query.h"

namespace sepx::reversal {
namespace {

tl::unexpected<Error> wrongPair(std::string sentence) {
  return fail(ErrorKind::Usage, std::move(sentence));
}

std::string placesOf(int length) {
  return "places of a sequence of " + std::to_string(length) + " tokens are 0 to " + std::to_string(length - 1) + ".";
}

}  // namespace

const char* directionWord(Direction direction) {
  return direction == Direction::Forward ? "forward" : "reverse";
}

Result<void> check(const Pair& pair) {
  if (pair.length < 2)
    return wrongPair("A sequence of " + std::to_string(pair.length) +
                     " tokens has no room for a letter and its capital; make it 2 or longer.");
  if (pair.letter < 0 || pair.letter >= data::kPairLetters)
    return wrongPair("Letter " + std::to_string(pair.letter) + " does not exist; letters are 0 (a) to 25 (z).");
  for (const int place : {pair.lower, pair.upper})
    if (place < 0 || place >= pair.length)
      return wrongPair("Place " + std::to_string(place) + " is outside the sequence; " + placesOf(pair.length));
  if (pair.lower == pair.upper)
    return wrongPair("Both letters stand at place " + std::to_string(pair.lower) +
                     "; move one of them to another place.");
  if (pair.lower > pair.upper)
    return wrongPair("The capital at place " + std::to_string(pair.upper) +
                     " stands before the small letter at place " + std::to_string(pair.lower) +
                     "; a pair is given as in the training data, the small letter first.");
  return {};
}

Pair pairAt(std::uint64_t index, int length) {
  const data::PairPlace place = data::pairPlace(index, length);
  return {place.letter, place.i, place.j, length};
}

Query maskedQuery(const Pair& pair, Direction direction) {
  const bool forward = direction == Direction::Forward;
  Query query;
  query.hidden = forward ? pair.lower : pair.upper;
  query.evidence = forward ? pair.upper : pair.lower;
  query.target = pair.small();
  query.tokens.assign(static_cast<std::size_t>(pair.length), data::kPairPlaceholder);
  query.tokens[static_cast<std::size_t>(query.hidden)] = data::kPairMask;
  query.tokens[static_cast<std::size_t>(query.evidence)] = pair.capital();
  return query;
}

Query prefixQuery(const Pair& pair, Direction direction) {
  const bool forward = direction == Direction::Forward;
  Query query;
  query.evidence = pair.lower;
  query.hidden = pair.lower + 1;
  query.target = forward ? pair.capital() : pair.small();
  query.tokens.assign(static_cast<std::size_t>(query.hidden), data::kPairPlaceholder);
  query.tokens.back() = forward ? pair.small() : pair.capital();
  return query;
}

Query partnerQuery(const Pair& pair, Direction direction) {
  Query query = prefixQuery(pair, direction);
  query.tokens.resize(static_cast<std::size_t>(pair.upper), data::kPairPlaceholder);
  query.hidden = pair.upper;
  return query;
}

std::string text(const std::vector<std::int32_t>& tokens) {
  static const std::unique_ptr<data::Source> words = data::makePairs(0);
  std::string out;
  for (const std::int32_t token : tokens)
    out += (out.empty() ? "" : " ") + words->word(token);
  return out;
}

}  // namespace sepx::reversal
