// SPDX-License-Identifier: Apache-2.0
// Compares the gradient of the whole model, one parameter tensor at a time, with central differences in double, for a
// set of configurations in which every possible pair of options occurs.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "engine/nn/transformer.h"
#include "tests/engine/nn/gradient_check.h"
#include "tests/engine/nn/transformer_cases.h"

using namespace sepx;
using namespace sepx::nn;
using namespace sepx::test;

namespace {

std::string text(const Levels& levels) {
  std::string result;
  for (const int level : levels)
    result += std::to_string(level);
  return result;
}

/// The largest error of all tensors, with the name of its tensor.
std::pair<double, std::string> worstError(Transformer<double>& model, const Batch& batch, bool kinks) {
  const DropoutKey key{3, 8};
  model.clearGradient();
  model.accumulate(batch, key);
  const std::vector<double> gradient(model.gradient().begin(), model.gradient().end());
  const bool drops = model.config().embeddingDropout > 0;
  const auto loss = [&] { return drops ? model.accumulate(batch, key) : model.evaluate(batch); };
  GradientCheck options;
  options.step = kinks ? 2e-5 : 3e-4;  // small, to cross the kink of ReLU rarely
  options.fourPoints = true;
  options.leaveKinksOut = kinks;
  std::pair<double, std::string> worst{0, "none"};
  for (const Parameter& p : model.layout().all()) {
    const double error = gradientError(model.of(p), std::span(gradient).subspan(p.offset, p.size()), loss, options);
    if (!(error <= worst.first)) worst = {error, p.name};
  }
  return worst;
}

}  // namespace

TEST_CASE("transformer: the covering set has every possible pair of options") {
  const std::vector<Levels> set = coveringSet();
  std::size_t impossible = 0;
  for (std::size_t a = 0; a < kFactors; ++a)
    for (std::size_t b = a + 1; b < kFactors; ++b)
      for (int i = 0; i < kLevels[a]; ++i)
        for (int j = 0; j < kLevels[b]; ++j) {
          const bool found =
              std::any_of(set.begin(), set.end(), [&](const Levels& f) { return f[a] == i && f[b] == j; });
          if (!found) ++impossible;
        }
  CHECK(impossible ==
        3);  // linear with ALiBi, SwiGLU with the transform of the head, a norm of the embedding without norms
  CHECK(set.size() < 60);
}

TEST_CASE("transformer: without a residual stream gradients agree with central differences") {
  ThreadPool pool(1);
  std::uint64_t seed = 300;
  for (const Levels& levels : withoutResidual()) {
    ModelConfig config = configOf(levels);
    config.residual = false;
    INFO("levels " << text(levels));
    Transformer<double> model(config, pool);
    fill(model, ++seed, 0.6);  // small weights would leave no gradient to measure without the residual stream
    const auto [error, name] = worstError(model, batchOf(levels, config, seed), false);
    INFO(name);
    CHECK(error < kGradientTolerance);
  }
}

TEST_CASE("transformer: gradients agree with central differences for all options") {
  ThreadPool pool(1);
  std::uint64_t seed = 100;
  for (const Levels& levels : coveringSet()) {
    const ModelConfig config = configOf(levels);
    INFO("levels " << text(levels));
    REQUIRE(check(config));
    Transformer<double> model(config, pool);
    fill(model, ++seed);
    const auto [error, name] = worstError(model, batchOf(levels, config, seed), config.activation == Activation::Relu);
    INFO(name);
    CHECK(error < kGradientTolerance);
  }
}
