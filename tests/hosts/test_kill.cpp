// SPDX-License-Identifier: Apache-2.0
// The studio itself, killed while a user works in it: the next start offers the work and adopts it, and a second kill
// immediately afterwards loses nothing either. Real keys (xdotool); skipped if it is not installed.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/train/run_store.h"
#include "tests/hosts/person.h"

using namespace sepx::tests;
namespace train = sepx::train;
using Json = nlohmann::json;

TEST_CASE("Work in the studio survives kill -9, twice") {
  const Person person;
  person.write(R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})");
  {
    Process studio(person.command(true), person.environment());
    REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
    focusPicture(windowOf(studio, "race"));
    xdotool({"key", "a"});
    INFO(studio.output());
    REQUIRE(waitFor([&] { return person.keptPoints() == 1; }));
    killNow(studio);
  }
  CHECK(person.savedPoints() == 0);
  for (int round = 0; round < 2; ++round) {
    // Answers the offer with Return. In the first round the studio is killed again before anything is saved.
    Process studio(person.command(false), person.environment());
    acceptOffer(studio);
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
    REQUIRE(waitFor([&] { return person.savedPoints() == 1; }));
    REQUIRE(waitFor([&] { return person.keptPoints() == -1; }));  // after saving there is no recovery file
    xdotool({"windowfocus", window});
    sleepFor(200);
    xdotool({"key", "ctrl+q"});
    CHECK(studio.wait() == 0);
  }
}

TEST_CASE("SIGTERM and SIGHUP end the studio in order, and the next start offers the unsaved work with the reason") {
  for (const int signal : {SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    const Person person;
    person.write(R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})");
    {
      Process studio(person.command(true), person.environment());
      REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
      focusPicture(windowOf(studio, "race"));
      xdotool({"key", "a"});
      INFO(studio.output());
      REQUIRE(waitFor([&] { return person.keptPoints() == 1; }));
      REQUIRE(::kill(studio.id(), signal) == 0);
      CHECK(studio.wait() == 0);
    }
    CHECK(person.keptPoints() == 1);
    CHECK(person.savedPoints() == 0);  // only the user writes this file
    const Json kept = person.kept();
    CHECK(kept.value(Json::json_pointer("/autosave/asked"), false));
    Process studio(person.command(false), person.environment());
    acceptOffer(studio);
    const std::string window = windowOf(studio, "race");
    focusPicture(window);
    xdotool({"key", "ctrl+s"});
    INFO(studio.output());
    REQUIRE(waitFor([&] { return person.savedPoints() == 1; }));
    REQUIRE(::kill(studio.id(), signal) == 0);
    CHECK(studio.wait() == 0);
    CHECK(person.keptPoints() == -1);  // nothing was unsaved
  }
}

TEST_CASE("The last session opens again if the user has chosen that") {
  const Person person;
  person.write(R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})");
  const auto quit = [](Process& studio) {
    const std::string window = windowOf(studio, "race");
    REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
    focusPicture(window);
    xdotool({"key", "ctrl+q"});
    INFO(studio.output());
    CHECK(studio.wait() == 0);
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

TEST_CASE("In a home that is not writable the studio works, and reports what cannot be saved") {
  const Person person;
  person.write(R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})");
  std::ofstream(person.home + "/file") << "no folder";
  auto environment = person.environment();
  for (const char* variable : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
    environment[variable] = std::nullopt;
  environment["HOME"] = person.home + "/file/home";
  Process studio(person.command(true), environment);
  REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
  const std::string window = windowOf(studio, "race");
  focusPicture(window);
  xdotool({"key", "a"});
  sleepFor(1500);
  xdotool({"key", "ctrl+s"});
  INFO(studio.output());
  CHECK(waitFor([&] { return person.savedPoints() == 1; }));  // saving by the user works
  xdotool({"key", "ctrl+q"});
  CHECK(studio.wait() == 0);
}

TEST_CASE("Two runs of a killed studio are offered at the next start, and resume bit for bit") {
  const Person person;
  person.write(R"({"version":1,"exhibit":"training"})");
  const auto bothPast = [&person](std::int64_t step) {
    return train::findRuns(person.runs).size() == 2 && person.leastStep() > step;
  };
  {
    Process studio(person.command(true), person.environment());
    REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
    focusWindow(windowOf(studio, "race"));
    xdotool({"key", "ctrl+Return"});  // starts encoder against decoder
    INFO(studio.output());
    REQUIRE(waitFor([&] { return bothPast(20); }));
    killNow(studio);
  }
  std::map<std::string, std::vector<train::Series>> before;
  for (const std::string& folder : train::findRuns(person.runs)) {
    CHECK_FALSE(train::runIsAlive(folder));
    before[folder] = *(*train::RunReader::open(folder))->series();
  }
  REQUIRE(before.size() == 2);
  std::filesystem::remove_all(person.home + "/state/separatrix/autosave");  // avoids the question about the session
  Process studio(person.command(true), person.environment());
  REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
  focusWindow(windowOf(studio, "race"));
  sleepFor(1000);
  takePalette(studio, "Resume interrupted");
  INFO(studio.output());
  REQUIRE(waitFor([&] { return person.aliveRuns() == 2; }));
  const std::vector<std::int64_t> reached = [&before] {
    std::vector<std::int64_t> last;
    for (const auto& [folder, series] : before)
      for (const train::Series& one : series)
        if (one.name == "loss") last.push_back(one.steps.back());
    return last;
  }();
  REQUIRE(waitFor([&] { return bothPast(*std::ranges::max_element(reached)); }));
  // Both runs now belong to the race of the exhibit, which the session contains after saving.
  xdotool({"key", "ctrl+s"});
  CHECK(waitFor([&] {
    std::ifstream file(person.session);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return std::ranges::all_of(before, [&text](const auto& one) {
      return text.find("/" + std::filesystem::path(one.first).filename().string() + "\"") != std::string::npos;
    });
  }));
  killNow(studio);
  for (const auto& [folder, was] : before) {
    const auto now = (*train::RunReader::open(folder))->series();
    REQUIRE(now);
    std::size_t compared = 0;
    for (const train::Series& old : was) {
      const auto same = std::ranges::find_if(*now, [&old](const train::Series& one) {
        return one.name == old.name && one.layer == old.layer && one.head == old.head;
      });
      REQUIRE(same != now->end());
      REQUIRE(same->values.size() >= old.values.size());
      CHECK(std::equal(old.steps.begin(), old.steps.end(), same->steps.begin()));
      CHECK(std::equal(old.values.begin(), old.values.end(), same->values.begin()));
      compared += old.values.size();
    }
    CHECK(compared > 60);
  }
}
