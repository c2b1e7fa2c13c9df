// SPDX-License-Identifier: Apache-2.0
// The lecturer controls the second screen, and a window follows another one: without processes or devices.
#include <algorithm>

#include <catch2/catch.hpp>

#include "ui/workbench/presented.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/workbench.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// A presenter whose window is 1000 by 500 points. It records its requests to the host.
struct Desk {
  std::vector<HostRequest> asked;
  Presenter presenter{{[this](HostRequest request) { asked.push_back(request); },
                       [](render::Point at) {
                         return PicturePlace{0, {}, at.x / 1000, at.y / 500};
                       }}};

  void run(const char* command) {
    Commands commands;
    presenter.addCommands(commands);
    const auto act = commands.find(command);
    INFO(command);
    REQUIRE(act);
    REQUIRE((*act)());
  }
  /// The number of events that are passed on to the picture.
  std::size_t left(std::vector<InputEvent> events) {
    presenter.before(events, 2);  // two pixels per point
    return events.size();
  }
};

PointerPressed pressed(bool down, double x, double y) {
  return {Button::Left, down, x, y, {}};
}

Presented showing(double p) {
  Presented shown;
  shown.document = Document().with("flow.p", p);
  return shown;
}

std::string shortcutOf(const Workbench& workbench, std::string_view key) {
  for (const Workbench::Command& one : workbench.commands())
    if (one.key == key) return one.shortcut;
  return "none";
}

void frame(Workbench& workbench, std::vector<InputEvent> events = {}) {
  HostFrame host;
  host.events = std::move(events);
  workbench.tick({1280, 720}, host);
}

}  // namespace

TEST_CASE("Without a stage the presenter's keys have no effect", "[presenter]") {
  Desk desk;
  Commands commands;
  desk.presenter.addCommands(commands);
  for (const Workbench::Command& one : commands.list())
    CHECK(one.enabled == (one.key == "present.start"));
  CHECK(desk.left({PointerMoved{10, 10, {}}, pressed(true, 10, 10)}) == 2);
  desk.run("present.start");
  CHECK(desk.asked == std::vector{HostRequest::Present});
}

TEST_CASE("A frozen stage keeps its content, but can be made black", "[presenter]") {
  Desk desk;
  desk.presenter.setActive(true);
  Presented now = showing(0.25);
  now.pointer = PicturePlace{1, {}, 0, 0};
  desk.run("present.freeze");
  const Presented kept = desk.presenter.presented(now);
  CHECK(kept.document == now.document);
  CHECK_FALSE(kept.pointer);
  CHECK(desk.presenter.presented(showing(0.75)).document == now.document);
  desk.run("present.blank");
  CHECK(desk.presenter.presented(showing(0.75)).blank);
  desk.run("present.freeze");
  CHECK(desk.presenter.presented(showing(0.75)).document == showing(0.75).document);
  CHECK(desk.presenter.blank());
  desk.presenter.setActive(false);
  CHECK_FALSE(desk.presenter.presented(showing(0.5)).blank);
}

TEST_CASE("A drag selects the region of the zoom and is not passed on to the picture", "[presenter]") {
  Desk desk;
  desk.presenter.setActive(true);
  desk.run("present.zoom");
  CHECK(desk.presenter.zoomed());
  CHECK(desk.left({pressed(true, 200, 100)}) == 0);
  CHECK(desk.left({PointerMoved{800, 500, {}}}) == 0);
  CHECK(desk.left({pressed(false, 1200, 600)}) == 0);
  const auto zoom = desk.presenter.presented(showing(0.5)).zoom;
  REQUIRE(zoom);
  CHECK(zoom->first == PicturePlace{0, {}, 0.1, 0.1});
  CHECK(zoom->second == PicturePlace{0, {}, 0.6, 0.6});
  CHECK(desk.left({pressed(true, 200, 100), pressed(false, 400, 300)}) == 2);  // only one drag is taken
  desk.run("present.zoom");
  CHECK_FALSE(desk.presenter.presented(showing(0.5)).zoom);
  // A click selects nothing, and Escape cancels.
  desk.run("present.zoom");
  CHECK(desk.left({pressed(true, 200, 100), pressed(false, 202, 101)}) == 0);
  CHECK_FALSE(desk.presenter.presented(showing(0.5)).zoom);
  CHECK(desk.left({KeyPressed{Key::Escape, true, {}}}) == 0);
  CHECK_FALSE(desk.presenter.zoomed());
}

TEST_CASE("The laser follows the pointer, and the events are also passed on to the picture", "[presenter]") {
  Desk desk;
  desk.presenter.setActive(true);
  desk.run("present.laser");
  CHECK(desk.left({PointerMoved{200, 100, {}}, PointerMoved{400, 100, {}}}) == 2);
  const Presented shown = desk.presenter.presented(showing(0.5));
  REQUIRE(shown.laser.size() == 2);
  CHECK(shown.laser[1].at == PicturePlace{0, {}, 0.2, 0.1});
  CHECK(desk.presenter.moving());
  std::vector<InputEvent> many(1000, PointerMoved{200, 100, {}});
  desk.left(many);
  desk.left({});
  CHECK(desk.presenter.presented(showing(0.5)).laser.size() <= kMostLaserPoints);
  desk.run("present.laser");
  CHECK(desk.presenter.presented(showing(0.5)).laser.empty());
}

TEST_CASE("While a stage is open its keys have priority, and other commands do not show them", "[presenter]") {
  Workbench workbench({.scripted = true, .threads = 1, .presents = true});
  frame(workbench);
  CHECK(shortcutOf(workbench, "lesson.next") == "N");
  CHECK(shortcutOf(workbench, "present.numbers") == "N");
  workbench.presenter().setActive(true);
  CHECK(shortcutOf(workbench, "lesson.next").empty());
  CHECK(shortcutOf(workbench, "lesson.previous").empty());
  for (const Key key : {Key::N, Key::Period})
    frame(workbench, {KeyPressed{key, true, {}}, KeyPressed{key, false, {}}});
  for (int i = 0; i < 4; ++i)  // a key that is pressed and released takes two frames
    frame(workbench);
  CHECK(workbench.presenter().numbers());
  CHECK(workbench.presenter().blank());
  const Workbench other({.scripted = true, .threads = 1});
  CHECK(shortcutOf(other, "present.start") == "none");  // a host without a stage has no such command
}

TEST_CASE("A window that follows another one shows its document or reports why not", "[presenter]") {
  Workbench studio({.scripted = true, .threads = 1, .presents = true});
  Workbench stage({.scripted = true, .threads = 1, .theme = "projector", .stage = true, .follows = true});
  frame(studio);
  frame(stage);
  REQUIRE(studio.set("flow.p", 0.25));
  REQUIRE(studio.addPoint({0.3, 0.3}));
  frame(studio);
  REQUIRE(stage.follow(studio.presented(), nullptr));
  frame(stage);
  CHECK(stage.document() == studio.document());
  Presented refused = studio.presented();
  refused.document = refused.document.with("flow.p", 7.0);
  const auto done = stage.follow(refused, nullptr);
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::BadInput);
  CHECK(stage.document() == studio.document());
  // A lesson that is shown is not run.
  const auto lesson = parseLesson("# T\n\n## One\n\n```steps\nset flow.p 0.9\n```\n\n## Two\n\nWords.\n", "t.md");
  REQUIRE(lesson);
  Presented step = studio.presented();
  step.lesson = "t.md";
  step.step = 7;  // past the end: the file has another version there
  REQUIRE(stage.follow(step, std::make_shared<const Lesson>(*lesson)));
  for (int i = 0; i < 5; ++i)
    frame(stage);
  CHECK(stage.lessonStep() == 1);
  CHECK(stage.document() == studio.document());
  REQUIRE(stage.follow(studio.presented(), nullptr));
  CHECK(stage.lesson() == nullptr);
}
