// SPDX-License-Identifier: Apache-2.0
// Common functions for tests of trainers: start one, look at it as a window does, and compare the results of two runs.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/train/run_store.h"
#include "engine/train/trainer.h"
#include "tests/engine/train/small_runs.h"
#include "tests/patience.h"

namespace sepx::test {

using namespace sepx::train;
using std::chrono::milliseconds;

inline TrainerOptions headless(const std::string& folder, int threads = 1) {
  TrainerOptions options;
  options.folder = folder;
  options.threads = threads;
  options.background = false;
  return options;
}

inline std::unique_ptr<Trainer> started(const RunConfig& config, const TrainerOptions& options) {
  auto trainer = Trainer::start(config, options);
  INFO((trainer ? "" : trainer.error().message));
  REQUIRE(trainer);
  return std::move(*trainer);
}

inline std::string failure(Trainer& trainer, ErrorKind kind) {
  const Result<void> ended = trainer.finish();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().kind == kind);
  CHECK(ended.error().message.find('\n') == std::string::npos);
  return ended.error().message;
}

inline void finished(Trainer& trainer) {
  const Result<void> ended = trainer.finish();
  INFO((ended ? "" : ended.error().message));
  REQUIRE(ended);
}

/// Looks at the trainer as a window does until `seen` returns true.
template <class Seen>
const Snapshot& look(Trainer& trainer, Seen seen) {
  REQUIRE(tests::eventually(
      [&] {
        trainer.refresh();
        return seen(trainer.latest());
      },
      milliseconds(1)));
  return trainer.latest();
}

/// name, layer, head, step -> value
using Numbers = std::map<std::tuple<std::string, int, int, std::int64_t>, double>;
inline Numbers numbers(const std::string& folder) {
  auto reader = RunReader::open(folder);
  INFO((reader ? "" : reader.error().message));
  REQUIRE(reader);
  const auto all = (*reader)->series();
  REQUIRE(all);
  Numbers found;
  for (const Series& series : *all)
    for (std::size_t i = 0; i < series.steps.size(); ++i)
      found[{series.name, series.layer, series.head, series.steps[i]}] = series.values[i];
  return found;
}

inline RunRecord recordOf(const std::string& folder) {
  auto reader = RunReader::open(folder);
  REQUIRE(reader);
  const auto record = (*reader)->record();
  REQUIRE(record);
  return *record;
}

inline std::string fileOf(const std::string& folder, std::int64_t step, const char* name) {
  const Result<std::string> bytes = readFile(checkpointFolder(folder, step) + "/" + name);
  REQUIRE(bytes);
  return *bytes;
}

inline void requireSameRun(const std::string& a, const std::string& b, std::int64_t step) {
  CHECK(numbers(a) == numbers(b));
  for (const char* file : {"state.safetensors", "model.safetensors", "config.json"})
    CHECK(fileOf(a, step, file) == fileOf(b, step, file));
}

}  // namespace sepx::test
