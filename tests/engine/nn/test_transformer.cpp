// SPDX-License-Identifier: Apache-2.0
// Compares the transformer with an independent plain one and float with double, and tests the changes that must not
// affect its numbers.
#include <catch2/catch.hpp>

#include <numeric>

#include "engine/nn/transformer.h"
#include "tests/engine/nn/gradient_check.h"
#include "tests/engine/nn/naive_transformer.h"
#include "tests/engine/nn/transformer_cases.h"

using namespace sepx;
using namespace sepx::nn;
using namespace sepx::test;

namespace {

std::vector<std::int32_t> allRows(const Batch& batch) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(batch.sequences * batch.length));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

template <class T>
std::vector<T> allLogits(Transformer<T>& model, const Batch& batch) {
  const auto rows = allRows(batch);
  std::vector<T> out(rows.size() * static_cast<std::size_t>(model.config().logits()));
  model.logits(batch, rows, out);
  return out;
}

template <class T>
std::vector<T> gradientOf(Transformer<T>& model, const Batch& batch, const DropoutKey& key = {}) {
  model.clearGradient();
  model.accumulate(batch, key);
  return {model.gradient().begin(), model.gradient().end()};
}

/// Copies sequence b of another batch to position `place` of `to`.
void copySequence(const Batch& from, int b, Batch& to, int place) {
  std::copy_n(from.tokens.begin() + b * from.length, from.length, to.tokens.begin() + place * to.length);
}

ModelConfig smallGpt() {
  ModelConfig c;
  c.vocabulary = 7;
  c.length = 16;
  c.layers = 2;
  c.d_model = 12;
  c.heads = 3;
  return c;
}

}  // namespace

TEST_CASE("transformer: logits and loss agree with the plain transformer for all options") {
  ThreadPool pool(2);
  std::uint64_t seed = 500;
  for (const Levels& levels : coveringSet()) {
    const ModelConfig config = configOf(levels);
    Transformer<double> model(config, pool);
    fill(model, ++seed);
    const Batch batch = batchOf(levels, config, seed);
    const NaiveTransformer naive(model);
    std::vector<double> expected;
    std::vector<std::vector<double>> rows;
    for (int b = 0; b < batch.sequences; ++b)
      for (const auto& row : naive.logits(batch, b)) {
        expected.insert(expected.end(), row.begin(), row.end());
        rows.push_back(row);
      }
    CHECK(largestDifference(allLogits(model, batch), expected) < 1e-12);

    double loss = 0;
    std::vector<double> losses(batch.targets.size()), plain;
    for (const Target& t : batch.targets) {
      plain.push_back(naiveLoss(rows[static_cast<std::size_t>(t.row)], t.token));
      loss += static_cast<double>(t.weight) * plain.back();
    }
    CHECK(model.evaluate(batch, losses) == Approx(loss).epsilon(1e-12));
    CHECK(largestDifference(losses, plain) < 1e-12);
  }
}

TEST_CASE("transformer: without a residual stream logits agree with the plain transformer") {
  ThreadPool pool(2);
  std::uint64_t seed = 700;
  for (const Levels& levels : withoutResidual()) {
    ModelConfig config = configOf(levels);
    config.residual = false;
    Transformer<double> model(config, pool);
    fill(model, ++seed, 0.6);
    const Batch batch = batchOf(levels, config, seed);
    const NaiveTransformer naive(model);
    std::vector<double> expected;
    for (int b = 0; b < batch.sequences; ++b)
      for (const auto& row : naive.logits(batch, b))
        expected.insert(expected.end(), row.begin(), row.end());
    CHECK(largestDifference(allLogits(model, batch), expected) < 1e-11);
    config.residual = true;
    Transformer<double> with(config, pool);
    std::copy(model.theta().begin(), model.theta().end(), with.theta().begin());
    CHECK(largestDifference(allLogits(with, batch), expected) > 1e-2);
  }
}

TEST_CASE("transformer: float agrees with double for all options") {
  ThreadPool pool(2);
  std::uint64_t seed = 900;
  for (const Levels& levels : coveringSet()) {
    const ModelConfig config = configOf(levels);
    Transformer<double> precise(config, pool);
    Transformer<float> model(config, pool);
    fill(model, ++seed, 0.3);
    std::copy(model.theta().begin(), model.theta().end(), precise.theta().begin());
    const Batch batch = batchOf(levels, config, seed);
    const DropoutKey key{seed, 4};
    const std::vector<double> expected = gradientOf(precise, batch, key);
    const std::vector<float> gradient = gradientOf(model, batch, key);
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      difference += std::pow(static_cast<double>(gradient[i]) - expected[i], 2);
      norm += expected[i] * expected[i];
    }
    CHECK(std::sqrt(difference) < 2e-5 * std::sqrt(norm));
    CHECK(model.evaluate(batch) == Approx(precise.evaluate(batch)).epsilon(1e-5));
  }
}

TEST_CASE("transformer: rows of logits can be requested in any order and repeatedly") {
  ThreadPool pool(1);
  Transformer<double> model(smallGpt(), pool);
  fill(model, 4);
  const Batch batch = randomBatch(model.config(), 3, 10, Asked::All, 5);
  const std::vector<double> all = allLogits(model, batch);
  const std::vector<std::int32_t> rows{17, 3, 29, 3, 0};
  std::vector<double> some(rows.size() * 7);
  model.logits(batch, rows, some);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t v = 0; v < 7; ++v)
      CHECK(some[i * 7 + v] == Approx(all[static_cast<std::size_t>(rows[i]) * 7 + v]).epsilon(1e-13));
}

TEST_CASE("transformer: a changed token affects no earlier logits and all later ones") {
  ThreadPool pool(1);
  for (const Positions positions : {Positions::Learned, Positions::Rope, Positions::Alibi}) {
    ModelConfig config = smallGpt();
    config.positions = positions;
    Transformer<double> model(config, pool);
    fill(model, 6);
    Batch batch = randomBatch(config, 1, 16, Asked::All, 7);
    const std::vector<double> before = allLogits(model, batch);
    batch.tokens[9] = (batch.tokens[9] + 1) % 7;
    const std::vector<double> after = allLogits(model, batch);
    CHECK(std::equal(before.begin(), before.begin() + 9 * 7, after.begin()));
    for (std::size_t n = 9; n < 16; ++n)
      CHECK_FALSE(std::equal(before.begin() + static_cast<std::ptrdiff_t>(n * 7),
                             before.begin() + static_cast<std::ptrdiff_t>((n + 1) * 7),
                             after.begin() + static_cast<std::ptrdiff_t>(n * 7)));
  }
}

TEST_CASE("transformer: padding has no effect, and a shorter batch gives the same logits") {
  ThreadPool pool(1);
  ModelConfig config = smallGpt();
  config.causal = false;
  Transformer<double> model(config, pool);
  fill(model, 8);
  Batch batch = randomBatch(config, 2, 12, Asked::All, 9);
  batch.lengths = {5, 12};
  const std::vector<double> before = allLogits(model, batch);
  batch.tokens[7] = (batch.tokens[7] + 1) % 7;
  const std::vector<double> after = allLogits(model, batch);
  CHECK(std::equal(before.begin(), before.begin() + 5 * 7, after.begin()));

  Batch cut = randomBatch(config, 1, 5, Asked::All, 9);
  std::copy_n(batch.tokens.begin(), 5, cut.tokens.begin());
  CHECK(largestDifference(allLogits(model, cut), std::vector<double>(before.begin(), before.begin() + 5 * 7)) < 1e-13);
}

TEST_CASE("transformer: the order of the sequences has no effect") {
  ThreadPool pool(1);
  Transformer<double> model(smallGpt(), pool);
  fill(model, 10);
  const Batch batch = randomBatch(model.config(), 4, 8, Asked::All, 11);
  Batch turned = batch;
  for (int b = 0; b < 4; ++b) {
    copySequence(batch, b, turned, 3 - b);
    for (int n = 0; n < 8; ++n) {
      Target& target = turned.targets[static_cast<std::size_t>((3 - b) * 8 + n)];
      target = batch.targets[static_cast<std::size_t>(b * 8 + n)];
      target.row = (3 - b) * 8 + n;
    }
  }
  CHECK(model.evaluate(turned) == Approx(model.evaluate(batch)).epsilon(1e-13));
  CHECK(largestDifference(gradientOf(model, turned), gradientOf(model, batch)) < 1e-13);
}

TEST_CASE("transformer: two halves of a batch add up to the whole, and scale is a factor of the gradient") {
  ThreadPool pool(1);
  Transformer<double> model(smallGpt(), pool);
  fill(model, 12);
  const Batch whole = randomBatch(model.config(), 4, 8, Asked::Last, 13);
  const std::vector<double> expected = gradientOf(model, whole);
  const double loss = model.evaluate(whole);
  double sum = 0;
  model.clearGradient();
  for (int half = 0; half < 2; ++half) {
    Batch part{2, 8, {whole.tokens.begin() + half * 16, whole.tokens.begin() + half * 16 + 16}, {}, {}, {}};
    for (const Target& t : whole.targets)
      if (t.row / 16 == half) part.targets.push_back({t.row % 16, t.token, t.weight});
    sum += model.accumulate(part, {}, 0.5);
  }
  CHECK(sum == Approx(loss).epsilon(1e-13));
  std::vector<double> doubled(model.gradient().begin(), model.gradient().end());
  for (double& g : doubled)
    g *= 2;
  CHECK(largestDifference(doubled, expected) < 1e-13);
}

TEST_CASE("transformer: evaluation changes neither parameters nor gradient, and dropout applies only in training") {
  ThreadPool pool(1);
  ModelConfig config = smallGpt();
  config.embeddingDropout = config.attentionDropout = config.residualDropout = 0.4;
  Transformer<double> model(config, pool);
  fill(model, 14);
  const Batch batch = randomBatch(config, 3, 9, Asked::All, 15);
  const std::vector<double> gradient = gradientOf(model, batch, {1, 1});
  const std::vector<double> theta(model.theta().begin(), model.theta().end());
  const double loss = model.evaluate(batch);
  allLogits(model, batch);
  CHECK(std::equal(gradient.begin(), gradient.end(), model.gradient().begin()));
  CHECK(std::equal(theta.begin(), theta.end(), model.theta().begin()));
  CHECK(loss == model.evaluate(batch));

  CHECK(gradientOf(model, batch, {1, 1}) == gradient);
  CHECK(gradientOf(model, batch, {1, 2}) != gradient);
  CHECK(gradientOf(model, batch, {2, 1}) != gradient);
  CHECK(model.accumulate(batch, {1, 1}) != loss);
}

TEST_CASE("transformer: one model accepts batches of any size one after the other") {
  ThreadPool pool(2);
  Transformer<double> model(smallGpt(), pool);
  fill(model, 16);
  const Batch small = randomBatch(model.config(), 1, 3, Asked::All, 17);
  const Batch large = randomBatch(model.config(), 9, 16, Asked::Few, 18);
  const std::vector<double> first = gradientOf(model, small);
  const double loss = model.evaluate(small);
  gradientOf(model, large);
  CHECK(gradientOf(model, small) == first);
  CHECK(model.evaluate(small) == loss);

  Transformer<double> moved(std::move(model));
  CHECK(moved.evaluate(small) == loss);
}

TEST_CASE("transformer: the pass yields before each half of a block") {
  ThreadPool pool(1);
  Transformer<double> model(smallGpt(), pool);
  int calls = 0;
  model.onYield([&calls] { ++calls; });
  const Batch batch = randomBatch(model.config(), 1, 4, Asked::All, 19);
  model.evaluate(batch);
  CHECK(calls == 4);
  model.accumulate(batch, {});
  CHECK(calls == 12);
}

TEST_CASE("transformer: a batch without targets has no loss and leaves the gradient unchanged") {
  ThreadPool pool(2);
  for (const int sequences : {1, 40}) {
    Transformer<double> model(smallGpt(), pool);
    fill(model, 20);
    const Batch some = randomBatch(model.config(), sequences, 16, Asked::All, 21);
    const std::vector<double> gradient = gradientOf(model, some);
    Batch none = some;
    none.targets.clear();
    CHECK(model.accumulate(none, {}) == 0);
    CHECK(model.evaluate(none) == 0);
    CHECK(std::equal(gradient.begin(), gradient.end(), model.gradient().begin()));
    model.probe().layer = 0;
    CHECK(model.accumulate(none, {}) == 0);
    CHECK(std::equal(gradient.begin(), gradient.end(), model.gradient().begin()));
    CHECK(model.probe().contextGradient[0] == 0);
    model.logits(none, {}, {});
  }
}
