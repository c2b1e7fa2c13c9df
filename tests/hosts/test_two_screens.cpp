// SPDX-License-Identifier: Apache-2.0
// Studio and stage as two processes on one display, with a real pointer and real keys: F5 opens the stage, which shows
// a drag, and either program is killed with -9 and started again. The delay of the stage's pictures is printed but not
// checked. Skipped if xdotool is not installed.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/folders.h"
#include "tests/hosts/desktop.h"
#include "tests/hosts/person.h"

namespace {

using namespace sepx::tests;
using Json = nlohmann::json;

void writeWork(const Person& person) {
  person.write(
      Json{{"version", 1}, {"exhibit", "flow"}, {"flow", {{"p", 0.5}, {"q", 0.8}, {"points", Json::array()}}}}.dump());
}

/// The group in parentheses for every match of a pattern in the studio's log, to which the stage writes as well.
std::vector<double> numbersIn(const Process& studio, const char* pattern) {
  const std::string log = studio.output();
  const std::regex wanted(pattern);
  std::vector<double> all;
  for (auto at = std::sregex_iterator(log.begin(), log.end(), wanted); at != std::sregex_iterator(); ++at)
    all.push_back(std::stod((*at)[1]));
  return all;
}

std::vector<double> latencies(const Process& studio) {
  return numbersIn(studio, "stage: state [0-9]+ after ([0-9.]+) ms");
}

/// Processes of the stages that this studio's log names, in order.
std::vector<pid_t> stages(const Process& studio) {
  std::vector<pid_t> all;
  for (const double number : numbersIn(studio, "stage: process ([0-9]+) follows"))
    all.push_back(static_cast<pid_t>(number));
  return all;
}

/// Whether a process runs. A zombie process still has a number, but does not run.
bool lives(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string words((std::istreambuf_iterator<char>(file)), {});
  const auto name = words.rfind(')');
  return name != std::string::npos && name + 2 < words.size() && words[name + 2] != 'Z';
}

/// Moves the stage's window beside the studio's window, which has the pointer. There is no window manager to place it.
void moveAside(pid_t stage, const char* down = "0") {
  Process search({"xdotool", "search", "--onlyvisible", "--sync", "--pid", std::to_string(stage)});
  REQUIRE(search.wait() == 0);
  const std::string found = search.output();
  xdotool({"windowmove", found.substr(0, found.find('\n')), "1290", down});
}

void openStudio(const Process& studio) {
  REQUIRE(waitFor([&] { return framesOf(studio) >= 2; }));
  focusPicture(windowOf(studio, "Separatrix"));
}

/// Performs an action and waits until the stage has drawn a new picture.
void requireNewPicture(const Process& studio, const std::function<void()>& act) {
  const std::size_t before = latencies(studio).size();
  act();
  INFO(studio.output());
  REQUIRE(waitFor([&] { return latencies(studio).size() > before; }));
}

void drag() {
  xdotool({"mousemove", "620", "240", "mousedown", "1"});
  for (int i = 1; i <= 40; ++i) {
    xdotool({"mousemove", std::to_string(620 + 2 * i), std::to_string(240 + 5 * i)});
    sleepFor(25);
  }
  xdotool({"mouseup", "1"});
}

void say(const char* what, std::vector<double> all) {
  std::sort(all.begin(), all.end());
  const auto at = [&](double share) { return all[static_cast<std::size_t>(share * double(all.size() - 1))]; };
  std::cout << what << ": " << all.size() << " pictures, median " << at(0.5) << " ms, 95 % within " << at(0.95)
            << " ms, the last after " << all.back() << " ms\n";
}

}  // namespace

TEST_CASE("A drag in the studio is shown on the stage, and either program survives the other") {
  const Person person("two-screens");
  writeWork(person);
  auto studio = std::make_unique<Process>(person.command(true), person.environment());
  openStudio(*studio);
  xdotool({"key", "a"});  // adds a point under the pointer
  requireNewPicture(*studio, [] { xdotool({"key", "F5"}); });
  REQUIRE(stages(*studio).size() == 1);
  const pid_t first = stages(*studio).front();
  CHECK(lives(first));
  moveAside(first);

  const std::size_t before = latencies(*studio).size();
  requireNewPicture(*studio, drag);
  sleepFor(500);
  std::vector<double> late = latencies(*studio);
  late.erase(late.begin(), late.begin() + static_cast<std::ptrdiff_t>(before));
  CHECK(late.size() > 5);
  say("a dragged point", late);

  for (const char* key : {"n", "n", "b", "b"})  // numbers and blank, on and off
    requireNewPicture(*studio, [key] { xdotool({"key", key}); });
  xdotool({"key", "l"});
  requireNewPicture(*studio, [] { xdotool({"mousemove", "560", "320"}); });
  xdotool({"key", "l"});

  // While frozen, the stage gets nothing; afterwards everything.
  requireNewPicture(*studio, [] { xdotool({"mousemove", "500", "300"}); });
  xdotool({"key", "f"});
  sleepFor(500);
  const std::size_t frozen = latencies(*studio).size();
  drag();
  sleepFor(500);
  CHECK(latencies(*studio).size() <= frozen + 1);
  requireNewPicture(*studio, [] { xdotool({"key", "f"}); });

  // If the stage is killed, the studio reports it and opens another one.
  REQUIRE(::kill(first, SIGKILL) == 0);
  REQUIRE(waitFor([&] { return !lives(first); }));
  REQUIRE(waitFor([&] { return studio->output().find("stage: gone") != std::string::npos; }));
  requireNewPicture(*studio, [] { xdotool({"key", "F5"}); });
  REQUIRE(stages(*studio).size() == 2);
  const pid_t second = stages(*studio).back();
  moveAside(second);

  // If the studio is killed, the stage stays, and the next studio uses it.
  killNow(*studio);
  sleepFor(500);
  CHECK(lives(second));
  writeWork(person);
  std::filesystem::remove_all(person.home + "/state");  // so that no recovery file is offered
  studio = std::make_unique<Process>(person.command(true), person.environment());
  openStudio(*studio);
  requireNewPicture(*studio, [] { xdotool({"key", "F5"}); });
  CHECK(stages(*studio).empty());  // no new stage was started
  CHECK(lives(second));
  xdotool({"key", "shift+F5"});
  CHECK(waitFor([&] { return !lives(second); }));
  CHECK_FALSE(studio->wait(0.2));  // the studio continues
}

namespace {

/// "x,y w×h" of the stage's window.
std::string placeOf(pid_t stage) {
  Process search({"xdotool", "search", "--onlyvisible", "--pid", std::to_string(stage)});
  if (search.wait() != 0) return {};
  const std::string found = search.output();
  Process geometry({"xdotool", "getwindowgeometry", "--shell", found.substr(0, found.find('\n'))});
  if (geometry.wait() != 0) return {};
  std::map<std::string, std::string> all;
  std::istringstream lines(geometry.output());
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find('='); at != std::string::npos) all[line.substr(0, at)] = line.substr(at + 1);
  return all["X"] + "," + all["Y"] + " " + all["WIDTH"] + "x" + all["HEIGHT"];
}

void xrandr(std::vector<std::string> words) {
  words.insert(words.begin(), "xrandr");
  Process process(words);
  REQUIRE(process.wait() == 0);
}

std::string monitor(const char* variable) {
  const char* const name = std::getenv(variable);
  REQUIRE(name);
  return name;
}

}  // namespace

// Runs in with_two_monitors.
TEST_CASE("The stage fills the second monitor, and survives that it is unplugged and plugged in", "[.][monitors]") {
  const std::string first = monitor("SEPX_FIRST"), second = monitor("SEPX_SECOND");
  const Person person("two-monitors");
  writeWork(person);
  const auto studio = std::make_unique<Process>(person.command(true), person.environment());
  openStudio(*studio);
  xdotool({"key", "a"});
  requireNewPicture(*studio, [] { xdotool({"key", "F5"}); });
  const pid_t stage = stages(*studio).front();
  INFO(studio->output());
  CHECK(waitFor([&] { return placeOf(stage) == "1920,0 1920x1080"; }));
  requireNewPicture(*studio, drag);
  sleepFor(500);
  say("a dragged point, 1920x1080 on the second monitor", latencies(*studio));

  for (int times = 0; times < 2; ++times) {
    xrandr({"--output", second, "--off"});
    xrandr({});  // GLFW reads the stored state, which real hardware updates
    CHECK(waitFor([&] { return placeOf(stage).ends_with("1280x720"); }));
    CHECK(lives(stage));
    moveAside(stage, "800");  // otherwise it covers the studio's window
    requireNewPicture(*studio, [] { xdotool({"mousemove", "500", "300"}); });
    xrandr({"--output", second, "--mode", "1920x1080", "--right-of", first});
    xrandr({});
    CHECK(waitFor([&] { return placeOf(stage) == "1920,0 1920x1080"; }));
    requireNewPicture(*studio, [] { xdotool({"mousemove", "620", "240"}); });
  }
  xdotool({"key", "shift+F5"});
  CHECK(waitFor([&] { return !lives(stage); }));
}
