// SPDX-License-Identifier: Apache-2.0
// Compares forward and reverse scores of a model with those of a full pass, and their correlation with known values.
#include <catch2/catch.hpp>

#include <cmath>

#include "engine/nn/layers/attention_rows.h"
#include "engine/nn/transformer.h"
#include "engine/reversal/correlation.h"
#include "tests/engine/reversal/reversal_models.h"

using namespace sepx;
using namespace sepx::reversal;
using sepx::test::randomTheta;
using sepx::test::smallPairsModel;

namespace {

/// S of one sequence in a full pass: [M] at `mask`, a capital at `capital`, placeholders elsewhere.
double scoreInPass(nn::Transformer<double>& model, int mask, int capital, std::int32_t letter) {
  const nn::ModelConfig& config = model.config();
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = config.length;
  batch.tokens.assign(static_cast<std::size_t>(config.length), data::kPairPlaceholder);
  batch.tokens[static_cast<std::size_t>(capital)] = data::kPairLetters + letter;
  batch.tokens[static_cast<std::size_t>(mask)] = data::kPairMask;
  batch.targets = {{mask, letter, 1}};
  model.probe().layer = 0;
  model.accumulate(batch, {});
  const auto row = [&](int place, int first) {
    return model.probe().qkv.data() + static_cast<std::ptrdiff_t>(place) * config.d_qkv() + first;
  };
  double product = 0;
  for (int i = 0; i < config.d_h(); ++i)
    product += row(mask, 0)[i] * row(capital, config.d_q())[i];
  std::vector<double> slopes(1);
  const nn::AttentionShape shape = nn::attentionShape(config, slopes);
  return shape.scale * product + (nn::hasBias(shape) ? slopes[0] * nn::alibiDistance(shape, mask, capital) : 0);
}

LetterScores scoresOf(const nn::ModelConfig& config, std::span<const double> theta) {
  ThreadPool pool(1);
  const auto scores = letterScores<double>(config, theta, 0, pool);
  REQUIRE(scores);
  return *scores;
}

}  // namespace

TEST_CASE("letter scores: they equal the scores of a pass over the whole sequence") {
  ThreadPool pool(1);
  for (const nn::Positions positions :
       {nn::Positions::Rope, nn::Positions::Alibi, nn::Positions::Learned, nn::Positions::Sinusoidal}) {
    for (const nn::Placement placement : {nn::Placement::Pre, nn::Placement::Post}) {
      nn::ModelConfig config = smallPairsModel(positions);
      config.placement = placement;
      config.embeddingNorm = placement == nn::Placement::Post;
      const std::vector<double> theta = randomTheta(config, 3);
      nn::Transformer<double> model(config, pool);
      std::copy(theta.begin(), theta.end(), model.theta().begin());
      const LetterScores scores = scoresOf(config, theta);
      CHECK(scores.relative == (positions == nn::Positions::Rope || positions == nn::Positions::Alibi));
      for (const auto& [mask, capital, letter] : {std::tuple{0, 4, 0}, {5, 1, 7}, {3, 2, 25}})
        CHECK(scores.at(mask, capital)[static_cast<std::size_t>(letter)] ==
              Approx(scoreInPass(model, mask, capital, letter)).margin(1e-12));
    }
  }
}

TEST_CASE("letter scores: a model without letter scores is refused with a message") {
  ThreadPool pool(1);
  nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  const std::vector<double> theta = randomTheta(config, 3);
  CHECK_FALSE(letterScores<double>(config, theta, 1, pool));
  CHECK_FALSE(letterScores<double>(config, std::span(theta).first(5), 0, pool));
  config.causal = true;
  const auto causal = letterScores<double>(config, theta, 0, pool);
  REQUIRE_FALSE(causal);
  CHECK(causal.error().message.find("left to right") != std::string::npos);
  config.causal = false;
  config.vocabulary = 12;
  const auto few = letterScores<double>(config, theta, 0, pool);
  REQUIRE_FALSE(few);
  CHECK(few.error().message.find("12 tokens") != std::string::npos);
}

TEST_CASE("correlation: it is Pearson's, and NaN if one series is constant") {
  const std::vector<double> a{1, 2, 3, 4}, b{2, 1, 4, 3}, flat{5, 5, 5, 5};
  CHECK(correlation(a, b) == Approx(0.6).epsilon(1e-14));
  CHECK(correlation(a, a) == Approx(1).epsilon(1e-14));
  CHECK(std::isnan(correlation(a, flat)));
}

TEST_CASE("score correlation: with ALiBi it is 1 at every pair of distances (Proposition 4.5)") {
  for (const bool alibiSigned : {true, false}) {
    nn::ModelConfig config = smallPairsModel(nn::Positions::Alibi, 8);
    config.alibiSigned = alibiSigned;
    const ScoreCorrelation found = scoreCorrelation(scoresOf(config, randomTheta(config, 5)));
    REQUIRE(found.pairs.size() == 49);
    for (const double one : found.pairs)
      CHECK(one == Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("score correlation: the value at a sum of distances is the mean over the pairs with that sum") {
  const nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  const LetterScores scores = scoresOf(config, randomTheta(config, 6));
  const ScoreCorrelation found = scoreCorrelation(scores);
  REQUIRE(found.sums() == 9);  // 2 ... 10
  CHECK(found.at(2, 3) == Approx(correlation(scores.at(0, 2), scores.at(3, 0))).epsilon(1e-12));
  CHECK(found.at(3, 2) != Approx(found.at(2, 3)).margin(1e-3));
  CHECK(found.mean[5] == Approx((found.at(2, 5) + found.at(3, 4) + found.at(4, 3) + found.at(5, 2)) / 4));
  CHECK(found.least[5] == std::min({found.at(2, 5), found.at(3, 4), found.at(4, 3), found.at(5, 2)}));
  CHECK(found.mean[0] == found.at(1, 1));
  CHECK(found.mean[8] == found.at(5, 5));
}

TEST_CASE("score correlation: with learned positions it is the mean over all places with these distances") {
  const nn::ModelConfig config = smallPairsModel(nn::Positions::Learned, 4);
  const LetterScores scores = scoresOf(config, randomTheta(config, 7));
  const ScoreCorrelation found = scoreCorrelation(scores);
  double sum = 0;
  for (const int mask : {0, 1})
    for (const int capital : {0, 1, 2})
      sum += correlation(scores.at(mask, mask + 2), scores.at(capital + 1, capital));
  CHECK(found.at(2, 1) == Approx(sum / 6).epsilon(1e-12));
}
