// SPDX-License-Identifier: Apache-2.0
// The configurations of the training benchmarks: their parameter counts equal those of the PyTorch models
// (tests/bench/peers/train_torch.py), their inputs fit, and their operations equal a count by hand.
#include <catch2/catch.hpp>

#include <map>
#include <span>
#include <string>

#include "tests/bench/cases/bench_train.h"
#include "tests/bench/unit/run_bench.h"

using namespace sepx;
using namespace sepx::app::cli;
using namespace sepx::test;

TEST_CASE("The training benchmarks have the same models as the PyTorch peer") {
  const std::map<std::string, std::int64_t, std::less<>> counted{{"a10", 816950},  {"a40", 816950},  {"b8", 9096},
                                                                 {"b64", 115776},  {"c15", 4240896}, {"d", 10745088},
                                                                 {"vit", 18979338}};
  REQUIRE(trainBenchCases().size() == counted.size());
  for (const TrainBenchCase& one : trainBenchCases()) {
    INFO(one.name);
    CHECK(nn::check(one.model));
    CHECK(nn::parameterCount(one.model) == counted.find(one.name)->second);
  }
}

TEST_CASE("The batches of the training benchmarks fit the model and depend only on the seed") {
  for (const TrainBenchCase& one : trainBenchCases()) {
    INFO(one.name);
    const nn::Batch batch = trainBenchBatch(one, 1);
    const auto rows = static_cast<std::size_t>(one.batch * one.model.length);
    REQUIRE(batch.tokens.size() == rows);
    CHECK(batch.targets == trainBenchBatch(one, 1).targets);
    const nn::Batch other = trainBenchBatch(one, 2);
    CHECK_FALSE((batch.tokens == other.tokens && batch.pixels == other.pixels));
    double weight = 0;
    std::int32_t before = -1;
    bool fits = true;
    for (const nn::Target& target : batch.targets) {
      fits = fits && target.row > before && target.row < static_cast<std::int32_t>(rows) && target.token >= 0 &&
             target.token < one.model.vocabulary;
      before = target.row;
      weight += target.weight;
    }
    CHECK(fits);
    if (one.loss == TrainBenchCase::Loss::Diffusion)
      CHECK(weight == Approx(one.model.length).epsilon(0.35));  // the length is its expectation
    else
      CHECK(weight == Approx(1).epsilon(1e-4));
    if (one.loss == TrainBenchCase::Loss::Masked15) CHECK(batch.targets.size() == rows * 15 / 100);
  }
}

TEST_CASE("The operations of a training step are those of the products that affect the loss") {
  TrainBenchCase one;
  one.model.vocabulary = 7;
  one.model.length = 3;
  one.model.d_model = 4;
  one.model.layers = 2;
  nn::Batch batch;
  batch.sequences = 2;
  batch.length = 3;
  batch.tokens.resize(6);
  batch.targets.resize(5);
  // Multiplications per row of 4: Q, K and V 48, W_O 16, W_1 and W_2 128. Two causal sequences of 3 have 12 pairs, each
  // with 4 multiplications for S and 4 for P V.
  const double first = 6 * (48 + 16 + 128) + 12 * 8, second = 6 * 48 + 5 * (16 + 128) + 12 * 8, head = 5 * 28;
  CHECK(trainBenchOperations(one, batch) == 6 * (first + second + head));
}

TEST_CASE("A training benchmark runs if it is named, but not with the whole list") {
  const Json json = benchJson({"train-b8", "--threads", "1"});
  REQUIRE(json["benchmarks"].size() == 1);
  const Json& one = json["benchmarks"][0];
  REQUIRE(one["measurements"].size() == 1);
  CHECK(one["measurements"][0]["name"] == "step-1");
  CHECK(one["measurements"][0]["runs"].get<int>() >= 10);
  std::map<std::string, double> amounts;
  for (const Json& amount : one["amounts"])
    amounts[amount["name"]] = amount["value"];
  CHECK(amounts.at("least-ms-1") <= one["measurements"][0]["median_ms"].get<double>());
  CHECK(amounts.at("tokens-per-second-1") == Approx(16384e3 / amounts.at("least-ms-1")));
  CHECK(amounts.at("share-of-peak-1") == Approx(amounts.at("gflops-1") / amounts.at("peak-gflops-1")));
  for (const BenchEntry& entry : benchmarks())
    CHECK(entry.onlyByName == (std::string(entry.name) == "gemm" || std::string(entry.name) == "forward" ||
                               std::string(entry.name) == "tokenizer" || std::string(entry.name) == "scaling" ||
                               std::string(entry.name) == "limits" || std::string(entry.name).starts_with("train-")));
}
