// SPDX-License-Identifier: Apache-2.0
// The studio itself, killed while a person works in it: the next start offers the work, takes it over, and a second
// kill at once loses nothing either. Real keys (xdotool); skipped where there is none.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/train/run_store.h"
#include "tests/folders.h"
#include "tests/hosts/desktop.h"

namespace {

using namespace sepx::tests;
namespace train = sepx::train;
using Json = nlohmann::json;

/// A person's own folders, and the studio in them.
struct Person {
  std::string home = freshFolder("kill-home");
  std::string session = home + "/race.sepx";

  std::map<std::string, std::optional<std::string>> environment() const {
    return {{"HOME", home},
            {"XDG_STATE_HOME", home + "/state"},
            {"XDG_CONFIG_HOME", home + "/config"},
            {"XDG_DATA_HOME", home + "/data"},
            {"SEPX_LOG", "debug"}};
  }
  std::vector<std::string> command(bool withFile) const {
    std::vector<std::string> words{binFolder() + "/separatrix", "--size", "1280x720"};
    if (withFile) words.push_back(session);
    return words;
  }
  /// What the studio keeps aside; null when it keeps nothing.
  Json kept() const {
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(home + "/state/separatrix/autosave", failed)) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      Json json = Json::parse(file, nullptr, false);
      if (json.is_object()) return json;
    }
    return {};
  }
  /// Points in it; -1 when there is none.
  int keptPoints() const {
    const Json json = kept();
    return json.is_null() ? -1 : static_cast<int>(json.value(Json::json_pointer("/flow/points"), Json::array()).size());
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
  CHECK(studio.wait() == 128 + SIGKILL);
}

/// Without a click, which would begin the runs of a card.
void focusWindow(const std::string& window) {
  xdotool({"windowmove", window, "0", "0"});
  xdotool({"windowfocus", window});
  sleepFor(500);
}

}  // namespace

TEST_CASE("Work in the studio survives kill -9, twice") {
  const Person person;
  std::ofstream(person.session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})";
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
    std::ofstream(person.session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})";
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
    xdotool({"windowfocus", windowOf(studio, "Unsaved")});
    sleepFor(500);
    xdotool({"key", "Return"});
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
  std::ofstream(person.session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})";
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
  std::ofstream(person.session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})";
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
  std::ofstream(person.session) << R"({"version":1,"exhibit":"training"})";
  const std::string runs = person.home + "/data/separatrix/runs";
  const auto steps = [&runs] {
    std::vector<std::int64_t> made;
    for (const std::string& folder : train::findRuns(runs)) {
      const auto reader = train::RunReader::open(folder);
      made.push_back(reader ? (*reader)->record()->step : -1);
    }
    return made;
  };
  const auto bothPast = [&steps](std::int64_t step) {
    const std::vector<std::int64_t> made = steps();
    return made.size() == 2 && std::min(made[0], made[1]) > step;
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
  for (const std::string& folder : train::findRuns(runs)) {
    CHECK_FALSE(train::runIsAlive(folder));
    before[folder] = *(*train::RunReader::open(folder))->series();
  }
  REQUIRE(before.size() == 2);
  std::filesystem::remove_all(person.home + "/state/separatrix/autosave");  // no question about the session
  Process studio(person.command(true), person.environment());
  REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
  focusWindow(windowOf(studio, "race"));
  sleepFor(1000);
  xdotool({"key", "ctrl+k"});
  sleepFor(800);
  xdotool({"type", "Resume interrupted"});
  sleepFor(800);
  xdotool({"key", "Return"});
  INFO(studio.output());
  REQUIRE(waitFor(
      [&] { return std::ranges::all_of(before, [](const auto& one) { return train::runIsAlive(one.first); }); }));
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
