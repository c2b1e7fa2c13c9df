// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/accuracy.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "engine/reversal/answer.h"

namespace sepx::reversal {
namespace {

constexpr std::size_t kLetters = data::kPairLetters;

/// First of the 26 letters of the target's case.
std::int32_t firstOfCase(std::int32_t target) {
  return target < data::kPairLetters ? 0 : data::kPairLetters;
}

/// Logits of some rows of equally long sequences.
class Logits {
 public:
  Logits(nn::Transformer<float>& model, int length) : model_(model) { batch_.length = length; }
  std::vector<std::int32_t>& tokens() { return batch_.tokens; }
  std::vector<std::int32_t>& rows() { return rows_; }
  void make() {
    batch_.sequences = static_cast<int>(batch_.tokens.size()) / batch_.length;
    width_ = static_cast<std::size_t>(model_.config().logits());
    values_.resize(rows_.size() * width_);
    model_.logits(batch_, rows_, values_);
  }
  std::span<const float> of(std::size_t row) const { return std::span(values_).subspan(row * width_, width_); }

 private:
  nn::Transformer<float>& model_;
  nn::Batch batch_;
  std::vector<std::int32_t> rows_;
  std::vector<float> values_;
  std::size_t width_ = 0;
};

bool measureMasked(nn::Transformer<float>& model, const AccuracyRequest& request, Direction direction, Answers& sum) {
  const int length = request.pairs.front().length;
  Logits logits(model, length);
  const std::size_t batch = static_cast<std::size_t>(std::max(request.batch, 1));
  for (std::size_t first = 0; first < request.pairs.size(); first += batch) {
    if (request.cancelled && request.cancelled()) return false;
    const auto some = request.pairs.subspan(first, std::min(batch, request.pairs.size() - first));
    logits.tokens().clear();
    logits.rows().clear();
    for (const Pair& pair : some) {
      const Query query = maskedQuery(pair, direction);
      logits.rows().push_back(static_cast<std::int32_t>(logits.tokens().size()) + query.hidden);
      logits.tokens().insert(logits.tokens().end(), query.tokens.begin(), query.tokens.end());
    }
    logits.make();
    for (std::size_t k = 0; k < some.size(); ++k)
      addMaskedAnswer(logits.of(k), some[k].small(), sum);
  }
  return true;
}

/// A prefix, shared by all pairs with the same letter and first place, and its completion.
struct Completion {
  std::vector<std::int32_t> tokens;
  int known = 0;  ///< places before this one are final
  std::int32_t target = 0;
  double pairs = 0;  ///< number of pairs with this prefix
  bool found = false, blank = true;
};

/// The prefixes of the pairs, each once.
std::vector<Completion> prefixesOf(std::span<const Pair> pairs, Direction direction) {
  const int length = pairs.front().length;
  std::vector<double> count(kLetters * static_cast<std::size_t>(length));
  for (const Pair& pair : pairs)
    ++count[static_cast<std::size_t>(pair.lower) * kLetters + static_cast<std::size_t>(pair.letter)];
  std::vector<Completion> prefixes;
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] == 0) continue;
    const int place = static_cast<int>(i / kLetters);
    const Query query = prefixQuery({static_cast<std::int32_t>(i % kLetters), place, place + 1, length}, direction);
    Completion& made = prefixes.emplace_back();
    made.tokens = query.tokens;
    made.tokens.resize(static_cast<std::size_t>(length), data::kPairPlaceholder);
    made.known = query.hidden;
    made.target = query.target;
    made.pairs = count[i];
  }
  return prefixes;
}

/// Adds the prediction of the first token after the prefix that is not "0", from the logits of a sequence that
/// continues with "0".
void addFirstLetter(const Completion& prefix, const Logits& logits, std::size_t row, Answers& sum) {
  std::array<double, kLetters> shares{};
  const std::int32_t base = firstOfCase(prefix.target);
  double blank = 1;  // probability of nothing but "0" so far
  for (std::size_t n = static_cast<std::size_t>(prefix.known); n < prefix.tokens.size(); ++n, ++row) {
    const std::span<const float> z = logits.of(row);
    const double all = logSum(z);
    for (std::size_t c = 0; c < kLetters; ++c)
      shares[c] += blank * std::exp(static_cast<double>(z[static_cast<std::size_t>(base) + c]) - all);
    blank *= std::exp(static_cast<double>(z[data::kPairPlaceholder]) - all);
  }
  const std::size_t target = static_cast<std::size_t>(prefix.target - base);
  sum.probability += prefix.pairs * shares[target];
  const auto best = static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  sum.letters += prefix.pairs * (best == target);
}

/// Settles places as long as the answers equal the tokens that the model had read there, and the first place where they
/// differ.
void complete(Completion& made, const Logits& logits, std::size_t row) {
  const int length = static_cast<int>(made.tokens.size());
  while (made.known < length && !made.found) {
    const std::int32_t answer = largest(logits.of(row++), 0, data::kPairMask);
    std::int32_t& token = made.tokens[static_cast<std::size_t>(made.known++)];
    made.found = answer == made.target;
    made.blank = made.blank && answer == data::kPairPlaceholder;
    if (token == answer) continue;
    token = answer;
    return;
  }
}

/// Greedy completions of many prefixes at once. Each pass reads whole sequences continued with "0", which is the most
/// frequent continuation, and so settles many places.
bool measurePrefix(nn::Transformer<float>& model, const AccuracyRequest& request, Direction direction, Answers& sum) {
  const int length = request.pairs.front().length;
  std::vector<Completion> made = prefixesOf(request.pairs, direction);
  Logits logits(model, length);
  const std::size_t batch = static_cast<std::size_t>(std::max(request.batch, 1));
  std::vector<std::size_t> open(made.size());
  for (std::size_t i = 0; i < open.size(); ++i)
    open[i] = i;
  for (bool first = true; !open.empty(); first = false) {
    for (std::size_t begin = 0; begin < open.size(); begin += batch) {
      if (request.cancelled && request.cancelled()) return false;
      const auto some = std::span(open).subspan(begin, std::min(batch, open.size() - begin));
      logits.tokens().clear();
      logits.rows().clear();
      std::vector<std::size_t> starts;
      for (const std::size_t i : some) {
        const auto start = static_cast<std::int32_t>(logits.tokens().size());
        starts.push_back(logits.rows().size());
        for (int n = made[i].known; n < length; ++n)
          logits.rows().push_back(start + n - 1);
        logits.tokens().insert(logits.tokens().end(), made[i].tokens.begin(), made[i].tokens.end());
      }
      logits.make();
      for (std::size_t k = 0; k < some.size(); ++k) {
        if (first) addFirstLetter(made[some[k]], logits, starts[k], sum);
        complete(made[some[k]], logits, starts[k]);
      }
    }
    std::erase_if(open, [&](std::size_t i) { return made[i].found || made[i].known == length; });
  }
  for (const Completion& one : made) {
    sum.accuracy += one.pairs * one.found;
    sum.zero += one.pairs * one.blank;
  }
  return true;
}

}  // namespace

Reading readingOf(const nn::Objective& objective) {
  return nn::objectiveInfo(objective.kind).masks ? Reading::Masked : Reading::Prefix;
}

std::vector<Pair> samplePairs(int length, std::uint64_t count) {
  const std::uint64_t all = data::pairCount(length);
  if (count >= all) return allPairs(length);
  const std::unique_ptr<data::Source> source = data::makePairs(0);
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(length));
  std::vector<Pair> pairs;
  for (std::uint64_t index = 0; index < count; ++index) {
    source->sequence(data::Split::Validation, index, length, tokens);
    const auto isLetter = [](std::int32_t token) { return token != data::kPairPlaceholder; };
    const auto lower = std::ranges::find_if(tokens, isLetter), upper = std::find_if(lower + 1, tokens.end(), isLetter);
    pairs.push_back(
        {*lower, static_cast<int>(lower - tokens.begin()), static_cast<int>(upper - tokens.begin()), length});
  }
  return pairs;
}

std::vector<Pair> allPairs(int length) {
  std::vector<Pair> pairs;
  for (std::uint64_t index = 0; index < data::pairCount(length); ++index)
    pairs.push_back(pairAt(index, length));
  return pairs;
}

std::optional<AccuracyReport> measureAccuracy(nn::Transformer<float>& model, const AccuracyRequest& request) {
  assert(model.config().logits() >= data::kPairVocabulary);
  AccuracyReport report;
  report.pairs = request.pairs.size();
  if (request.pairs.empty()) return report;
  for (const Direction direction : kDirections) {
    Answers& answers = direction == Direction::Forward ? report.forward : report.reverse;
    const bool whole = request.reading == Reading::Masked ? measureMasked(model, request, direction, answers)
                                                          : measurePrefix(model, request, direction, answers);
    if (!whole) return std::nullopt;
    divide(answers, static_cast<double>(report.pairs));
  }
  return report;
}

}  // namespace sepx::reversal
