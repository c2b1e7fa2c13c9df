// SPDX-License-Identifier: Apache-2.0
// Forward-only pairs: every triple occurs once in the validation split, and all have the same probability in the
// training split.
#include "engine/data/pairs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "tests/engine/data/sequences.h"

using namespace sepx;
using data::Split;

namespace {

/// The (letter, i, j) of a sequence. Fails unless it is one lowercase letter before its capital among placeholders.
std::tuple<int, int, int> tripleOf(const std::vector<std::int32_t>& tokens) {
  int letter = -1, capital = -1, i = -1, j = -1;
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    if (tokens[n] == data::kPairPlaceholder) continue;
    if (tokens[n] < 26) {
      REQUIRE(letter == -1);
      letter = tokens[n];
      i = static_cast<int>(n);
    } else {
      REQUIRE(capital == -1);
      capital = tokens[n] - 26;
      j = static_cast<int>(n);
    }
  }
  REQUIRE(letter >= 0);
  REQUIRE(letter == capital);
  REQUIRE(i < j);
  return {letter, i, j};
}

data::SourceConfig pairs(std::uint64_t seed) {
  data::SourceConfig config;
  config.kind = data::SourceKind::Pairs;
  config.seed = seed;
  return config;
}

}  // namespace

TEST_CASE("The validation split contains every letter with every pair of positions once") {
  const auto source = test::sourceOf(pairs(3));
  for (const int length : {2, 3, 10}) {
    const auto all = static_cast<std::uint64_t>(26 * length * (length - 1) / 2);
    REQUIRE(data::pairCount(length) == all);
    std::set<std::tuple<int, int, int>> seen;
    for (std::uint64_t index = 0; index < all; ++index)
      seen.insert(tripleOf(test::sequenceOf(*source, Split::Validation, index, length)));
    CHECK(seen.size() == all);
    CHECK(test::sequenceOf(*source, Split::Validation, all, length) ==
          test::sequenceOf(*source, Split::Validation, 0, length));
  }
}

TEST_CASE("The first validation pairs are a representative sample") {
  const auto source = test::sourceOf(pairs(3));
  for (const int length : {10, 16, 40}) {
    constexpr int kFirst = 64;
    std::set<int> letters, places;
    std::set<std::tuple<int, int, int>> seen;
    double first = 0, gap = 0;
    for (std::uint64_t index = 0; index < kFirst; ++index) {
      const auto [letter, i, j] = tripleOf(test::sequenceOf(*source, Split::Validation, index, length));
      seen.insert({letter, i, j});
      letters.insert(letter);
      places.insert(i);
      first += static_cast<double>(i) / kFirst;
      gap += static_cast<double>(j - i) / kFirst;
    }
    INFO("length " << length << ", letters " << letters.size() << ", places " << places.size());
    CHECK(seen.size() == kFirst);
    CHECK(letters.size() >= 20);  // 24 are expected in 64 draws
    CHECK(places.size() >= static_cast<std::size_t>(std::min(length, 30) / 2));
    // E[i] = (L-2)/3 and E[j-i] = (L+1)/3, both with variance (L+1)(L-2)/18. Four deviations of a mean of 64.
    const double deviation = std::sqrt((length + 1.0) * (length - 2.0) / 18 / kFirst);
    CHECK(std::abs(first - (length - 2) / 3.0) < 4 * deviation);
    CHECK(std::abs(gap - (length + 1) / 3.0) < 4 * deviation);
  }
  // They are the same for every seed, so that runs are compared on the same pairs.
  CHECK(test::sequenceOf(*source, Split::Validation, 7, 20) ==
        test::sequenceOf(*test::sourceOf(pairs(4)), Split::Validation, 7, 20));
}

TEST_CASE("The entropy of the next token of a pair agrees with counts over all sequences") {
  for (const int length : {2, 3, 10, 16}) {
    // The chain rule, token by token: -sum p(x_1..x_n+1) log p(x_n+1 | x_1..x_n), by counting prefixes.
    const std::uint64_t all = data::pairCount(length);
    const auto source = test::sourceOf(pairs(0));
    std::map<std::vector<std::int32_t>, double> prefixes;
    for (std::uint64_t index = 0; index < all; ++index) {
      const auto tokens = test::sequenceOf(*source, Split::Validation, index, length);
      for (int n = 1; n <= length; ++n)
        ++prefixes[{tokens.begin(), tokens.begin() + n}];
    }
    double sum = 0;
    for (const auto& [prefix, count] : prefixes)
      if (prefix.size() > 1) {
        const double before = prefixes.at({prefix.begin(), prefix.end() - 1});
        sum -= count / static_cast<double>(all) * std::log(count / before);
      }
    CHECK(data::pairNextEntropy(length) == Approx(sum / (length - 1)).margin(1e-12));
  }
  CHECK(data::pairEntropy(16) == Approx(std::log(3120.0)));
  CHECK(data::pairEntropy(1) == 0);
  CHECK(data::pairNextEntropy(1) == 0);
}

TEST_CASE("Training pairs are uniform over letters and pairs of positions") {
  const auto source = test::sourceOf(pairs(1));
  constexpr int kLength = 5, kDraws = 52000;  // 260 triples, 200 draws each
  std::map<std::tuple<int, int, int>, int> counts;
  for (std::uint64_t index = 0; index < kDraws; ++index)
    ++counts[tripleOf(test::sequenceOf(*source, Split::Train, index, kLength))];
  REQUIRE(counts.size() == 260);
  double chiSquare = 0;
  for (const auto& [triple, count] : counts)
    chiSquare += (count - 200.0) * (count - 200.0) / 200.0;
  // 259 degrees of freedom: mean 259, deviation sqrt(518) = 22.8. Five deviations on either side.
  CHECK(std::abs(chiSquare - 259) < 114);
}

TEST_CASE("Pairs are a function of seed, split and index") {
  CHECK(test::impure(pairs(5), 12).empty());
  const auto source = test::sourceOf(pairs(5));
  CHECK(source->vocabulary() == 54);
  CHECK(source->maskToken() == 53);
  CHECK(source->word(0) + source->word(26) + source->word(52) + source->word(53) == "aA0[M]");
  CHECK(test::sequenceOf(*source, Split::Train, 0, 1) == std::vector<std::int32_t>{52});  // too short for a pair
}
