// SPDX-License-Identifier: Apache-2.0
// Which program may train a run: only one at a time. The claim of a program that has ended is taken over; that of a
// running program on another machine only after its lease has expired. A program that was slow or suspended takes
// nothing away from a faster one.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/core/file.h"
#include "engine/sweep/sweep_claim.h"
#include "tests/odd_files.h"
#include "tests/temporary_folder.h"

using namespace sepx;
using sweep::Claims;
using sweep::ClaimState;
namespace fs = std::filesystem;

namespace {

/// Sets the modification time of a claim to this many seconds ago.
void age(const std::string& path, double seconds) {
  timespec times[2] = {};
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= static_cast<time_t>(seconds);
  times[1] = times[0];
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

/// Leaves the claim of another process of this machine, which then ends as after SIGKILL.
void leaveClaim(const Claims& claims, const std::string& name) {
  const pid_t child = fork();
  if (child == 0) {
    auto claim = claims.take(name);
    _exit(claim && *claim ? 0 : 1);  // without running its destructor
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WEXITSTATUS(status) == 0);
}

/// Changes one member in the file of a claim.
void edit(const std::string& path, const char* member, const nlohmann::json& value) {
  auto json = nlohmann::json::parse(*readFile(path));
  json[member] = value;
  REQUIRE(writeFile(path, json.dump()));
}

constexpr const char* kElsewhere =
    R"({"host": "another-machine", "pid": 17, "start": "1", "boot": "b", "pid_space": "pid:[1]"})";

}  // namespace

TEST_CASE("Only one of several threads gets a claim, and the claim is free again afterwards") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<sweep::Claim>> taken(8);
    {
      std::vector<std::jthread> threads;
      for (auto& claim : taken)
        threads.emplace_back([&] { claim = *claims.take("0000"); });
    }
    CHECK(std::ranges::count_if(taken, [](const auto& claim) { return claim != nullptr; }) == 1);
    CHECK(claims.read("0000").state == ClaimState::Alive);
    CHECK(claims.read("0000").words.find(fmt::format("{} on ", getpid())) == 0);
  }
  CHECK(claims.read("0000").state == ClaimState::None);
  // Only the files of the generations remain, and all of them are empty.
  CHECK(temporary.files() == 20);
  for (const auto& entry : fs::directory_iterator(temporary.path))
    CHECK(entry.file_size() == 0);
  const auto last = *claims.take("0000");
  REQUIRE(last);
  last->finish();
}

TEST_CASE("The claims of a finished run are removed") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  REQUIRE(*claims.take("0000"));
  leaveClaim(claims, "0000");
  {
    const auto claim = *claims.take("0000");
    REQUIRE(claim);
    claim->finish();
    CHECK(temporary.files() == 3);
  }
  CHECK(temporary.files() == 0);
}

TEST_CASE("A claim identifies its process, even if the process number is used again") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  leaveClaim(claims, "0003");
  const std::string path = temporary / "0003.1";
  const auto json = nlohmann::json::parse(*readFile(path));
  for (const char* const member : {"host", "start", "boot", "pid_space"})
    CHECK_FALSE(json[member].get<std::string>().empty());
  CHECK(claims.read("0003").state == ClaimState::Stale);
  CHECK(claims.read("0003").words.find("has ended") != std::string::npos);

  // A running process now has the number: this one.
  edit(path, "pid", getpid());
  CHECK(claims.read("0003").state == ClaimState::Stale);
  const auto taken = *claims.take("0003");
  REQUIRE(taken);
  CHECK(claims.read("0003").state == ClaimState::Alive);

  // A process number on another machine, in another PID namespace or of another boot of this machine does not show that
  // the process has ended. So the lease counts.
  for (const char* const member : {"host", "boot", "pid_space"}) {
    const std::string name = fmt::format("other-{}", member), there = temporary / (name + ".1");
    leaveClaim(claims, name);
    edit(there, member, "another");
    CHECK(claims.read(name).state == ClaimState::Alive);
    CHECK_FALSE(*claims.take(name));
    age(there, sweep::kStaleSeconds + 30);
    CHECK(*claims.take(name));
  }
}

TEST_CASE("A claim of a zombie process is stale") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  const pid_t child = fork();
  if (child == 0) {
    auto claim = claims.take("0000");
    _exit(claim && *claim ? 0 : 1);
  }
  siginfo_t info{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);  // the child stays a zombie
  CHECK(claims.read("0000").state == ClaimState::Stale);
  REQUIRE(waitpid(child, nullptr, 0) == child);
}

TEST_CASE("On another machine a claim is alive, unknown or stale by the age of its lease") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  // Also without a generation number, as older programs wrote it.
  for (const char* const file : {"0004.1", "0005"}) {
    const std::string path = temporary / file, name = std::string(file).substr(0, 4);
    REQUIRE(writeFile(path, kElsewhere));
    CHECK(claims.read(name).state == ClaimState::Alive);
    CHECK(claims.read(name).words == "17 on another-machine");
    CHECK_FALSE(*claims.take(name));
    age(path, (sweep::kAliveSeconds + sweep::kStaleSeconds) / 2);
    CHECK(claims.read(name).state == ClaimState::Unknown);
    CHECK(claims.read(name).words.find("s ago") != std::string::npos);
    CHECK_FALSE(*claims.take(name));
    age(path, -3600);  // as after a change of the clock
    CHECK(claims.read(name).state == ClaimState::Unknown);
    age(path, sweep::kStaleSeconds + 30);
    CHECK(claims.read(name).state == ClaimState::Stale);
    CHECK(*claims.take(name));
  }
}

TEST_CASE("If two programs judge a claim stale, the slower one loses and takes nothing away") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  leaveClaim(claims, "0000");
  std::unique_ptr<sweep::Claim> faster;
  const auto slower = *claims.take("0000", [&] { faster = *claims.take("0000"); });
  CHECK_FALSE(slower);
  REQUIRE(faster);
  faster->renew();
  CHECK(faster->held());
  CHECK(claims.read("0000").state == ClaimState::Alive);
  CHECK_FALSE(*claims.take("0000"));

  // Even if the faster one has already released its claim: at most one of the others gets the run.
  leaveClaim(claims, "0001");
  std::unique_ptr<sweep::Claim> third;
  const auto late = *claims.take("0001", [&] {
    REQUIRE(*claims.take("0001"));
    third = *claims.take("0001");
  });
  CHECK_FALSE(late);
  CHECK(third);
}

TEST_CASE("A program that could not renew its claim takes the next generation, or leaves the run to a faster program") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  const auto claim = *claims.take("0000");
  REQUIRE(claim);
  claim->age(sweep::kHeldSeconds + 1);
  CHECK(claim->held());  // no other program took it meanwhile
  CHECK(fs::exists(temporary / "0000.2"));
  claim->renew();
  CHECK(claim->held());

  claim->age(sweep::kHeldSeconds + 1);
  REQUIRE(writeFile(temporary / "0000.3", kElsewhere));
  CHECK_FALSE(claim->held());
  CHECK(claims.read("0000").words == "17 on another-machine");
}

TEST_CASE("A renewal notices that the claim was taken over or removed") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  for (const bool removed : {false, true}) {
    const std::string name = removed ? "0001" : "0000";
    {
      const auto claim = *claims.take(name);
      REQUIRE(claim);
      claim->renew();
      CHECK(claim->held());
      if (removed)
        fs::remove(temporary / (name + ".1"));
      else
        REQUIRE(writeFile(temporary / (name + ".2"), kElsewhere));
      claim->renew();
      CHECK_FALSE(claim->held());
    }
    CHECK(claims.read(name).state == (removed ? ClaimState::None : ClaimState::Alive));
  }
}

TEST_CASE("A file that is not a claim is reported at once and left unchanged") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  for (const tests::OddFile kind : tests::kOddFiles) {
    const std::string name = tests::nameOf(kind);
    INFO(name);
    tests::makeOdd(kind, temporary / (name + ".1"));
    const auto reading = claims.read(name);
    CHECK(reading.state == ClaimState::Unknown);
    CHECK(reading.words.find("cannot be read") != std::string::npos);
    CHECK_FALSE(*claims.take(name));
  }
  // An invalid text counts as the claim of an unknown program, whose lease is known.
  REQUIRE(writeFile(temporary / "text.1", "[1, 2"));
  CHECK(claims.read("text").words == "an unknown program");
  age(temporary / "text.1", sweep::kStaleSeconds + 30);
  CHECK(*claims.take("text"));
  // Text of another author contains no terminal escapes and is shortened.
  REQUIRE(writeFile(temporary / "loud.1",
                    nlohmann::json{{"host", "\x1b[31m" + std::string(3000, 'h')}, {"pid", 1}}.dump()));
  const std::string words = claims.read("loud").words;
  CHECK(words.find('\x1b') == std::string::npos);
  CHECK(words.size() < 100);
}

TEST_CASE("A symbolic link in place of a claim is neither emptied nor renewed") {
  const tests::TemporaryFolder temporary;
  const std::string victim = temporary.file("victim", "what a person wrote");
  const fs::path folder = temporary.path / "claims", path = folder / "0000.1";
  for (const bool renewed : {false, true}) {
    INFO("renewed: " << renewed);
    fs::remove_all(folder);
    fs::create_directory(folder);
    auto claim = *Claims(folder).take("0000");
    REQUIRE(claim);
    fs::remove(path);
    fs::create_symlink(victim, path);
    age(victim, 3600);
    const auto before = fs::last_write_time(victim);
    if (renewed) {
      claim->renew();
      CHECK_FALSE(claim->held());  // it is not the file that this program created
    }
    claim.reset();
    CHECK(readFile(victim).value() == "what a person wrote");
    CHECK(fs::last_write_time(victim) == before);
    CHECK(fs::is_symlink(path));
  }
}

TEST_CASE("A released claim is empty, and a claim that was taken again is renewed") {
  const tests::TemporaryFolder temporary;
  const Claims claims(temporary.path);
  {
    const auto claim = *claims.take("0000");
    REQUIRE(claim);
    claim->age(sweep::kHeldSeconds + 1);
    CHECK(claim->held());
    age(temporary / "0000.2", 3600);
    claim->renew();
    CHECK(fs::file_time_type::clock::now() - fs::last_write_time(temporary / "0000.2") < std::chrono::minutes(30));
  }
  CHECK(fs::file_size(temporary / "0000.2") == 0);
  CHECK(claims.read("0000").state == ClaimState::None);
}
