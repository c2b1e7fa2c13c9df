// SPDX-License-Identifier: Apache-2.0
// sepx sweep: shards and workers train every run once, a killed shard goes on, the merged numbers are those of one
// program bit for bit, and what is wrong is said while the other runs go on.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include <catch2/catch.hpp>

#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

using namespace sepx::test;
namespace fs = std::filesystem;

namespace {

std::string planOf(const Folder& folder, const std::string& steps, const std::string& grid,
                   const std::string& seeds = "[0, 1]", const std::string& name = "plan.json") {
  const std::string path = folder.path(name);
  writeText(path, R"({"schema": "sepx.sweep/1",
    "config": {"name": "tiny", "model": {"length": 6, "d_model": 8, "heads": 1, "output": "untied", "positions": "rope", "causal": false},
      "data": {"kind": "pairs"}, "objective": {"kind": "diffusion"}, "optimisation": {"rule": "adamw", "learning_rate": 0.01},
      "schedule": {"steps": )" +
                      steps +
                      R"(, "batch": 4, "evaluate_every": 10, "evaluate_sequences": 20, "save_every": 20}},
    "grid": )" + grid +
                      R"(, "seeds": )" + seeds + "}");
  return path;
}

Json mergedOf(const std::string& folder) {
  return commandJson({"sweep", "merge", folder});
}

/// Rows without what may differ: nothing of a run's numbers may.
Json numbersOf(Json json) {
  return Json::object({{"runs", json["runs"]}, {"settings", json["settings"]}});
}

/// The program itself, killed after a time where one is given; its status, -1 after a kill.
int program(std::vector<std::string> words, std::optional<std::chrono::milliseconds> killedAfter = std::nullopt) {
  words.insert(words.begin(), sepx::tests::binFolder() + "/sepx");
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, words[0].c_str(), &quiet, nullptr, argv.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&quiet);
  if (killedAfter) {
    std::this_thread::sleep_for(*killedAfter);
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

constexpr const char* kGrid = R"({"optimisation.learning_rate": [0.1, 0.01], "model.d_model": [8, 12]})";

}  // namespace

TEST_CASE("sepx sweep: shards by option, by Slurm and by Open MPI train every run once, with the same numbers") {
  const Folder folder;
  const std::string plan = planOf(folder, "20", kGrid), whole = folder.path("whole"), shards = folder.path("shards");
  Json json = commandJson({"sweep", plan, "--run", whole});
  CHECK(json["finished"] == 8);
  CHECK(commandJson({"sweep", plan, "--run", shards, "--shard", "0/3"})["finished"] == 3);
  {
    const Environment id("SLURM_ARRAY_TASK_ID", "11"), first("SLURM_ARRAY_TASK_MIN", "10"),
        count("SLURM_ARRAY_TASK_COUNT", "3");
    CHECK(commandJson({"sweep", plan, "--run", shards})["finished"] == 3);
  }
  json = commandJson({"sweep", "status", shards});
  CHECK(json["counts"]["finished"] == 6);
  CHECK(json["counts"]["waiting"] == 2);
  {
    const Environment rank("OMPI_COMM_WORLD_RANK", "2"), size("OMPI_COMM_WORLD_SIZE", "3");
    CHECK(commandJson({"sweep", plan, "--run", shards})["finished"] == 2);
  }
  CHECK(numbersOf(mergedOf(shards)) == numbersOf(mergedOf(whole)));
  json = mergedOf(shards);
  REQUIRE(json["runs"].size() == 8);
  REQUIRE(json["settings"].size() == 4);
  CHECK(json["settings"][0]["seeds"] == 2);
  const double first = json["runs"][0]["loss"], second = json["runs"][1]["loss"];
  CHECK(json["settings"][0]["loss.mean"].get<double>() == Approx((first + second) / 2));
  CHECK(json["settings"][0]["loss.deviation"].get<double>() == Approx(std::abs(first - second) / std::sqrt(2)));
  CHECK(commandJson({"sweep", plan, "--run", shards})["finished_before"] == 8);  // a second call has nothing to do
}

TEST_CASE("sepx sweep: a shard that is killed goes on, and gives the numbers of one that was not") {
  const Folder folder;
  const std::string plan = planOf(folder, "400", R"({"model.d_model": [8, 12]})"), whole = folder.path("whole"),
                    killed = folder.path("killed");
  CHECK(program({"sweep", plan, "--run", whole, "--workers", "2"}) == 0);
  CHECK(commandJson({"sweep", "status", whole})["counts"]["finished"] == 4);
  for (int kills = 0; kills < 3; ++kills)
    program({"sweep", plan, "--run", killed, "--threads", "1"}, std::chrono::milliseconds(250 + 150 * kills));
  const Json json = commandJson({"sweep", plan, "--run", killed});
  CHECK(json["failed"].empty());
  CHECK(json["left"].empty());
  CHECK(numbersOf(mergedOf(killed)) == numbersOf(mergedOf(whole)));
}

TEST_CASE("sepx sweep: a run that fails is listed with its reason, and the others go on") {
  const Folder folder;
  const std::string plan = planOf(folder, "20", R"({"model.d_model": [8, 12]})"), run = folder.path("sweep");
  CHECK(command({"sweep", plan, "--run", run, "--shard", "0/4"}).status == 0);
  // A run folder that somebody edited: its config is another.
  fs::create_directories(run + "/runs/0001");
  writeText(run + "/runs/0001/config.json", "{}");
  writeText(run + "/runs/0001/run.sqlite", "no database");
  const auto ran = command({"sweep", plan, "--run", run});
  CHECK(ran.status == 1);
  CHECK(ran.out.find("1 failed") != std::string::npos);
  const Json status = commandJson({"sweep", "status", run});
  CHECK(status["counts"]["finished"] == 3);
  CHECK(status["counts"]["failed"] == 1);
  CHECK(status["runs"][1]["sentence"].get<std::string>().find("0001") != std::string::npos);
  const Json merged = mergedOf(run);
  CHECK(merged["runs"][1]["state"] == "failed");
  CHECK(merged["settings"][0]["seeds"] == 1);
}

TEST_CASE("sepx sweep: a dry run prints the runs and trains nothing; tables are files") {
  const Folder folder;
  const std::string plan = planOf(folder, "20", kGrid), run = folder.path("sweep");
  const Json json = commandJson({"sweep", plan, "--run", run, "--dry-run"});
  CHECK(json["runs"].size() == 8);
  CHECK(json["runs"][7]["values"]["model.d_model"] == 12);
  CHECK(json["estimate"]["bytes"].get<double>() > 0);
  CHECK_FALSE(fs::exists(run));
  CHECK(command({"sweep", plan, "--run", run, "--shard", "0/8"}).status == 0);
  for (const char* const ending : {"table.csv", "table.settings.csv", "table.json", "table.npz"}) {
    if (std::string(ending) != "table.settings.csv")
      CHECK(command({"sweep", "merge", run, "--out", folder.path(ending)}).status == 0);
    CHECK(fs::file_size(folder.path(ending)) > 0);
  }
}

TEST_CASE("sepx sweep: what cannot be is one sentence") {
  const Folder folder;
  const std::string plan = planOf(folder, "20", kGrid), run = folder.path("sweep");
  requireRefused({"sweep", plan}, 2, "--run");
  requireRefused({"sweep", plan, "--run", run, "--shard", "3/3"}, 2, "--shard");
  requireRefused({"sweep", plan, "--run", run, "--shard", "x"}, 2, "--shard");
  requireRefused({"sweep", plan, "--run", run, "--workers", "0"}, 2, "--workers");
  requireRefused({"sweep", folder.path("none.json"), "--run", run}, 3, "none.json");
  requireRefused({"sweep", "status", folder.path("none")}, 3, "plan.json");
  requireRefused({"sweep", "status"}, 2, "folder");
  CHECK(command({"sweep", plan, "--run", run, "--shard", "0/8"}).status == 0);
  requireRefused({"sweep", planOf(folder, "30", kGrid, "[0]", "other.json"), "--run", run}, 2, "another plan");
  requireRefused({"sweep", "merge", run, "--out", folder.path("table.txt")}, 2, ".csv");
  const Environment slurm("SLURM_ARRAY_TASK_ID", "3");
  requireRefused({"sweep", plan, "--run", run}, 2, "SLURM_ARRAY_TASK_ID");
}
