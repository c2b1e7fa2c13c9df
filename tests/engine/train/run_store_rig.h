// SPDX-License-Identifier: Apache-2.0
// Runs for the tests of the run store: small runs, complete runs, runs whose writer is killed, and functions that read
// everything in a damaged run.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <thread>

#include <sqlite3.h>
#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/train/checkpoint_files.h"
#include "engine/train/run_store.h"
#include "tests/engine/train/run_folder.h"

namespace sepx::test {

using namespace sepx::train;

inline RunRecord smallRecord() {
  RunRecord record;
  record.name = "a \"small\" run";
  record.note = "fp16 replaced by fp32";
  record.config = "{\"seed\": 7}\n";
  record.build = "Separatrix 0.1, x86-64-v4";
  record.seed = std::numeric_limits<std::uint64_t>::max();
  record.parent = "runs/before@1240";
  record.created = "2026-01-02T03:04:05Z";
  record.steps = 1000;
  return record;
}

inline std::unique_ptr<RunWriter> made(const std::string& folder) {
  auto writer = RunWriter::create(folder, smallRecord());
  INFO((writer ? std::string() : writer.error().message));
  REQUIRE(writer);
  return std::move(*writer);
}

inline std::unique_ptr<RunReader> opened(const std::string& folder) {
  auto reader = RunReader::open(folder);
  INFO((reader ? std::string() : reader.error().message));
  REQUIRE(reader);
  return std::move(*reader);
}

inline Metric metric(std::int64_t step, std::string_view name, double value, int layer = -1, int head = -1) {
  return {step, metricId(name), layer, head, value};
}

inline constexpr int kPerStep = 3;
inline std::vector<Metric> metricsOf(std::int64_t step) {
  return {metric(step, "loss", 1.0 / static_cast<double>(step + 1)), metric(step, "rate", 1e-3),
          metric(step, "symmetry", std::sin(static_cast<double>(step)), 1, 2)};
}

/// Steps that are complete in the store. Fails if a step is incomplete or has another value.
inline std::vector<std::int64_t> wholeSteps(const std::string& folder) {
  const auto all = opened(folder)->series();
  REQUIRE(all);
  std::map<std::int64_t, int> count;
  for (const Series& series : *all)
    for (std::size_t i = 0; i < series.steps.size(); ++i) {
      ++count[series.steps[i]];
      for (const Metric& wanted : metricsOf(series.steps[i]))
        if (metricName(wanted.name) == series.name) REQUIRE(series.values[i] == wanted.value);
    }
  std::vector<std::int64_t> steps;
  for (const auto& [step, values] : count) {
    REQUIRE(values == kPerStep);
    steps.push_back(step);
  }
  return steps;
}

/// A child process trains: it appends step after step, and writes each number to the pipe after append() has returned.
/// It is killed after `wait`. Returns the last number in the pipe, which is the last reported step.
inline std::int64_t reportedBeforeKill(const std::string& folder, std::chrono::microseconds wait, bool resume,
                                       std::int64_t from) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto writer = resume ? RunWriter::resume(folder, from) : RunWriter::create(folder, smallRecord());
    if (!writer) ::_exit(1);
    for (std::int64_t step = from + 1;; ++step) {
      if (!(*writer)->append(step, metricsOf(step))) ::_exit(2);
      if (::write(ends[1], &step, sizeof step) != sizeof step) ::_exit(3);
    }
  }
  ::close(ends[1]);
  std::this_thread::sleep_for(wait);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  std::int64_t step = 0, last = from;
  while (::read(ends[0], &step, sizeof step) == sizeof step)
    last = step;
  ::close(ends[0]);
  return last;
}

/// Creates a run of 40 steps and closes it.
inline void makeRun(const std::string& folder) {
  const auto writer = made(folder);
  for (std::int64_t step = 1; step <= 40; ++step)
    REQUIRE(writer->append(step, metricsOf(step)));
  REQUIRE(writer->event(20, "rate", "factor 0.5"));
  REQUIRE(writer->state(RunState::Finished, 40, "all steps are made"));
}

inline void runSql(const std::string& path, const char* sql) {
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &connection) == SQLITE_OK);
  char* message = nullptr;
  const int code = sqlite3_exec(connection, sql, nullptr, nullptr, &message);
  INFO((message ? message : ""));
  CHECK(code == SQLITE_OK);
  sqlite3_free(message);
  sqlite3_close(connection);
}

/// Reads everything in a run. Every result must be a value or an error with a message of one line.
inline void readAll(const std::string& folder) {
  const auto reader = RunReader::open(folder);
  const auto fine = [](const auto& result) {
    if (!result) CHECK(isSentence(result.error().message, "run.sqlite"));
  };
  fine(reader);
  if (!reader) return;
  fine((*reader)->record());
  fine((*reader)->series());
  fine((*reader)->events());
}

}  // namespace sepx::test
