// SPDX-License-Identifier: Apache-2.0
// The workbench as a host uses it: when a frame is needed, commands, errors, device loss, and random input.
#include <atomic>
#include <set>

#include "engine/core/random.h"
#include "engine/gpu/context.h"
#include "engine/gpu/offscreen_target.h"
#include "tests/ui/workbench/bench.h"
#include "ui/workbench/chord.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("No frame is needed once the picture is complete", "[workbench]") {
  Bench bench;
  bench.play("add point 0.5,0.5\nwait settled\n");
  ui::Workbench& workbench = bench.workbench();
  bench.settle();
  CHECK_FALSE(workbench.needsFrame());
  CHECK(workbench.settled());
  const auto picture = bench.picture();
  for (int i = 0; i < 3; ++i)
    bench.frame();
  CHECK(bench.picture() == picture);
  CHECK_FALSE(workbench.needsFrame());

  bench.frame({ui::PointerMoved{300, 200}});
  CHECK(workbench.needsFrame());
  bench.settle();
  REQUIRE(workbench.set("flow.p", 0.6));
  CHECK(workbench.needsFrame());
  CHECK_FALSE(workbench.settled());
  bench.settle();
  workbench.say({ui::Message::Level::Error, "something"});
  CHECK(workbench.needsFrame());
  bench.settle();
  REQUIRE(workbench.run("play.toggle"));
  bench.frame();
  CHECK(workbench.needsFrame());
  CHECK_FALSE(workbench.settled());
  REQUIRE(workbench.run("play.toggle"));
  bench.settle();
  CHECK_FALSE(workbench.needsFrame());
}

TEST_CASE("A job that publishes a result asks for a frame", "[workbench]") {
  std::atomic<int> woken{0};
  ui::WorkbenchOptions options;
  options.wake = [&woken] { ++woken; };
  ui::Workbench workbench(options);
  ui::HostFrame host;
  workbench.tick({640, 400}, host);
  workbench.jobLanes().finish();
  CHECK(woken > 0);
  CHECK(workbench.needsFrame());
}

TEST_CASE("Digits select the pages of every exhibit, in the order of the tabs", "[workbench]") {
  Bench bench;
  for (const std::string exhibit : {"flow", "weights", "training", "reversal"}) {
    INFO(exhibit);
    REQUIRE(bench.workbench().run("exhibit." + exhibit));
    std::size_t pages = 0;
    for (const auto& command : bench.workbench().commands()) {
      if (!command.key.starts_with(exhibit + ".page-")) continue;
      ++pages;
      CHECK(command.shortcut == (pages <= 10 ? std::to_string(pages % 10) : ""));
    }
    CHECK(pages >= 5);
  }
}

TEST_CASE("Commands have unique names and shortcuts", "[workbench]") {
  Bench bench;
  bench.play("add point 0.1,0.1\n");
  std::set<std::string> keys, shortcuts;
  for (const auto& command : bench.workbench().commands()) {
    CAPTURE(command.key);
    CHECK(keys.insert(command.key).second);
    CHECK_FALSE(command.label.empty());
    CHECK_FALSE(command.menu.empty());
    if (command.shortcut.empty()) continue;
    CHECK(shortcuts.insert(command.shortcut).second);
    CHECK(ui::parseChord(command.shortcut));
  }
  for (const char* expected :
       {"edit.undo", "edit.redo", "file.open", "file.save", "file.save-as", "file.quit", "flow.add-point",
        "flow.delete-point", "flow.select-next", "view.reset", "view.zoom-in", "view.zoom-out", "play.toggle",
        "view.theme", "lesson.next", "lesson.previous", "view.chrome"}) {
    CAPTURE(expected);
    CHECK(keys.count(expected));
  }
  CHECK_FALSE(bench.workbench().run("no.such"));
}

TEST_CASE("Commands that a host does not offer are not available", "[workbench]") {
  ui::WorkbenchOptions options;
  options.without = {"file.open", "file.save"};
  options.hostKeys = {{"F11", "full screen"}};
  ui::Workbench workbench(options);
  for (const auto& command : workbench.commands()) {
    CHECK(command.key != "file.open");
    CHECK(command.key != "file.save");
  }
  CHECK_FALSE(workbench.run("file.open"));
  ui::HostFrame host;
  host.events = {ui::KeyPressed{ui::Key::O, true, {.ctrl = true}}};
  workbench.tick({640, 400}, host);
  CHECK(host.request == ui::HostRequest::None);
  CHECK(workbench.hostKeys().size() == 1);
  CHECK(ui::furtherKeys("lesson.next") == std::vector<std::string>{"PageDown"});
  CHECK(ui::furtherCommand(ui::Key::PageUp) == "lesson.previous");
  CHECK(ui::furtherCommand(ui::Key::A).empty());
}

TEST_CASE("A new session is empty", "[workbench]") {
  Bench bench;
  bench.play("add point 0.4,0.4\n");
  REQUIRE(bench.workbench().run("file.new"));
  bench.settle();
  CHECK(bench.number("flow.points.count") == 0);
  CHECK_FALSE(bench.workbench().modified());
  CHECK(bench.workbench().history().undoSteps() == 0);
}

TEST_CASE("A request reaches the host once", "[workbench]") {
  Bench bench;
  ui::Workbench& workbench = bench.workbench();
  const std::pair<const char*, ui::HostRequest> table[] = {{"file.open", ui::HostRequest::OpenDialog},
                                                           {"file.save", ui::HostRequest::SaveDialog},
                                                           {"file.quit", ui::HostRequest::Quit}};
  for (const auto& [command, request] : table) {
    REQUIRE(workbench.run(command));
    ui::HostFrame host;
    workbench.tick({640, 400}, host);
    CHECK(host.request == request);
    ui::HostFrame next;
    workbench.tick({640, 400}, next);
    CHECK(next.request == ui::HostRequest::None);
  }
}

TEST_CASE("An error is shown until it is closed, and stays in the list of messages", "[workbench]") {
  Bench bench({900, 500});
  bench.settle();
  const auto clean = bench.picture();
  CHECK_FALSE(bench.workbench().open("/nowhere/at all.sepx"));
  REQUIRE(bench.workbench().messages().size() == 1);
  bench.settle();
  CHECK(bench.picture() != clean);
  bench.play("click ui:workbench.message.close\nhover @5,495\nwait settled\n");
  bench.play("key F1\nwait frames 2\nkey Escape\nwait settled\n");
  bench.frame({ui::PointerLeft{}});
  bench.settle();
  CHECK(bench.picture() == clean);
  CHECK(bench.workbench().messages().size() == 1);
}

TEST_CASE("A passing message is drawn over the picture, which does not move, and disappears with the next press",
          "[workbench]") {
  Bench bench({1280, 720});
  bench.settle();
  const auto tab = bench.workbench().controlAt("flow.page-space");
  REQUIRE(tab);
  bench.workbench().say({.text = "Saved /somewhere/figure.pdf", .passes = true});
  bench.settle();
  CHECK(bench.workbench().controlAt("flow.page-space")->y == tab->y);
  REQUIRE(bench.workbench().controlAt("workbench.message.close"));
  bench.play("key R\nwait frames 2\n");
  CHECK_FALSE(bench.workbench().controlAt("workbench.message.close"));
  bench.workbench().say({.text = "Saved /somewhere/figure.pdf", .passes = true});
  bench.settle();
  bench.play("click @600,300\nwait frames 2\n");
  CHECK_FALSE(bench.workbench().controlAt("workbench.message.close"));
  // A press on the button for messages does not close it.
  bench.workbench().say({.text = "Saved /somewhere/figure.pdf", .passes = true});
  bench.settle();
  bench.play("click ui:workbench.messages\nwait frames 2\n");
  CHECK(bench.workbench().controlAt("workbench.message.close"));
  // An error moves the picture down until it is closed.
  bench.workbench().say({ui::Message::Level::Error, "It did not work."});
  bench.settle();
  CHECK(bench.workbench().controlAt("flow.page-space")->y > tab->y + 20);
}

TEST_CASE("After a device loss the picture is drawn again on another device", "[workbench]") {
  Bench bench;
  bench.play("add point 0.5,0.5\nwait settled\n");
  const auto picture = bench.picture();
  ui::Workbench& workbench = bench.workbench();

  auto context = gpu::Context::create({});
  REQUIRE(context);
  auto target = gpu::OffscreenTarget::create(**context, {640, 400});
  REQUIRE(target);
  ui::HostFrame host;
  host.seconds = 100;
  bench.host->context().markLost();
  bench.frame();
  const auto lost = bench.host->capture();
  REQUIRE_FALSE(lost);
  CHECK(lost.error().kind == ErrorKind::NoDevice);
  REQUIRE_FALSE(workbench.messages().empty());
  CHECK(workbench.needsFrame());
  // The document is complete; on the new device everything is drawn again, with the message above it.
  CHECK(bench.number("flow.points.count") == 1);
  for (int i = 0; i < 300 && (i < 3 || !workbench.settled()); ++i) {
    workbench.jobLanes().waitForPublications();
    ui::HostFrame next;
    next.seconds = 100 + i / 60.0;
    if (i == 1) next.events = {ui::KeyPressed{ui::Key::Escape, true, {}}, ui::KeyPressed{ui::Key::Escape, false, {}}};
    REQUIRE(workbench.frame(**target, next) == gpu::TargetStatus::Ready);
  }
  auto again = (*target)->readback();
  REQUIRE(again);
  CHECK(Picture{*again} == picture);
  CHECK((*context)->validationMessages().empty());
  workbench.releaseGpu();
}

TEST_CASE("Random keys, clicks and texts keep the document valid", "[workbench]") {
  ui::WorkbenchOptions options;
  options.scripted = true;
  ui::Workbench workbench(options);
  RandomStream random(7);
  for (int i = 0; i < 1200; ++i) {
    ui::HostFrame host;
    host.seconds = i / 60.0;
    const gpu::Extent extent{static_cast<std::uint32_t>(1 + random.below(900)),
                             static_cast<std::uint32_t>(1 + random.below(700))};
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      const double x = random.uniform(-50, 950), y = random.uniform(-50, 750);
      const ui::Modifiers modifiers{random.below(4) == 0, random.below(4) == 0, random.below(8) == 0, false};
      const bool down = random.below(2) == 0;
      switch (random.below(5)) {
        case 0:
          host.events.emplace_back(ui::PointerMoved{x, y, modifiers});
          break;
        case 1:
          host.events.emplace_back(ui::PointerPressed{static_cast<ui::Button>(random.below(3)), down, x, y, modifiers});
          break;
        case 2:
          host.events.emplace_back(ui::Scrolled{0, random.uniform(-3, 3), modifiers});
          break;
        case 3: {
          auto key = static_cast<ui::Key>(random.below(static_cast<std::uint64_t>(ui::Key::Count)));
          host.events.emplace_back(ui::KeyPressed{key, down, modifiers});
          break;
        }
        default:
          host.events.emplace_back(ui::TextTyped{random.below(2) ? "1e999" : "π"});
          break;
      }
    }
    workbench.tick(i % 40 < 30 ? gpu::Extent{900, 700} : extent, host);
    const Result<void> checked = workbench.properties().check(workbench.document());
    if (!checked) FAIL(checked.error().message);
  }
  while (workbench.undo()) {
  }
  ui::HostFrame host;
  workbench.tick({900, 700}, host);
  CHECK(workbench.history().undoSteps() == 0);
  INFO(workbench.document().toJson().dump());
  CHECK_FALSE(workbench.modified());
}
