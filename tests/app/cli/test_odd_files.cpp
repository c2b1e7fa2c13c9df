// SPDX-License-Identifier: Apache-2.0
// A pipe, socket, folder, device or dangling link in place of every file that a verb reads: each verb ends at once,
// with one message or without that file. A reader that blocks exceeds the time limit of the test.
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/train/run_store.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/app/cli/small_checkpoints.h"
#include "tests/folders.h"
#include "tests/odd_files.h"

using namespace sepx::test;
using sepx::tests::OddFile;
namespace fs = std::filesystem;

namespace {

constexpr const char* kConfig =
    R"({"model": {"length": 8, "d_model": 4}, "schedule": {"steps": 4, "batch": 2, "save_every": 2}})";

std::string trainedRun(const Folder& folder) {
  writeText(folder.path("config.json"), kConfig);
  REQUIRE(command({"train", folder.path("config.json"), "--run", folder.path("runs/one")}).status == 0);
  return folder.path("runs/one");
}

/// Puts every kind of odd file in place of `file`, runs `arguments`, and restores the file. A verb may create the
/// folder of the file again.
void withEveryKind(const std::string& file, const std::vector<std::string>& arguments) {
  const Folder aside;
  const std::string kept = aside.path("kept");
  const bool was = fs::exists(file);
  if (was) fs::copy(file, kept);
  for (const OddFile kind : sepx::tests::kOddFiles) {
    INFO(sepx::tests::nameOf(kind) << " as " << file << ": sepx " << arguments.front() << " " << arguments.back());
    sepx::tests::makeOdd(kind, file);
    const Ran ran = command(arguments);
    CHECK((ran.status >= 0 && ran.status < 7));
    if (ran.status != 0) CHECK(ran.err.find("sepx: ") != std::string::npos);  // text for the user
    fs::remove_all(file);
    fs::remove(file + ".nowhere");
  }
  if (was) fs::copy(kept, file);
}

}  // namespace

TEST_CASE("odd files in a run's folder: no verb blocks") {
  const Folder folder;
  const std::string run = trainedRun(folder), saved = sepx::train::checkpointFolder(run, 4), runs = folder.path("runs");
  const std::string config = folder.path("config.json"), out = folder.path("out");
  const std::vector<std::vector<std::string>> verbs{{"runs", "list", runs},
                                                    {"runs", "show", run},
                                                    {"runs", "export", run},
                                                    {"train", config, "--run", run, "--resume"}};
  for (const char* const name : {"run.lock", "run.sqlite", "run.sqlite-journal", "run.sqlite-wal", "run.sqlite-shm",
                                 "config.json", "notes.json"})
    for (const auto& verb : verbs)
      withEveryKind(run + "/" + name, verb);
  for (const char* const name : {"config.json", "state.safetensors", "model.safetensors", "tokenizer.json"})
    for (const std::vector<std::string>& verb :
         std::vector<std::vector<std::string>>{{"train", config, "--run", run, "--resume"},
                                               {"train", config, "--run", out, "--branch", run + "@4", "--steps", "6"},
                                               {"inspect", saved},
                                               {"scores", saved}}) {
      withEveryKind(saved + "/" + name, verb);
      fs::remove_all(out);
    }
}

TEST_CASE("odd files in a sweep's folder: no verb blocks") {
  const Folder folder;
  const std::string plan = folder.path("plan.json"), sweep = folder.path("sweep");
  writeText(plan, std::string(R"({"schema": "sepx.sweep/1", "config": )") + kConfig + R"(, "seeds": [0, 1]})");
  REQUIRE(command({"sweep", plan, "--run", sweep, "--shard", "0/2"}).status == 0);
  withEveryKind(plan, {"sweep", plan, "--run", folder.path("other")});
  withEveryKind(plan, {"sweep", plan, "--dry-run"});
  for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
           {"sweep", "status", sweep}, {"sweep", "merge", sweep}, {"sweep", plan, "--run", sweep, "--shard", "0/2"}}) {
    withEveryKind(sweep + "/plan.json", verb);
    withEveryKind(sweep + "/runs/0000/run.sqlite", verb);
    withEveryKind(sweep + "/runs/0000/run.sqlite-journal", verb);
    withEveryKind(sweep + "/failed/0000.txt", verb);
    withEveryKind(sweep + "/claims/0001.1", verb);
  }
}

TEST_CASE("odd files named by the user: no verb blocks") {
  const Folder folder;
  const std::string file = folder.path("input");
  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{"train", file, "--run", folder.path("run")},
                                             {"verify", "--fixtures", file},
                                             {"play", file},
                                             {"render", file, "--out", folder.path("picture.png")},
                                             {"inspect", file},
                                             {"scores", file},
                                             {"heatmap", file, "--out", folder.path("map.png")},
                                             {"runs", "show", file}})
    withEveryKind(file, verb);
  const std::string text = folder.path("words.txt"), config = folder.path("config.json");
  for (const char* const kind : {"text", "cifar10", "idx"}) {
    writeText(config, R"({"model": {"length": 8, "d_model": 4}, "data": {"kind": ")" + std::string(kind) +
                          R"(", "path": ")" + text + R"("}, "schedule": {"steps": 2, "batch": 2}})");
    withEveryKind(text, {"train", config, "--run", folder.path("run")});
  }
}
