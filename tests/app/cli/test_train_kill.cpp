// SPDX-License-Identifier: Apache-2.0
// `sepx train` is killed (-9) at 20 random moments and resumed each time. The resulting run is that of an uninterrupted
// one: the same metrics and the same checkpoints, to the bit.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "engine/train/run_store.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::test;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kKills = 20;

// Everything that a resume must restore: momentum, average, dropout, a schedule, accumulation, all metrics.
constexpr const char* kConfig = R"({
  "name": "killed", "seed": 5,
  "data": {"kind": "markov", "p": 0.2, "q": 0.3},
  "model": {"length": 12, "layers": 1, "d_model": 8, "heads": 2, "residual_dropout": 0.1},
  "optimisation": {"rule": "adamw", "learning_rate": 0.01, "decay": "cosine", "warm_up": 20, "clip": 1, "accumulate": 2, "ema": 0.9},
  "schedule": {"steps": 900, "batch": 4, "evaluate_every": 60, "evaluate_sequences": 8, "scores_every": 45, "spectra_every": 90,
               "save_every": 15, "record_every": 1}
})";

pid_t startTraining(const std::string& config, const std::string& run) {
  const std::string binary = tests::binFolder() + "/sepx";
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int nothing = ::open("/dev/null", O_WRONLY);
  ::dup2(nothing, 1);
  ::dup2(nothing, 2);
  const bool begun = fs::exists(run + "/run.sqlite");
  ::execl(binary.c_str(), "sepx", "train", config.c_str(), "--run", run.c_str(), "--threads", "1",
          begun ? "--resume" : static_cast<char*>(nullptr), static_cast<char*>(nullptr));
  ::_exit(127);
}

int statusOf(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::vector<train::Series> seriesOf(const std::string& run) {
  const auto reader = train::RunReader::open(run);
  INFO((reader ? std::string() : reader.error().message));
  REQUIRE(reader);
  const auto record = (*reader)->record();
  REQUIRE(record);
  CHECK(record->state == train::RunState::Finished);
  auto series = (*reader)->series();
  REQUIRE(series);
  return std::move(*series);
}

void requireSameRun(const std::string& one, const std::string& other) {
  const auto a = seriesOf(one), b = seriesOf(other);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO(a[i].name << " " << a[i].layer << " " << a[i].head);
    CHECK(a[i].name == b[i].name);
    CHECK(a[i].layer == b[i].layer);
    CHECK(a[i].head == b[i].head);
    CHECK(a[i].steps == b[i].steps);
    CHECK(a[i].values == b[i].values);
  }
  const auto steps = train::savedSteps(one);
  CHECK(steps == train::savedSteps(other));
  for (const std::int64_t step : steps)
    for (const char* name : {"/state.safetensors", "/model.safetensors", "/config.json"})
      CHECK(readText(train::checkpointFolder(one, step) + name) ==
            readText(train::checkpointFolder(other, step) + name));
}

}  // namespace

TEST_CASE("sepx train killed 20 times and resumed gives the uninterrupted run", "[train][kill]") {
  const Folder folder;
  const std::string config = folder.path("config.json"), whole = folder.path("whole");
  writeText(config, kConfig);
  const auto begin = Clock::now();
  REQUIRE(statusOf(startTraining(config, whole)) == 0);
  const std::chrono::duration<double> all = Clock::now() - begin;
  // The time to start again, measured by resuming a finished run.
  const auto again = Clock::now();
  REQUIRE(statusOf(startTraining(config, whole)) == 0);
  const double start = std::chrono::duration<double>(Clock::now() - again).count();
  const double training = std::max(0.0, all.count() - start);
  INFO("the whole run took " << all.count() << " s, its beginning " << start << " s");

  // Each attempt advances by a thirtieth of the run on average, so that the kills are distributed over the run; every
  // fourth may fall into the start. If a run finishes before it is killed, it is compared, and another one begins.
  std::mt19937 random(29);
  int kills = 0, gains = 0, runs = 1;
  std::string killed = folder.path("killed");
  std::int64_t farthest = 0;
  while (kills < kKills) {
    const pid_t child = startTraining(config, killed);
    const double least = kills % 4 == 3 ? 0 : start;
    const double wait = std::uniform_real_distribution<double>(least, start + 1.5 * training / kKills)(random);
    std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    ::kill(child, SIGKILL);
    const int status = statusOf(child);
    if (status == 0) {
      requireSameRun(whole, killed);
      killed = folder.path("killed" + std::to_string(++runs));
      farthest = 0;
      continue;
    }
    REQUIRE(status == -SIGKILL);
    ++kills;
    CHECK_FALSE(train::runIsAlive(killed));
    const auto steps = train::savedSteps(killed);
    if (!steps.empty() && steps.back() > farthest) {
      farthest = steps.back();
      ++gains;
    }
  }
  INFO(kills << " kills, " << gains << " of them after new checkpoints, in " << runs << " runs, the last at step "
             << farthest);
  REQUIRE(statusOf(startTraining(config, killed)) == 0);
  requireSameRun(whole, killed);
}
