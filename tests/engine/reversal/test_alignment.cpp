// SPDX-License-Identifier: Apache-2.0
// Compares forward and reverse gradients of a model, and their split into groups, with central differences.
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

#include "engine/reversal/alignment.h"
#include "tests/engine/reversal/reversal_models.h"

using namespace sepx;
using namespace sepx::reversal;
using sepx::test::randomModel;
using sepx::test::smallPairsModel;

namespace {

const std::vector<Pair> kPairs{{3, 0, 4, 6}, {3, 1, 2, 6}, {20, 2, 5, 6}};

/// dL/dh of theta + h direction at h = 0.
double slope(nn::Transformer<double>& model, Direction of, std::span<const double> direction) {
  constexpr double h = 1e-5;
  const nn::Batch batch = queryBatch(kPairs, of);
  const std::vector<double> before(model.theta().begin(), model.theta().end());
  double values[2];
  for (const int side : {0, 1}) {
    for (std::size_t i = 0; i < before.size(); ++i)
      model.theta()[i] = before[i] + (side == 0 ? -h : h) * direction[i];
    values[side] = model.evaluate(batch);
  }
  std::copy(before.begin(), before.end(), model.theta().begin());
  return (values[1] - values[0]) / (2 * h);
}

}  // namespace

TEST_CASE("alignment: the product of both gradients is the slope of one loss along the other gradient") {
  ThreadPool pool(1);
  for (const nn::Positions positions : {nn::Positions::Rope, nn::Positions::Learned, nn::Positions::Alibi}) {
    nn::Transformer<double> model = randomModel(smallPairsModel(positions), pool, 21);
    const QueryGradients<double> gradients = queryGradients(model, kPairs);
    const Alignment found = alignmentOf(model.layout(), gradients);
    CHECK(found.forwardLoss == Approx(model.evaluate(queryBatch(kPairs, Direction::Forward))).epsilon(1e-12));
    CHECK(found.reverseLoss == Approx(model.evaluate(queryBatch(kPairs, Direction::Reverse))).epsilon(1e-12));
    const double scale = std::sqrt(found.all.forward2 * found.all.reverse2);
    CHECK(slope(model, Direction::Reverse, gradients.forward) ==
          Approx(found.all.product).epsilon(1e-6).margin(1e-6 * scale));
    CHECK(slope(model, Direction::Forward, gradients.forward) == Approx(found.all.forward2).epsilon(1e-6));
    // For a single group it is the slope along the group's part of the gradient.
    for (const nn::ParameterGroup group :
         {nn::ParameterGroup::Queries, nn::ParameterGroup::Norms, nn::ParameterGroup::FeedForward}) {
      std::vector<double> part(gradients.forward.size(), 0.0);
      for (const nn::Parameter& p : model.layout().all())
        if (nn::groupOf(p) == group)
          std::copy_n(gradients.forward.begin() + static_cast<std::ptrdiff_t>(p.offset), p.size(),
                      part.begin() + static_cast<std::ptrdiff_t>(p.offset));
      CHECK(slope(model, Direction::Reverse, part) ==
            Approx(found.of(group).product).epsilon(1e-6).margin(1e-6 * scale));
    }
  }
}

TEST_CASE("alignment: each parameter belongs to exactly one group") {
  ThreadPool pool(1);
  nn::Transformer<double> model = randomModel(smallPairsModel(nn::Positions::Learned), pool, 22);
  const Alignment found = alignmentOf(model.layout(), queryGradients(model, kPairs));
  double product = 0, forward2 = 0;
  for (const GradientProduct& part : found.groups) {
    product += part.product;
    forward2 += part.forward2;
    CHECK(std::isfinite(part.cosine()));
    CHECK(std::abs(part.cosine()) <= 1 + 1e-12);
  }
  CHECK(product == Approx(found.all.product).margin(1e-9));
  CHECK(forward2 == Approx(found.all.forward2).epsilon(1e-9));
  nn::Transformer<double> rope = randomModel(smallPairsModel(nn::Positions::Rope), pool, 22);
  const Alignment without = alignmentOf(rope.layout(), queryGradients(rope, kPairs));
  CHECK(std::isnan(without.of(nn::ParameterGroup::Positions).cosine()));  // the group has no parameters
}

TEST_CASE("alignment: under symmetric ALiBi, mirrored queries have equal gradients") {
  ThreadPool pool(1);
  nn::ModelConfig config = smallPairsModel(nn::Positions::Alibi);
  config.alibiSigned = false;
  nn::Transformer<double> model = randomModel(config, pool, 23);
  // Places 0 and 5 mirror each other, so the reverse query is the forward query read backwards.
  const std::vector<Pair> mirrored{{3, 0, 5, 6}};
  CHECK(alignmentOf(model.layout(), queryGradients(model, mirrored)).all.cosine() == Approx(1).epsilon(1e-12));
}

TEST_CASE("alignment: float agrees with double, and the gradient of several pairs is the mean of their gradients") {
  ThreadPool pool(1);
  const nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  nn::Transformer<double> model = randomModel(config, pool, 24);
  nn::Transformer<float> narrow(config, pool);
  std::copy(model.theta().begin(), model.theta().end(), narrow.theta().begin());
  const Alignment wide = alignmentOf(model.layout(), queryGradients(model, kPairs));
  const Alignment other = alignmentOf(narrow.layout(), queryGradients(narrow, kPairs));
  CHECK(other.all.cosine() == Approx(wide.all.cosine()).margin(1e-4));
  const QueryGradients<double> all = queryGradients(model, kPairs);
  std::vector<double> mean(all.forward.size(), 0.0);
  for (const Pair& pair : kPairs) {
    const QueryGradients<double> one = queryGradients(model, std::span(&pair, 1));
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += one.forward[i] / static_cast<double>(kPairs.size());
  }
  for (std::size_t i = 0; i < mean.size(); i += 97)
    CHECK(mean[i] == Approx(all.forward[i]).margin(1e-6));  // the weights of targets are float
}

TEST_CASE("step effect: the prediction is the change to first order, and the parameters stay unchanged") {
  ThreadPool pool(1);
  nn::Transformer<double> model = randomModel(smallPairsModel(nn::Positions::Rope), pool, 25);
  const QueryGradients<double> gradients = queryGradients(model, kPairs);
  const std::vector<double> before(model.theta().begin(), model.theta().end());
  const StepEffect small = stepEffect(model, kPairs, gradients, 1e-6),
                   large = stepEffect(model, kPairs, gradients, 1e-4);
  CHECK(std::equal(before.begin(), before.end(), model.theta().begin()));
  CHECK(small.forwardPredicted < 0);
  CHECK(small.forward == Approx(small.forwardPredicted).epsilon(1e-3));
  CHECK(small.reverse == Approx(small.reversePredicted).margin(1e-3 * std::abs(small.forwardPredicted)));
  CHECK(large.reversePredicted == Approx(100 * small.reversePredicted));
  // The remainder grows with the square of the rate.
  const double leftSmall = small.forward - small.forwardPredicted, leftLarge = large.forward - large.forwardPredicted;
  CHECK(leftLarge / leftSmall == Approx(1e4).epsilon(0.1));
}

TEST_CASE("alignment: pairs that the model cannot be asked about are refused with a message") {
  nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  const auto refusal = [&config](const std::vector<Pair>& pairs) {
    const Result<void> checked = checkPairs(config, pairs);
    REQUIRE_FALSE(checked);
    return checked.error().message;
  };
  CHECK(checkPairs(config, kPairs));
  CHECK(refusal({}).find("no pair") != std::string::npos);
  CHECK(refusal({{0, 0, 8, 9}}).find("at most 6") != std::string::npos);
  CHECK(refusal({{0, 0, 1, 5}, {0, 0, 1, 6}}).find("the same length") != std::string::npos);
  CHECK(!refusal({{0, 3, 3, 6}}).empty());
  config.causal = true;
  CHECK(refusal(kPairs).find("left to right") != std::string::npos);
}
