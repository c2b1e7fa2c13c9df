// SPDX-License-Identifier: Apache-2.0
// Fixtures for tests of a window's runs: a run service in a folder of its own, and waiting frame by frame.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "tests/engine/train/trainer_rig.h"
#include "ui/runs/runs.h"

namespace sepx::test {

struct Service {
  RunFolder folder;
  std::atomic<int> woken{0};
  std::unique_ptr<ui::Runs> runs;

  explicit Service(bool paced = false, int threads = 1, milliseconds unused = milliseconds(30'000)) {
    ui::RunsOptions options;
    options.unused = unused;
    options.folder = folder.path();
    options.threads = threads;
    options.wake = [this] { ++woken; };
    runs = std::make_unique<ui::Runs>(std::move(options));
    runs->setPaced(paced);
  }

  ui::RunPointer start(const RunConfig& config, bool paused = false) {
    auto run = runs->start(config, paused);
    INFO((run ? "" : run.error().message));
    REQUIRE(run);
    return *run;
  }
  /// Runs frames of the window until `seen` returns true.
  template <class Seen>
  void until(Seen seen) {
    REQUIRE(tests::eventually(
        [&] {
          runs->update();
          return seen();
        },
        milliseconds(1)));
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i)
      runs->update();
  }
  void send(const ui::RunPointer& run, CommandKind kind, double number = 0) {
    const auto sent = runs->send(*run, {kind, number, {}});
    INFO((sent ? "" : sent.error().message));
    REQUIRE(sent);
  }
};

/// All numbers of a run in the window, in the form that numbers() has for the store.
inline Numbers shown(const ui::Run& run) {
  Numbers found;
  for (const std::string& name : run.metricNames())
    for (const ui::RunSeries* series : run.seriesOf(name)) {
      REQUIRE(series->steps.size() == series->values.size());
      for (std::size_t i = 0; i < series->steps.size(); ++i) {
        if (i > 0) REQUIRE(series->steps[i] > series->steps[i - 1]);
        found[{series->name, series->layer, series->head, static_cast<std::int64_t>(series->steps[i])}] =
            series->values[i];
      }
    }
  return found;
}

}  // namespace sepx::test
