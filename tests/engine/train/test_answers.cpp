// SPDX-License-Identifier: Apache-2.0
// The answers that a run on pairs records.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "engine/core/number.h"
#include "engine/train/run_config.h"
#include "engine/train/run_library.h"
#include "engine/train/run_store.h"
#include "engine/train/trainer.h"
#include "tests/temporary_folder.h"

using namespace sepx;

namespace {

train::RunConfig pairsRun(const std::string& objective, const std::string& data, double ema) {
  const std::string text = R"({"model": {"length": 4, "d_model": 16, "causal": )" +
                           std::string(objective == "next_token" ? "true" : "false") + R"(}, "data": {"kind": ")" +
                           data + R"("}, "objective": {"kind": ")" + objective +
                           R"("}, "optimisation": {"rule": "adamw", "learning_rate": 0.01, "ema": )" +
                           formatShortest(ema) +
                           R"(}, "schedule": {"steps": 6, "batch": 8, "evaluate_every": 3, "evaluate_sequences": 40}})";
  const auto read = train::parseRunConfig(text, "test.json", ".");
  if (!read) FAIL(read.error().message);
  return *read;
}

std::map<std::string, train::Series> seriesOf(const train::RunConfig& of, const std::string& folder, int threads) {
  train::TrainerOptions options;
  options.folder = folder;
  options.threads = threads;
  options.background = false;
  auto trainer = train::Trainer::start(of, options);
  REQUIRE(trainer);
  REQUIRE((*trainer)->finish());
  const auto reader = train::RunReader::open(folder);
  REQUIRE(reader);
  std::map<std::string, train::Series> all;
  const auto read = (*reader)->series();
  REQUIRE(read);
  for (const train::Series& series : *read)
    all[series.name] = series;
  return all;
}

}  // namespace

TEST_CASE("A run on pairs records its answers at every validation", "[train][reversal]") {
  const tests::TemporaryFolder folder;
  for (const char* const objective : {"diffusion", "next_token"}) {
    const std::string path = folder / objective;
    const auto one = seriesOf(pairsRun(objective, "pairs", 0.9), path, 1),
               two = seriesOf(pairsRun(objective, "pairs", 0.9), path + "-2", 2);
    for (const std::string direction : {"forward", "reverse"})
      for (const std::string what : {"_accuracy", "_accuracy_letters", "_probability", "_zero"})
        for (const std::string suffix : {"", "_ema"}) {
          INFO(direction + what + suffix);
          REQUIRE(one.contains(direction + what + suffix));
          const train::Series& series = one.at(direction + what + suffix);
          CHECK(series.steps == std::vector<std::int64_t>{0, 3, 6});
          CHECK(series.layer == -1);
          for (const double value : series.values)
            CHECK((value >= 0 && value <= 1));
          CHECK(series.values == two.at(direction + what + suffix).values);
        }
    CHECK(one.at("forward_probability").values.back() != one.at("forward_probability_ema").values.back());
    const train::RunList library = train::readLibrary(path);
    REQUIRE(library.size() == 1);
    CHECK(library[0]->metric("reverse_probability") == one.at("reverse_probability").values.back());
  }
}

TEST_CASE("Runs on other data record no answers, and no answers of the average if there is no average",
          "[train][reversal]") {
  const tests::TemporaryFolder folder;
  for (const auto& [name, series] : seriesOf(pairsRun("next_token", "repeats", 0), folder / "a", 1))
    CHECK(name.find("accuracy") == std::string::npos);
  const auto pairs = seriesOf(pairsRun("diffusion", "pairs", 0), folder / "b", 1);
  CHECK(pairs.contains("reverse_accuracy"));
  CHECK(!pairs.contains("reverse_accuracy_ema"));
}
