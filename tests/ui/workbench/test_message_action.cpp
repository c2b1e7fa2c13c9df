// SPDX-License-Identifier: Apache-2.0
// A message may offer a command as a button while this command exists.
#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "tests/patience.h"
#include "tests/ui/workbench/bench.h"
#include "tests/ui/workbench/parts.h"
#include "ui/workbench/wake_timer.h"

using namespace sepx;
using test::Bench;

namespace {

/// Threads of this process that wait for the end of a message.
std::set<std::string> messageTimers() {
  std::set<std::string> found;
  for (const std::string& task : folderPaths("/proc/self/task"))
    if (readHead(task + "/comm", 32).value_or(std::string()) == "message\n") found.insert(task);
  return found;
}

}  // namespace

TEST_CASE("The button of a message runs its command, and the message disappears", "[messages]") {
  Bench bench;
  bench.workbench().say({ui::Message::Level::Note, "Something was done.", "view.start", "Start page"});
  bench.settle();
  REQUIRE(bench.workbench().controlAt("workbench.message.action"));
  bench.play("click ui:workbench.message.action\nwait settled\n");
  CHECK_FALSE(bench.workbench().controlAt("workbench.message.action"));
  bool shown = false;
  for (const auto& command : bench.workbench().commands())
    shown = shown || (command.key == "view.start" && command.checked.value_or(false));
  CHECK(shown);
}

TEST_CASE("A message whose command does not exist has no button", "[messages]") {
  Bench bench;
  bench.workbench().say({ui::Message::Level::Note, "Something was done.", "runs.resume", "Resume"});
  bench.settle();
  CHECK(bench.workbench().controlAt("workbench.message.close"));
  CHECK_FALSE(bench.workbench().controlAt("workbench.message.action"));
}

TEST_CASE("A message stays under the pointer and uses only one timer thread", "[messages]") {
  std::atomic<int> woken{0};
  ui::WorkbenchOptions options;
  options.threads = 1;
  options.wake = [&woken] {
    if (test::isThread("message")) ++woken;
  };
  ui::Workbench workbench(std::move(options));
  double seconds = 0;
  // Every frame is much later than the last one: a message that is not under the pointer disappears.
  const auto frame = [&](std::vector<ui::InputEvent> events = {}, double later = 1) {
    ui::HostFrame host;
    host.events = std::move(events);
    host.seconds = seconds += later;
    workbench.tick({1280, 720}, host);
  };
  const auto rests = [&] {
    frame({}, 0);
    return !workbench.needsFrame();
  };
  const auto shown = [&] { return workbench.controlAt("workbench.message.close"); };
  frame();
  workbench.say({.text = "Saved figure.pdf", .passes = true});
  frame();
  frame();
  REQUIRE(shown());
  std::set<std::string> timers;
  REQUIRE(tests::eventually([&] {  // the thread sets its name itself
    timers = messageTimers();
    return timers.size() == 1;
  }));
  frame({ui::PointerMoved{shown()->x, shown()->y}});
  for (int i = 0; i < 100; ++i) {
    frame();
    timers.merge(messageTimers());
  }
  CHECK(timers.size() == 1);
  REQUIRE(shown());
  // The first timeout ends while the pointer is on the message, and has no effect.
  REQUIRE(tests::eventually([&] { return woken == 1; }));
  REQUIRE(tests::eventually(rests));
  REQUIRE(shown());
  // Away from the message the timeout starts again. At its end the host is asked for the frame that removes the
  // message.
  frame({ui::PointerMoved{640, 360}});
  frame();
  CHECK(shown());
  REQUIRE(tests::eventually(rests));
  CHECK(tests::eventually([&] { return woken == 2; }));
  CHECK(workbench.needsFrame());
  for (int i = 0; i < 10 && shown(); ++i)
    frame();
  CHECK_FALSE(shown());
}

TEST_CASE("A timer wakes once, at the time that was set last", "[messages]") {
  using std::chrono::steady_clock;
  std::atomic<int> woken{0};
  const auto begun = steady_clock::now();
  {
    ui::WakeTimer timer([&woken] { ++woken; });
    for (int i = 0; i < 1000; ++i)
      timer.wakeIn(3600);
    timer.wakeIn(0.05);
    REQUIRE(tests::eventually([&] { return woken == 1; }));
    CHECK(steady_clock::now() - begun >= std::chrono::milliseconds(50));
    timer.wakeIn(0);
    REQUIRE(tests::eventually([&] { return woken == 2; }));
    timer.wakeIn(3600);  // the destructor does not wait for this
  }
  CHECK(woken == 2);
  {
    const ui::WakeTimer unused([&woken] { ++woken; });
  }
  CHECK(woken == 2);
}
