// SPDX-License-Identifier: Apache-2.0
// The output of a model for a typed sequence: its predictions are those of the training loss, its attention is that of
// the layer, and input that it cannot read is refused.
#include <cmath>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/data/source_config.h"
#include "engine/nn/initialise.h"
#include "engine/nn/transformer.h"
#include "engine/train/sequence_probe.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::train::sequence_tests {
namespace {

struct Rig {
  RunConfig config;
  std::unique_ptr<data::Source> source;
  std::vector<float> theta;
  std::vector<std::int32_t> tokens = std::vector<std::int32_t>(12);
  ThreadPool pool{1};

  Rig(data::SourceKind kind, nn::ObjectiveKind objective, nn::Input input = nn::Input::Table) {
    config.data.kind = kind;
    config.model.vocabulary = 0;
    config.model.length = 12;
    config.model.layers = 2;
    config.model.d_model = 12;
    config.model.heads = 3;
    config.model.input = input;
    config.model.residualDropout = 0.5;  // without effect here
    config.model.causal = objective == nn::ObjectiveKind::NextToken;
    config.objective.kind = objective;
    source = std::move(*data::makeSource(config.data));
    REQUIRE(resolve(config, *source));
    const nn::ParameterLayout layout(config.model);
    nn::Initial initial;
    initial.scheme = nn::InitialScheme::Gaussian;
    initial.sigma = 0.4;
    theta.resize(layout.size());
    RandomStream random(3);
    nn::initialise<float>(initial, config.model, layout, random, theta);
    source->sequence(data::Split::Validation, 1, 12, tokens);
  }
  SequenceProbe probe(std::vector<int> hidden = {}, int layer = 1) {
    auto made = probeSequence(config, theta, {layer, tokens, std::move(hidden)}, pool);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return std::move(*made);
  }
  /// Mean of -log of the probability of the true token, over the places that are predicted and known.
  double lossOf(const SequenceProbe& seen) const {
    double sum = 0, count = 0;
    for (const Prediction& one : seen.predictions) {
      if (one.place >= 12) continue;
      sum -= std::log(one.shares[static_cast<std::size_t>(tokens[static_cast<std::size_t>(one.place)])]);
      ++count;
    }
    return sum / count;
  }
  /// The same mean computed by the training code, without dropout.
  double trainingLoss() {
    nn::ModelConfig model = config.model;
    model.residualDropout = 0;
    nn::Transformer<float> transformer(model, pool);
    std::copy(theta.begin(), theta.end(), transformer.theta().begin());
    nn::Batch batch;
    RandomStream random(0);
    nn::makeBatch(config.objective, tokens, 1, 12, {}, random, batch);
    return transformer.evaluate(batch);
  }
};

void requireShares(const SequenceProbe& seen) {
  for (const Prediction& one : seen.predictions) {
    double sum = 0;
    for (const double share : one.shares)
      sum += share;
    CHECK(sum == Approx(1));
  }
  for (const attention::MatrixF& head : seen.attention)
    for (Eigen::Index i = 0; i < head.rows(); ++i)
      CHECK(head.row(i).sum() == Approx(1).epsilon(1e-4));
}

}  // namespace

TEST_CASE("A causal model predicts each token from those before it, in agreement with its loss", "[probe]") {
  Rig rig(data::SourceKind::Mirrored, nn::ObjectiveKind::NextToken);
  const SequenceProbe seen = rig.probe({3});  // hidden places do not apply to a model without masking
  CHECK(seen.read == rig.tokens);
  requireShares(seen);
  REQUIRE(seen.predictions.size() == 12);
  CHECK(seen.predictions.front().place == 1);
  CHECK(seen.predictions.back().place == 12);
  CHECK(rig.lossOf(seen) == Approx(rig.trainingLoss()).epsilon(1e-5));
  REQUIRE(seen.attention.size() == 3);
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j)
      CHECK(seen.attention[2](i, j) == 0);
}

TEST_CASE("A bit has two probabilities from its one logit", "[probe]") {
  Rig rig(data::SourceKind::Markov, nn::ObjectiveKind::NextToken, nn::Input::Bit);
  const SequenceProbe seen = rig.probe();
  requireShares(seen);
  CHECK(seen.predictions.front().shares.size() == 2);
  CHECK(rig.lossOf(seen) == Approx(rig.trainingLoss()).epsilon(1e-5));
}

TEST_CASE("An encoder predicts the hidden places, or each place in turn if none is hidden", "[probe]") {
  Rig rig(data::SourceKind::Mirrored, nn::ObjectiveKind::LeaveOneOut);
  const SequenceProbe turned = rig.probe();
  CHECK(turned.eachInTurn);
  CHECK(turned.read == rig.tokens);
  REQUIRE(turned.predictions.size() == 12);
  CHECK(rig.lossOf(turned) == Approx(rig.trainingLoss()).epsilon(1e-5));  // the objective hides each token once
  const SequenceProbe one = rig.probe({4});
  CHECK_FALSE(one.eachInTurn);
  CHECK(one.read[4] == rig.config.objective.maskToken);
  requireShares(one);
  REQUIRE(one.predictions.size() == 1);
  CHECK(one.predictions[0].place == 4);
  for (std::size_t v = 0; v < one.predictions[0].shares.size(); ++v)
    CHECK(one.predictions[0].shares[v] == Approx(turned.predictions[4].shares[v]).margin(1e-6));
  rig.tokens[4] = rig.config.objective.maskToken;  // typed as [MASK]
  CHECK(rig.probe().predictions[0].shares == one.predictions[0].shares);
}

TEST_CASE("Input that cannot be read is refused with one message", "[probe]") {
  Rig rig(data::SourceKind::Mirrored, nn::ObjectiveKind::LeaveOneOut);
  const auto refused = [&](const SequenceRequest& request) {
    const auto made = probeSequence(rig.config, rig.theta, request, rig.pool);
    REQUIRE_FALSE(made);
    return made.error().message;
  };
  CHECK(refused({2, rig.tokens, {}}).find("layers 0 to 1") != std::string::npos);
  CHECK(refused({0, {}, {}}).find("0 tokens") != std::string::npos);
  CHECK(refused({0, std::vector<std::int32_t>(13, 0), {}}).find("1 to 12") != std::string::npos);
  CHECK(refused({0, {9999}, {}}).find("9999") != std::string::npos);
  CHECK(refused({0, rig.tokens, {12}}).find("position 12") != std::string::npos);
}

}  // namespace sepx::train::sequence_tests
