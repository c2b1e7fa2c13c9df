// SPDX-License-Identifier: Apache-2.0
// A split window: each pane has its own state, pointer events and part of the frame; a change of the window is one undo
// step.
#include <chrono>
#include <filesystem>

#include "engine/core/file.h"
#include "engine/core/random.h"
#include "tests/ui/workbench/bench.h"
#include "tests/ui/workbench/parts.h"

using namespace sepx;
using namespace sepx::test;

namespace {

const char* const kTwo = R"(set flow.p 0.5
set flow.q 0.8
add point 0.3,0.2
key Ctrl+2
wait settled
)";

std::string folder(const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() / ("sepx-test-panes-" + name);
  std::filesystem::remove_all(path);
  return path.string();
}

}  // namespace

TEST_CASE("A split shows the other side of p + q = 1, and is one undo step", "[panes]") {
  Bench bench({1280, 720});
  bench.play(kTwo);
  CHECK(bench.workbench().panes() == 2);
  CHECK(bench.workbench().scenes().size() == 2);
  const double p = bench.number("flow@2.p"), q = bench.number("flow@2.q");
  CHECK((p + q - 1) * (0.5 + 0.8 - 1) < 0);
  CHECK(bench.number("flow@2.points[0].e") == 0.3);
  CHECK(bench.text("workbench.undo") == "split window");
  bench.play("undo\nwait settled\nexpect panes.layout == one\n");
  CHECK(bench.workbench().panes() == 1);
  CHECK(bench.workbench().get("flow@2.p").has_value() == false);
  // Undoing the split keeps the camera of the pane but not its other state. Splitting again shows the other side again.
  bench.play("redo\nwait settled\non flow@2 scroll 0,0 3\nwait settled\nundo\nkey Ctrl+2\nwait settled\n");
  CHECK(bench.number("flow@2.p") == p);
  CHECK(bench.number("flow@2.points[0].e") == 0.3);
  CHECK(bench.number("flow@2.view.xMin") == bench.number("flow.view.xMin"));
  bench.play("expect panes.layout == two\nset flow@2.p 0.1\nwait settled\n");
  // A pane that is closed and opened again keeps its state.
  bench.play("key Ctrl+1\nwait settled\nkey Ctrl+2\nwait settled\nexpect flow@2.p == 0.1\nexpect flow.p == 0.5\n");
}

TEST_CASE("Script steps act on the named pane, and the pane under the pointer becomes active", "[panes]") {
  Bench bench({1280, 720});
  bench.play(kTwo);
  bench.play(
      "expect panes.active == 1\non flow@2 drag 0.3,0.2 -> 0.6,-0.5 in 0.3\nwait settled\nexpect panes.active == 2\n"
      "expect flow@2.points[0].e ~ 0.6 +- 0.01\nexpect flow.points[0].e == 0.3\n");
  CHECK(bench.text("workbench.undo") == "move point A in pane 2");
  CHECK(bench.workbench().exhibitKey() == "flow");
  // Commands, controls and steps without a pane act on the active pane.
  bench.play(
      "add point 1,1\nexpect flow@2.points.count == 2\nexpect flow.points.count == 1\n"
      "set ui:flow@2.p 0.3\nexpect flow@2.p == 0.3\nexpect flow.p == 0.5\n"
      "on flow add point -1,1\nexpect flow.points.count == 2\nkey F6\nexpect panes.active == 1\n"
      "set ui:flow.p 0.6\nexpect flow.p == 0.6\nexpect flow@2.p == 0.3\n"
      "click ui:panes.title.2\nexpect panes.active == 2\n");
  for (const char* line : {"set flow@3.p 0.5\n", "expect flow@3.points.count == 0\n", "on flow@3 click 0,0\n",
                           "set panes.active 3\n", "set panes.active 0\n", "click ui:flow.p\n",
                           "set panes@2.layout one\n", "on flow@3 add point 0,0\n", "set panes.layout three\n"}) {
    CAPTURE(line);
    const auto outcome = bench.run(line);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().kind != ErrorKind::Internal);
  }
  CHECK(bench.workbench().activePane() == 2);
}

TEST_CASE("A gesture belongs to the pane where it began", "[panes]") {
  Bench bench({1280, 720});
  bench.play(kTwo);
  const auto from = bench.workbench().toPixels("flow@2", {0.3, 0.2});
  const auto to = bench.workbench().toPixels("flow", {0.0, 0.0});
  REQUIRE((from && to));
  using ui::Button;
  bench.frame({ui::PointerMoved{from->x, from->y}});
  bench.frame({ui::PointerPressed{Button::Left, true, from->x, from->y, {}}});
  for (int i = 1; i <= 4; ++i)
    bench.frame({ui::PointerMoved{from->x + (to->x - from->x) * i / 4, from->y + (to->y - from->y) * i / 4}});
  bench.frame({ui::PointerPressed{Button::Left, false, to->x, to->y, {}}});
  bench.settle();
  CHECK(bench.number("flow.points[0].e") == 0.3);
  CHECK(bench.number("flow@2.points[0].e") < 0.3);
  CHECK(bench.workbench().activePane() == 2);
}

TEST_CASE("Linked cameras move together without further undo steps", "[panes]") {
  Bench bench({1280, 720});
  bench.play(kTwo);
  const auto steps = bench.workbench().history().undoSteps();
  bench.play("on flow@2 scroll 0,0 3\nwait settled\n");
  CHECK(bench.number("flow.view.xMin") != bench.number("flow@2.view.xMin"));
  bench.play("set panes.linked on\nwait settled\n");  // the other panes follow the active one
  CHECK(bench.number("flow.view.xMin") == bench.number("flow@2.view.xMin"));
  bench.play("on flow scroll 0,0 -2\nwait settled\n");
  for (const char* end : {"xMin", "xMax", "yMin", "yMax"}) {
    CHECK(bench.number(std::string("flow.view.") + end) == bench.number(std::string("flow@2.view.") + end));
  }
  CHECK(bench.workbench().history().undoSteps() == steps + 1);
  bench.play("set flow@2.view.xMin -9\nwait settled\nexpect flow.view.xMin == -9\nkey R\nwait settled\n");
  CHECK(bench.number("flow.view.xMin") == bench.number("flow@2.view.xMin"));
}

TEST_CASE("Four panes fill the picture, and a script gives the same frames every time", "[panes]") {
  Picture first;
  for (int run = 0; run < 2; ++run) {
    Bench bench({1280, 720});
    bench.play(std::string(kTwo) +
               "key Ctrl+4\nset flow@3.field ew\nset flow@4.show.cloud on\nset flow@3.basin.method "
               "both\nset panes.limits shared\nwait settled\n");
    const auto& scenes = bench.workbench().scenes();
    REQUIRE(scenes.size() == 4);
    for (const auto& placed : scenes) {
      CHECK(placed.scene->width > 400);
      CHECK(placed.scene->height > 250);
    }
    if (run == 0) {
      first = bench.picture();
    } else {
      CHECK(bench.picture() == first);
    }
  }
}

TEST_CASE("Jobs of one pane do not replace those of another", "[panes]") {
  Bench bench({1280, 720});
  bench.play(std::string(kTwo) +
             "set flow@2.gauss.samples 4000\nset flow.show.cloud on\nset flow@2.show.cloud on\n"
             "wait settled\n");
  CHECK(bench.number("flow.gauss.measured") > 0);
  CHECK(bench.number("flow@2.gauss.measured") > 0);
  std::vector<std::string> lanes;
  for (const auto& job : bench.workbench().jobs())
    lanes.push_back(job.lane);
  CHECK_THAT(lanes, Catch::VectorContains(std::string("flow.cloud")));
  CHECK_THAT(lanes, Catch::VectorContains(std::string("flow.cloud@2")));
  bench.play("key Ctrl+1\nwait settled\n");
}

TEST_CASE("A session with four panes can be saved, loaded and saved again with the same bytes", "[panes][session]") {
  const std::string dir = folder("session");
  Bench bench({1280, 720});
  bench.play(std::string(kTwo) +
                 "key Ctrl+4\nset flow@4.p 0.123456789\nset panes.linked on\nset panes.active 3\nwait "
                 "settled\nsave a.sepx\n",
             dir);
  const auto before = bench.picture();
  bench.play("key Ctrl+N\nwait settled\nexpect panes.layout == one\nopen a.sepx\nwait settled\nsave b.sepx\n", dir);
  const auto a = readFile(dir + "/a.sepx", 1 << 20), b = readFile(dir + "/b.sepx", 1 << 20);
  REQUIRE((a && b));
  CHECK(*a == *b);
  CHECK(bench.picture() == before);
  CHECK(bench.workbench().activePane() == 3);
  CHECK_FALSE(bench.workbench().modified());
  // The values of every pane are checked like those of the first.
  auto broken = *a;
  const auto at = broken.find("0.123456789");
  REQUIRE(at != std::string::npos);
  broken.replace(at, 11, "7");
  REQUIRE(writeFile(dir + "/broken.sepx", broken));
  const auto hash = bench.workbench().document().hash();
  const auto refused = bench.run("open broken.sepx\n", dir);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Contains("pane 4"));
  CHECK(bench.workbench().document().hash() == hash);
}

TEST_CASE("Time of undo with many points and four panes", "[.][time]") {
  Bench bench({1280, 720});
  std::string lines = "key Ctrl+4\n";
  auto document = bench.workbench().document();
  ui::Json points = ui::Json::array();
  for (int i = 0; i < 1000; ++i)
    points.push_back({{"e", -1 + 0.002 * i}, {"w", 0.3 + 0.0001 * i}, {"name", std::to_string(i)}});
  const std::string dir = folder("many");
  std::filesystem::create_directories(dir);
  REQUIRE(writeFile(dir + "/many.sepx", ui::Json{{"version", 1}, {"flow", {{"points", points}}}}.dump()));
  bench.play(
      "open many.sepx\nkey Ctrl+4\nset flow.p 0.3\nset flow@3.p 0.4\nset flow@3.points[7].e 0.5\nset "
      "panes.limits shared\nwait settled\n",
      dir);
  double worst = 0, worstFrame = 0;
  std::string slowest;
  while (bench.workbench().history().undoSteps() > 0) {
    const std::string label = bench.text("workbench.undo");
    const auto start = std::chrono::steady_clock::now();
    REQUIRE(bench.workbench().undo());
    worst =
        std::max(worst, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    bench.frame();
    const ui::FrameTimes& times = bench.workbench().times();
    if (times.updateMs + times.sceneMs > worstFrame) slowest = label;
    worstFrame = std::max(worstFrame, times.updateMs + times.sceneMs);
  }
  WARN("slowest undo " << worst << " ms, results and scenes after it " << worstFrame << " ms (" << slowest << ")");
}

TEST_CASE("Random actions on panes keep the document valid", "[panes]") {
  Bench bench({800, 600});
  bench.settle();
  auto& workbench = bench.workbench();
  RandomStream random(7);
  const auto below = [&](int end) { return static_cast<int>(random.uniform() * end); };
  const std::vector<std::string> commands{"view.split-one",    "view.split-two",    "view.split-four", "view.next-pane",
                                          "view.link-cameras", "view.share-limits", "edit.undo",       "edit.redo",
                                          "flow.add-point",    "flow.delete-point", "view.reset",      "play.toggle",
                                          "file.new",          "view.chrome"};
  for (int step = 0; step < 250; ++step) {
    const ui::PointerMoved at{800 * random.uniform(), 600 * random.uniform()};
    const bool down = below(2) == 0;
    bench.frame(
        {at, ui::PointerPressed{ui::Button::Left, down, at.x, at.y, {}}, ui::Scrolled{0, random.uniform() - 0.5, {}}});
    const std::string& command = commands[static_cast<std::size_t>(below(static_cast<int>(commands.size())))];
    if (command != "file.new" || below(5) == 0) (void)workbench.run(command);
    const auto key = workbench.inPane("flow.p", 1 + below(4));
    const bool shown = workbench.set(key, 0.05 + 0.9 * random.uniform()).has_value();
    CHECK(shown == workbench.get(key).has_value());
    CHECK(workbench.activePane() <= workbench.panes());
    for (int pane = 1; pane <= ui::kMostPanes; ++pane) {
      const auto checked = workbench.properties().check(workbench.document().pane(pane));
      if (!checked) FAIL(checked.error().message);
    }
  }
  if (ui::isTrue(*workbench.get("flow.play.active"))) CHECK(workbench.run("view.split-one"));
  CHECK(workbench.scenes().size() <= 4);
}

TEST_CASE("Requests reach the host, and a command that the host does not offer cannot be run", "[panes]") {
  Bench bench;
  bench.settle();
  auto& workbench = bench.workbench();
  ui::HostFrame host;
  host.seconds = 100;
  using ui::HostRequest;
  const auto has = [&](const std::string& key) {
    const auto all = workbench.commands();
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.key == key; });
  };
  for (const auto& [command, request] :
       std::initializer_list<std::pair<const char*, HostRequest>>{{"file.export", HostRequest::ExportDialog},
                                                                  {"edit.preferences", HostRequest::Preferences},
                                                                  {"view.palette", HostRequest::Palette},
                                                                  {"view.full-screen", HostRequest::FullScreen}}) {
    CAPTURE(command);
    if (has(command)) {
      CHECK(workbench.run(command));
      workbench.tick({640, 400}, host);
      CHECK(host.request == request);
      host.request = HostRequest::None;
    } else {
      CHECK_FALSE(workbench.run(command));
    }
  }
  CHECK_FALSE(workbench.run("view.next-pane"));  // there is no other pane
  CHECK(workbench.run("view.split-two"));
  CHECK(workbench.run("view.next-pane"));
  CHECK(workbench.activePane() == 2);
  CHECK(workbench.run("jobs.cancel").has_value() == false);
}

TEST_CASE("One key press does not discard unsaved work", "[panes]") {
  ui::Workbench workbench(ui::WorkbenchOptions{});
  double seconds = 0;
  const auto tick = [&](std::vector<ui::InputEvent> events) {
    ui::HostFrame host;
    host.seconds = seconds += 1.0 / 60;
    host.events = std::move(events);
    workbench.tick({640, 400}, host);
  };
  const auto pressNew = [&] {
    tick({ui::KeyPressed{ui::Key::N, true, {.ctrl = true}}});
    tick({ui::KeyPressed{ui::Key::N, false, {}}});
  };
  tick({});
  REQUIRE(workbench.set("flow.p", 0.3));
  pressNew();
  CHECK(ui::toString(*workbench.get("flow.p")) == "0.3");
  REQUIRE_FALSE(workbench.messages().empty());
  CHECK_THAT(workbench.messages().back().text, Catch::Contains("Ctrl+S"));
  REQUIRE(workbench.set("flow.p", 0.4));  // the work has changed since the warning
  pressNew();
  CHECK(ui::toString(*workbench.get("flow.p")) == "0.4");
  pressNew();
  CHECK_FALSE(workbench.modified());
  CHECK(ui::toString(*workbench.get("flow.p")) == "0.5");
}

TEST_CASE("A split window accepts hidden bars and very small sizes", "[panes]") {
  Bench bench({640, 400});
  bench.play("add point 0.5,-0.9\nwait settled\nkey F2\n");  // a card with an erratum is open throughout
  for (const char* split : {"key Ctrl+2\n", "key Ctrl+4\n", "key Ctrl+1\n"}) {
    CAPTURE(split);
    bench.play(std::string(split) + "wait settled\nkey Ctrl+B\nwait settled\nkey Ctrl+B\nwait settled\n");
    for (const char* size : {"40x40", "1x1", "300x20", "20x300", "640x400"})
      bench.play(std::string("resize ") + size + "\nkey Ctrl+B\nkey Ctrl+B\nkey F6\nhover @5,5\nwait settled\n");
  }
}

TEST_CASE("Panes see their own part of the document, and a change in one pane is not a new revision of another",
          "[panes]") {
  Parts parts;
  REQUIRE(parts.run("view.split-two"));
  parts.arrange();
  ui::Pane &first = parts.panes.at(1), &second = parts.panes.at(2);
  const auto seen = first.revision();
  REQUIRE(parts.panes.set("flow@2.p", 0.35));
  CHECK(first.revision() == seen);
  CHECK(second.document().at("flow.p") == 0.35);
  CHECK(parts.window.history.undoLabel().value_or("").find("in pane 2") != std::string::npos);
  CHECK(errorOf(parts.panes.set("flow@3.p", 0.35)).find("not shown") != std::string::npos);
  CHECK(errorOf(parts.panes.set("panes@2.layout", "one")).find("belongs to the window") != std::string::npos);
  CHECK_FALSE(parts.panes.get("flow@2.pp"));
  CHECK(parts.panes.get("flow@2.pp").error().message.find("flow@2.p") != std::string::npos);
  REQUIRE(parts.panes.find("flow@2.p"));
  CHECK(parts.panes.places().size() == 2);
  const render::Rect& right = parts.panes.places()[1].picture;
  CHECK(parts.panes.paneAt({right.max.x - 1, right.max.y - 1}) == 2);
  CHECK(parts.panes.paneAt({-1, 5}) == 0);
  CHECK_FALSE(parts.panes.toWindow("flow@2", {}));  // nothing has been drawn yet
  REQUIRE(parts.run("view.next-pane"));
  CHECK(parts.panes.activeNumber() == 2);
  CHECK_FALSE(parts.panes.untouched());
  CHECK(parts.panes.check(ui::Document().with("flow@4.p", 7)).error().message.find("in pane 4") != std::string::npos);
}
