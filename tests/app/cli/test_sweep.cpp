// SPDX-License-Identifier: Apache-2.0
// sepx sweep: shards and workers train every run once, a killed shard resumes, the merged numbers are those of one
// program bit for bit, and an error is reported while the other runs continue.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/train/run_store.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"
#include "tests/patience.h"

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

/// The first number in which two sweeps differ; empty if they are equal.
std::string differenceOf(const Json& a, const Json& b) {
  for (const char* const table : {"runs", "settings"}) {
    if (a[table].size() != b[table].size())
      return fmt::format("{}: {} and {} rows", table, a[table].size(), b[table].size());
    for (std::size_t row = 0; row < a[table].size(); ++row)
      for (const auto& [name, value] : a[table][row].items())
        if (b[table][row].value(name, Json()) != value)
          return fmt::format("{}[{}].{}: {} and {}", table, row, name, value.dump(),
                             b[table][row].value(name, Json()).dump());
  }
  return {};
}

pid_t started(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  REQUIRE(posix_spawnp(&child, words[0].c_str(), &quiet, nullptr, argv.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&quiet);
  return child;
}

/// Runs the program itself, and kills it after a time if one is given. Returns its status, -1 after a kill.
int program(std::vector<std::string> words, std::optional<std::chrono::milliseconds> killedAfter = std::nullopt) {
  words.insert(words.begin(), sepx::tests::binFolder() + "/sepx");
  const pid_t child = started(std::move(words));
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
  CHECK(differenceOf(mergedOf(shards), mergedOf(whole)) == std::string());
  json = mergedOf(shards);
  REQUIRE(json["runs"].size() == 8);
  REQUIRE(json["settings"].size() == 4);
  CHECK(json["settings"][0]["seeds"] == 2);
  const double first = json["runs"][0]["loss"], second = json["runs"][1]["loss"];
  CHECK(json["settings"][0]["loss.mean"].get<double>() == Approx((first + second) / 2));
  CHECK(json["settings"][0]["loss.deviation"].get<double>() == Approx(std::abs(first - second) / std::sqrt(2)));
  CHECK(commandJson({"sweep", plan, "--run", shards})["finished_before"] == 8);  // a second call has nothing to do
}

TEST_CASE("sepx sweep: a killed shard resumes, and gives the numbers of an uninterrupted one") {
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
  CHECK(differenceOf(mergedOf(killed), mergedOf(whole)) == std::string());
}

TEST_CASE("sepx sweep: a run whose checkpoints cannot be listed is left unchanged and reported") {
  const Folder folder;
  const std::string plan = planOf(folder, "3000", R"({"model.d_model": [8]})", "[0]"), sweep = folder.path("sweep"),
                    run = sweep + "/runs/0000", checkpoints = run + "/checkpoints", aside = folder.path("aside");
  const pid_t first = started({sepx::tests::binFolder() + "/sepx", "sweep", plan, "--run", sweep, "--threads", "1"});
  REQUIRE(sepx::tests::eventually([&] { return fs::exists(checkpoints + "/step-0000040"); }));
  kill(first, SIGKILL);
  waitpid(first, nullptr, 0);
  REQUIRE(commandJson({"sweep", "status", sweep})["runs"][0]["state"] == "stale");
  const auto losses = [&run] {
    const auto reader = sepx::train::RunReader::open(run);
    if (!reader) FAIL(reader.error().message);
    const auto series = (*reader)->series("loss");
    REQUIRE(series);
    return series->empty() ? std::size_t{0} : series->front().values.size();
  };
  const std::size_t before = losses();
  REQUIRE(before > 0);
  fs::rename(checkpoints, aside);
  const auto refused = [&] {
    const auto ran = command({"sweep", plan, "--run", sweep});
    CHECK(ran.status == 1);
    CHECK(ran.out.find("restore them") != std::string::npos);
    CHECK(commandJson({"sweep", "status", sweep})["runs"][0]["state"] == "failed");
    CHECK(losses() == before);
  };
  refused();
  fs::create_symlink(folder.path("none"), checkpoints);  // as if the target is not mounted
  refused();
  CHECK(fs::is_symlink(checkpoints));
  fs::remove(checkpoints);
  fs::rename(aside, checkpoints);
  CHECK(commandJson({"sweep", plan, "--run", sweep})["finished"] == 1);
}

TEST_CASE("sepx sweep: a run that was killed twice before its first checkpoint begins with the same start") {
  const Folder folder;
  const std::string plan = planOf(folder, "40", R"({"model.d_model": [8]})", "[0]"), whole = folder.path("whole"),
                    killed = folder.path("killed");
  CHECK(commandJson({"sweep", plan, "--run", whole})["finished"] == 1);
  sepx::train::RunRecord record;
  record.config = readText(whole + "/runs/0000/config.json");
  REQUIRE(sepx::train::RunWriter::create(killed + "/runs/0000", record));
  REQUIRE(sepx::train::RunWriter::resume(killed + "/runs/0000", -1));
  const Json json = commandJson({"sweep", plan, "--run", killed});
  CHECK(json["finished"] == 1);
  CHECK(json["failed"].empty());
  CHECK(differenceOf(mergedOf(killed), mergedOf(whole)) == std::string());
}

TEST_CASE("sepx sweep: the claim of a killed program is taken over, even if another process has its number") {
  const Folder folder;
  const std::string plan = planOf(folder, "3000", R"({"model.d_model": [8]})", "[0]"), run = folder.path("sweep"),
                    claim = run + "/claims/0000.1";
  const pid_t first = started({sepx::tests::binFolder() + "/sepx", "sweep", plan, "--run", run, "--threads", "1"});
  REQUIRE(sepx::tests::eventually([&] { return fs::exists(claim); }));
  CHECK(commandJson({"sweep", "status", run})["runs"][0]["state"] == "training");
  kill(first, SIGKILL);
  waitpid(first, nullptr, 0);
  CHECK(commandJson({"sweep", "status", run})["runs"][0]["state"] == "stale");
  const pid_t other = started({"sleep", "600"});
  Json who = Json::parse(readText(claim));
  CHECK_FALSE(who["start"].get<std::string>().empty());
  who["pid"] = other;
  writeText(claim, who.dump());
  CHECK(commandJson({"sweep", "status", run})["runs"][0]["state"] == "stale");
  const Json json = commandJson({"sweep", plan, "--run", run});
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  CHECK(json["finished"] == 1);
  CHECK(json["left"].empty());
  CHECK(fs::is_empty(run + "/claims"));
}

TEST_CASE("sepx sweep: a claim that cannot be read is left unchanged and reported") {
  const Folder folder;
  const std::string plan = planOf(folder, "10", R"({"model.d_model": [8]})", "[0]"), run = folder.path("sweep");
  fs::create_directories(run + "/claims/0000.1");  // no program creates a folder there
  const auto ran = command({"sweep", plan, "--run", run});
  CHECK(ran.status == 0);
  CHECK(ran.err.find("cannot be read: it is a folder") != std::string::npos);
  const Json status = commandJson({"sweep", "status", run});
  CHECK(status["runs"][0]["state"] == "unknown");
  CHECK(status["counts"]["unknown"] == 1);
  CHECK(status["runs"][0]["sentence"].get<std::string>().find("0000.1") != std::string::npos);
}

TEST_CASE("sepx sweep: a failed run is listed with its reason, and the others continue") {
  const Folder folder;
  const std::string plan = planOf(folder, "20", R"({"model.d_model": [8, 12]})"), run = folder.path("sweep");
  CHECK(command({"sweep", plan, "--run", run, "--shard", "0/4"}).status == 0);
  // The folder of a run that was edited: it has another config.
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

TEST_CASE("sepx sweep: a full disk stops one shard with a message, and the others and a later call continue") {
  const Folder folder;
  const std::string plan = planOf(folder, "20", R"({"model.d_model": [8, 12]})"), run = folder.path("sweep"),
                    words = folder.path("words.txt");
  // No file may exceed 16 kB, which the database of a run does.
  const std::string limited = "ulimit -f 16; exec " + sepx::tests::binFolder() + "/sepx sweep " + plan + " --run " +
                              run + " --shard 0/2 > /dev/null 2> " + words;
  int status = 0;
  waitpid(started({"sh", "-c", limited}), &status, 0);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) != 0));
  CHECK(readText(words).find("0000") != std::string::npos);
  CHECK(commandJson({"sweep", plan, "--run", run, "--shard", "1/2"})["finished"] == 2);
  CHECK(commandJson({"sweep", plan, "--run", run})["finished"] == 2);
  CHECK(commandJson({"sweep", "status", run})["counts"]["finished"] == 4);
}

TEST_CASE("sepx sweep: a dry run prints the runs and trains nothing, and tables are written to files") {
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

TEST_CASE("sepx play: a script opens the folder of a sweep and reads its means") {
  const Folder folder;
  const std::string plan = planOf(folder, "20", kGrid), run = folder.path("sweep"),
                    script = folder.path("sweep.script");
  CHECK(command({"sweep", plan, "--run", run, "--shard", "0/2"}).status == 0);
  CHECK(command({"sweep", plan, "--run", run, "--shard", "1/4"}).status == 0);
  const Json merged = mergedOf(run);
  const std::string mean = fmt::format("{:.4f}", merged["settings"][2]["validation.mean"].get<double>());
  writeText(script, "script 1\nresize 1280x720\nopen " + run +
                        "\nwait settled\n"
                        "expect training.library.view == sweep\n"
                        "expect training.library.sweep.count == 8\n"
                        "expect training.library.sweep.finished == 6\n"
                        "expect training.library.sweep.waiting == 2\n"
                        "expect training.library.sweep.kind == map\n"
                        "expect training.library.sweep.averaged == seed\n"
                        "expect training.library.sweep.cells[0].mean ~ " +
                        mean +
                        " +- 0.001\n"
                        "expect training.library.sweep.cells[0].runs == 2\n"
                        "click ui:training.library-sweep-y-none\n"
                        "wait settled\n"
                        "expect training.library.sweep.kind == lines\n"
                        "expect training.library.sweep.cells_count == 2\n"
                        "set training.library.selected runs/0000\n"
                        "wait settled\n"
                        "expect training.library.sweep.cell.x == 0.1\n"
                        "click ui:training.library-open\n"
                        "wait settled\n"
                        "expect training.page == curves\n"
                        "expect training.runs.count == 1\n");
  const auto played = command({"play", script});
  INFO(played.err);
  CHECK(played.status == 0);
  // plan.json in the folder opens the sweep. A plan that was not started is refused with the remedy.
  writeText(script, "script 1\nopen " + run + "/plan.json\nwait settled\nexpect training.library.sweep.count == 8\n");
  CHECK(command({"play", script}).status == 0);
  writeText(script, "script 1\nopen " + plan + "\n");
  const auto refused = command({"play", script});
  CHECK(refused.status != 0);
  CHECK(refused.err.find("--run FOLDER") != std::string::npos);
}

TEST_CASE("sepx sweep: invalid arguments give one message") {
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
  // A total of 2^32 shards, which an int would store as 0.
  {
    const Environment id("SLURM_ARRAY_TASK_ID", "0"), count("SLURM_ARRAY_TASK_COUNT", "65536"),
        rank("OMPI_COMM_WORLD_RANK", "0"), size("OMPI_COMM_WORLD_SIZE", "65536");
    requireRefused({"sweep", plan, "--run", run}, 2, "OMPI_COMM_WORLD_SIZE");
  }
  requireRefused({"sweep", plan, "--run", run, "--shard", "0/1000000", "--workers", "2"}, 2, "--workers");
  const Environment slurm("SLURM_ARRAY_TASK_ID", "3");
  requireRefused({"sweep", plan, "--run", run}, 2, "SLURM_ARRAY_TASK_ID");
}

TEST_CASE("sepx sweep: the shipped plans expand to valid configs") {
  const std::pair<const char*, std::size_t> plans[] = {
      {"local-to-global-table-2", 90}, {"sigma-chains", 162}, {"reversal-encodings", 20}};
  const Folder folder;
  for (const auto& [name, runs] : plans) {
    INFO(name);
    const std::string plan = sepx::tests::sourceFolder() + "/assets/sweeps/" + name + ".json";
    const Json json = commandJson({"sweep", plan, "--dry-run"});
    CHECK(json["runs"].size() == runs);
    CHECK(json["estimate"]["seconds_per_step"].get<double>() > 0);
  }
}

TEST_CASE("sepx sweep: the batch templates train every run once") {
  const Folder folder;
  const std::string plan = planOf(folder, "10", kGrid, "[0]"), batch = sepx::tests::sourceFolder() + "/assets/batch/";
  const Environment sepx("SEPX", (sepx::tests::binFolder() + "/sepx").c_str());
  const auto shell = [](const std::string& line) { return std::system((line + " > /dev/null 2>&1").c_str()); };
  const auto finished = [&](const std::string& run) {
    return commandJson({"sweep", "status", folder.path(run)})["counts"]["finished"].get<int>();
  };
  for (const char* const task : {"0", "1", "2"}) {  // like sbatch --array=0-2
    const Environment id("SLURM_ARRAY_TASK_ID", task), first("SLURM_ARRAY_TASK_MIN", "0"),
        count("SLURM_ARRAY_TASK_COUNT", "3"), cores("SLURM_CPUS_PER_TASK", "1");
    CHECK(shell("sh " + batch + "slurm.sh " + plan + " " + folder.path("slurm")) == 0);
  }
  CHECK(finished("slurm") == 4);
  CHECK(shell("sh " + batch + "slurm.sh " + plan) != 0);  // prints what is missing
  if (shell("command -v mpirun") == 0) {
    CHECK(shell("sh " + batch + "openmpi.sh " + plan + " " + folder.path("mpi") +
                " 2 --allow-run-as-root --oversubscribe") == 0);
    CHECK(finished("mpi") == 4);
  } else {
    WARN("mpirun is not installed: openmpi.sh was not executed");
  }
  if (shell("parallel --version | grep -q GNU") == 0) {
    CHECK(shell("sh " + batch + "parallel.sh " + plan + " " + folder.path("parallel") + " 2") == 0);
    CHECK(finished("parallel") == 4);
  } else {
    WARN("GNU parallel is not installed: parallel.sh was not executed");
  }
}

TEST_CASE("sepx sweep: the batch template of GNU parallel accepts any file name") {
  if (std::system("parallel --version 2> /dev/null | grep -q GNU") != 0) {
    WARN("GNU parallel is not installed: parallel.sh was not executed");
    return;
  }
  const Folder folder;
  const Environment sepx("SEPX", (sepx::tests::binFolder() + "/sepx").c_str());
  const std::string batch = sepx::tests::sourceFolder() + "/assets/batch/parallel.sh";
  int count = 0;
  for (const char* const name : {"my plan; touch INJECTED #.json", "$(touch INJECTED) `touch INJECTED`.json",
                                 R"({} {#} {1} {= system("touch INJECTED") =}.json)", R"(it's "quoted" & \.json)"}) {
    CAPTURE(name);
    const std::string plan = planOf(folder, "10", R"({"model.d_model": [8, 12]})", "[0]", name),
                      run = folder.path("run {} ; $x " + std::to_string(++count));
    int status = 0;
    waitpid(started({"sh", "-c", "cd \"$1\" && shift && exec sh \"$@\"", "sh", folder.path(""), batch, plan, run, "2"}),
            &status, 0);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
    CHECK_FALSE(fs::exists(folder.path("INJECTED")));
    CHECK(commandJson({"sweep", "status", run})["counts"]["finished"] == 2);
  }
}

TEST_CASE("sepx sweep: an array job of a real Slurm trains every run once", "[.][long][slurm]") {
  const Folder folder;
  const std::string plan = planOf(folder, "10", kGrid, "[0]"), tests = sepx::tests::sourceFolder() + "/tests/hosts/",
                    batch = sepx::tests::sourceFolder() + "/assets/batch/", run = folder.path("run");
  const Environment sepx("SEPX", (sepx::tests::binFolder() + "/sepx").c_str());
  const int status = std::system(
      (tests + "with_slurm sbatch --wait --array=0-2 --mem=100 --cpus-per-task=1 --output=" + folder.path("log-%a") +
       " " + batch + "slurm.sh " + plan + " " + run + " > " + folder.path("words"))
          .c_str());
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) {
    WARN("Slurm is not installed or does not start: the array job was not executed by Slurm");
    return;
  }
  INFO(*sepx::readFile(folder.path("log-0")));
  CHECK(WEXITSTATUS(status) == 0);
  const Json json = commandJson({"sweep", "status", run});
  CHECK(json["counts"]["finished"] == 4);
  for (const char* const task : {"log-0", "log-1", "log-2"})  // every task had a shard
    CHECK(sepx::readFile(folder.path(task))->find("finished") != std::string::npos);
}

TEST_CASE("sepx sweep: 64 runs under Open MPI give the numbers of an uninterrupted sweep after a rank is killed",
          "[.][long][mpi]") {
  if (std::system("command -v mpirun > /dev/null 2>&1") != 0) {
    WARN("mpirun is not installed: the sweep under Open MPI was not executed");
    return;
  }
  const Folder folder;
  const std::string plan = planOf(
                        folder, "60",
                        R"({"optimisation.learning_rate": [0.1, 0.03, 0.01, 0.003], "model.d_model": [8, 12, 16, 20]})",
                        "[0, 1, 2, 3]"),
                    whole = folder.path("whole"), ranks = folder.path("ranks"),
                    batch = sepx::tests::sourceFolder() + "/assets/batch/openmpi.sh";
  const Environment sepx("SEPX", (sepx::tests::binFolder() + "/sepx").c_str());
  const std::vector<std::string> job{"sh", batch, plan, ranks, "4", "--allow-run-as-root", "--oversubscribe"};
  const pid_t killed = started(job);
  // Kills a rank while it trains. The owner of a claim identifies the program.
  bool done = false;
  for (int look = 0; look < 600 && !done; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::error_code ignored;
    if (!fs::exists(ranks + "/runs/0009", ignored)) continue;
    for (const auto& entry : fs::directory_iterator(ranks + "/claims", ignored)) {
      if (entry.path().extension() == ".tmp") continue;  // a claim that is being written
      const Json who = Json::parse(readText(entry.path().string()), nullptr, false);
      if (who.is_discarded() || !who.contains("pid")) continue;
      done = kill(who["pid"].get<pid_t>(), SIGKILL) == 0;
      if (done) break;
    }
  }
  CHECK(done);
  int status = 0;
  waitpid(killed, &status, 0);
  CHECK_FALSE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  const Json before = commandJson({"sweep", "status", ranks});
  CHECK(before["counts"]["finished"].get<int>() < 64);
  waitpid(started(job), &status, 0);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(program({"sweep", plan, "--run", whole, "--workers", "2"}) == 0);
  const Json merged = mergedOf(ranks);
  REQUIRE(merged["runs"].size() == 64);
  for (const Json& run : merged["runs"])
    CHECK(run["state"] == "finished");
  CHECK(differenceOf(merged, mergedOf(whole)) == std::string());
}
