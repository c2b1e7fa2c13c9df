// SPDX-License-Identifier: Apache-2.0
// The folder that shards share: a claim belongs to one program, one left by a dead program is taken over, one of a
// living program on another machine is not before its time, and a folder keeps its plan.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/sweep/sweep_folder.h"
#include "tests/temporary_folder.h"

using namespace sepx;
using sweep::SweepFolder;

namespace {

SweepFolder made(const std::string& path) {
  auto folder = SweepFolder::open(path, "{\"plan\": 1}\n");
  REQUIRE(folder);
  return *folder;
}

void age(const std::string& path, double seconds) {
  timespec times[2] = {};
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= static_cast<time_t>(seconds);
  times[1] = times[0];
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

}  // namespace

TEST_CASE("A folder keeps the plan that it was made with, and refuses another") {
  const tests::TemporaryFolder temporary;
  const std::string path = (temporary.path / "sweep").string();
  made(path);
  CHECK(*SweepFolder::existing(path)->planText() == "{\"plan\": 1}\n");
  CHECK(SweepFolder::open(path, "{\"plan\": 1}\n"));
  const auto other = SweepFolder::open(path, "{\"plan\": 2}\n");
  REQUIRE_FALSE(other);
  CHECK(other.error().kind == ErrorKind::Usage);
  CHECK_FALSE(SweepFolder::existing((temporary.path / "none").string()));
}

TEST_CASE("One of many gets a claim, and it is free again afterwards") {
  const tests::TemporaryFolder temporary;
  const SweepFolder folder = made((temporary.path / "sweep").string());
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<sweep::Claim>> claims(8);
    {
      std::vector<std::jthread> threads;
      for (auto& claim : claims)
        threads.emplace_back([&] { claim = *folder.claim("0000"); });
    }
    const auto held = std::count_if(claims.begin(), claims.end(), [](const auto& claim) { return claim != nullptr; });
    CHECK(held == 1);
    CHECK(folder.holder("0000").find(std::to_string(getpid())) == 0);
    CHECK(folder.status("0000").progress == sweep::RunProgress::Training);
  }
  CHECK(folder.holder("0000").empty());
  CHECK(folder.status("0000").progress == sweep::RunProgress::Waiting);
  std::error_code ignored;
  CHECK(std::filesystem::is_empty(folder.path() + "/claims", ignored));  // nothing is left beside
}

TEST_CASE("The claim of a program that was killed is taken over, that of another machine after its time") {
  const tests::TemporaryFolder temporary;
  const SweepFolder folder = made((temporary.path / "sweep").string());
  const pid_t child = fork();
  if (child == 0) {
    auto claim = folder.claim("0003");
    _exit(claim && *claim ? 0 : 1);  // without its destructor, as after SIGKILL
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WEXITSTATUS(status) == 0);
  CHECK(std::filesystem::exists(folder.path() + "/claims/0003"));
  CHECK(folder.holder("0003").empty());
  CHECK(*folder.claim("0003") != nullptr);

  const std::string elsewhere = folder.path() + "/claims/0004";
  REQUIRE(writeFile(elsewhere, R"({"host": "another-machine", "pid": 17, "start": "1"})"));
  CHECK(folder.holder("0004") == "17 on another-machine");
  CHECK(*folder.claim("0004") == nullptr);
  age(elsewhere, sweep::kStaleSeconds + 30);
  CHECK(*folder.claim("0004") != nullptr);
}

TEST_CASE("Why a run failed is kept until it is tried again") {
  const tests::TemporaryFolder temporary;
  const SweepFolder folder = made((temporary.path / "sweep").string());
  REQUIRE(folder.setFailure("0001", "model.heads: must divide d_model"));
  CHECK(folder.status("0001").progress == sweep::RunProgress::Failed);
  CHECK(folder.status("0001").sentence == "model.heads: must divide d_model");
  REQUIRE(folder.setFailure("0001", {}));
  CHECK(folder.status("0001").progress == sweep::RunProgress::Waiting);
}
