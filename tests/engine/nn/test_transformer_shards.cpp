// SPDX-License-Identifier: Apache-2.0
// A batch in shards and lanes gives the result of one shard, with the same bits on any number of threads, and the probe
// records the attention of the whole batch. The memory is as computed in advance.
#include <catch2/catch.hpp>

#include <array>

#include "engine/nn/memory.h"
#include "engine/nn/transformer.h"
#include "tests/engine/nn/gradient_check.h"
#include "tests/engine/nn/transformer_cases.h"

using namespace sepx;
using namespace sepx::nn;
using namespace sepx::test;

namespace {

/// Few parameters, so that lanes are used.
ModelConfig tiny() {
  ModelConfig c;
  c.vocabulary = 5;
  c.length = 40;
  c.d_model = 8;
  c.heads = 2;
  c.layers = 2;
  c.embeddingDropout = c.attentionDropout = c.residualDropout = 0.1;
  return c;
}

/// So many parameters that lanes do not pay, most of them in a table that costs no time.
ModelConfig wide() {
  ModelConfig c = tiny();
  c.vocabulary = 300'000;
  c.layers = 1;
  c.d_ff = 4096;
  c.output = Output::Tied;
  return c;
}

struct Outcome {
  double loss = 0, evaluated = 0;
  std::vector<float> gradient;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const ModelConfig& config, const Batch& batch, int threads) {
  ThreadPool pool(threads);
  Transformer<float> model(config, pool);
  fill(model, 2, 0.2);
  Outcome result;
  result.loss = model.accumulate(batch, {5, 6});
  result.evaluated = model.evaluate(batch);
  result.gradient.assign(model.gradient().begin(), model.gradient().end());
  return result;
}

/// Sequences [first, last) as a separate batch.
Batch part(const Batch& batch, int first, int last) {
  const int begin = first * batch.length, end = last * batch.length;
  Batch result{last - first, batch.length, {batch.tokens.begin() + begin, batch.tokens.begin() + end}, {}, {}, {}};
  for (const Target& t : batch.targets)
    if (t.row >= begin && t.row < end) result.targets.push_back({t.row - begin, t.token, t.weight});
  if (!batch.lengths.empty()) result.lengths.assign(batch.lengths.begin() + first, batch.lengths.begin() + last);
  if (!batch.readable.empty()) result.readable.assign(batch.readable.begin() + begin, batch.readable.begin() + end);
  return result;
}

}  // namespace

TEST_CASE("transformer: 1, 2, 3 and 5 threads give the same bits") {
  Batch batch = randomBatch(tiny(), 37, 40, Asked::Few, 3);
  addMask(batch, 2, 4);
  const Shards lanes = shardsOf(tiny(), 37, 40);
  REQUIRE(lanes.count > 3);
  REQUIRE(lanes.lanes > 1);
  const Outcome one = outcome(tiny(), batch, 1);
  for (const int threads : {2, 3, 5})
    CHECK(outcome(tiny(), batch, threads) == one);

  Batch some = randomBatch(wide(), 50, 40, Asked::Few, 3);
  std::erase_if(some.targets, [](const Target& t) { return t.row % 100 != 1 || t.row > 1800; });
  const Shards shards = shardsOf(wide(), 50, 40);
  REQUIRE(shards.count > 1);
  REQUIRE(shards.lanes == 1);
  const Outcome alone = outcome(wide(), some, 1);
  for (const int threads : {2, 3})
    CHECK(outcome(wide(), some, threads) == alone);
}

TEST_CASE("transformer: a batch in shards is the sum of its sequences") {
  ModelConfig config = tiny();
  config.embeddingDropout = config.attentionDropout = config.residualDropout = 0;
  ThreadPool pool(2);
  Transformer<double> model(config, pool);
  fill(model, 5);
  Batch batch = randomBatch(config, 23, 40, Asked::Few, 6);
  addMask(batch, 3, 7);
  std::erase_if(batch.targets, [](const Target& t) { return t.row < 500; });  // leaves shards without a target
  REQUIRE(shardsOf(config, 23, 40).count > 2);
  const double loss = model.accumulate(batch, {});
  std::vector<double> losses(batch.targets.size()), apart;
  CHECK(model.evaluate(batch, losses) == loss);
  const std::vector<double> gradient(model.gradient().begin(), model.gradient().end());

  model.clearGradient();
  double sum = 0;
  for (int b = 0; b < batch.sequences; ++b) {
    Batch one = part(batch, b, b + 1);
    one.allowed = batch.allowed;
    if (one.targets.empty()) continue;
    std::vector<double> its(one.targets.size());
    sum += model.accumulate(one, {});
    model.evaluate(one, its);
    apart.insert(apart.end(), its.begin(), its.end());
  }
  CHECK(sum == Approx(loss).epsilon(1e-13));
  CHECK(largestDifference(losses, apart) < 1e-13);
  CHECK(largestDifference(gradient, std::vector<double>(model.gradient().begin(), model.gradient().end())) < 1e-12);
}

TEST_CASE("transformer: the parts of a batch add up to it, also with dropout and with more parts than work") {
  for (const bool drops : {false, true}) {
    ModelConfig config = tiny();
    if (!drops) config.embeddingDropout = config.attentionDropout = config.residualDropout = 0;
    ThreadPool pool(2);
    Transformer<double> model(config, pool);
    fill(model, 5);
    Batch batch = randomBatch(config, 23, 40, Asked::Few, 6);
    addMask(batch, 3, 7);
    REQUIRE(shardsOf(config, 23, 40).count > 2);
    const double loss = model.accumulate(batch, {5, 6}, 0.5);
    const std::vector<double> gradient(model.gradient().begin(), model.gradient().end());
    for (const int count : {2, 3, 40}) {
      model.clearGradient();
      double sum = 0, most = 0;
      for (int index = 0; index < count; ++index) {
        const double its = model.accumulate(batch, {5, 6}, 0.5, {index, count});
        sum += its;
        most = std::max(most, its);
      }
      CHECK(sum == Approx(loss).epsilon(1e-13));
      CHECK(most < 0.9 * loss);  // the batch is actually divided
      CHECK(largestDifference(gradient, std::vector<double>(model.gradient().begin(), model.gradient().end())) < 1e-12);
    }
  }
}

TEST_CASE("transformer: the probe gives the components of the gradients of W_Q, W_K and W_V") {
  ModelConfig config = tiny();
  config.embeddingDropout = config.attentionDropout = config.residualDropout = 0;
  ThreadPool pool(2);
  Transformer<double> model(config, pool);
  fill(model, 8);
  const Batch batch = randomBatch(config, 20, 40, Asked::Few, 9);
  REQUIRE(shardsOf(config, 20, 40).count > 1);
  model.probe().layer = 1;
  const double loss = model.accumulate(batch, {});
  const AttentionProbe<double> seen = model.probe();
  REQUIRE(seen.x.size() == 800 * 8);
  REQUIRE(seen.qkv.size() == 800 * 24);
  REQUIRE(seen.contextGradient.size() == 800 * 8);

  // V = x W_V^T + b and dL/dV_j = sum_i P_ij dcontext_i, tested by the gradient of b_V = sum_i dcontext_i.
  const std::span<const double> W = model.of(*model.layout().find("layers.1.attention.W_V.weight"));
  const std::span<const double> b = model.of(*model.layout().find("layers.1.attention.W_V.bias"));
  const Parameter* bias = model.layout().find("layers.1.attention.W_V.bias");
  for (std::size_t i = 0; i < 8; ++i) {
    double v = b[i], sum = 0;
    for (std::size_t k = 0; k < 8; ++k)
      v += W[i * 8 + k] * seen.x[777 * 8 + k];
    CHECK(seen.qkv[777 * 24 + 16 + i] == Approx(v).epsilon(1e-12));
    for (std::size_t row = 0; row < 800; ++row)
      sum += seen.contextGradient[row * 8 + i];
    CHECK(model.gradient()[bias->offset + i] == Approx(sum).epsilon(1e-10));
  }
  model.probe().layer = -1;
  CHECK(model.evaluate(batch) == loss);
}

TEST_CASE("transformer: memory agrees with the computed need and stays constant") {
  for (const auto& [config, sequences] : {std::pair{tiny(), 37}, std::pair{wide(), 50}}) {
    for (const int threads : {1, 2}) {
      ThreadPool pool(threads);
      Transformer<float> model(config, pool);
      const Batch batch = randomBatch(config, sequences, 40, Asked::Few, 10);
      Batch few = batch;
      few.targets.resize(11);
      model.accumulate(few, {});
      model.accumulate(few, {});
      const std::size_t held = model.bytes();
      model.accumulate(few, {});
      model.evaluate(few);
      CHECK(model.bytes() == held);
      const MemoryNeed need = memoryNeed(config, sequences, 40, static_cast<int>(few.targets.size()), 0, 4, threads);
      CHECK(static_cast<std::int64_t>(held) == need.total());
    }
  }
}

TEST_CASE("transformer: shards cover a batch of any shape") {
  for (const int length : {1, 10, 64, 1024})
    for (const int sequences : {1, 2, 3, 16, 255, 256})
      for (const int d : {4, 64, 256}) {
        ModelConfig config;
        config.d_model = d;
        config.length = length;
        const Shards shards = shardsOf(config, sequences, length);
        CHECK(shards.sequences >= 1);
        CHECK(shards.count * shards.sequences >= sequences);
        CHECK((shards.count - 1) * shards.sequences < sequences);
        CHECK(shards.lanes >= 1);
        CHECK(shards.lanes <= shards.count);
      }
}
