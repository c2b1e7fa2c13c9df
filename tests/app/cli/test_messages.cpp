// SPDX-License-Identifier: Apache-2.0
// Error messages of the command line: they name the mistake, contain no raw text of other authors, and no absolute path
// where a relative one is possible.
#include <filesystem>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/app/cli/run_sepx.h"

using namespace sepx::test;
namespace fs = std::filesystem;

namespace {

/// Whether the text contains no control characters for a terminal.
bool harmless(const std::string& text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r') || c == 0x7f) return false;
  return true;
}

std::string tinyPlan(const Folder& folder) {
  const std::string path = folder.path("plan.json");
  writeText(path, R"({"schema":"sepx.sweep/1","config":{"model":{"length":16,"d_model":4},
    "schedule":{"steps":6,"batch":2,"evaluate_every":0,"scores_every":0}},"grid":{"initial.sigma":[0.1,0.2]},"seeds":[0]})");
  return path;
}

}  // namespace

TEST_CASE("Failures of single runs of a sweep begin with sepx: and name files relative to the sweep's folder",
          "[messages]") {
  const Folder folder;
  const std::string plan = tinyPlan(folder), run = folder.path("sweep");
  CHECK(command({"sweep", plan, "--run", run, "--shard", "0/3"}).status == 0);
  fs::create_directories(run + "/runs/0001");
  writeText(run + "/runs/0001/config.json", "{}");
  writeText(run + "/runs/0001/run.sqlite", "no database");
  const Ran ran = command({"sweep", plan, "--run", run});
  CHECK(ran.status == 1);
  std::istringstream lines(ran.err);
  int said = 0;
  for (std::string line; std::getline(lines, line); ++said) {
    CAPTURE(line);
    CHECK(line.starts_with("sepx: "));
    CHECK(line.find(run) == std::string::npos);
  }
  CHECK(said > 0);
  CHECK_THAT(ran.err, Catch::Contains("sepx: 0001: failed: runs/0001"));
  CHECK(ran.out.find(run) == std::string::npos);
  const Ran status = command({"sweep", "status", run});
  CHECK_THAT(status.out, Catch::Contains("runs/0001"));
  CHECK(status.out.find(run) == std::string::npos);
}

TEST_CASE("Control characters and long names of an untrusted sweep are not printed in messages or tables",
          "[messages]") {
  const Folder folder;
  const std::string plan = tinyPlan(folder), run = folder.path("sweep");
  CHECK(command({"sweep", plan, "--run", run, "--shard", "0/2"}).status == 0);
  writeText(run + "/failed/0001.txt", "\x1b[31mred\x07 " + std::string(10'000, 'a') + "\n");
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"sweep", "status", run}, {"sweep", "merge", run}}) {
    const Ran ran = command(verb);
    CHECK(harmless(ran.out));
    CHECK(harmless(ran.err));
    CHECK(ran.out.size() < 6000);
  }
  const Ran ran = command({"sweep", "status", folder.path("\x1b[31m" + std::string(10'000, 'b'))});
  CHECK(ran.status == 3);
  CHECK(harmless(ran.err));
  CHECK(ran.err.size() < 1000);
  CHECK(ran.err.starts_with("sepx: "));
}
