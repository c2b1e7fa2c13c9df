// SPDX-License-Identifier: Apache-2.0
// The studio is killed repeatedly in the middle of a drag while two runs train: the library opens, both runs can be
// read and continue with the same bits, and unsaved work is offered.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/train/run_library.h"
#include "engine/train/run_store.h"
#include "tests/hosts/person.h"

namespace {

using namespace sepx::tests;
namespace train = sepx::train;

/// Every number that a run ever showed, by run, name, layer, head and step.
using Reported = std::map<std::tuple<std::string, std::string, int, int, std::int64_t>, double>;

void lookAtSeries(const std::string& folder, const train::Series& series, Reported& reported) {
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const auto [at, first] =
        reported.try_emplace({folder, series.name, series.layer, series.head, series.steps[i]}, series.values[i]);
    if (first || at->second == series.values[i] || (std::isnan(at->second) && std::isnan(series.values[i]))) continue;
    INFO(folder << ": " << series.name << " of step " << series.steps[i]);
    CHECK(at->second == series.values[i]);
  }
}

/// Checks the library after a kill: every run opens, and no number has changed.
void lookAtLibrary(const std::string& runs, Reported& reported) {
  const auto folders = train::findRuns(runs);
  CHECK(folders.size() == 2);
  for (const std::string& folder : folders) {
    CHECK_FALSE(train::runIsAlive(folder));
    const auto reader = train::RunReader::open(folder);
    INFO(folder << (reader ? std::string() : ": " + reader.error().message));
    REQUIRE(reader);
    REQUIRE((*reader)->record());
    const auto all = (*reader)->series();
    REQUIRE(all);
    for (const train::Series& series : *all)
      lookAtSeries(folder, series, reported);
  }
  for (const auto& summary : train::readLibrary(runs, {}))
    CHECK(summary->failure.empty());
}

/// Starts the two runs in the right pane, or resumes them after a kill.
void trainTwo(const Process& studio, bool first) {
  const std::string window = windowOf(studio, "race");
  REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
  focusWindow(window);
  if (first) {
    xdotool({"key", "ctrl+Return"});  // starts encoder against decoder
    return;
  }
  // Clicks the title of the pane: the chain was the active pane before the kill, and would become Training.
  xdotool({"mousemove", "765", "66"});
  sleepFor(300);
  xdotool({"click", "1"});
  xdotool({"windowfocus", window});
  sleepFor(300);
  takePalette(studio, "Resume interrupted");
}

/// Adds a point at the pointer, waits until it is in the recovery file, and drags it with the button still pressed.
/// `moved`: also waits until the recovery file has another position of the point. Returns the number of points in the
/// recovery file.
int dragNewPoint(const Person& person, const Process& studio, sepx::RandomStream& random, bool moved) {
  const int x = 290 + static_cast<int>(random.below(110)), y = 220 + static_cast<int>(random.below(110));
  const int before = person.keptPoints();
  xdotool({"mousemove", std::to_string(x), std::to_string(y)});
  sleepFor(200);
  xdotool({"click", "1"});
  xdotool({"windowfocus", windowOf(studio, "race")});
  sleepFor(200);
  xdotool({"key", "a"});
  REQUIRE(waitFor([&] { return person.keptPoints() > std::max(before, 0); }));
  const auto placed = person.kept()["flow"]["points"].back();
  xdotool({"mousedown", "1"});
  const auto moves = 1 + random.below(30);
  for (std::uint64_t i = 1; i <= moves; ++i) {
    xdotool({"mousemove", std::to_string(x + 4 * static_cast<int>(i)), std::to_string(y + 7 * static_cast<int>(i))});
    sleepFor(static_cast<int>(random.below(60)));
  }
  if (moved) CHECK(waitFor([&] { return person.kept()["flow"]["points"].back() != placed; }));
  return person.keptPoints();
}

void killWhileDragging(int rounds, std::uint64_t seed) {
  const Person person("kill-drag-home");
  person.write(R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]},
    "exhibit@2":"training","panes":{"layout":"two","active":2}})");
  sepx::RandomStream random(41, seed);
  Reported reported;
  int kept = 0;
  for (int round = 0; round <= rounds; ++round) {
    INFO("round " << round);
    Process studio(person.command(round == 0), person.environment());
    if (round > 0) acceptOffer(studio);
    trainTwo(studio, round == 0);
    INFO(studio.output());
    std::int64_t last = 0;  // the last number that was shown must be computed again, bit for bit
    if (round == rounds)
      for (const auto& [key, value] : reported)
        last = std::max(last, std::get<4>(key));
    REQUIRE(waitFor([&] { return person.aliveRuns() == 2 && person.leastStep() > last; }));
    if (round < rounds) kept = dragNewPoint(person, studio, random, round % 2 == 0);
    killNow(studio);
    xdotool({"mouseup", "1"});
    CHECK(person.keptPoints() == kept);  // valid JSON with everything that was in the recovery file
    CHECK(person.savedPoints() == 0);
    lookAtLibrary(person.runs, reported);
  }
  CHECK(kept == rounds);
  CHECK(reported.size() > 60);
  WARN(rounds << " kills: " << kept << " points kept, " << reported.size() << " numbers of two runs the same");
}

}  // namespace

TEST_CASE("The studio killed while two runs train and a point is dragged loses nothing, in a sample") {
  killWhileDragging(2, 0);
}

TEST_CASE("The studio killed 30 times while two runs train and a point is dragged loses nothing", "[.][long]") {
  killWhileDragging(30, 1);
}
