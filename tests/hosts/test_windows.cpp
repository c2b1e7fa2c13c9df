// SPDX-License-Identifier: Apache-2.0
// The programs as processes: their output without a display or a driver, and one script in all three programs with the
// same numbers. SEPX_VALIDATION=1 comes from the environment of the test: a program that gets a validation message
// exits with 7.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <thread>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/folders.h"
#include "tests/hosts/process.h"

namespace {

using sepx::tests::eventually;
using sepx::tests::freshFolder;
using sepx::tests::Process;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

const std::string kBin = sepx::tests::binFolder();
const std::string kScripts = sepx::tests::sourceFolder() + "/tests/hosts/scripts";

std::ptrdiff_t lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

Json readJson(const std::string& path) {
  std::ifstream file(path);
  return Json::parse(file, nullptr, false);
}

/// The session that `host` writes to its folder with the script.
Json play(const std::string& host, const std::vector<std::string>& command) {
  const std::string folder = freshFolder("script-" + host);
  std::vector<std::string> all = command;
  all.insert(all.end(), {"--out-dir", folder});
  Process process(all);
  const auto status = process.wait();
  INFO(host << ": " << process.output());
  REQUIRE(status == 0);
  CHECK(std::filesystem::file_size(folder + "/light.png") > 10000);
  CHECK(std::filesystem::file_size(folder + "/dark.png") > 10000);
  return readJson(folder + "/numbers.sepx");
}

/// Checks that every number of `a` is in `b` at the same place within `tolerance`, and that every other value is equal.
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

}  // namespace

TEST_CASE("Without a display both windows end at once with status 4 and one line") {
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    const auto began = Clock::now();
    Process process({kBin + host},
                    {{"DISPLAY", std::nullopt}, {"WAYLAND_DISPLAY", std::nullopt}, {"QT_QPA_PLATFORM", std::nullopt}});
    CHECK(process.wait() == 4);
    CHECK(lines(process.output()) == 1);
    CHECK(process.output().find("display") != std::string::npos);
    CHECK(std::chrono::duration<double>(Clock::now() - began).count() < 5);  // it takes a second on a quiet machine
  }
}

TEST_CASE("A display that does not answer counts as no display") {
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    Process process({kBin + host}, {{"DISPLAY", ":987"}, {"WAYLAND_DISPLAY", std::nullopt}});
    CHECK(process.wait() == 4);
    CHECK(lines(process.output()) == 1);
  }
}

TEST_CASE("Without a display --shot still writes the picture") {
  const std::string folder = freshFolder("shot-without-display");
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    const std::string picture = folder + host + ".png";
    Process process({kBin + host, "--shot", picture, "--size", "800x500"},
                    {{"DISPLAY", std::nullopt}, {"WAYLAND_DISPLAY", std::nullopt}});
    const auto status = process.wait();
    INFO(process.output());
    CHECK(status == 0);
    CHECK(std::filesystem::file_size(picture) > 10000);
  }
}

TEST_CASE("Without a Vulkan driver the stage and a scripted studio end with status 4 and say what to install") {
  const std::string picture = freshFolder("no-driver") + "/picture.png";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{kBin + "/separatrix-stage"}, {kBin + "/separatrix", "--shot", picture}}) {
    Process process(command, {{"VK_ICD_FILENAMES", "/nonexistent.json"}, {"VK_DRIVER_FILES", "/nonexistent.json"}});
    const auto status = process.wait();
    INFO(process.output());
    CHECK(status == 4);
    CHECK(process.output().find("mesa-vulkan-drivers") != std::string::npos);
  }
}

TEST_CASE("Wrong usage ends with status 2 and one line, and --help and --version end with 0") {
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    Process wrong({kBin + host, "--size", "wide"});
    CHECK(wrong.wait() == 2);
    CHECK(lines(wrong.output()) == 1);
    Process help({kBin + host, "--help"}, {{"DISPLAY", std::nullopt}});
    CHECK(help.wait() == 0);
    CHECK(help.output().find("--script") != std::string::npos);
    Process version({kBin + host, "--version"}, {{"DISPLAY", std::nullopt}});
    CHECK(version.wait() == 0);
    CHECK(version.output().find("separatrix") != std::string::npos);
  }
  Process monitor({kBin + "/separatrix-stage", "--monitor", "7"});
  CHECK(monitor.wait() == 2);
  CHECK(lines(monitor.output()) == 1);
}

TEST_CASE("A failed expectation ends each program with status 1 and names its line") {
  const std::string folder = freshFolder("failing-script");
  std::ofstream(folder + "/fails.script") << "script 1\nset flow.p 0.5\nexpect flow.p == 0.25\n";
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    Process process({kBin + host, "--script", folder + "/fails.script", "--out-dir", folder});
    const auto status = process.wait();
    INFO(process.output());
    CHECK(status == 1);
    CHECK(process.output().find("3") != std::string::npos);
    CHECK(process.output().find("0.5") != std::string::npos);
  }
}

TEST_CASE("A script can make the window small in every program") {
  const std::string folder = freshFolder("small-window");
  std::ofstream(folder + "/small.script") << "script 1\nresize 301x203\nwait settled\nshot small.png\n";
  for (const std::vector<std::string>& host : {std::vector<std::string>{kBin + "/sepx", "play"},
                                               {kBin + "/separatrix-stage", "--script"},
                                               {kBin + "/separatrix", "--script"}}) {
    std::vector<std::string> command = host;
    command.insert(command.end(), {folder + "/small.script", "--out-dir", folder});
    Process process(command);
    const auto status = process.wait();
    INFO(process.output());
    CHECK(status == 0);
  }
}

TEST_CASE("One script drags a point into the other basin in all programs with the same numbers") {
  const std::string script = kScripts + "/drag.script";
  const Json headless = play("headless", {kBin + "/sepx", "play", script});
  const Json stage = play("stage", {kBin + "/separatrix-stage", "--script", script});
  const Json studio = play("studio", {kBin + "/separatrix", "--script", script});
  REQUIRE(headless.is_object());
  requireClose(headless.at("flow").at("points"), stage.at("flow").at("points"), 1e-9, "stage");
  requireClose(headless.at("flow").at("points"), studio.at("flow").at("points"), 1e-9, "studio");
}

TEST_CASE("Two clicks from the start page train the encoder-decoder race") {
  for (const std::vector<std::string>& host :
       {std::vector<std::string>{kBin + "/sepx", "play"}, {kBin + "/separatrix", "--script"}}) {
    const std::string folder = freshFolder("script-race");
    std::vector<std::string> command = host;
    command.insert(command.end(), {kScripts + "/race.script", "--out-dir", folder});
    Process process(command);
    const auto status = process.wait();
    INFO(host.front() << ": " << process.output());
    REQUIRE(status == 0);
    CHECK(std::filesystem::file_size(folder + "/race.png") > 10000);
    // The session names its runs relative to its own folder.
    const Json runs = readJson(folder + "/race.sepx").at("training").at("runs");
    REQUIRE(runs.size() == 2);
    for (const Json& run : runs) {
      const std::filesystem::path path = run.at("folder").get<std::string>();
      CHECK(path.is_relative());
      CHECK(std::filesystem::exists(folder / path / "run.sqlite"));
    }
  }
}

TEST_CASE("On Qt's offscreen platform, without Vulkan surfaces, the studio plays the same script") {
  const std::string folder = freshFolder("script-offscreen");
  Process process({kBin + "/separatrix", "--script", kScripts + "/drag.script", "--out-dir", folder},
                  {{"DISPLAY", std::nullopt}, {"QT_QPA_PLATFORM", "offscreen"}});
  const auto status = process.wait();
  INFO(process.output());
  CHECK(status == 0);
  CHECK(std::filesystem::file_size(folder + "/dark.png") > 10000);
}

TEST_CASE("SIGTERM ends both windows in order") {
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    const std::string home = freshFolder("term");
    std::vector<std::string> command{kBin + host};
    command.emplace_back(std::string(host) == "/separatrix" ? "--new-window" : "--windowed");
    Process process(command, {{"XDG_STATE_HOME", home}, {"XDG_CONFIG_HOME", home}, {"SEPX_LOG", "debug"}});
    const auto drawn = [&process] { return process.output().find("first frame") != std::string::npos; };
    INFO(host << ": " << process.output());
    REQUIRE(eventually(drawn));
    REQUIRE(::kill(process.id(), SIGTERM) == 0);
    CHECK(process.wait() == 0);
  }
}

TEST_CASE("A second start passes its file to the open window, and ends") {
  const std::string folder = freshFolder("second-start");
  const std::string session = folder + "/handed-\xe9.sepx";  // not UTF-8: the bytes arrive unchanged
  std::ofstream(session) << "{\"version\":1,\"flow\":{\"p\":0.25}}\n";
  const std::map<std::string, std::optional<std::string>> home{
      {"XDG_CONFIG_HOME", folder}, {"XDG_STATE_HOME", folder}, {"SEPX_LOG", "info"}};
  Process first({kBin + "/separatrix"}, home);
  REQUIRE(eventually([&] { return first.output().find("first frame") != std::string::npos; }));
  Process second({kBin + "/separatrix", session}, home);
  const auto status = second.wait();
  INFO(second.output());
  CHECK(status == 0);
  CHECK(second.output().find("first frame") == std::string::npos);
  // The first program opened it, so it is the latest of the recent files.
  CHECK(eventually([&] {
    std::ifstream recent(folder + "/separatrix/recent.json");
    return std::string(std::istreambuf_iterator<char>(recent), {}).find("handed-") != std::string::npos;
  }));
  CHECK_FALSE(first.wait(0.1));
}

TEST_CASE("A window in a German locale reports in English why a file cannot be read") {
  const std::string script = freshFolder("german") + "/open.script";
  std::ofstream(script) << "script 1\nopen absent.sepx\n";
  for (const char* host : {"/separatrix", "/separatrix-stage"}) {
    Process process({kBin + host, "--script", script}, {{"LC_ALL", "de_DE.UTF-8"}});
    CHECK(process.wait() == 3);
    INFO(process.output());
    CHECK(process.output().find("No such file or directory") != std::string::npos);
  }
}
