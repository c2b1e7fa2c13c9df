// SPDX-License-Identifier: Apache-2.0
// sepx runs: the list, the page and the export of complete, killed, empty, incompatible and damaged runs.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "app/cli/runs_files.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "tests/app/cli/run_sepx.h"

using namespace sepx;
using namespace sepx::test;
namespace fs = std::filesystem;

namespace {

train::Metric metric(std::int64_t step, std::string_view name, double value, int layer = -1, int head = -1) {
  return {step, train::metricId(name), layer, head, value};
}

void fill(train::RunWriter& writer) {
  for (std::int64_t step = 1; step <= 4; ++step)
    REQUIRE(writer.append(step, std::vector{metric(step, "loss", 1.0 / static_cast<double>(step))}));
  REQUIRE(writer.append(4, std::vector{metric(0, "validation", 0.7), metric(4, "validation", 0.25),
                                       metric(4, "symmetry", -0.5, 1, 0), metric(4, "symmetry", 0.5, 1)}));
  REQUIRE(writer.event(2, "rate", "0.5 of the schedule"));
}

train::RunRecord record(const std::string& name) {
  train::RunRecord one;
  one.name = name;
  one.note = "a note";
  one.config = "{\"seed\": 3}";
  one.build = "separatrix 0.1";
  one.seed = 18446744073709551615u;
  one.created = "2026-01-02T03:04:05Z";
  one.steps = 10;
  return one;
}

void makeRun(const std::string& folder, const std::string& name) {
  const auto writer = train::RunWriter::create(folder, record(name));
  INFO((writer ? std::string() : writer.error().message));
  REQUIRE(writer);
  fill(**writer);
  REQUIRE((*writer)->state(train::RunState::Stopped, 4, "stopped by the person"));
  train::RunConfig config;
  const nn::ParameterLayout layout(config.model);
  train::TrainState state;
  state.theta.assign(layout.size(), 0.5f);
  for (const std::int64_t step : {2, 4}) {
    state.step = step;
    REQUIRE(train::writeCheckpoint(folder, config, layout, state, {"0", "1"}));
  }
}

/// Makes a run whose trainer was killed.
void makeKilled(const std::string& folder) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto writer = train::RunWriter::create(folder, record("killed one"));
    if (writer && (*writer)->append(3, std::vector{metric(3, "loss", 0.5)}) &&
        (*writer)->state(train::RunState::Running, 3, ""))
      ::kill(::getpid(), SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
}

}  // namespace

TEST_CASE("sepx runs list: every run in a folder is listed, in any state", "[runs]") {
  const Folder folder;
  makeRun(folder.path("runs/a"), "first");
  makeKilled(folder.path("runs/b"));
  fs::create_directories(folder.path("runs/c"));
  writeText(folder.path("runs/c/run.sqlite"), "no database");
  const Json json = commandJson({"runs", "list", folder.path("runs")});
  CHECK(json["action"] == "list");
  REQUIRE(json["runs"].size() == 3);
  const Json &a = json["runs"][0], &b = json["runs"][1], &c = json["runs"][2];
  CHECK(a["folder"] == folder.path("runs/a"));
  CHECK(a["name"] == "first");
  CHECK(a["state"] == "stopped");
  CHECK(a["sentence"] == "stopped by the person");
  CHECK(a["step"] == 4);
  CHECK(a["steps"] == 10);
  CHECK(a["loss"] == 0.25);
  CHECK(a["validation"] == 0.25);
  CHECK(a["checkpoints"] == Json::array({2, 4}));
  CHECK(a["seed"].get<std::uint64_t>() == 18446744073709551615u);
  CHECK(a["error"].is_null());
  CHECK(b["state"] == "killed");
  CHECK(b["validation"].is_null());
  CHECK(c["state"].is_null());
  CHECK(c["error"].get<std::string>().find("run.sqlite") != std::string::npos);
  CHECK(keysOf(a) == keysOf(c));
  const Ran ran = command({"runs", "list", folder.path("runs")});
  CHECK(ran.status == 0);
  CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') == 3);
  CHECK(ran.out.find(" interrupted ") != std::string::npos);
  CHECK(ran.out.find("killed ") == std::string::npos);
  CHECK(ran.out.find("\u2588") != std::string::npos);
}

TEST_CASE("sepx runs list uses the runs folder by default", "[runs]") {
  const Folder folder;
  const Environment home("XDG_DATA_HOME", folder.path("data").c_str());
  const Ran none = command({"runs", "list"});
  CHECK(none.status == 0);
  CHECK(none.out.find(folder.path("data/separatrix/runs")) != std::string::npos);
  CHECK(commandJson({"runs", "list"})["runs"].empty());
  makeRun(folder.path("data/separatrix/runs/x"), "x");
  CHECK(commandJson({"runs", "list"})["runs"].size() == 1);
}

TEST_CASE("sepx runs show: one run is printed in full", "[runs]") {
  const Folder folder;
  makeRun(folder.path("a"), "first");
  const Json json = commandJson({"runs", "show", folder.path("a")});
  const Json& run = json["runs"][0];
  CHECK(run["note"] == "a note");
  CHECK(run["events"][0]["kind"] == "rate");
  REQUIRE(run["series"].size() == 4);
  CHECK(run["series"][0]["name"] == "loss");
  CHECK(run["series"][0]["count"] == 4);
  CHECK(run["series"][0]["first"] == 1.0);
  CHECK(run["series"][0]["least"] == 0.25);
  CHECK(run["series"][1]["layer"] == 1);
  CHECK(run["series"][1]["head"].is_null());
  CHECK(run["series"][2]["head"] == 0);
  const Ran ran = command({"runs", "show", folder.path("a")});
  CHECK(ran.status == 0);
  for (const char* part : {"stopped by the person", "symmetry of layer 1, head 0", "2 4", "0.5 of the schedule"})
    CHECK(ran.out.find(part) != std::string::npos);
  makeKilled(folder.path("b"));
  CHECK(command({"runs", "show", folder.path("b")}).out.find("--resume") != std::string::npos);
}

TEST_CASE("sepx runs export: metrics are written as CSV or JSON", "[runs]") {
  const Folder folder;
  makeRun(folder.path("a"), "first");
  const std::string all =
      "step,loss,symmetry of layer 1,\"symmetry of layer 1, head 0\",validation\n"
      "0,,,,0.7\n1,1,,,\n2,0.5,,,\n3,0.3333333333333333,,,\n4,0.25,0.5,-0.5,0.25\n";
  std::string lines = command({"runs", "export", folder.path("a")}).out;
  lines.erase(std::remove(lines.begin(), lines.end(), '\r'), lines.end());
  CHECK(lines == all);
  REQUIRE(command({"runs", "export", folder.path("a"), "--metrics", "validation,loss", "--out", folder.path("m.csv")})
              .status == 0);
  CHECK(readText(folder.path("m.csv")).find("step,validation,loss") == 0);
  const Json json = commandJson({"runs", "export", folder.path("a"), "--metrics", "loss"});
  CHECK(json["series"][0]["steps"] == Json::array({1, 2, 3, 4}));
  CHECK(json["series"][0]["values"][1] == 0.5);
  requireRefused({"runs", "export", folder.path("a"), "--metrics", "los"}, 2, "no metric 'los'");
  requireRefused({"runs", "export", folder.path("a"), "--out", folder.path("no/such/m.csv")}, 6, "m.csv");
}

TEST_CASE("The export of a run does not replace a file of the run", "[runs]") {
  const Folder folder;
  makeRun(folder.path("a"), "first");
  const std::string store = folder.path("a/run.sqlite"), before = readText(store);
  fs::create_symlink(store, folder.path("link.csv"));
  fs::create_directory_symlink(folder.path("a"), folder.path("b"));
  for (const std::string& out : {store, folder.path("a/../a/run.sqlite"), folder.path("a/config.json"),
                                 folder.path("link.csv"), folder.path("b/run.sqlite")})
    requireRefused({"runs", "export", folder.path("a"), "--out", out}, 2, "would be replaced");
  CHECK(readText(store) == before);
  // Another file in the folder can be written and replaced.
  for (int i = 0; i < 2; ++i)
    CHECK(command({"runs", "export", folder.path("a"), "--out", folder.path("a/loss.csv")}).status == 0);
  // A folder beside it whose name begins with the same letters.
  fs::create_directory(folder.path("ab"));
  writeText(folder.path("ab/notes.txt"), "old");
  CHECK(command({"runs", "export", folder.path("a"), "--out", folder.path("ab/notes.txt")}).status == 0);
}

TEST_CASE("sepx runs export --format tensorboard: each run gives one file in a common folder", "[runs][events]") {
  const Folder folder;
  makeRun(folder.path("a"), "first");
  makeRun(folder.path("other/b"), "second");
  const std::string logs = folder.path("logs");
  const Json json = commandJson(
      {"runs", "export", folder.path("a"), folder.path("other/b/"), "--format", "tensorboard", "--out", logs});
  CHECK(json["format"] == "tensorboard");
  REQUIRE(json["files"].size() == 2);
  const Json& file = json["files"][0];
  CHECK(file["file"] == logs + "/a/events.out.tfevents.0001767323045.separatrix");
  CHECK(fs::path(json["files"][1]["file"].get<std::string>()).parent_path() == logs + "/b");
  CHECK(file["events"] == 5);  // steps 0 to 4
  CHECK(file["values"] == 8);
  CHECK(file["tags"] == Json::array({"loss", "symmetry/layer1", "symmetry/layer1/head0", "validation"}));
  const std::string before = readText(file["file"]);
  CHECK(before.find("brain.Event:2") != std::string::npos);
  // A second export gives the same file, and fewer metrics give a smaller file.
  CHECK(command({"runs", "export", folder.path("a"), "--format", "tensorboard", "--out", logs}).out ==
        file["file"].get<std::string>() + "\n");
  CHECK(readText(file["file"]) == before);
  CHECK(commandJson({"runs", "export", folder.path("a"), "--format", "tensorboard", "--metrics", "loss", "--out",
                     logs})["files"][0]["tags"] == Json::array({"loss"}));
  // csv is the default format.
  CHECK(command({"runs", "export", folder.path("a"), "--format", "csv"}).out ==
        command({"runs", "export", folder.path("a")}).out);
}

TEST_CASE("Event files may be in the runs' own folders and do not replace files of the runs", "[runs][events]") {
  const Folder folder;
  makeRun(folder.path("runs/a"), "first");
  const std::string store = folder.path("runs/a/run.sqlite"), before = readText(store);
  const std::vector<std::string> call{"runs",        "export", folder.path("runs/a"), "--format",
                                      "tensorboard", "--out",  folder.path("runs")};
  std::string file;
  for (int i = 0; i < 2; ++i)
    file = commandJson(call)["files"][0]["file"];
  CHECK(fs::path(file).parent_path() == folder.path("runs/a"));
  CHECK(readText(store) == before);
  fs::remove(file);
  fs::create_symlink(store, file);
  requireRefused(call, 2, "would be replaced");
  CHECK(readText(store) == before);
}

TEST_CASE("sepx runs export --format: wrong usage gives one message", "[runs][events]") {
  const Folder folder;
  makeRun(folder.path("x/a"), "first");
  makeRun(folder.path("y/a"), "second");
  requireRefused({"runs", "export", folder.path("x/a"), "--format", "tb"}, 2, "'tb' is not csv or tensorboard");
  requireRefused({"runs", "export", folder.path("x/a"), "--format", "tensorboard"}, 2, "needs --out");
  requireRefused({"runs", "export", "--format", "tensorboard", "--out", folder.path("l")}, 2, "name the folders");
  requireRefused(
      {"runs", "export", folder.path("x/a"), folder.path("y/a"), "--format", "tensorboard", "--out", folder.path("l")},
      2, "both called 'a'");
  requireRefused({"runs", "export", folder.path("x/a"), "--format", "csv", "--checkpoint", "latest"}, 2, "two exports");
  requireRefused({"runs", "list", "--format", "csv"}, 2, "belong to");
  requireRefused(
      {"runs", "export", folder.path("x/a"), "--format", "tensorboard", "--out", folder.path("x/a/run.sqlite")}, 6,
      "run.sqlite");
  CHECK_FALSE(fs::exists(folder.path("l")));
}

TEST_CASE("TensorBoard's own reader reads an event file, if it is installed", "[runs][events]") {
  const Folder folder;
  makeRun(folder.path("a"), "first");
  const std::string file = commandJson({"runs", "export", folder.path("a"), "--format", "tensorboard", "--out",
                                        folder.path("logs")})["files"][0]["file"];
  writeText(folder.path("read.py"),
            "import sys\n"
            "try:\n"
            "    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator\n"
            "except ImportError:\n"
            "    sys.exit(77)\n"
            "events = EventAccumulator(sys.argv[1])\n"
            "events.Reload()\n"
            "loss = [(e.step, e.value) for e in events.Scalars('loss')]\n"
            "assert [step for step, value in loss] == [1, 2, 3, 4], loss\n"
            "assert abs(loss[2][1] - 1 / 3) < 1e-7, loss\n"
            "assert events.Scalars('symmetry/layer1/head0')[0].value == -0.5\n");
  const int status = std::system(("python3 " + folder.path("read.py") + " " + file + " 2>/dev/null").c_str());
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127) {
    WARN("skipped: python3 with TensorBoard is not installed");
    return;
  }
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("sepx runs export --checkpoint: the folder can be opened by Hugging Face, also for a damaged run", "[runs]") {
  const Folder folder;
  makeRun(folder.path("a"), "first");
  REQUIRE(command({"runs", "export", folder.path("a"), "--checkpoint", "latest", "--out", folder.path("hf")}).status ==
          0);
  CHECK(checkpoint::Checkpoint::open(folder.path("hf")));
  CHECK_FALSE(fs::exists(folder.path("hf/state.safetensors")));
  CHECK(fs::exists(folder.path("hf/vocab.json")));
  requireRefused({"runs", "export", folder.path("a"), "--checkpoint", "2", "--out", folder.path("hf")}, 2,
                 "already exists");
  requireRefused({"runs", "export", folder.path("a"), "--checkpoint", "3", "--out", folder.path("x")}, 2,
                 "it has checkpoints of steps 2, 4");
  writeText(folder.path("a/run.sqlite"), "damaged");
  const Json json =
      commandJson({"runs", "export", folder.path("a"), "--checkpoint", "2", "--out", folder.path("second/")});
  CHECK(json["step"] == 2);
  CHECK(checkpoint::Checkpoint::open(folder.path("second")));
  requireRefused({"runs", "show", folder.path("a")}, 3, "checkpoints");
  writeText(folder.path("a/checkpoints/step-0000004/model.safetensors"), "cut");
  requireRefused({"runs", "export", folder.path("a"), "--checkpoint", "latest", "--out", folder.path("third")}, 3,
                 "model.safetensors");
  CHECK_FALSE(fs::exists(folder.path("third")));
}

TEST_CASE("Differences from a family's own code are reported when a checkpoint is exported or inspected", "[runs]") {
  const Folder folder;
  train::RunConfig config;
  config.model.vocabulary = 2;
  config.model.input = nn::Input::Table;
  const auto write = [&](const std::string& name, nn::Positions positions) {
    config.model.positions = positions;
    const nn::ParameterLayout layout(config.model);
    train::TrainState state;
    state.theta.assign(layout.size(), 0.5f);
    REQUIRE(train::writeCheckpoint(folder.path(name), config, layout, state, {"0", "1"}));
    return layout.size();
  };
  const auto exported = [&](const std::string& name, const std::string& out) {
    return command({"runs", "export", folder.path(name), "--checkpoint", "latest", "--out", folder.path(out)}).out;
  };
  const std::size_t trained = write("alibi", nn::Positions::Alibi), same = write("table", nn::Positions::Learned);
  CHECK(exported("alibi", "a").find("computes differently: ") != std::string::npos);
  CHECK(exported("table", "b").empty());
  const Json run =
      commandJson({"runs", "export", folder.path("alibi"), "--checkpoint", "latest", "--out", folder.path("c")});
  const Json a = commandJson({"inspect", folder.path("a")}), b = commandJson({"inspect", folder.path("b")});
  CHECK(run["deviation"].get<std::string>().find("ALiBi") != std::string::npos);
  CHECK(a["deviation"] == run["deviation"]);
  CHECK(a["trained_parameters"] == trained);
  CHECK(a["parameters"].get<std::size_t>() > trained);
  CHECK(b["deviation"].is_null());
  CHECK(b["trained_parameters"] == same);
  const std::string table = command({"inspect", folder.path("a")}).out;
  CHECK(table.find(a["deviation"].get<std::string>()) != std::string::npos);
  CHECK(table.find("the trained model has " + std::to_string(trained)) != std::string::npos);
  // An untrusted config: the text is printed as one line, and a value that is not text is not a deviation.
  const auto inspected = [&](const Json& deviation) {
    Json json = Json::parse(readText(folder.path("a/config.json")));
    json["separatrix_deviation"] = deviation;
    json["separatrix_parameters"] = "many";
    writeText(folder.path("a/config.json"), json.dump());
    return commandJson({"inspect", folder.path("a")});
  };
  const Json strange = inspected("a\nb\x1b[2J");
  const std::string line = strange["deviation"];
  CHECK(std::none_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
  CHECK(strange["trained_parameters"].is_null());
  CHECK(inspected(3)["deviation"].is_null());
}

TEST_CASE("The folder of a run can be used for its newest weights", "[runs]") {
  const Folder folder;
  makeRun(folder.path("a"), "first");
  fs::create_directories(folder.path("bare"));
  fs::rename(folder.path("a/checkpoints"), folder.path("bare/checkpoints"));  // as a run whose metrics are lost
  requireRefused({"inspect", folder.path("a")}, 3, "has saved no weights yet");
  requireRefused({"scores", folder.path("a")}, 3, "has saved no weights yet");
  fs::copy(folder.path("bare/checkpoints"), folder.path("a/checkpoints"), fs::copy_options::recursive);
  for (const char* name : {"a", "bare"}) {
    const std::string run = folder.path(name);
    CHECK(commandJson({"inspect", run})["model"] == "step-0000004");
    CHECK(commandJson({"scores", run}) == commandJson({"scores", run + "/checkpoints/step-0000004"}));
    CHECK(commandJson({"compare", run, run + "/checkpoints/step-0000002"})["b"]["model"] == "step-0000002");
    CHECK(command({"heatmap", run, "--layer", "0", "--out", run + ".csv"}).status == 0);
    CHECK(command({"heatmap", run, "--layer", "0", "--out", run + ".png"}).status == 0);
  }
  // Neither a run nor weights: the message is that for folders.
  fs::create_directories(folder.path("empty"));
  requireRefused({"inspect", folder.path("empty")}, 3, "no weight file");
}

TEST_CASE("sepx runs refuses wrong usage with one message", "[runs]") {
  const Folder folder;
  requireRefused({"runs"}, 2, "");
  requireRefused({"runs", "lst"}, 2, "'lst' is not list, show or export");
  requireRefused({"runs", "show"}, 2, "name the folder");
  requireRefused({"runs", "list", folder.path("nothing")}, 3, "is not a folder");
  requireRefused({"runs", "show", folder.path("nothing")}, 3, "is not a run");
  requireRefused({"runs", "list", "--out", "x"}, 2, "belong to");
  requireRefused({"runs", "export", folder.path("a"), folder.path("b")}, 2, "one run");
  requireRefused({"runs", "export", folder.path("a"), "--checkpoint", "latest"}, 2, "--out");
  requireRefused({"runs", "export", folder.path("a"), "--checkpoint", "latest", "--out", folder.path("o")}, 3,
                 "no checkpoints");
}

TEST_CASE("A curve is drawn as one line of text", "[runs]") {
  using app::cli::sparkLine;
  CHECK(sparkLine(std::vector<double>{1, 2, 3, 8}, 8) == "\u2581\u2582\u2583\u2588");
  CHECK(sparkLine(std::vector<double>{5, 5}, 8) == "\u2581\u2581");
  CHECK(sparkLine(std::vector<double>{5}, 8).empty());
  const double nan = std::nan("");
  CHECK(sparkLine(std::vector<double>{0, nan, 1}, 8) == "\u2581 \u2588");
  CHECK(sparkLine(std::vector<double>{0, 0, 1, 1}, 2) == "\u2581\u2588");
  const double most = std::numeric_limits<double>::max();
  CHECK(sparkLine(std::vector<double>{-most, most}, 2) == "\u2581\u2588");
}
