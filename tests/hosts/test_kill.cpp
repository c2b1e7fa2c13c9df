// SPDX-License-Identifier: Apache-2.0
// The studio itself, killed while a person works in it: the next start offers the work, takes it over, and a second
// kill at once loses nothing either. Real keys (xdotool); skipped where there is none.
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
    // The offer, and Return for its answer; killed again before anything was saved.
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
    REQUIRE(waitFor([&] { return person.keptPoints() == -1; }));  // saved: nothing is kept aside any more
    xdotool({"windowfocus", window});
    sleepFor(200);
    xdotool({"key", "ctrl+q"});
    CHECK(studio.wait() == 0);
  }
}

TEST_CASE("SIGTERM and SIGHUP end the studio in order: what is not saved waits for the next start, which says so") {
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
    CHECK(person.savedPoints() == 0);  // the file is the person's to write
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

TEST_CASE("The session that was open last opens again where a person wishes that") {
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

TEST_CASE("In a home that cannot be written the studio works, and says what is not kept") {
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
  CHECK(waitFor([&] { return person.savedPoints() == 1; }));  // what a person saves is saved
  xdotool({"key", "ctrl+q"});
  CHECK(studio.wait() == 0);
}

TEST_CASE("Two runs of a studio that is killed are offered at the next start, and resume bit for bit") {
  const Person person;
  person.write(R"({"version":1,"exhibit":"training"})");
  const auto bothPast = [&person](std::int64_t step) {
    return train::findRuns(person.runs).size() == 2 && person.leastStep() > step;
  };
  {
    Process studio(person.command(true), person.environment());
    REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
    focusWindow(windowOf(studio, "race"));
    xdotool({"key", "ctrl+Return"});  // encoder against decoder
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
  std::filesystem::remove_all(person.home + "/state/separatrix/autosave");  // no question about the session
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
  // Both are the race of the exhibit now, which the session says once it is saved.
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
