// SPDX-License-Identifier: Apache-2.0
// Reading a sweep's folder: states of runs with their reasons, a plan and claims that were edited by hand, and runs
// that do not belong to the plan. Also means and spreads over one or two fields.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_reading.h"
#include "tests/engine/sweep/sweep_sample.h"

using namespace sepx;
using sweep::RunProgress;
using sweep::SweepReading;
namespace fs = std::filesystem;

TEST_CASE("The runs of a sweep are read as waiting, running, stopped, stale, finished and failed") {
  tests::SweepSample sample(R"({"model.d_model": [16, 8, 24]})");
  CHECK(sample.read().count(RunProgress::Waiting) == 6);
  sample.write(0, train::RunState::Finished, 20);
  sample.write(1, train::RunState::Stopped, 12);
  const auto claim = sample.folder.claims().take("0002");
  const pid_t child = fork();
  if (child == 0) {
    auto left = sample.folder.claims().take("0003");
    _exit(left && *left ? 0 : 1);  // as after SIGKILL
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WEXITSTATUS(status) == 0);
  REQUIRE(sample.folder.setFailure("0004", "model.heads: must divide d_model"));
  const SweepReading reading = sample.read();
  CHECK(reading.rows[0].progress == RunProgress::Finished);
  CHECK(reading.rows[0].step == 20);
  CHECK(reading.complete(0));
  CHECK(reading.rows[1].progress == RunProgress::Stopped);
  CHECK(reading.rows[1].step == 12);
  CHECK(reading.rows[2].progress == RunProgress::Training);
  CHECK(reading.rows[2].sentence.find(std::to_string(getpid())) == 0);
  CHECK(reading.rows[3].progress == RunProgress::Stale);
  CHECK(reading.rows[3].sentence.find("run the command again to continue") != std::string::npos);
  CHECK(reading.rows[4].progress == RunProgress::Failed);
  CHECK(reading.rows[4].sentence == "model.heads: must divide d_model");
  CHECK(reading.rows[5].progress == RunProgress::Waiting);
  for (const auto progress : {RunProgress::Waiting, RunProgress::Training, RunProgress::Stopped, RunProgress::Stale,
                              RunProgress::Finished, RunProgress::Failed})
    CHECK(reading.count(progress) == 1);
  CHECK(reading.metrics == std::vector<std::string>{"loss"});
  // The command line shows the same state.
  CHECK(sample.folder.status("0003").progress == RunProgress::Stale);
}

TEST_CASE("An edit by hand gives a message, and the other runs are still read") {
  tests::SweepSample sample;
  sample.write(0, train::RunState::Finished, 20);
  sample.write(1, train::RunState::Finished, 20);
  // The folder of another run under this name.
  fs::remove_all(sample.folder.runFolder("0002"));
  fs::copy(sample.folder.runFolder("0000"), sample.folder.runFolder("0002"), fs::copy_options::recursive);
  fs::copy(sample.folder.runFolder("0000"), sample.folder.runFolder("copy"), fs::copy_options::recursive);
  REQUIRE(writeFile(sample.path + "/claims/0003", R"({"host": 5, "pid": "x"})"));
  const SweepReading reading = sample.read();
  CHECK(reading.complete(0));
  CHECK_FALSE(reading.complete(2));
  CHECK(reading.rows[2].mismatched);
  CHECK(reading.rows[2].sentence.find("model.d_model") != std::string::npos);
  CHECK(sample.read().rows[2].sentence == reading.rows[2].sentence);  // also when it is read again
  CHECK(reading.unplannedFolders == std::vector<std::string>{"copy"});
  CHECK(reading.rows[3].progress == RunProgress::Training);
  CHECK(reading.rows[3].sentence == "an unknown program");

  CHECK(sweep::isSweepFolder(sample.path));
  REQUIRE(writeFile(sample.path + "/plan.json", "{\"schema\": 1"));
  CHECK(sweep::isSweepFolder(sample.path));  // it still counts as a sweep folder
  const auto damaged = sweep::readSweep(sample.path, {}, sample.last);
  REQUIRE_FALSE(damaged);
  CHECK(damaged.error().message.find("plan.json") != std::string::npos);
  REQUIRE(writeFile(sample.path + "/plan.json", R"({"schema": "sepx.sweep/1", "config": "tiny"})"));
  const auto named = sweep::readSweep(sample.path, {});
  REQUIRE_FALSE(named);
  CHECK(named.error().message.find("restore the plan.json") != std::string::npos);
  CHECK_FALSE(sweep::isSweepFolder(sample.path + "/runs"));
  CHECK_FALSE(sweep::readSweep(sample.path + "/runs", {}));
}

TEST_CASE("Means and spreads over one field exclude missing and nonfinite values") {
  tests::SweepSample sample(R"({"model.d_model": [16, 8]})", "[0, 1, 2]");
  sample.write(0, train::RunState::Finished, 20, "loss", 3);
  sample.write(1, train::RunState::Finished, 20, "loss", 5);
  sample.write(2, train::RunState::Stopped, 10, "loss", 100);
  sample.write(3, train::RunState::Finished, 20, "loss", std::numeric_limits<double>::infinity());
  sample.write(4, train::RunState::Finished, 20, "rate", 7);
  sample.write(5, train::RunState::Finished, 20, "loss", 2);
  const SweepReading reading = sample.read();
  const sweep::SweepGrid grid = sweep::gridOf(reading, "loss", 0, std::nullopt);
  REQUIRE(grid.cells.size() == 2);
  CHECK(grid.x.numbers == std::vector<double>{8, 16});  // ascending, in any order of the plan
  CHECK(grid.averaged == std::vector<std::string>{"seed"});
  const sweep::SweepCell &eight = grid.cells[0], &sixteen = grid.cells[1];
  CHECK(sixteen.spread.count == 2);
  CHECK(sixteen.spread.mean == Approx(4));
  CHECK(sixteen.spread.deviation() == Approx(std::sqrt(2.0)));
  CHECK(sixteen.spread.low == 3);
  CHECK(sixteen.spread.high == 5);
  CHECK(sixteen.unfinished == 1);
  CHECK(eight.spread.count == 1);
  CHECK(std::isnan(eight.spread.deviation()));
  CHECK(eight.missing == 1);
  CHECK(eight.notFinite == 1);
  CHECK(grid.cellOf(4) == std::optional<std::size_t>(0));
  // A filter excludes runs from the mean.
  const auto some = sweep::gridOf(reading, "loss", 0, std::nullopt, [](std::size_t row) { return row != 1; });
  CHECK(some.cells[1].spread.count == 1);
  CHECK_FALSE(sweep::gridOf(reading, "no such metric", 0, std::nullopt).hasValues());
}

TEST_CASE("A grid over two fields has a cell for each pair, and words keep the order of the plan") {
  tests::SweepSample sample(R"({"model.positions": ["rope", "learned"], "optimisation.learning_rate": [0.1, 0.001]})",
                            "[0]");
  for (std::size_t i = 0; i < 4; ++i)
    sample.write(i, train::RunState::Finished, 20, "loss", static_cast<double>(i));
  const SweepReading reading = sample.read();
  const sweep::SweepGrid grid = sweep::gridOf(reading, "loss", 1, 0);
  REQUIRE(grid.y);
  CHECK(grid.y->labels == std::vector<std::string>{"rope", "learned"});
  CHECK_FALSE(grid.y->isNumber());
  CHECK(grid.x.labels == std::vector<std::string>{"0.001", "0.1"});
  CHECK(grid.x.spansDecades());
  CHECK(grid.averaged.empty());
  REQUIRE(grid.cell(0, 1) != nullptr);
  CHECK(grid.cell(0, 1)->spread.mean == 3);  // learned, 0.001
  CHECK(grid.cell(1, 0)->spread.mean == 0);  // rope, 0.1
  CHECK(grid.cell(2, 0) == nullptr);
  CHECK(sweep::variedFields(*reading.plan) == std::vector<std::size_t>{0, 1});
  // In a grid over one field, the mean includes the values of the other field.
  CHECK(sweep::gridOf(reading, "loss", 0, std::nullopt).averaged ==
        std::vector<std::string>{"optimisation.learning_rate"});
}
