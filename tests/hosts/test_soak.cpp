// SPDX-License-Identifier: Apache-2.0
// The studio's window while two runs train in it: many random sizes and scales, and a long time at a constant level of
// memory. A sample with every test; under [long] 200 sizes and SEPX_SOAK_SECONDS (default 1800).
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/train/run_store.h"
#include "tests/hosts/own_use.h"
#include "tests/hosts/studio_rig.h"

namespace {

using namespace sepx;
using tests::Studio;

/// A window with a chain in one pane and the curves of two training runs in the other.
struct Training {
  std::string home = tests::freshFolder("soak-home");
  std::string runs = home + "/data/separatrix/runs";
  std::unique_ptr<Studio> studio;

  Training() {
    qputenv("XDG_DATA_HOME", QByteArray::fromStdString(home + "/data"));
    studio = std::make_unique<Studio>(home);
    const std::string session = home + "/race.sepx";
    std::ofstream(session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[{"e":1,"w":-0.5}]},
      "exhibit@2":"training","panes":{"layout":"two","active":2}})";
    REQUIRE(studio->open(session));
    studio->waitForOpening();
    begin();
  }
  ~Training() { qunsetenv("XDG_DATA_HOME"); }

  /// Starts encoder against decoder. After they have ended, starts it again with new runs.
  void begin() {
    const std::size_t before = train::findRuns(runs).size();
    if (before > 0) REQUIRE(studio->workbench().run("training.rewind"));
    if (before > 0) studio->settle();
    REQUIRE(studio->workbench().run("training.start"));
    studio->window->wake();
    REQUIRE(Studio::waitFor([&] { return train::findRuns(runs).size() == before + 2 && alive() == 2; }));
  }
  std::ptrdiff_t alive() const {
    const auto all = train::findRuns(runs);
    return std::ranges::count_if(all, train::runIsAlive);
  }
  void drawsAgain() {
    const auto before = studio->session->drawn();
    studio->window->wake();
    REQUIRE(Studio::waitFor([&] { return studio->session->drawn() > before; }));
  }
  /// Closes the window, and checks the files of the runs.
  void end() {
    CHECK(studio->errors() == 0);
    studio.reset();
    for (const std::string& run : train::findRuns(runs)) {
      const auto reader = train::RunReader::open(run);
      REQUIRE(reader);
      CHECK((*reader)->record()->state != train::RunState::Failed);
      CHECK_FALSE(train::runIsAlive(run));
    }
  }
};

void storm(int sizes, std::uint64_t seed) {
  Training training;
  Studio& studio = *training.studio;
  RandomStream random(51, seed);
  for (int i = 0; i < sizes; ++i) {
    // The smallest size that the system allows, a line, a small size, or any size.
    const auto kind = random.below(6);
    const int width = kind == 0 ? 1 : static_cast<int>(1 + random.below(kind == 1 ? 200 : 1900)),
              height = kind == 0 ? 1 : static_cast<int>(1 + random.below(kind == 2 ? 150 : 1060));
    INFO("size " << i << ": " << width << "x" << height);
    if (random.below(4) == 0) studio.window->setZoom(1 + 0.25 * static_cast<double>(random.below(9)));
    studio.window->setMinimumSize(1, 1);
    studio.window->resize(width, height);
    if (random.below(8) == 0) studio.window->setVisible(!studio.window->isVisible());
    for (std::uint64_t turn = random.below(6); turn > 0; --turn)
      QApplication::processEvents(QEventLoop::AllEvents, 5);
    if (random.below(5) == 0 && studio.window->isVisible()) training.drawsAgain();
  }
  studio.window->show();
  studio.window->setZoom(1);
  studio.window->resize(1280, 720);
  training.drawsAgain();
  CHECK(studio.session->capture());
  WARN(sizes << " sizes, " << studio.session->drawn() << " frames, " << training.alive() << " runs train");
  training.end();
}

/// After a quarter of the time the level is stable. The last quarter must be at most a tenth and 32 MiB above it.
void soak(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kLeast = 16;
  Training training;
  Studio& studio = *training.studio;
  std::vector<double> levels;
  const auto begin = Clock::now();
  const auto passed = [&begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::size_t races = 1;
  while (passed() < seconds || levels.size() < kLeast) {
    if (training.alive() == 0) {
      training.begin();
      ++races;
    }
    const int step = static_cast<int>(levels.size());
    QTest::mouseMove(&studio.viewport(), QPoint(20 + 17 * (step % 20), 60 + 11 * (step % 30)));
    training.drawsAgain();
    QTest::qWait(static_cast<int>(1000 * std::min(2.0, seconds / kLeast)));
    levels.push_back(tests::residentMib());
  }
  const auto [early, late] = tests::Levels(levels);
  std::string all;
  for (std::size_t i = 0; i < levels.size(); i += std::max<std::size_t>(1, levels.size() / 60))
    all += fmt::format("{:.0f} ", levels[i]);
  WARN(fmt::format("{:.0f} s, {} frames, {} races: {:.0f} MiB early, {:.0f} MiB late; all: {}", passed(),
                   studio.session->drawn(), races, early, late, all));
  CHECK(late < 1.1 * early + 32);
  training.end();
}

}  // namespace

TEST_CASE("The window survives a sample of random sizes and scales while two runs train") {
  storm(12, 0);
}

TEST_CASE("The window survives many random sizes and scales while two runs train", "[.][long]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    storm(200, seed);
}

TEST_CASE("The memory of the studio stays at a level while runs train for a short time") {
  soak(4);
}

TEST_CASE("The memory of the studio stays at a level while runs train for a long time", "[.][long]") {
  const char* const wanted = std::getenv("SEPX_SOAK_SECONDS");
  soak(wanted != nullptr ? std::atof(wanted) : 1800);
}
