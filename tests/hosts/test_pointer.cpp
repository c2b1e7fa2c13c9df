// SPDX-License-Identifier: Apache-2.0
// A real pointer and real keys (xdotool) in both windows: a point is added and dragged from the basin of the local
// minima into that of the global minima. The session that Ctrl+S writes is checked. Skipped if xdotool is not
// installed.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/markov/basin.h"
#include "tests/folders.h"
#include "tests/hosts/desktop.h"

namespace {

using namespace sepx::tests;
namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kBin = binFolder();
constexpr double kP = 0.5, kQ = 0.8;

Json readJson(const std::string& path) {
  std::ifstream file(path);
  return Json::parse(file, nullptr, false);
}

double pointValue(const std::string& session, std::size_t index, const char* member) {
  const Json document = readJson(session);
  if (!document.is_object()) return NAN;
  const Json place = document.value(Json::json_pointer("/flow/points"), Json::array());
  return index < place.size() ? place[index].value(member, NAN) : NAN;
}

/// The limit of the saved point by the theorems.
sepx::markov::LimitKind basinOf(const std::string& session) {
  const auto chain = sepx::markov::Chain::make(kP, kQ);
  REQUIRE(chain);
  return sepx::markov::basinLabel(*chain, pointValue(session, 0, "e"), pointValue(session, 0, "w"));
}

/// Adds a point at the pointer, then drags it. Ctrl+S writes the session, from which the position is read.
void dragWithRealPointer(const std::string& name, std::vector<std::string> command, const std::string& title) {
  const std::string session = freshFolder("pointer-" + name) + "/work.sepx";
  std::ofstream(session) << Json{
      {"version", 1}, {"exhibit", "flow"}, {"flow", {{"p", kP}, {"q", kQ}, {"points", Json::array()}}}};
  command.push_back(session);
  Process host(command, {{"SEPX_LOG", "debug"}});
  REQUIRE(waitFor([&] { return framesOf(host) >= 2; }));
  const std::string window = windowOf(host, title);
  const auto move = [](int x, int y) { xdotool({"mousemove", std::to_string(x), std::to_string(y)}); };
  focusPicture(window);
  xdotool({"key", "a"});
  sleepFor(500);
  xdotool({"key", "ctrl+s"});
  INFO(host.output());
  REQUIRE(waitFor([&] { return std::isfinite(pointValue(session, 0, "w")); }));
  const double e0 = pointValue(session, 0, "e"), w0 = pointValue(session, 0, "w");
  CHECK(basinOf(session) == sepx::markov::LimitKind::LocalMin);
  xdotool({"mousedown", "1"});
  for (int i = 1; i <= 8; ++i) {
    move(620 + 10 * i, 240 + 35 * i);
    sleepFor(40);
  }
  xdotool({"mouseup", "1"});
  sleepFor(500);
  xdotool({"key", "ctrl+s"});
  const bool dragged = waitFor([&] { return pointValue(session, 0, "w") < w0; });
  INFO("after the drag:\n" << host.output());
  REQUIRE(dragged);
  CHECK(pointValue(session, 0, "e") > e0);
  CHECK(basinOf(session) == sepx::markov::LimitKind::GlobalMin);
  // Full screen and back by F11, in both programs.
  for (int i = 0; i < 2; ++i) {
    const int before = framesOf(host);
    xdotool({"key", "F11"});
    CHECK(waitFor([&] { return framesOf(host) > before; }));
    sleepFor(300);
  }
  xdotool({"windowfocus", window});
  sleepFor(200);
  xdotool({"key", "ctrl+q"});
  REQUIRE(host.wait() == 0);
}

}  // namespace

TEST_CASE("A real pointer drags a point on the stage") {
  dragWithRealPointer("stage", {kBin + "/separatrix-stage", "--windowed", "--size", "1280x720"}, ".");
}

TEST_CASE("A real pointer drags a point in the studio") {
  dragWithRealPointer("studio", {kBin + "/separatrix", "--size", "1280x720"}, "work");
}

TEST_CASE("The click that activates the studio's window starts no experiment, and the next click does") {
  const std::string folder = freshFolder("pointer-activation"), session = folder + "/work.sepx";
  std::ofstream(session) << Json{{"version", 1}, {"exhibit", "training"}, {"training", {{"page", "experiments"}}}};
  Process host({kBin + "/separatrix", "--size", "1280x720", session},
               {{"SEPX_LOG", "debug"}, {"XDG_DATA_HOME", folder + "/data"}, {"XDG_STATE_HOME", folder + "/state"}});
  REQUIRE(waitFor([&] { return framesOf(host) >= 2; }));
  const std::string window = windowOf(host, "work");
  const auto runs = [&] {
    if (!fs::exists(folder + "/data")) return 0;
    const fs::recursive_directory_iterator all(folder + "/data"), end;
    return static_cast<int>(
        std::count_if(all, end, [](const auto& one) { return one.path().filename() == "run.sqlite"; }));
  };
  const auto click = [] {  // as long as a user's click
    xdotool({"mousedown", "1"});
    sleepFor(150);
    xdotool({"mouseup", "1"});
    sleepFor(1500);
  };
  xdotool({"windowmove", window, "0", "0"});
  xdotool({"mousemove", "330", "200"});
  // The root window takes the keyboard focus, as the window of another program would.
  xdotool({"windowfocus", "--sync", window});
  sleepFor(500);
  Process root({"xdotool", "search", "--maxdepth", "0", "--name", ""});
  root.wait();
  xdotool({"windowfocus", root.output().substr(0, root.output().find('\n'))});
  sleepFor(1000);
  click();
  INFO(host.output());
  CHECK(runs() == 0);
  // In one window the focus moves without a lost click: first the library, then the card.
  xdotool({"mousemove", "40", "98"});  // the heading of the lessons, which opens nothing
  click();
  xdotool({"mousemove", "330", "200"});
  click();
  CHECK(waitFor([&] { return runs() > 0; }));
}

TEST_CASE("Without a Vulkan driver the studio shows a dialog, and ends with status 4 when it is closed") {
  Process host({kBin + "/separatrix"},
               {{"VK_ICD_FILENAMES", "/nonexistent.json"}, {"VK_DRIVER_FILES", "/nonexistent.json"}});
  std::string dialog;
  const auto shown = [&] {
    Process search(
        {"xdotool", "search", "--onlyvisible", "--pid", std::to_string(host.id()), "--name", "cannot start"});
    if (search.wait() != 0) return false;
    dialog = search.output().substr(0, search.output().find('\n'));
    return !dialog.empty();
  };
  const bool found = waitFor(shown);
  INFO(host.output());
  REQUIRE(found);
  CHECK(host.output().find("mesa-vulkan-drivers") != std::string::npos);
  CHECK_FALSE(host.wait(0.3));  // it waits for the user
  xdotool({"windowfocus", dialog});
  xdotool({"key", "Return"});
  CHECK(host.wait() == 4);
}
