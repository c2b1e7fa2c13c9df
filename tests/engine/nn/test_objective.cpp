// SPDX-License-Identifier: Apache-2.0
// Batches of the losses: which positions are predicted, what replaces them, and weights that agree with the formulas.
// Shares are within five deviations.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "engine/nn/objective.h"

namespace {

using namespace sepx;
using nn::Batch;
using nn::Objective;
using nn::ObjectiveKind;

constexpr std::int32_t kMask = 20, kPadding = 21;

/// Random tokens 0 ... 19, with padding from `lengths` on.
std::vector<std::int32_t> sequencesOf(int sequences, int length, const std::vector<std::int32_t>& lengths = {}) {
  RandomStream random(5);
  std::vector<std::int32_t> tokens;
  for (int b = 0; b < sequences; ++b)
    for (int n = 0; n < length; ++n)
      tokens.push_back(!lengths.empty() && n >= lengths[static_cast<std::size_t>(b)]
                           ? kPadding
                           : static_cast<std::int32_t>(random.below(20)));
  return tokens;
}

Batch make(const Objective& objective, const std::vector<std::int32_t>& tokens, int sequences, int length,
           const std::vector<std::int32_t>& lengths = {}, std::uint64_t seed = 1) {
  RandomStream random(seed);
  Batch batch;
  nn::makeBatch(objective, tokens, sequences, length, lengths, random, batch);
  return batch;
}

double totalWeight(const Batch& batch) {
  double sum = 0;
  for (const nn::Target& target : batch.targets)
    sum += static_cast<double>(target.weight);
  return sum;
}

/// Checks what holds for every batch except LeaveOneOut: targets are ascending, correct and before the padding.
void checkPlaces(const Batch& batch, const std::vector<std::int32_t>& tokens,
                 const std::vector<std::int32_t>& lengths) {
  std::int32_t last = -1;
  std::set<std::int32_t> rows;
  for (const nn::Target& target : batch.targets) {
    REQUIRE(target.row > last);
    last = target.row;
    REQUIRE(target.token == tokens[static_cast<std::size_t>(target.row)]);
    if (!lengths.empty())
      REQUIRE(target.row % batch.length < lengths[static_cast<std::size_t>(target.row / batch.length)]);
    rows.insert(target.row);
  }
  for (std::size_t row = 0; row < tokens.size(); ++row)
    if (!rows.contains(static_cast<std::int32_t>(row))) REQUIRE(batch.tokens[row] == tokens[row]);
}

bool within(double share, double p, double n) {
  return std::abs(share - p) < 5 * std::sqrt(p * (1 - p) / n);
}

Objective masked(bool plain) {
  return {.kind = ObjectiveKind::Masked, .maskToken = kMask, .plainMask = plain, .firstRandom = 0, .lastRandom = 20};
}

}  // namespace

TEST_CASE("objective: the next token is predicted at every position but the last") {
  const std::vector<std::int32_t> tokens{3, 1, 4, 1, 5, 9, 2, 6};
  const Batch whole = make({}, tokens, 2, 4);
  REQUIRE(whole.predicted() == 6);
  CHECK(whole.tokens == tokens);
  CHECK(whole.targets[0] == nn::Target{0, 1, 1.0f / 6});
  CHECK(whole.targets[5] == nn::Target{6, 6, 1.0f / 6});
  CHECK(whole.lengths.empty());
  const Batch cut = make({}, tokens, 2, 4, {4, 2});
  REQUIRE(cut.predicted() == 4);
  CHECK(cut.targets[3] == nn::Target{4, 9, 0.25f});
  CHECK(cut.lengths == std::vector<std::int32_t>{4, 2});
  CHECK(make({}, tokens, 8, 1).predicted() == 0);
}

TEST_CASE("objective: masking as in BERT has its shares of masked, kept and random tokens") {
  const int sequences = 400, length = 100;
  std::vector<std::int32_t> lengths(sequences);
  for (int b = 0; b < sequences; ++b)
    lengths[static_cast<std::size_t>(b)] = b % 4 == 0 ? 30 : 100;
  const auto tokens = sequencesOf(sequences, length, lengths);
  const Batch batch = make(masked(false), tokens, sequences, length, lengths);
  checkPlaces(batch, tokens, lengths);
  const double places = 100 * 30 + 300 * 100, chosen = static_cast<double>(batch.predicted());
  CHECK(within(chosen / places, 0.15, places));
  CHECK(totalWeight(batch) == Approx(1).epsilon(1e-5));
  double hidden = 0, kept = 0;
  std::map<std::int32_t, int> replacements;
  for (const nn::Target& target : batch.targets) {
    const std::int32_t now = batch.tokens[static_cast<std::size_t>(target.row)];
    CHECK(target.weight == batch.targets[0].weight);
    hidden += now == kMask ? 1 : 0;
    kept += now == target.token ? 1 : 0;
    if (now != kMask && now != target.token) ++replacements[now];
  }
  CHECK(within(hidden / chosen, 0.8, chosen));
  CHECK(within(kept / chosen, 0.1 + 0.1 / 20, chosen));  // a random token may equal the original one
  CHECK(replacements.size() == 20);
  for (const auto& [token, count] : replacements)
    CHECK((token >= 0 && token < 20));
}

TEST_CASE("objective: plain masking always masks, and there is at least one target") {
  const auto tokens = sequencesOf(50, 40);
  const Batch batch = make(masked(true), tokens, 50, 40);
  checkPlaces(batch, tokens, {});
  for (const nn::Target& target : batch.targets)
    CHECK(batch.tokens[static_cast<std::size_t>(target.row)] == kMask);
  Objective rare = masked(true);
  rare.maskProbability = 1e-9;
  std::set<std::int32_t> rows;
  const std::vector<std::int32_t> lengths{2, 0, 1}, few = sequencesOf(3, 4, lengths);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Batch one = make(rare, few, 3, 4, lengths, seed);
    REQUIRE(one.predicted() == 1);
    CHECK(one.targets[0].weight == 1);
    rows.insert(one.targets[0].row);
  }
  CHECK(rows == std::set<std::int32_t>{0, 1, 8});
  CHECK(make(rare, few, 3, 4, {0, 0, 0}).predicted() == 0);
}

TEST_CASE("objective: random replacements are in their range and are not the mask token") {
  Objective objective{.kind = ObjectiveKind::Masked, .maskToken = 7, .firstRandom = 5, .lastRandom = 9};
  objective.maskProbability = 1;
  const std::vector<std::int32_t> tokens(20000, 1);
  const Batch batch = make(objective, tokens, 20, 1000);
  std::map<std::int32_t, double> seen;
  for (const std::int32_t token : batch.tokens)
    ++seen[token];
  REQUIRE(seen.size() == 5);  // 1 kept, 7 masked, 5, 6 and 8 random
  CHECK(within(seen[7] / 20000, 0.8, 20000));
  CHECK(within(seen[1] / 20000, 0.1, 20000));
  for (const std::int32_t token : {5, 6, 8})
    CHECK(within(seen[token] / 20000, 0.1 / 3, 20000));
}

TEST_CASE("objective: a context of unmasked tokens is the plain mask with unreadable masked positions") {
  const std::vector<std::int32_t> lengths{30, 12, 1};
  const auto tokens = sequencesOf(3, 30, lengths);
  Objective objective = masked(true);
  const Batch plain = make(objective, tokens, 3, 30, lengths);
  objective.kind = ObjectiveKind::UnmaskedContext;
  objective.plainMask = false;
  const Batch batch = make(objective, tokens, 3, 30, lengths);
  CHECK(batch.tokens == plain.tokens);
  CHECK(batch.targets == plain.targets);
  CHECK(batch.lengths == plain.lengths);
  REQUIRE(batch.readable.size() == tokens.size());
  for (std::size_t row = 0; row < tokens.size(); ++row)
    CHECK((batch.readable[row] == 0) == (batch.tokens[row] == kMask));
  CHECK(plain.readable.empty());
  objective.maskProbability = 1.5;
  CHECK_FALSE(nn::check(objective, 22));
}

TEST_CASE("objective: leave one out makes one copy of a sequence for each position") {
  const std::vector<std::int32_t> lengths{3, 2}, tokens{3, 1, 4, 1, 5, kPadding};
  const Objective objective{.kind = ObjectiveKind::LeaveOneOut, .maskToken = kMask};
  const Batch batch = make(objective, tokens, 2, 3, lengths);
  CHECK(batch.sequences == 5);
  CHECK(batch.length == 3);
  CHECK(batch.lengths == std::vector<std::int32_t>{3, 3, 3, 2, 2});
  CHECK(batch.tokens == std::vector<std::int32_t>{kMask, 1, 4, 3, kMask, 4, 3, 1, kMask,  //
                                                  kMask, 5, kPadding, 1, kMask, kPadding});
  const std::vector<nn::Target> expected{{0, 3, 0.2f}, {4, 1, 0.2f}, {8, 4, 0.2f}, {9, 1, 0.2f}, {13, 5, 0.2f}};
  CHECK(batch.targets == expected);
  CHECK(make(objective, tokens, 2, 3).lengths.empty());
  CHECK(totalWeight(make(objective, tokens, 2, 3)) == Approx(1));
  const Batch nothing = make(objective, tokens, 2, 3, {0, 0});
  CHECK(nothing.sequences == 1);
  CHECK(nothing.tokens == std::vector<std::int32_t>{3, 1, 4});
  CHECK(nothing.predicted() == 0);
}

TEST_CASE("objective: diffusion masks a stratified share lambda and weights by 1/lambda") {
  const int sequences = 64, length = 500;
  const auto tokens = sequencesOf(sequences, length);
  const Objective weighted{.kind = ObjectiveKind::Diffusion, .maskToken = kMask};
  const Batch batch = make(weighted, tokens, sequences, length);
  checkPlaces(batch, tokens, {});
  std::map<int, double> count, lambda;
  for (const nn::Target& target : batch.targets) {
    CHECK(batch.tokens[static_cast<std::size_t>(target.row)] == kMask);
    const int b = target.row / length;
    const double its = 1 / (static_cast<double>(target.weight) * sequences);
    if (lambda.contains(b)) CHECK(lambda[b] == its);  // one lambda per sequence
    lambda[b] = its;
    ++count[b];
  }
  std::set<int> strata;
  bool sorted = true;
  double before = 0;
  for (const auto& [b, its] : lambda) {
    CHECK((its > 0 && its <= 1 + 1e-6));
    strata.insert(static_cast<int>(std::ceil(its * sequences - 1e-4)));
    CHECK(std::abs(count[b] / length - its) < 5.5 * std::sqrt(its * (1 - its) / length) + 1e-9);
    sorted = sorted && its > before;
    before = its;
  }
  CHECK(strata.size() >= 62);  // 64, except for a lambda near 0 that masks nothing, or one rounded across its border
  CHECK_FALSE(sorted);
}

TEST_CASE("objective: the weights of diffusion are unbiased") {
  // The expected sum of weights is (1/B) times the sum over sequences of their length with 1/lambda, of length/2
  // without.
  const std::vector<std::int32_t> lengths{10, 4, 7, 10};
  const auto tokens = sequencesOf(4, 10, lengths);
  for (const bool weighted : {true, false}) {
    const Objective objective{.kind = ObjectiveKind::Diffusion, .maskToken = kMask, .weighted = weighted};
    RandomStream random(3);
    Batch batch;
    double sum = 0, squares = 0;
    const int rounds = 4000;
    for (int i = 0; i < rounds; ++i) {
      nn::makeBatch(objective, tokens, 4, 10, lengths, random, batch);
      if (i < 50) checkPlaces(batch, tokens, lengths);
      const double total = totalWeight(batch);
      sum += total;
      squares += total * total;
    }
    const double mean = sum / rounds, deviation = std::sqrt((squares / rounds - mean * mean) / rounds);
    CHECK(std::abs(mean - (weighted ? 31.0 : 15.5) / 4) < 5 * deviation);
  }
}

TEST_CASE("objective: a seed determines the batches, and a reused batch keeps nothing") {
  const auto tokens = sequencesOf(8, 30);
  for (std::size_t i = 0; i < nn::kObjectiveCount; ++i) {
    const auto kind = static_cast<ObjectiveKind>(i);
    Objective objective = masked(false);
    objective.kind = kind;
    RandomStream random(1);
    Batch used{3, 3, {1}, {{1, 2, 3.0f}}, {1, 1, 1}, {1}, {0}};
    nn::makeBatch(objective, tokens, 8, 30, {}, random, used);
    const Batch fresh = make(objective, tokens, 8, 30);
    CHECK(used.tokens == fresh.tokens);
    CHECK(used.targets == fresh.targets);
    CHECK(used.lengths.empty());
    CHECK(used.allowed.empty());
    CHECK(used.readable == fresh.readable);
    CHECK(used.sequences == fresh.sequences);
    if (kind == ObjectiveKind::Masked || kind == ObjectiveKind::UnmaskedContext || kind == ObjectiveKind::Diffusion)
      CHECK(make(objective, tokens, 8, 30, {}, 2).tokens != fresh.tokens);
  }
}

TEST_CASE("objective: the description of each objective agrees with its batches") {
  const int sequences = 6, length = 12;
  const std::vector<std::int32_t> lengths{12, 7, 1, 0, 12, 3};
  const auto tokens = sequencesOf(sequences, length, lengths);
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < nn::kObjectiveCount; ++i) {
    const nn::ObjectiveInfo& info = nn::objectives()[i];
    INFO(info.word);
    CHECK(words.insert(info.word).second);
    CHECK(*info.sentence != '\0');
    Objective objective = masked(true);
    objective.kind = static_cast<ObjectiveKind>(i);
    const bool needsNoMask = nn::check({.kind = objective.kind, .plainMask = true}, 22).has_value();
    CHECK(needsNoMask == !info.masks);
    const Batch batch = make(objective, tokens, sequences, length, lengths);
    REQUIRE(batch.tokens.size() == static_cast<std::size_t>(batch.sequences * length));
    CHECK(info.copies == (batch.sequences != sequences));
    std::int32_t last = -1;
    for (const nn::Target& target : batch.targets) {
      REQUIRE(target.row > last);
      last = target.row;
      REQUIRE(last < batch.sequences * length);
      const std::int32_t sequence = target.row / length;
      REQUIRE(target.row % length < batch.lengths[static_cast<std::size_t>(sequence)]);
      // A predicted token is masked where the model could see it.
      if (info.masks) REQUIRE(batch.tokens[static_cast<std::size_t>(target.row)] == kMask);
    }
    if (info.per == nn::LossPer::Token) CHECK(totalWeight(batch) == Approx(1));
    if (info.share != nullptr && info.copies)
      CHECK(static_cast<double>(make(objective, sequencesOf(2, 9), 2, 9).predicted()) ==
            Approx(info.share(objective, 9) * 2 * 9 * 9));
    const auto shortest = sequencesOf(1, info.leastLength);
    objective.maskProbability = 1;
    objective.weighted = false;
    if (info.per == nn::LossPer::Token) CHECK(make(objective, shortest, 1, info.leastLength).predicted() > 0);
  }
}

TEST_CASE("objective: invalid settings are refused with a message") {
  CHECK(nn::check({}, 2));
  CHECK(nn::check(masked(false), 22));
  const auto refused = [](Objective objective, const std::string& word) {
    const auto result = nn::check(objective, 22);
    return !result && result.error().kind == ErrorKind::Usage && result.error().message.find(word) != std::string::npos;
  };
  for (const auto kind : {ObjectiveKind::Masked, ObjectiveKind::LeaveOneOut, ObjectiveKind::Diffusion}) {
    CHECK(refused({.kind = kind}, "mask token"));
    CHECK(refused({.kind = kind, .maskToken = 22}, "mask token"));
  }
  for (const double p : {0.0, -1.0, 1.5, std::nan("")}) {
    Objective objective = masked(true);
    objective.maskProbability = p;
    CHECK(refused(objective, "objective.mask_probability"));
  }
  for (const auto& [first, last] : {std::pair{0, 0}, {5, 3}, {-1, 4}, {0, 23}, {kMask, kMask + 1}}) {
    Objective objective = masked(false);
    objective.firstRandom = first;
    objective.lastRandom = last;
    CHECK(refused(objective, "replacements"));
    objective.plainMask = true;
    CHECK(nn::check(objective, 22));
  }
}
