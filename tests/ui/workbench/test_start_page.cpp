// SPDX-License-Identifier: Apache-2.0
// The start page: what it lists, the walk by keys, choices by pointer, and that it leaves the document alone.
#include "ui/workbench/start_page.h"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#include "tests/folders.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/bench.h"
#include "ui/exhibits/exhibits.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/settings.h"

using namespace sepx;
using namespace sepx::test;

namespace {

std::string lessonPath() {
  return tests::sourceFolder() + "/assets/lessons/01-why-small-initialisation-fails.md";
}

/// A workbench without a device, with lessons, recent files and something left behind.
struct Desk {
  std::filesystem::path folder;
  ui::Settings settings{"", ""};
  std::unique_ptr<ui::Workbench> workbench;
  double seconds = 0;

  explicit Desk(bool leftover = false, bool stage = false) {
    folder = std::filesystem::temp_directory_path() / ("sepx-start-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::string session = (folder / "saved.sepx").string();
    REQUIRE(ui::writeSession(ui::Document().with("flow.p", 0.25), session));
    settings.opened({session, "saved.sepx", "session"});
    ui::WorkbenchOptions options;
    options.settings = &settings;
    options.stage = stage;
    options.lessons = {{lessonPath(), "Why small initialisation fails"}};
    options.recoveryFiles = {{(folder / "gone.json").string(), "Work that was restored before"}};
    if (leftover) {
      std::ofstream(folder / "left.json") << "{}";
      options.recoveryFiles.emplace_back((folder / "left.json").string(), "Untitled, at noon");
    }
    workbench = std::make_unique<ui::Workbench>(std::move(options));
  }
  ~Desk() {
    workbench.reset();
    std::filesystem::remove_all(folder);
  }

  void frame(std::vector<ui::InputEvent> events = {}, gpu::Extent extent = {1280, 720}) {
    ui::HostFrame host;
    host.seconds = seconds += 1.0 / 60;
    host.events = std::move(events);
    workbench->tick(extent, host);
    while (!workbench->opening().empty()) {  // read in a job
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ui::HostFrame next;
      next.seconds = seconds;
      workbench->tick(extent, next);
    }
  }
  void press(ui::Key key) {
    frame({ui::KeyPressed{key, true, {}}});
    frame({ui::KeyPressed{key, false, {}}});
    frame();
  }
  void down(std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i)
      press(ui::Key::Down);
  }
  void click(const std::string& control) {
    const auto at = workbench->controlAt(control);
    INFO(control);
    REQUIRE(at);
    frame({ui::PointerMoved{at->x, at->y}});
    frame();
    frame({ui::PointerPressed{ui::Button::Left, true, at->x, at->y, {}}});
    frame({ui::PointerPressed{ui::Button::Left, false, at->x, at->y, {}}});
    frame();
    frame();
  }
  bool onScreen(const std::string& control) const { return workbench->controlAt(control).has_value(); }
  bool shown() const { return onScreen("start.exhibit[0]"); }
};

}  // namespace

TEST_CASE("the start page lists exhibits, lessons and recent files, and goes with Escape", "[start]") {
  Desk desk;
  desk.frame();
  CHECK_FALSE(desk.shown());
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  CHECK(desk.shown());
  CHECK(desk.onScreen("start.lesson[0]"));
  CHECK(desk.onScreen("start.recent[0]"));
  CHECK_FALSE(desk.onScreen("start.restore[0]"));  // its file is gone
  CHECK_FALSE(desk.onScreen("flow.p"));            // the panel makes way
  desk.press(ui::Key::Escape);
  CHECK_FALSE(desk.shown());
  CHECK(desk.onScreen("flow.p"));
  CHECK_FALSE(desk.workbench->modified());
}

TEST_CASE("arrow keys and Enter open what is chosen", "[start]") {
  Desk desk;
  desk.frame();
  SECTION("the exhibit, which is chosen first") {
    desk.press(ui::Key::Home);
    REQUIRE(desk.shown());
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    CHECK(desk.workbench->exhibitKey() == "flow");
    // The picture of the page, to be dragged; a new document is empty.
    CHECK(std::get<double>(*desk.workbench->get("flow.points.count")) >= 3);
    CHECK(ui::toString(*desk.workbench->get("flow.points[0].name")) == "A");
    CHECK_FALSE(desk.workbench->modified());
    REQUIRE(desk.workbench->run("file.new"));
    desk.frame();
    CHECK(ui::toString(*desk.workbench->get("flow.points.count")) == "0");
  }
  SECTION("the exhibit while there is work") {
    REQUIRE(desk.workbench->set("flow.q", 0.3));
    desk.press(ui::Key::Home);
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    CHECK(ui::toString(*desk.workbench->get("flow.q")) == "0.3");
    CHECK(ui::toString(*desk.workbench->get("flow.points.count")) == "0");
  }
  SECTION("the lesson") {
    desk.press(ui::Key::Home);
    desk.down(ui::makeExhibits().size());
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    REQUIRE(desk.workbench->lesson());
  }
  SECTION("the last: a recent session") {
    desk.press(ui::Key::Home);
    desk.press(ui::Key::End);
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    CHECK(ui::toString(*desk.workbench->get("flow.p")) == "0.25");
  }
  SECTION("keys of the picture behind do nothing") {
    desk.press(ui::Key::Home);
    desk.press(ui::Key::A);
    desk.press(ui::Key::Delete);
    CHECK(desk.shown());
    CHECK(ui::toString(*desk.workbench->get("flow.points.count")) == "0");
  }
}

TEST_CASE("the pointer opens what it clicks, and a file that is gone keeps the page", "[start]") {
  Desk desk;
  desk.frame();
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  desk.frame();
  SECTION("lesson") {
    desk.click("start.lesson[0]");
    CHECK_FALSE(desk.shown());
    CHECK(desk.workbench->lesson());
  }
  SECTION("a recent file deleted meanwhile") {
    std::filesystem::remove(desk.folder / "saved.sepx");
    desk.click("start.recent[0]");
    CHECK(desk.shown());
    REQUIRE_FALSE(desk.workbench->messages().empty());
    CHECK(desk.workbench->messages().back().text.find("saved.sepx") != std::string::npos);
  }
}

TEST_CASE("a choice that would cost unsaved work has to be made twice", "[start]") {
  Desk desk;
  desk.frame();
  REQUIRE(desk.workbench->set("flow.q", 0.3));
  REQUIRE(desk.workbench->modified());
  desk.press(ui::Key::Home);
  desk.down(ui::makeExhibits().size());
  desk.press(ui::Key::Enter);
  CHECK(desk.shown());
  CHECK_FALSE(desk.workbench->lesson());
  CHECK(ui::toString(*desk.workbench->get("flow.q")) == "0.3");
  REQUIRE_FALSE(desk.workbench->messages().empty());
  CHECK(desk.workbench->messages().back().text.find("unsaved changes") != std::string::npos);
  SECTION("and then it is") {
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    CHECK(desk.workbench->lesson());
  }
  SECTION("or the work goes on") {
    desk.press(ui::Key::Escape);  // the message
    desk.press(ui::Key::Escape);  // the page
    CHECK_FALSE(desk.shown());
    CHECK(ui::toString(*desk.workbench->get("flow.q")) == "0.3");
  }
}

TEST_CASE("on the stage a lesson is left for another one without a question", "[start]") {
  Desk desk(false, true);
  desk.frame();
  REQUIRE(desk.workbench->open(lessonPath()));
  REQUIRE(desk.workbench->set("flow.q", 0.3));  // as a step of the lesson does
  REQUIRE(desk.workbench->modified());
  desk.press(ui::Key::Home);
  REQUIRE(desk.shown());
  desk.click("start.lesson[0]");
  CHECK_FALSE(desk.shown());
  CHECK(desk.workbench->messages().empty());
  CHECK(ui::toString(*desk.workbench->get("flow.q")) != "0.3");  // another document
}

TEST_CASE("a host that cannot open files does not offer it", "[start]") {
  for (const bool opens : {true, false}) {
    ui::WorkbenchOptions options;
    if (!opens) options.without = {"file.open"};
    ui::Workbench workbench(std::move(options));
    REQUIRE(workbench.run("view.start"));
    ui::HostFrame host;
    workbench.tick({1280, 720}, host);
    CHECK(workbench.controlAt("start.open[0]").has_value() == opens);
  }
}

TEST_CASE("what a kill left behind stands first while its file exists", "[start]") {
  Desk desk(true);
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  CHECK(desk.onScreen("start.restore[0]"));
  CHECK_FALSE(desk.onScreen("start.restore[1]"));
}

TEST_CASE("a change of the document by another way closes the start page", "[start]") {
  Desk desk;
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  REQUIRE(desk.shown());
  REQUIRE(desk.workbench->set("flow.q", 0.3));
  desk.frame();
  CHECK_FALSE(desk.shown());
}

TEST_CASE("a press on the start page's picture opens its state, and the drag goes on under the pointer", "[start]") {
  Desk desk;
  desk.frame();
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  desk.frame();
  REQUIRE(desk.workbench->scenes().size() == 1);
  const auto onPage = [&](render::Point data) {
    const render::PlacedScene& placed = desk.workbench->scenes().front();
    const render::Point at = render::toPage(*placed.scene, data);
    return render::Point{placed.origin.x + at.x, placed.origin.y + at.y};
  };
  const auto number = [&](const char* key) { return std::get<double>(*desk.workbench->get(key)); };
  const render::Point start{0.4, 0.25};  // of the example's first point
  const render::Point beside = onPage({0.9, -0.6}), from = onPage(start), to{from.x + 60, from.y + 80};
  const render::Point target = [&] {
    const render::PlacedScene& placed = desk.workbench->scenes().front();
    return render::toData(*placed.scene, {to.x - placed.origin.x, to.y - placed.origin.y});
  }();
  const auto press = [&](bool down, render::Point at) {
    return ui::InputEvent{ui::PointerPressed{ui::Button::Left, down, at.x, at.y, {}}};
  };
  desk.frame({ui::PointerMoved{from.x, from.y}});
  SECTION("a drag") {
    desk.frame({press(true, from)});
    desk.frame({ui::PointerMoved{from.x + 30, from.y + 40}});
    // The plane has not moved under the pointer.
    const auto other = desk.workbench->toPixels("flow", {0.9, -0.6});
    REQUIRE(other);
    CHECK(other->x == Approx(beside.x).margin(0.5));
    CHECK(other->y == Approx(beside.y).margin(0.5));
    desk.frame({ui::PointerMoved{to.x, to.y}});
    desk.frame({press(false, to)});
    for (int i = 0; i < 3; ++i)
      desk.frame();
    CHECK_FALSE(desk.shown());
    CHECK_FALSE(desk.workbench->document().has("flow.view"));
    // The picture has the whole window now: nothing is read out of where the pointer was in the small one.
    CHECK(desk.workbench->statusLine().find("pointer") == std::string::npos);
    CHECK(desk.workbench->exhibitKey() == "flow");
    CHECK(number("flow.points.count") == 5);
    CHECK(number("flow.points[0].e") == Approx(target.x).margin(0.02));
    CHECK(number("flow.points[0].w") == Approx(target.y).margin(0.02));
    CHECK(desk.workbench->modified());
    REQUIRE(desk.workbench->undo());
    CHECK(number("flow.points[0].e") == start.x);
    CHECK_FALSE(desk.workbench->modified());
  }
  SECTION("a drag that is faster than the frames") {
    desk.frame({press(true, from), ui::PointerMoved{to.x, to.y}, press(false, to)});
    for (int i = 0; i < 3; ++i)
      desk.frame();
    CHECK_FALSE(desk.shown());
    CHECK(number("flow.points.count") == 5);
  }
  SECTION("in a window with work of its own the press opens that") {
    REQUIRE(desk.workbench->run("view.start"));  // closed, changed, shown again
    REQUIRE(desk.workbench->set("flow.q", 0.3));
    REQUIRE(desk.workbench->run("view.start"));
    desk.frame();
    desk.frame({ui::PointerMoved{from.x, from.y}});
    desk.frame({press(true, from)});
    desk.frame({ui::PointerMoved{to.x, to.y}});
    desk.frame({press(false, to)});
    desk.frame();
    CHECK_FALSE(desk.shown());
    CHECK(number("flow.points.count") == 0);
    CHECK(number("flow.q") == 0.3);
  }
}

TEST_CASE("a recent checkpoint joins unsaved work and is not asked about", "[start]") {
  Desk desk;
  desk.settings.opened({tests::sourceFolder() + "/assets/models/encoder", "encoder", "checkpoint"});
  desk.frame();
  REQUIRE(desk.workbench->set("flow.q", 0.3));
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  desk.frame();
  desk.click("start.recent[0]");
  CHECK_FALSE(desk.shown());
  CHECK(desk.workbench->exhibitKey() == "weights");
  CHECK(desk.workbench->messages().empty());
  CHECK(desk.workbench->modified());
}

TEST_CASE("the start page comes to rest under a script and shows a picture that is complete", "[start][gpu]") {
  Bench bench({1280, 720});
  bench.play("key Home\nwait settled\n");
  CHECK(bench.workbench().settled());
  CHECK_FALSE(bench.workbench().needsFrame());
  const auto shown = bench.picture();
  bench.frame();
  CHECK(bench.picture() == shown);
  bench.play("key Escape\nwait settled\n");
  CHECK_FALSE(bench.picture() == shown);
}

TEST_CASE("a bare start without a display writes the start page, with its points and paths", "[start][gpu]") {
  const sepx::tests::TemporaryFolder folder;
  app::Options options;
  options.size = gpu::Extent{960, 600};
  CHECK(errorOf(app::renderHeadless(options, {}, folder / "bare.png")) == "");
  Bench bench({960, 600});
  bench.play("key Home\nwait settled\nshot page.png\n", folder.path.string());
  const auto bare = render::readPng(folder / "bare.png"), page = render::readPng(folder / "page.png");
  REQUIRE((bare && page));
  // All but the status line, which under a script says how the picture was computed.
  const auto above = [](gpu::Pixels pixels) {
    pixels.extent.height -= 24;
    pixels.rgba.resize(std::size_t{4} * pixels.extent.width * pixels.extent.height);
    return Picture{std::move(pixels)};
  };
  CHECK(above(*bare) == above(*page));
  REQUIRE(bench.workbench().scenes().size() == 1);
  std::size_t lines = 0;
  for (const render::Layer& layer : bench.workbench().scenes().front().scene->layers) {
    for (const render::Item& item : layer.items)
      lines += layer.name == "paths" && std::holds_alternative<render::Polyline>(item);
  }
  CHECK(lines >= 5);
}

TEST_CASE("every entry is reached in small windows, in large type and at every scale", "[start]") {
  for (const std::string& theme : ui::themeKeys()) {
    for (const auto& extent : {gpu::Extent{1280, 720}, gpu::Extent{640, 360}, gpu::Extent{427, 240}}) {
      INFO(theme << " " << extent.width);
      Desk desk;
      REQUIRE(desk.workbench->setTheme(theme));
      desk.frame({}, extent);
      REQUIRE(desk.workbench->run("view.start"));
      desk.frame({}, extent);
      desk.frame({ui::KeyPressed{ui::Key::End, true, {}}}, extent);
      for (int i = 0; i < 3; ++i)
        desk.frame({}, extent);
      const auto last = desk.workbench->controlAt("start.recent[0]");
      REQUIRE(last);
      CHECK(last->x > 0);
      CHECK(last->x < extent.width);
      CHECK(last->y > 0);
      CHECK(last->y < extent.height);
    }
  }
}

TEST_CASE("the start page is drawn within two seconds of processor time, without any cache of shaders",
          "[start][gpu]") {
  // Processor time of all threads: what else the machine does has no part in it.
  const auto spent = [from = std::clock()] { return static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC; };
  REQUIRE(::setenv("MESA_SHADER_CACHE_DISABLE", "true", 1) == 0);
  Bench bench({1280, 720});
  const double device = spent();
  REQUIRE(bench.workbench().run("view.start"));
  bench.frame();
  const double frame = spent();
  ::unsetenv("MESA_SHADER_CACHE_DISABLE");
  INFO("device and workbench " << device << " s, first frame " << frame - device << " s");
  CHECK(frame < 2);
  CHECK(device < 1);
}
