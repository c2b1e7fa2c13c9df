// SPDX-License-Identifier: Apache-2.0
// sepx train --mpi under mpirun: the metrics are those of one process up to rounding; a killed rank, and a resume with
// another number of ranks; one message for an error.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>

#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/mpi/mpi_session.h"
#include "engine/train/run_store.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"
#include "tests/patience.h"

using namespace sepx;
using namespace sepx::test;
namespace fs = std::filesystem;

namespace {

/// Whether ranks can be started here; otherwise prints the reason.
bool hasRanks() {
  if (!mpi::built()) {
    WARN("built without MPI: sepx train --mpi was not executed");
    return false;
  }
  if (std::system("command -v mpirun > /dev/null 2>&1") == 0) return true;
  WARN("mpirun is not installed: sepx train --mpi was not executed");
  return false;
}

struct Ranks {
  Environment root{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, sure{"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"};
  Environment more{"OMPI_MCA_rmaps_base_oversubscribe", "1"};
  Environment patience{"OMPI_MCA_odls_base_sigkill_timeout", "2"};  // seconds that mpirun gives the remaining ranks
  Environment sepx{"SEPX", (tests::binFolder() + "/sepx").c_str()};
};

std::string configOf(const Folder& folder, const std::string& objective, int steps = 20,
                     const std::string& name = "config.json") {
  const std::string path = folder.path(name);
  const bool next = objective == "next_token";
  writeText(path,
            R"({"name": "shared", "seed": 4, "data": {"kind": "pairs"}, "objective": {"kind": ")" + objective +
                R"("}, "model": {"length": 8, "layers": 2, "d_model": 16, "heads": 2, "output": "untied", "causal": )" +
                (next ? "true" : "false") +
                R"(}, "optimisation": {"rule": "adamw", "learning_rate": 0.01, "clip": 1, "ema": 0.9},
    "schedule": {"batch": 10, "evaluate_every": 5, "evaluate_sequences": 20, "save_every": 10, "steps": )" +
                std::to_string(steps) + "}}");
  return path;
}

pid_t startedShell(const std::string& line) {
  std::string shell = "sh", option = "-c", exec = "exec " + line;
  char* argv[] = {shell.data(), option.data(), exec.data(), nullptr};
  pid_t child = 0;
  REQUIRE(posix_spawnp(&child, "sh", nullptr, nullptr, argv, environ) == 0);
  return child;
}

int endOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int shell(const std::string& line) {
  return endOf(startedShell(line));
}

std::string trainLine(const std::string& config, const std::string& run, int ranks, const std::string& more = {}) {
  return "sh " + tests::sourceFolder() + "/assets/batch/train-openmpi.sh " + config + " " + run + " " +
         std::to_string(ranks) + more + " > " + run + ".out 2> " + run + ".err";
}

std::vector<train::Series> metricsOf(const std::string& run) {
  const auto reader = train::RunReader::open(run);
  REQUIRE(reader);
  auto series = (*reader)->series();
  REQUIRE(series);
  return std::move(*series);
}

/// Requires the metrics of two runs to agree up to rounding.
void requireSameMetrics(const std::string& one, const std::string& other) {
  const auto a = metricsOf(one), b = metricsOf(other);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO(other << " " << a[i].name << " " << a[i].layer);
    CHECK(a[i].name == b[i].name);
    REQUIRE(a[i].steps == b[i].steps);
    for (std::size_t k = 0; k < a[i].values.size(); ++k)
      CHECK(b[i].values[k] == Approx(a[i].values[k]).epsilon(1e-3).margin(1e-3));
  }
}

/// The process that is `rank` in the job that trains `run`; 0 if there is none.
pid_t processOf(const std::string& run, int rank) {
  const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    pid_t id = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), id).ec != std::errc{}) continue;
    const auto contentOf = [&entry](const char* file) {
      std::ifstream in(entry.path() / file, std::ios::binary);
      return std::string{std::istreambuf_iterator<char>(in), {}};
    };
    if (contentOf("cmdline").find(run + '\0') == std::string::npos) continue;
    if (contentOf("environ").find(wanted) != std::string::npos) return id;
  }
  return 0;
}

}  // namespace

TEST_CASE("sepx train --mpi: ranks have the metrics of one process, for every objective", "[mpi]") {
  if (!hasRanks()) return;
  const Ranks environment;
  const Folder folder;
  for (const std::string objective : {"masked", "next_token", "diffusion"}) {
    INFO(objective);
    const std::string config = configOf(folder, objective), alone = folder.path(objective);
    REQUIRE(command({"train", config, "--run", alone, "--threads", "1"}).status == 0);
    for (const int ranks : {1, 2, 3}) {
      const std::string run = folder.path(objective + std::to_string(ranks));
      const int status = shell(trainLine(config, run, ranks));
      INFO(readText(run + ".err"));
      REQUIRE(status == 0);
      requireSameMetrics(alone, run);
      CHECK(readText(run + ".out").find("20 of 20 steps") != std::string::npos);
    }
  }
}

TEST_CASE("sepx train --mpi: --json prints one document, from rank 0", "[mpi]") {
  if (!hasRanks()) return;
  const Ranks environment;
  const Folder folder;
  const std::string out = folder.path("out.json"), run = folder.path("run");
  CHECK(shell("mpirun -np 2 " + tests::binFolder() + "/sepx train " + configOf(folder, "masked") + " --run " + run +
              " --mpi --json > " + out) == 0);
  const Json json = Json::parse(readText(out));
  CHECK(json["ranks"] == 2);
  CHECK(json["state"] == "finished");
}

TEST_CASE("sepx train --mpi: after the end of a rank the run resumes with other ranks", "[mpi]") {
  if (!hasRanks()) return;
  const Ranks environment;
  const Folder folder;
  const int victim = GENERATE(1, 0);
  INFO("rank " << victim);
  const std::string config = configOf(folder, "diffusion", 1500), run = folder.path("run"),
                    alone = folder.path("alone");
  const pid_t job = startedShell(trainLine(config, run, 3));
  CHECK(tests::eventually([&] {
    const std::vector<std::int64_t> saved = train::savedSteps(run);
    const pid_t rank = !saved.empty() && saved.back() >= 20 ? processOf(run, victim) : 0;
    return rank > 0 && kill(rank, SIGKILL) == 0;
  }));
  CHECK(endOf(job) != 0);
  const std::string said = readText(run + ".err");
  INFO(said);
  CHECK(said.find("sepx: " + run) != std::string::npos);
  CHECK(said.find("--resume") != std::string::npos);
  const std::vector<std::int64_t> saved = train::savedSteps(run);
  REQUIRE_FALSE(saved.empty());
  REQUIRE(saved.back() < 1500);
  // Resumes from the same checkpoint with two ranks and with one process.
  fs::copy(run, alone, fs::copy_options::recursive);
  const std::string end = std::to_string(saved.back() + 20);
  CHECK(shell("mpirun -np 2 " + tests::binFolder() + "/sepx train " + config + " --run " + run +
              " --mpi --resume --steps " + end + " > /dev/null 2> " + run + ".err") == 0);
  INFO(readText(run + ".err"));
  REQUIRE(command({"train", config, "--run", alone, "--threads", "1", "--resume", "--steps", end}).status == 0);
  requireSameMetrics(alone, run);
}

namespace {

/// Metrics of a run by name, layer, head and step, up to a step.
using Values = std::map<std::tuple<std::string, int, int, std::int64_t>, double>;
Values valuesUpTo(const std::string& run, std::int64_t last) {
  Values values;
  for (const train::Series& series : metricsOf(run))
    for (std::size_t i = 0; i < series.steps.size(); ++i)
      if (series.steps[i] <= last) values[{series.name, series.layer, series.head, series.steps[i]}] = series.values[i];
  return values;
}

std::int64_t lastSaved(const std::string& run) {
  const std::vector<std::int64_t> saved = train::savedSteps(run);
  return saved.empty() ? -1 : saved.back();
}

struct JobEnd {
  bool killed = false;
  int status = 0;
};

/// A job that continues the run. If it runs long enough, one rank is killed with kill -9 after `from` or a later step
/// is saved: at its start, some steps later, or while it saves.
JobEnd jobThatLosesRank(const std::string& config, const std::string& run, int ranks, std::optional<int> victim,
                        std::int64_t from) {
  const pid_t job = startedShell(trainLine(config, run, ranks));
  JobEnd end;
  bool over = false;
  REQUIRE(tests::eventually([&] {
    over = waitpid(job, &end.status, WNOHANG) == job;
    const pid_t rank = !over && victim && lastSaved(run) >= from ? processOf(run, *victim) : 0;
    end.killed = rank > 0 && kill(rank, SIGKILL) == 0;
    return over || end.killed;
  }));
  if (!over) REQUIRE(waitpid(job, &end.status, 0) == job);
  return end;
}

/// A job whose ranks are killed at random moments, and which resumes each time with another number of ranks, makes
/// every step. Numbers that were reported up to a checkpoint never change afterwards.
void killRanksAtRandom(int kills, std::uint64_t seed) {
  const Ranks environment;
  const Folder folder;
  constexpr std::int64_t kSteps = 400;
  const std::string config = configOf(folder, "diffusion", kSteps), run = folder.path("run");
  RandomStream random(31, seed);
  Values reported;
  const auto stillSame = [&](const Values& now) {
    for (const auto& [key, value] : reported) {
      const auto found = now.find(key);
      INFO(std::get<0>(key) << " of step " << std::get<3>(key));
      REQUIRE(found != now.end());
      if (found->second != value) CHECK(found->second == value);
    }
  };
  std::string moments;
  for (int killed = 0;;) {
    const int ranks = static_cast<int>(2 + random.below(2)), victim = static_cast<int>(random.below(2));
    // As soon as the rank exists, or some steps later.
    const std::int64_t before = lastSaved(run),
                       further = random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(60));
    const JobEnd end =
        jobThatLosesRank(config, run, ranks, killed < kills ? std::optional(victim) : std::nullopt, before + further);
    const std::string said = readText(run + ".err");
    INFO(killed << " kills before, " << ranks << " ranks, from step " << before << ": " << said);
    killed += end.killed;
    const std::int64_t saved = lastSaved(run);
    if (WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0) break;
    REQUIRE(end.killed);  // there is no other reason to end
    // The message is from the remaining ranks or, before the ranks are connected, from mpirun.
    const auto says = [&said](const std::string& words) { return said.find(words) != std::string::npos; };
    CHECK((says("sepx: " + run) || says("signal 9") || (further == 0 && says("the job has been aborted"))));
    CHECK(saved >= before);
    moments += (moments.empty() ? "" : ", ") + std::to_string(saved);
    if (saved < 0) continue;
    Values now = valuesUpTo(run, saved);
    stillSame(now);
    reported = std::move(now);
  }
  const Values all = valuesUpTo(run, kSteps);
  stillSame(all);
  for (std::int64_t step = 1; step <= kSteps; ++step)
    REQUIRE(all.contains({"loss", -1, -1, step}));
  CHECK((*train::RunReader::open(run))->record()->state == train::RunState::Finished);
  WARN("seed " << seed << ": a rank killed after the saved steps " << moments << "; " << reported.size()
               << " numbers the same");
}

}  // namespace

TEST_CASE("sepx train --mpi: a sample of ranks killed at random moments", "[mpi]") {
  if (hasRanks()) killRanksAtRandom(2, 0);
}

TEST_CASE("sepx train --mpi: ranks killed at random moments", "[.][long][mpi]") {
  if (!hasRanks()) return;
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    killRanksAtRandom(6, seed);
}

TEST_CASE("sepx train --mpi: SIGTERM to a rank saves the run and ends the job with status 5", "[mpi]") {
  if (!hasRanks()) return;
  const Ranks environment;
  const Folder folder;
  const std::string config = configOf(folder, "masked", 200000), run = folder.path("run");
  const pid_t job = startedShell(trainLine(config, run, 2));
  CHECK(tests::eventually([&] {
    const pid_t rank = train::savedSteps(run).size() > 1 ? processOf(run, 1) : 0;
    return rank > 0 && kill(rank, SIGTERM) == 0;
  }));
  CHECK(endOf(job) == 5);
  INFO(readText(run + ".err"));
  CHECK(readText(run + ".err").find("saved; --resume") != std::string::npos);
}

TEST_CASE("sepx train --mpi: an invalid request gives one message from one rank", "[mpi]") {
  if (!mpi::built()) {
    const Folder folder;
    requireRefused({"train", configOf(folder, "masked"), "--run", folder.path("run"), "--mpi"}, 2, "libopenmpi-dev");
    return;
  }
  if (!hasRanks()) return;
  const Ranks environment;
  const Folder folder;
  const std::string sepx = tests::binFolder() + "/sepx train ", words = folder.path("words"), run = folder.path("run"),
                    config = configOf(folder, "masked"), other = configOf(folder, "masked", 20, "other.json");
  std::string text = readText(other);
  text.replace(text.find("0.01"), 4, "0.02");
  writeText(other, text);
  const std::string rest = " --run " + run + " --mpi";
  const auto refused = [&](const std::string& line, int status, const std::string& sentence) {
    CHECK(shell(line + " > /dev/null 2> " + words) == status);
    const std::string said = readText(words);
    INFO(said);
    const std::size_t at = said.find("sepx: ");
    REQUIRE(at != std::string::npos);
    CHECK(said.find("sepx: ", at + 1) == std::string::npos);
    CHECK(said.find(sentence) != std::string::npos);
  };
  refused("mpirun -np 1 " + sepx + config + rest + " : -np 1 " + sepx + other + rest, 2,
          "rank 1: its config has optimisation.learning_rate 0.02, that of rank 0 0.01");
  CHECK_FALSE(fs::exists(run));
  refused("mpirun -np 2 " + sepx + folder.path("none.json") + rest, 3, "none.json");
  REQUIRE(command({"train", config, "--run", run, "--threads", "1"}).status == 0);
  refused("mpirun -np 2 " + sepx + config + rest, 2, "holds a run already");
}

TEST_CASE("sepx train --mpi: the Slurm template trains, and resumes when it is submitted again", "[mpi]") {
  if (!hasRanks()) return;
  const Ranks environment;
  const Environment tasks("SLURM_NTASKS", "2"), cores("SLURM_CPUS_PER_TASK", "1");
  const Folder folder;
  const std::string script = "sh " + tests::sourceFolder() + "/assets/batch/train-slurm.sh ",
                    config = configOf(folder, "masked"), run = folder.path("run");
  CHECK(shell(script + config + " " + run + " > /dev/null 2>&1") == 0);
  CHECK(train::savedSteps(run).back() == 20);
  CHECK(shell(script + config + " " + run + " > /dev/null 2>&1") == 0);
  CHECK(shell(script + config + " > /dev/null 2>&1") != 0);  // prints what is missing
}

TEST_CASE("sepx train --mpi: a job of a real Slurm trains one run on two ranks", "[mpi][slurm]") {
  if (!hasRanks()) return;
  const Ranks environment;
  const Folder folder;
  const std::string config = configOf(folder, "masked"), run = folder.path("run");
  const int status =
      std::system((tests::sourceFolder() + "/tests/hosts/with_slurm sbatch --wait --ntasks=2 --cpus-per-task=1 " +
                   "--mem-per-cpu=100 --output=" + folder.path("log") + " " + tests::sourceFolder() +
                   "/assets/batch/train-slurm.sh " + config + " " + run + " > " + folder.path("words"))
                      .c_str());
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) {
    WARN("Slurm is not installed or does not start: the job was not executed by Slurm");
    return;
  }
  INFO(readText(folder.path("log")));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(train::savedSteps(run).back() == 20);
  CHECK(command({"runs", "show", run}).out.find("ranks  2") != std::string::npos);
}
