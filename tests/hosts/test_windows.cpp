// SPDX-License-Identifier: Apache-2.0
// The programs themselves, as processes: what they answer without a display or a driver, one script in all three hosts
// with the same numbers, and a real pointer (xdotool) in both windows. SEPX_VALIDATION=1 comes from the test's
// environment: a host that heard a validation message exits 7.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/hosts/process.h"

namespace {

using sepx::tests::freshFolder;
using sepx::tests::Process;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

const std::string kBin = SEPX_BIN_DIR;
const std::string kScripts = std::string(SEPX_SOURCE_DIR) + "/tests/hosts/scripts";
constexpr double kPatience = 240;

std::ptrdiff_t lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

Json readJson(const std::string& path) {
  std::ifstream file(path);
  return Json::parse(file, nullptr, false);
}

/// What `host` leaves in its folder after the script.
Json play(const std::string& host, const std::vector<std::string>& command) {
  const std::string folder = freshFolder("script-" + host);
  std::vector<std::string> all = command;
  all.insert(all.end(), {"--out-dir", folder});
  Process process(all);
  const auto status = process.wait(kPatience);
  INFO(host << ": " << process.output());
  REQUIRE(status == 0);
  CHECK(std::filesystem::file_size(folder + "/light.png") > 10000);
  CHECK(std::filesystem::file_size(folder + "/dark.png") > 10000);
  return readJson(folder + "/numbers.sepx");
}

/// Every number of `a` is in `b` at the same place within `tolerance`, and every other value is equal.
void requireClose(const Json& a, const Json& b, double tolerance, const std::string& path) {
  INFO(path);
  if (a.is_number() && b.is_number()) {
    REQUIRE(std::abs(a.get<double>() - b.get<double>()) <= tolerance);
    return;
  }
  REQUIRE(a.type() == b.type());
  if (!a.is_structured()) {
    REQUIRE(a == b);
    return;
  }
  REQUIRE(a.size() == b.size());
  for (const auto& [key, value] : a.items()) {
    const Json::json_pointer place("/" + key);
    REQUIRE(b.contains(place));
    requireClose(value, b.at(place), tolerance, path + "/" + key);
  }
}

bool waitFor(double seconds, const std::function<bool()>& condition) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

/// One xdotool call; what it printed.
std::string xdotool(std::vector<std::string> words) {
  words.insert(words.begin(), "xdotool");
  Process process(words);
  const auto status = process.wait(20);
  INFO("xdotool " << words[1] << ": " << process.output());
  REQUIRE(status == 0);
  return process.output();
}

bool haveXdotool() {
  return std::system("command -v xdotool >/dev/null 2>&1") == 0;
}

/// Number of drawn frames that the log of a host tells.
int framesIn(const std::string& log) {
  int count = 0;
  for (std::size_t at = log.find(" frame "); at != std::string::npos; at = log.find(" frame ", at + 1))
    ++count;
  return count;
}

double pointValue(const std::string& session, std::size_t index, const char* member) {
  const Json document = readJson(session);
  if (!document.is_object()) return NAN;
  const Json place = document.value(Json::json_pointer("/flow/points"), Json::array());
  return index < place.size() ? place[index].value(member, NAN) : NAN;
}

/// The pointer adds a point where it stands, then drags that point; Ctrl+S writes the session, from which we read where
/// it is.
void dragWithRealPointer(const std::string& name, std::vector<std::string> command, const std::string& title) {
  if (!haveXdotool()) {
    WARN("skipped: xdotool is not installed");
    return;
  }
  const std::string session = freshFolder("pointer-" + name) + "/work.sepx";
  std::ofstream(session) << R"({"version":1,"exhibit":"flow","flow":{"p":0.5,"q":0.8,"points":[]}})";
  command.push_back(session);
  Process host(command, {{"SEPX_LOG", "debug"}});
  REQUIRE(waitFor(60, [&] { return framesIn(host.output()) >= 2; }));
  const std::string window = [&] {
    const std::string found = xdotool({"search", "--onlyvisible", "--pid", std::to_string(host.id()), "--name", title});
    return found.substr(0, found.find('\n'));
  }();
  REQUIRE_FALSE(window.empty());
  const auto move = [](int x, int y) { xdotool({"mousemove", std::to_string(x), std::to_string(y)}); };
  const auto pause = [](int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); };
  xdotool({"windowmove", window, "0", "0"});
  move(620, 240);
  pause(300);
  xdotool({"click", "1"});  // gives the picture the keyboard; there is no window manager
  xdotool({"windowfocus", window});
  pause(300);
  xdotool({"key", "a"});
  pause(500);
  xdotool({"key", "ctrl+s"});
  INFO(host.output());
  REQUIRE(waitFor(20, [&] { return std::isfinite(pointValue(session, 0, "w")); }));
  const double e0 = pointValue(session, 0, "e"), w0 = pointValue(session, 0, "w");
  xdotool({"mousedown", "1"});
  for (int i = 1; i <= 8; ++i) {
    move(620 + 6 * i, 240 + 20 * i);
    pause(40);
  }
  xdotool({"mouseup", "1"});
  pause(500);
  xdotool({"key", "ctrl+s"});
  REQUIRE(waitFor(20, [&] { return pointValue(session, 0, "w") < w0; }));
  CHECK(pointValue(session, 0, "e") > e0);
  // Full screen and back, as F11 does in both hosts.
  for (int i = 0; i < 2; ++i) {
    const int before = framesIn(host.output());
    xdotool({"key", "F11"});
    CHECK(waitFor(20, [&] { return framesIn(host.output()) > before; }));
    pause(300);
  }
  xdotool({"windowfocus", window});
  pause(200);
  xdotool({"key", "ctrl+q"});
  REQUIRE(host.wait(30) == 0);
}

}  // namespace

TEST_CASE("Without a display both windows end at once with status 4 and one line") {
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    const auto began = Clock::now();
    Process process({kBin + host},
                    {{"DISPLAY", std::nullopt}, {"WAYLAND_DISPLAY", std::nullopt}, {"QT_QPA_PLATFORM", std::nullopt}});
    CHECK(process.wait(20) == 4);
    CHECK(lines(process.output()) == 1);
    CHECK(process.output().find("display") != std::string::npos);
    CHECK(std::chrono::duration<double>(Clock::now() - began).count() < 5);  // a second on a quiet machine
  }
}

TEST_CASE("A display that does not answer is no display") {
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    Process process({kBin + host}, {{"DISPLAY", ":987"}, {"WAYLAND_DISPLAY", std::nullopt}});
    CHECK(process.wait(20) == 4);
    CHECK(lines(process.output()) == 1);
  }
}

TEST_CASE("Without a display --shot writes the picture all the same") {
  const std::string folder = freshFolder("shot-without-display");
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    const std::string picture = folder + host + ".png";
    Process process({kBin + host, "--shot", picture, "--size", "800x500"},
                    {{"DISPLAY", std::nullopt}, {"WAYLAND_DISPLAY", std::nullopt}});
    const auto status = process.wait(kPatience);
    INFO(process.output());
    CHECK(status == 0);
    CHECK(std::filesystem::file_size(picture) > 10000);
  }
}

TEST_CASE("Without a Vulkan driver both windows end with status 4 and say what to install") {
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    Process process({kBin + host},
                    {{"VK_ICD_FILENAMES", "/nonexistent.json"}, {"VK_DRIVER_FILES", "/nonexistent.json"}});
    const auto status = process.wait(20);
    INFO(process.output());
    CHECK(status == 4);
    CHECK(process.output().find("mesa-vulkan-drivers") != std::string::npos);
  }
}

TEST_CASE("Wrong usage ends with status 2 and one line, --help and --version with 0") {
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    Process wrong({kBin + host, "--size", "wide"});
    CHECK(wrong.wait(20) == 2);
    CHECK(lines(wrong.output()) == 1);
    Process help({kBin + host, "--help"}, {{"DISPLAY", std::nullopt}});
    CHECK(help.wait(20) == 0);
    CHECK(help.output().find("--script") != std::string::npos);
    Process version({kBin + host, "--version"}, {{"DISPLAY", std::nullopt}});
    CHECK(version.wait(20) == 0);
    CHECK(version.output().find("separatrix") != std::string::npos);
  }
  Process monitor({kBin + "/separatrix-stage", "--monitor", "7"});
  CHECK(monitor.wait(20) == 2);
  CHECK(lines(monitor.output()) == 1);
}

TEST_CASE("A failed expectation ends a host with status 1 and names its line") {
  const std::string folder = freshFolder("failing-script");
  std::ofstream(folder + "/fails.script") << "script 1\nset flow.p 0.5\nexpect flow.p == 0.25\n";
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    Process process({kBin + host, "--script", folder + "/fails.script", "--out-dir", folder});
    const auto status = process.wait(kPatience);
    INFO(process.output());
    CHECK(status == 1);
    CHECK(process.output().find("3") != std::string::npos);
    CHECK(process.output().find("0.5") != std::string::npos);
  }
}

TEST_CASE("One script drags a point into the other basin in all hosts with the same numbers") {
  const std::string script = kScripts + "/drag.script";
  const Json headless = play("headless", {kBin + "/sepx", "play", script});
  const Json stage = play("stage", {kBin + "/separatrix-stage", "--script", script});
  const Json studio = play("studio", {kBin + "/separatrix", "--script", script});
  REQUIRE(headless.is_object());
  requireClose(headless.at("flow").at("points"), stage.at("flow").at("points"), 1e-9, "stage");
  requireClose(headless.at("flow").at("points"), studio.at("flow").at("points"), 1e-9, "studio");
}

TEST_CASE("On Qt's offscreen platform, without Vulkan surfaces, the studio plays the same script") {
  const std::string folder = freshFolder("script-offscreen");
  Process process({kBin + "/separatrix", "--script", kScripts + "/drag.script", "--out-dir", folder},
                  {{"DISPLAY", std::nullopt}, {"QT_QPA_PLATFORM", "offscreen"}});
  const auto status = process.wait(kPatience);
  INFO(process.output());
  CHECK(status == 0);
  CHECK(std::filesystem::file_size(folder + "/dark.png") > 10000);
}

TEST_CASE("A real pointer drags a point on the stage") {
  dragWithRealPointer("stage", {kBin + "/separatrix-stage", "--windowed", "--size", "1280x720"}, ".");
}

TEST_CASE("A real pointer drags a point in the studio") {
  dragWithRealPointer("studio", {kBin + "/separatrix", "--size", "1280x720"}, "work");
}
