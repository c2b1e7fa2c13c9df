// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep with runs that no program trained: the test writes their stores directly, which takes little
// time.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/sweep/sweep_folder.h"
#include "engine/sweep/sweep_reading.h"
#include "engine/train/run_library.h"
#include "engine/train/run_store.h"
#include "tests/temporary_folder.h"

namespace sepx::tests {

inline std::string planText(const std::string& grid, const std::string& seeds) {
  return R"({"schema": "sepx.sweep/1",
    "config": {"name": "tiny", "model": {"length": 6, "d_model": 8, "heads": 1, "output": "untied", "positions": "rope",
        "causal": false}, "data": {"kind": "pairs"}, "objective": {"kind": "diffusion"},
      "optimisation": {"rule": "adamw", "learning_rate": 0.01}, "schedule": {"steps": 20, "batch": 4}},
    "grid": )" +
         grid + R"(, "seeds": )" + seeds + "}\n";
}

/// A sweep's folder without any program that trains.
struct SweepSample {
  TemporaryFolder temporary;
  std::string path = (temporary.path / "sweep").string();
  sweep::SweepFolder folder;
  std::shared_ptr<const sweep::SweepReading> last;

  explicit SweepSample(const std::string& grid = R"({"model.d_model": [16, 8]})", const std::string& seeds = "[0, 1]")
      : folder(*sweep::SweepFolder::open(path, planText(grid, seeds))) {
    read();
  }
  sweep::SweepReading read() {
    auto reading = sweep::readSweep(path, train::readLibrary(path), last);
    INFO((reading ? "" : reading.error().message));
    REQUIRE(reading);
    last = std::make_shared<const sweep::SweepReading>(*reading);
    return *reading;
  }
  /// Writes a run of the plan in its state after some steps, with the last values of its metrics.
  void write(std::size_t index, train::RunState state, std::int64_t step,
             const std::vector<std::pair<std::string, double>>& metrics) {
    const sweep::SweepRun& run = last->plan->runs[index];
    train::RunRecord record;
    record.name = run.config.name;
    record.config = train::toJson(run.config).dump(2) + "\n";
    record.steps = run.config.schedule.steps;
    auto writer = train::RunWriter::create(folder.runFolder(run.name), record);
    REQUIRE(writer);
    std::vector<train::Metric> all;
    for (const auto& [name, value] : metrics)
      all.push_back({step, train::metricId(name), -1, -1, value});
    REQUIRE((*writer)->append(step, all));
    REQUIRE((*writer)->state(state, step, ""));
  }
  void write(std::size_t index, train::RunState state, std::int64_t step, const std::string& metric = "loss",
             double value = 1) {
    write(index, state, step, {{metric, value}});
  }
};

}  // namespace sepx::tests
