// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "engine/reversal/query.h"

namespace sepx::reversal {

TEST_CASE("Queries of a masked diffusion model hide one letter in each direction", "[reversal]") {
  const Pair pair{3, 2, 5, 7};
  const Query forward = maskedQuery(pair, Direction::Forward), reverse = maskedQuery(pair, Direction::Reverse);
  CHECK(text(forward.tokens) == "0 0 [M] 0 0 D 0");
  CHECK(text(reverse.tokens) == "0 0 D 0 0 [M] 0");
  CHECK(forward.target == 3);
  CHECK(reverse.target == 3);
  CHECK(forward.hidden == 2);
  CHECK(forward.evidence == 5);
  CHECK(reverse.hidden == 5);
  CHECK(reverse.evidence == 2);
}

TEST_CASE("Queries of an autoregressive model end with the first letter", "[reversal]") {
  const Pair pair{25, 1, 4, 6};
  const Query forward = prefixQuery(pair, Direction::Forward), reverse = prefixQuery(pair, Direction::Reverse);
  CHECK(text(forward.tokens) == "0 z");
  CHECK(text(reverse.tokens) == "0 Z");
  CHECK(forward.target == 51);
  CHECK(reverse.target == 25);
  CHECK(reverse.hidden == 2);
}

TEST_CASE("A partner query ends before the place of the partner", "[reversal]") {
  const Pair pair{25, 1, 4, 6};
  const Query forward = partnerQuery(pair, Direction::Forward), reverse = partnerQuery(pair, Direction::Reverse);
  CHECK(text(forward.tokens) == "0 z 0 0");
  CHECK(text(reverse.tokens) == "0 Z 0 0");
  CHECK(forward.target == 51);
  CHECK(reverse.target == 25);
  CHECK(forward.hidden == 4);
  CHECK(forward.evidence == 1);
}

TEST_CASE("All pairs of a length pass the check and are the sequences of the data", "[reversal]") {
  std::vector<std::int32_t> sequence(5);
  const auto source = data::makePairs(0);
  std::vector<std::string> seen;
  for (std::uint64_t index = 0; index < data::pairCount(5); ++index) {
    const Pair pair = pairAt(index, 5);
    REQUIRE(check(pair));
    Query query = maskedQuery(pair, Direction::Forward);
    query.tokens[static_cast<std::size_t>(query.hidden)] = query.target;
    seen.push_back(text(query.tokens));
  }
  std::vector<std::string> of;
  for (std::uint64_t index = 0; index < data::pairCount(5); ++index) {
    source->sequence(data::Split::Validation, index, 5, sequence);
    of.push_back(text(sequence));
  }
  std::sort(seen.begin(), seen.end());
  std::sort(of.begin(), of.end());
  CHECK(seen == of);
}

TEST_CASE("Pairs that do not exist are refused with a message", "[reversal]") {
  const auto sentence = [](const Pair& pair) { return check(pair).error().message; };
  CHECK(sentence({0, 0, 1, 1}) ==
        "A sequence of 1 tokens has no room for a letter and its capital; make it 2 or longer.");
  CHECK(sentence({26, 0, 1, 4}) == "Letter 26 does not exist; letters are 0 (a) to 25 (z).");
  CHECK(sentence({0, 0, 4, 4}) == "Place 4 is outside the sequence; places of a sequence of 4 tokens are 0 to 3.");
  CHECK(sentence({0, 2, 2, 4}) == "Both letters stand at place 2; move one of them to another place.");
  CHECK(sentence({0, 3, 2, 4}).find("the small letter first") != std::string::npos);
}

}  // namespace sepx::reversal
