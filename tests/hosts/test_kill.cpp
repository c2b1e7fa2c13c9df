// SPDX-License-Identifier: Apache-2.0
// The studio itself, killed while a person works in it: the next start offers the work, takes it over, and a second
// kill at once loses nothing either. Real keys (xdotool); skipped where there is none.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/folders.h"
#include "tests/hosts/desktop.h"

namespace {

using namespace sepx::tests;
using Json = nlohmann::json;

/// A person's own folders, and the studio in them.
struct Person {
  std::string home = freshFolder("kill-home");
  std::string session = home + "/race.sepx";

  std::map<std::string, std::optional<std::string>> environment() const {
    return {{"HOME", home},
            {"XDG_STATE_HOME", home + "/state"},
            {"XDG_CONFIG_HOME", home + "/config"},
            {"SEPX_LOG", "debug"}};
  }
  std::vector<std::string> command(bool withFile) const {
    std::vector<std::string> words{binFolder() + "/separatrix", "--size", "1280x720"};
    if (withFile) words.push_back(session);
    return words;
  }
  /// Points in what the studio keeps aside; -1 when it keeps nothing.
  int keptPoints() const {
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(home + "/state/separatrix/autosave", failed)) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      const Json json = Json::parse(file, nullptr, false);
      if (!json.is_object()) continue;
      return static_cast<int>(json.value(Json::json_pointer("/flow/points"), Json::array()).size());
    }
    return -1;
  }
  int savedPoints() const {
    std::ifstream file(session);
    const Json json = Json::parse(file, nullptr, false);
    if (!json.is_object()) return -1;
    return static_cast<int>(json.value(Json::json_pointer("/flow/points"), Json::array()).size());
  }
};

void killNow(Process& studio) {
  REQUIRE(::kill(studio.id(), SIGKILL) == 0);
  CHECK(studio.wait(20) == 128 + SIGKILL);
}

}  // namespace

TEST_CASE("Work in the studio survives kill -9, twice") {
  const Person person;
  std::ofstream(person.session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})";
  {
    Process studio(person.command(true), person.environment());
    REQUIRE(waitFor(60, [&] { return framesOf(studio) >= 2; }));
    focusPicture(windowOf(studio, "race"));
    xdotool({"key", "a"});
    INFO(studio.output());
    REQUIRE(waitFor(20, [&] { return person.keptPoints() == 1; }));
    killNow(studio);
  }
  CHECK(person.savedPoints() == 0);
  for (int round = 0; round < 2; ++round) {
    // The offer, and Return for its answer; killed again before anything was saved.
    Process studio(person.command(false), person.environment());
    const std::string offer = windowOf(studio, "Unsaved");
    xdotool({"windowfocus", offer});
    sleepFor(500);
    xdotool({"key", "Return"});
    INFO(studio.output());
    const std::string window = windowOf(studio, "race");
    if (round == 0) {
      sleepFor(1500);
      CHECK(person.keptPoints() == 1);
      killNow(studio);
      continue;
    }
    focusPicture(window);
    xdotool({"key", "ctrl+s"});
    REQUIRE(waitFor(20, [&] { return person.savedPoints() == 1; }));
    REQUIRE(waitFor(20, [&] { return person.keptPoints() == -1; }));  // saved: nothing is kept aside any more
    xdotool({"windowfocus", window});
    sleepFor(200);
    xdotool({"key", "ctrl+q"});
    CHECK(studio.wait(30) == 0);
  }
}

TEST_CASE("The session that was open last opens again where a person wishes that") {
  const Person person;
  std::ofstream(person.session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})";
  const auto quit = [](Process& studio) {
    const std::string window = windowOf(studio, "race");
    REQUIRE(waitFor(60, [&] { return framesOf(studio) >= 2; }));
    focusPicture(window);
    xdotool({"key", "ctrl+q"});
    INFO(studio.output());
    CHECK(studio.wait(30) == 0);
  };
  {
    Process studio(person.command(true), person.environment());
    quit(studio);
  }
  std::filesystem::create_directories(person.home + "/config/separatrix");
  std::ofstream(person.home + "/config/separatrix/settings.json") << R"({"version":1,"settings":{"reopen":true}})";
  Process studio(person.command(false), person.environment());
  quit(studio);
}

TEST_CASE("In a home that cannot be written the studio works, and says what is not kept") {
  const Person person;
  std::ofstream(person.session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})";
  std::ofstream(person.home + "/file") << "no folder";
  auto environment = person.environment();
  for (const char* variable : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
    environment[variable] = std::nullopt;
  environment["HOME"] = person.home + "/file/home";
  Process studio(person.command(true), environment);
  REQUIRE(waitFor(60, [&] { return framesOf(studio) >= 2; }));
  const std::string window = windowOf(studio, "race");
  focusPicture(window);
  xdotool({"key", "a"});
  sleepFor(1500);
  xdotool({"key", "ctrl+s"});
  INFO(studio.output());
  CHECK(waitFor(20, [&] { return person.savedPoints() == 1; }));  // what a person saves is saved
  xdotool({"key", "ctrl+q"});
  CHECK(studio.wait(30) == 0);
}
