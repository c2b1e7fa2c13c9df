// SPDX-License-Identifier: Apache-2.0
// sepx train: from a config to a run, Ctrl-C and resume, and one message for invalid requests.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <regex>
#include <sstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "app/cli/train_progress.h"
#include "engine/train/run_store.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"
#include "tests/patience.h"

using namespace sepx;
using namespace sepx::test;
using app::cli::Console;
using app::cli::TrainProgress;

namespace {

std::string smallConfig(const std::string& more = "") {
  return R"({"name": "small", "model": {"length": 16, "norm": "none"}, "data": {"kind": "markov", "p": 0.5, "q": 0.8},
 "optimisation": {"rule": "adamw", "learning_rate": 0.01},)" +
         (more.empty() ? std::string(R"( "schedule": {"steps": 30, "batch": 8, "save_every": 10})") : more) + "}";
}

/// Starts the binary in its own process, with its two outputs in files.
pid_t startSepx(const std::vector<std::string>& arguments, const std::string& out, const std::string& err) {
  std::vector<std::string> all{tests::binFolder() + "/sepx"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& one : all)
    argv.push_back(one.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  execv(argv[0], argv.data());
  _exit(127);
}

std::int64_t stepOf(const std::string& run) {
  const auto reader = train::RunReader::open(run);
  if (!reader) return -1;
  const auto record = (*reader)->record();
  return record ? record->step : -1;
}

}  // namespace

TEST_CASE("sepx train makes a run and prints the distance of its loss from the theoretical limit") {
  const Folder folder;
  writeText(folder.path("c.json"), smallConfig());
  const Json json = commandJson({"train", folder.path("c.json"), "--run", folder.path("run")});
  CHECK(json["schema"] == "sepx.train/1");
  CHECK(json["state"] == "finished");
  CHECK(json["step"] == 30);
  CHECK(json["parent"].is_null());
  REQUIRE(json["bounds"].size() == 2);
  CHECK(json["bounds"][0]["value"].get<double>() == Approx(0.666278442414676));
  CHECK(json["bounds"][1]["value"].get<double>() == Approx(0.6190145817054232));
  for (const Json& bound : json["bounds"])
    CHECK(bound["validation_above"].get<double>() ==
          Approx(json["validation"].get<double>() - bound["value"].get<double>()));
  CHECK(json["checkpoint"] == folder.path("run") + "/checkpoints/step-0000030");
  // The run's own config gives the same run again, also on another number of threads.
  const Json again =
      commandJson({"train", folder.path("run") + "/config.json", "--run", folder.path("again"), "--threads", "2"});
  for (const char* key : {"loss", "validation", "validation_error"})
    CHECK(again[key] == json[key]);
  const Json other = commandJson({"train", folder.path("c.json"), "--run", folder.path("other"), "--seed", "1"});
  CHECK(other["seed"] == 1);
  CHECK(other["loss"] != json["loss"]);
  // The resume of a finished run has nothing to do, and --steps moves the end.
  const Json same = commandJson({"train", folder.path("c.json"), "--run", folder.path("run"), "--resume"});
  CHECK(same["validation"] == json["validation"]);
  const Json longer =
      commandJson({"train", folder.path("c.json"), "--run", folder.path("run"), "--resume", "--steps", "35"});
  CHECK(longer["step"] == 35);
  const Json branch = commandJson(
      {"train", folder.path("c.json"), "--run", folder.path("branch"), "--branch", folder.path("run") + "@20"});
  CHECK(branch["parent"] == folder.path("run") + "@20");
  CHECK(branch["loss"] == json["loss"]);
}

TEST_CASE("sepx train ends a run that converges, and prints why") {
  const Folder folder;
  writeText(
      folder.path("c.json"),
      smallConfig(R"("schedule": {"steps": 60, "evaluate_every": 10, "stop_patience": 20, "stop_improvement": 5})"));
  const Json json = commandJson({"train", folder.path("c.json"), "--run", folder.path("run")});
  CHECK(json["state"] == "finished");
  CHECK(json["step"] == 20);
  CHECK(json["steps"] == 60);
  CHECK(json["sentence"].get<std::string>().find("converged: at step 20") == 0);
  CHECK(command({"runs", "show", folder.path("run")}).out.find("converged: at step 20") != std::string::npos);
  const auto again = command({"train", folder.path("c.json"), "--run", folder.path("run"), "--resume"});
  CHECK(again.status == 0);
  CHECK(again.out.find("converged: at step 20") != std::string::npos);
  const Json longer =
      commandJson({"train", folder.path("c.json"), "--run", folder.path("run"), "--resume", "--steps", "30"});
  CHECK(longer["step"] == 30);
  CHECK(longer["sentence"].is_null());
}

TEST_CASE("sepx train ends a run that diverges with status 1") {
  const Folder folder;
  writeText(folder.path("c.json"),
            R"({"model": {"length": 16, "norm": "none"}, "optimisation": {"rule": "sgd", "learning_rate": 300},
                "schedule": {"steps": 60, "stop_factor": 1.5}})");
  requireRefused({"train", folder.path("c.json"), "--run", folder.path("run")}, 1, "diverged: the loss of step");
}

TEST_CASE("sepx train finds the shipped configs by name") {
  const Folder folder;
  const Json list = commandJson({"train", "--list"});
  CHECK(list["schema"] == "sepx.train-list/1");
  CHECK(list["configs"].size() > 10);
  const std::string name = list["configs"][0]["config"];
  CHECK(command({"train", "--list"}).out.rfind(name + " ", 0) == 0);
  const Json run = commandJson({"train", "figure-4-adamw-standard", "--run", folder.path("run"), "--steps", "2"});
  CHECK(run["step"] == 2);
}

TEST_CASE("sepx train prints a table and the config's note as text") {
  const Folder folder;
  writeText(folder.path("c.json"), smallConfig(R"("note": "16-bit floats are replaced by 32-bit ones",
 "schedule": {"steps": 5})"));
  const Ran ran = command({"train", folder.path("c.json"), "--run", folder.path("run")});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  // The note is printed once, on standard error, so that it is seen before the end of a long run.
  CHECK(ran.err == "note: 16-bit floats are replaced by 32-bit ones\n");
  CHECK(ran.out.find("16-bit") == std::string::npos);
  for (const char* part : {"small, 5 of 5 steps", "validation", "H(pi)", "H(x_{n+1} | x_n)", " nats per token",
                           "nats, validation is ", "step-0000005"}) {
    INFO(part);
    CHECK(ran.out.find(part) != std::string::npos);
  }
}

TEST_CASE("sepx train prints two spaces after its longest label") {
  const Folder folder;
  writeText(
      folder.path("c.json"),
      R"({"model": {"length": 8, "norm": "none"}, "data": {"order": 3, "kernel": [0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6]},
 "schedule": {"steps": 2}})");
  const std::string out = command({"train", folder.path("c.json"), "--run", folder.path("run")}).out;
  const std::string longest = "H(x_{n+1} | the last 3 bits)";
  const std::size_t at = out.find(longest + "  0.");
  INFO(out);
  REQUIRE(at != std::string::npos);
  CHECK(out.find("\nloss" + std::string(longest.size() - 4 + 2, ' ') + "0.") != std::string::npos);
}

TEST_CASE("sepx train without steps has no loss, but validates") {
  const Folder folder;
  writeText(folder.path("c.json"), smallConfig(R"("schedule": {"steps": 0})"));
  const Json json = commandJson({"train", folder.path("c.json"), "--run", folder.path("run")});
  CHECK(json["loss"].is_null());
  CHECK(json["validation"].is_number());
  CHECK(json["nonfinite"] == 0);
  const Ran ran = command({"train", folder.path("c.json"), "--run", folder.path("run"), "--resume"});
  CHECK(std::regex_search(ran.out, std::regex("\nloss +none\n")));
  CHECK(ran.out.find("nan") == std::string::npos);
}

TEST_CASE("sepx train prints that nothing was validated if the config disables it") {
  const Folder folder;
  writeText(folder.path("c.json"), smallConfig(R"("schedule": {"steps": 3, "evaluate_every": 0})"));
  const Json json = commandJson({"train", folder.path("c.json"), "--run", folder.path("run")});
  CHECK(json["validation"].is_null());
  CHECK(json["validation_error"].is_null());
  CHECK(json["bounds"][0]["validation_above"].is_null());
  CHECK(json["nonfinite"] == 0);
  const Ran ran = command({"train", folder.path("c.json"), "--run", folder.path("run"), "--resume"});
  CHECK(ran.out.find("never: schedule.evaluate_every is 0") != std::string::npos);
  CHECK(ran.out.find("nan") == std::string::npos);
}

TEST_CASE("sepx train refuses invalid requests with one message") {
  const Folder folder;
  const std::string config = folder.path("c.json"), run = folder.path("run");
  requireRefused({"train", config, "--run", run}, 3, "c.json");
  requireRefused({"train", "figure-4-adamw-standart", "--run", run}, 3,
                 "the nearest config that ships with the program is `figure-4-adamw-standard`");
  requireRefused({"train", "--run", run}, 2, "--list");
  writeText(config, R"({"model": {"hedas": 2}})");
  requireRefused({"train", config, "--run", run}, 3, "the nearest is model.heads");
  writeText(config, "\x7f\x45\x4c\x46");
  requireRefused({"train", config, "--run", run}, 3, "c.json");
  writeText(config, smallConfig(R"("schedule": {"steps": 5, "spectra_every": 5, "watch": ["output"]})"));
  requireRefused({"train", config, "--run", run}, 2,
                 "schedule.watch: the model has no parameter \"output\"; the nearest");
  writeText(config, smallConfig());
  requireRefused({"train", config, "--run", run, "--steps", "many"}, 2, "--steps");
  requireRefused({"train", config, "--run", run, "--steps", "0"}, 2, "--steps");
  requireRefused({"train", config, "--run", run, "--branch", "nowhere"}, 2, "RUN@STEP");
  requireRefused({"train", config, "--run", run, "--branch", folder.path("x") + "@5"}, 3, folder.path("x"));
  writeText(config, smallConfig(R"("schedule": {"stop_patience": 5, "evaluate_every": 0})"));
  requireRefused({"train", config, "--run", run}, 3, "schedule.stop_patience is 5");
  writeText(config, smallConfig());
  requireRefused({"train", config, "--run", run, "--branch", "a@1", "--resume"}, 2, "--resume");
  requireRefused({"train", config, "--run", run, "--resume"}, 3, run);
  requireRefused({"train", config}, 2, "--run");
  REQUIRE(command({"train", config, "--run", run}).status == 0);
  requireRefused({"train", config, "--run", run}, 2, "--resume");
  requireRefused({"train", config, "--run", run, "--resume", "--seed", "9"}, 2, "seed 0, but the config says 9");
  writeText(config, smallConfig(R"("schedule": {"steps": 50, "save_every": 1}, "constraint": {"kind": "none"})"));
  writeText(folder.path("wild.json"),
            R"({"model": {"length": 16, "norm": "none"}, "optimisation": {"rule": "sgd", "learning_rate": 1e30}})");
  requireRefused({"train", folder.path("wild.json"), "--run", folder.path("wild")}, 1, "learning rate 1e+30");
}

TEST_CASE("Ctrl-C saves, prints a message and exits with 5, and a resume gives the run without the stop") {
  const Folder folder;
  const std::string config = folder.path("c.json"), run = folder.path("run");
  writeText(config, smallConfig(R"("schedule": {"steps": 100000000, "batch": 8, "save_every": 0})"));
  const pid_t child = startSepx({"train", config, "--run", run}, folder.path("out"), folder.path("err"));
  REQUIRE(child > 0);
  CHECK(tests::eventually([&] { return stepOf(run) >= 1; }));
  kill(child, SIGINT);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  const std::string err = readText(folder.path("err"));
  INFO(err);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 5);
  const std::size_t noted = err.find("note: interrupted"), told = err.find("\nsepx: " + run + ": stopped after step ");
  REQUIRE(noted != std::string::npos);
  REQUIRE(told != std::string::npos);
  CHECK(noted < told);
  CHECK(readText(folder.path("out")).empty());
  const std::vector<std::int64_t> saved = train::savedSteps(run);
  REQUIRE(saved.size() == 2);
  const std::string end = std::to_string(saved.back() + 10);
  const Json resumed = commandJson({"train", config, "--run", run, "--resume", "--steps", end});
  const Json whole = commandJson({"train", config, "--run", folder.path("whole"), "--steps", end});
  CHECK(resumed["loss"] == whole["loss"]);
  CHECK(resumed["validation"] == whole["validation"]);
}

TEST_CASE("Progress is written to a log file every ten seconds, and to a terminal at every call") {
  train::Snapshot now;
  now.state = train::RunState::Running;
  now.steps = 100;
  now.loss = 0.5;
  const auto start = TrainProgress::Clock::now();
  std::ostringstream out, log, screen;
  {
    Console file{out, log, false}, terminal{out, screen, true};
    TrainProgress lines(file, start), line(terminal, start);
    for (int second = 1; second <= 25; ++second) {
      now.step = second;
      lines.show(now, start + std::chrono::seconds(second));
      line.show(now, start + std::chrono::seconds(second));
    }
  }
  CHECK(log.str() == "step 10 of 100  loss 0.5000  0 ms per step\nstep 20 of 100  loss 0.5000  0 ms per step\n");
  CHECK(screen.str().find("step 25 of 100") != std::string::npos);
  CHECK(screen.str().ends_with("\r\033[K"));
}

TEST_CASE("Control characters in a config's name and note are not printed on the terminal") {
  const Folder folder;
  writeText(folder.path("c.json"),
            R"({"name": "red\u001b[31m", "note": "bell\u0007", "model": {"length": 16, "norm": "none"},
 "data": {"kind": "markov", "p": 0.5, "q": 0.8}, "schedule": {"steps": 2, "batch": 4}})");
  const Ran ran = command({"train", folder.path("c.json"), "--run", folder.path("run")});
  REQUIRE(ran.status == 0);
  CHECK(ran.out.find("red\uFFFD[31m") != std::string::npos);
  CHECK(ran.err.find("bell\uFFFD") != std::string::npos);
  for (const std::string* text : {&ran.out, &ran.err})
    CHECK(text->find_first_of("\x1b\x07") == std::string::npos);
}
