// SPDX-License-Identifier: Apache-2.0
// See person.h.
#include "tests/hosts/person.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "engine/train/run_store.h"
#include "tests/folders.h"

namespace sepx::tests {

namespace {

using Json = nlohmann::json;

int pointsOf(const Json& document) {
  if (!document.is_object()) return -1;
  return static_cast<int>(document.value(Json::json_pointer("/flow/points"), Json::array()).size());
}

}  // namespace

void Person::write(const std::string& text) const {
  std::ofstream(session) << text;
}

std::map<std::string, std::optional<std::string>> Person::environment() const {
  return {{"HOME", home},
          {"XDG_STATE_HOME", home + "/state"},
          {"XDG_CONFIG_HOME", home + "/config"},
          {"XDG_DATA_HOME", home + "/data"},
          {"SEPX_LOG", "debug"}};
}

std::vector<std::string> Person::command(bool withFile) const {
  std::vector<std::string> words{binFolder() + "/separatrix", "--size", "1280x720"};
  if (withFile) words.push_back(session);
  return words;
}

Json Person::kept() const {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(home + "/state/separatrix/autosave", failed)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    Json json = Json::parse(file, nullptr, false);
    if (json.is_object()) return json;
  }
  return {};
}

int Person::keptPoints() const {
  return pointsOf(kept());
}

int Person::savedPoints() const {
  std::ifstream file(session);
  return pointsOf(Json::parse(file, nullptr, false));
}

std::size_t Person::aliveRuns() const {
  const auto all = train::findRuns(runs);
  return static_cast<std::size_t>(std::ranges::count_if(all, train::runIsAlive));
}

std::int64_t Person::leastStep() const {
  std::int64_t least = -1;
  for (const std::string& folder : train::findRuns(runs)) {
    std::int64_t step = 0;  // while the files of the run are being created
    if (const auto reader = train::RunReader::open(folder))
      if (const auto record = (*reader)->record()) step = record->step;
    least = least < 0 ? step : std::min(least, step);
  }
  return least;
}

void killNow(Process& studio) {
  REQUIRE(::kill(studio.id(), SIGKILL) == 0);
  CHECK(studio.wait() == 128 + SIGKILL);
}

void focusWindow(const std::string& window) {
  xdotool({"windowmove", window, "0", "0"});
  xdotool({"windowfocus", window});
  sleepFor(200);
}

void acceptOffer(const Process& studio) {
  xdotool({"windowfocus", windowOf(studio, "Unsaved")});
  sleepFor(200);
  xdotool({"key", "Return"});
}

void takePalette(const Process& studio, const std::string& words) {
  xdotool({"key", "ctrl+k"});
  xdotool({"windowfocus", windowOf(studio, "Commands")});
  sleepFor(200);
  xdotool({"type", words});
  sleepFor(200);
  xdotool({"key", "Return"});
}

}  // namespace sepx::tests
