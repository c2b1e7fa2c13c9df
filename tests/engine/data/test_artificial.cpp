// SPDX-License-Identifier: Apache-2.0
// Compares the two data sets of Attention-Structure with their definitions.
#include "engine/data/artificial.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "tests/engine/data/sequences.h"

using namespace sepx;
using data::Split;

namespace {

data::SourceConfig set(data::SourceKind kind, double jitter = 0) {
  data::SourceConfig config;
  config.kind = kind;
  config.jitter = jitter;
  return config;
}

/// Runs of equal tokens as (token, length).
std::vector<std::pair<std::int32_t, int>> runsOf(const std::vector<std::int32_t>& tokens) {
  std::vector<std::pair<std::int32_t, int>> runs;
  for (const std::int32_t token : tokens) {
    if (runs.empty() || runs.back().first != token) runs.emplace_back(token, 0);
    ++runs.back().second;
  }
  return runs;
}

}  // namespace

TEST_CASE("repeats: a round contains all ten tokens, each one to four times") {
  const auto source = test::sourceOf(set(data::SourceKind::Repeats));
  CHECK(source->vocabulary() == 11);
  CHECK(source->maskToken() == 10);
  std::vector<int> lengths(5, 0), firsts(10, 0);
  for (std::uint64_t index = 0; index < 2000; ++index) {
    const auto tokens = test::sequenceOf(*source, Split::Train, index, 100);
    REQUIRE(tokens.size() == 100);
    ++firsts[static_cast<std::size_t>(tokens[0])];
    // The last token of a round may also begin the next round. Such a run is cut where the round is complete.
    std::set<std::int32_t> round;
    const auto runs = runsOf(tokens);
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const auto [token, length] = runs[r];
      if (round.size() == 10) round.clear();
      REQUIRE(round.insert(token).second);
      const bool closes = round.size() == 10;
      REQUIRE(length <= (closes ? 8 : 4));
      if (closes && length > 4) round = {token};
      if (!closes && round.size() > 1 && r + 1 < runs.size()) ++lengths[static_cast<std::size_t>(length)];
      // A run of at most four at the end of a round may also contain the beginning of the next round.
      if (closes && length <= 4 && r + 1 < runs.size()) break;
    }
  }
  const int all = lengths[1] + lengths[2] + lengths[3] + lengths[4];
  REQUIRE(all > 10000);
  for (int length = 1; length <= 4; ++length)
    CHECK(std::abs(lengths[static_cast<std::size_t>(length)] - all / 4.0) < 5 * std::sqrt(all * 3 / 16.0));
  for (const int count : firsts)
    CHECK(std::abs(count - 200) < 5 * std::sqrt(180.0));
}

TEST_CASE("repeats: one hundred tokens contain all ten tokens, and every round is completed") {
  const auto source = test::sourceOf(set(data::SourceKind::Repeats));
  for (std::uint64_t index = 0; index < 500; ++index) {
    const auto tokens = test::sequenceOf(*source, Split::Validation, index, 100);
    std::set<std::int32_t> seen;
    std::size_t n = 0;
    for (; seen.size() < 10; ++n)
      seen.insert(tokens.at(n));
    CHECK(n <= 37);  // nine tokens at most four times each, and one token
    for (const std::int32_t token : seen) {
      const auto first = std::find(tokens.begin(), tokens.end(), token);
      const auto inRound = std::count(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(n), token);
      CHECK(inRound <= 4);
      CHECK(std::all_of(first, first + inRound, [&](std::int32_t t) { return t == token; }));
    }
  }
}

TEST_CASE("mirrored: forty-eight tokens in runs are followed by the same tokens in reverse") {
  const auto source = test::sourceOf(set(data::SourceKind::Mirrored, 0.2));  // the validation split has no jitter
  CHECK(source->vocabulary() == 49);
  CHECK(source->maskToken() == 48);
  std::vector<double> counts(48, 0);
  double runs = 0, tokensInRuns = 0;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    const auto tokens = test::sequenceOf(*source, Split::Validation, index, 96);
    REQUIRE(tokens.size() == 96);
    for (std::size_t n = 0; n < 48; ++n)
      REQUIRE(tokens[n] == tokens[95 - n]);
    const auto half = runsOf({tokens.begin(), tokens.begin() + 48});
    for (std::size_t r = 0; r + 1 < half.size(); ++r) {
      ++runs;
      tokensInRuns += half[r].second;
    }
    for (const auto& [token, length] : half)
      ++counts[static_cast<std::size_t>(token)];
  }
  // A drawn token is repeated 2 times on average. Two consecutive draws are equal with probability 1/48.
  CHECK(tokensInRuns / runs == Approx(2 / (1 - 1 / 48.0)).epsilon(0.02));
  double all = 0;
  for (const double count : counts)
    all += count;
  for (const double count : counts)
    CHECK(std::abs(count - all / 48) < 5 * std::sqrt(all / 48));
}

TEST_CASE("jitter replaces its share of the training tokens by other tokens") {
  for (const auto kind : {data::SourceKind::Repeats, data::SourceKind::Mirrored}) {
    const int length = kind == data::SourceKind::Repeats ? 100 : 96;
    const auto plain = test::sourceOf(set(kind)), jittered = test::sourceOf(set(kind, 0.1));
    double changed = 0, all = 0;
    for (std::uint64_t index = 0; index < 500; ++index) {
      CHECK(test::sequenceOf(*plain, Split::Validation, index, length) ==
            test::sequenceOf(*jittered, Split::Validation, index, length));
      const auto a = test::sequenceOf(*plain, Split::Train, index, length);
      const auto b = test::sequenceOf(*jittered, Split::Train, index, length);
      for (std::size_t n = 0; n < a.size(); ++n) {
        changed += a[n] != b[n];
        ++all;
        REQUIRE(b[n] < jittered->maskToken());
      }
    }
    CHECK(std::abs(changed / all - 0.1) < 5 * std::sqrt(0.09 / all));
  }
}

TEST_CASE("The two data sets are functions of seed, split and index and have a fixed maximum length") {
  for (const auto kind : {data::SourceKind::Repeats, data::SourceKind::Mirrored}) {
    CHECK(test::impure(set(kind, 0.1), 60).empty());
    const auto source = test::sourceOf(set(kind));
    const auto longer = test::sequenceOf(*source, Split::Train, 1, 128);
    CHECK(longer.size() == (kind == data::SourceKind::Repeats ? 100U : 96U));
    const auto shorter = test::sequenceOf(*source, Split::Train, 1, 7);
    CHECK(std::equal(shorter.begin(), shorter.end(), longer.begin()));
  }
  const auto refused = data::makeSource(set(data::SourceKind::Mirrored, 1.5));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "data.jitter = 1.5 must be a probability, from 0 to 1");
}
