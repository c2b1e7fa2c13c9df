// SPDX-License-Identifier: Apache-2.0
// The start page: its entries, selection by keys and by pointer, and that it does not change the document.
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

/// A workbench without a device, with lessons, recent files and a session to restore.
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
    while (!workbench->opening().empty()) {  // files are read in a job
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

TEST_CASE("The start page lists exhibits, lessons and recent files, and Escape closes it", "[start]") {
  Desk desk;
  desk.frame();
  CHECK_FALSE(desk.shown());
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  CHECK(desk.shown());
  CHECK(desk.onScreen("start.lesson[0]"));
  CHECK(desk.onScreen("start.recent[0]"));
  CHECK_FALSE(desk.onScreen("start.restore[0]"));  // its file is missing
  CHECK_FALSE(desk.onScreen("flow.p"));            // the panel is hidden
  desk.press(ui::Key::Escape);
  CHECK_FALSE(desk.shown());
  CHECK(desk.onScreen("flow.p"));
  CHECK_FALSE(desk.workbench->modified());
}

TEST_CASE("Arrow keys and Enter open the selected entry", "[start]") {
  Desk desk;
  desk.frame();
  SECTION("An exhibit, which is selected first") {
    desk.press(ui::Key::Home);
    REQUIRE(desk.shown());
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    CHECK(desk.workbench->exhibitKey() == "flow");
    // The example of the page, which can be dragged; a new document is empty.
    CHECK(std::get<double>(*desk.workbench->get("flow.points.count")) >= 3);
    CHECK(ui::toString(*desk.workbench->get("flow.points[0].name")) == "A");
    CHECK_FALSE(desk.workbench->modified());
    REQUIRE(desk.workbench->run("file.new"));
    desk.frame();
    CHECK(ui::toString(*desk.workbench->get("flow.points.count")) == "0");
  }
  SECTION("An exhibit while there is unsaved work") {
    REQUIRE(desk.workbench->set("flow.q", 0.3));
    desk.press(ui::Key::Home);
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    CHECK(ui::toString(*desk.workbench->get("flow.q")) == "0.3");
    CHECK(ui::toString(*desk.workbench->get("flow.points.count")) == "0");
  }
  SECTION("A lesson") {
    desk.press(ui::Key::Home);
    desk.down(ui::makeExhibits().size());
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    REQUIRE(desk.workbench->lesson());
  }
  SECTION("A recent session, the last entry") {
    desk.press(ui::Key::Home);
    desk.press(ui::Key::End);
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    CHECK(ui::toString(*desk.workbench->get("flow.p")) == "0.25");
  }
  SECTION("Keys for the picture behind the page have no effect") {
    desk.press(ui::Key::Home);
    desk.press(ui::Key::A);
    desk.press(ui::Key::Delete);
    CHECK(desk.shown());
    CHECK(ui::toString(*desk.workbench->get("flow.points.count")) == "0");
  }
}

TEST_CASE("A click opens an entry, and the page stays if the file is missing", "[start]") {
  Desk desk;
  desk.frame();
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  desk.frame();
  SECTION("A lesson") {
    desk.click("start.lesson[0]");
    CHECK_FALSE(desk.shown());
    CHECK(desk.workbench->lesson());
  }
  SECTION("A recent file that was deleted in the meantime") {
    std::filesystem::remove(desk.folder / "saved.sepx");
    desk.click("start.recent[0]");
    CHECK(desk.shown());
    REQUIRE_FALSE(desk.workbench->messages().empty());
    CHECK(desk.workbench->messages().back().text.find("saved.sepx") != std::string::npos);
  }
}

TEST_CASE("An entry that would discard unsaved work must be chosen twice", "[start]") {
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
  SECTION("Choosing it again opens it") {
    desk.press(ui::Key::Enter);
    CHECK_FALSE(desk.shown());
    CHECK(desk.workbench->lesson());
  }
  SECTION("Escape keeps the work") {
    desk.press(ui::Key::Escape);  // closes the message
    desk.press(ui::Key::Escape);  // closes the page
    CHECK_FALSE(desk.shown());
    CHECK(ui::toString(*desk.workbench->get("flow.q")) == "0.3");
  }
}

TEST_CASE("On the stage a lesson is replaced by another one without a question", "[start]") {
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

TEST_CASE("A host that cannot open files does not offer this", "[start]") {
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

TEST_CASE("A session to restore is listed while its file exists", "[start]") {
  Desk desk(true);
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  CHECK(desk.onScreen("start.restore[0]"));
  CHECK_FALSE(desk.onScreen("start.restore[1]"));
}

TEST_CASE("A change of the document from elsewhere closes the start page", "[start]") {
  Desk desk;
  REQUIRE(desk.workbench->run("view.start"));
  desk.frame();
  REQUIRE(desk.shown());
  REQUIRE(desk.workbench->set("flow.q", 0.3));
  desk.frame();
  CHECK_FALSE(desk.shown());
}

TEST_CASE("A press on the picture of the start page opens its state, and the drag continues under the pointer",
          "[start]") {
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
  const render::Point start{0.4, 0.25};  // the first point of the example
  const render::Point beside = onPage({0.9, -0.6}), from = onPage(start), to{from.x + 60, from.y + 80};
  const render::Point target = [&] {
    const render::PlacedScene& placed = desk.workbench->scenes().front();
    return render::toData(*placed.scene, {to.x - placed.origin.x, to.y - placed.origin.y});
  }();
  const auto press = [&](bool down, render::Point at) {
    return ui::InputEvent{ui::PointerPressed{ui::Button::Left, down, at.x, at.y, {}}};
  };
  desk.frame({ui::PointerMoved{from.x, from.y}});
  SECTION("A drag over several frames") {
    desk.frame({press(true, from)});
    desk.frame({ui::PointerMoved{from.x + 30, from.y + 40}});
    // The plane did not move under the pointer.
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
    // The picture fills the window now, so the old pointer position is not used.
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
  SECTION("A drag within one frame") {
    desk.frame({press(true, from), ui::PointerMoved{to.x, to.y}, press(false, to)});
    for (int i = 0; i < 3; ++i)
      desk.frame();
    CHECK_FALSE(desk.shown());
    CHECK(number("flow.points.count") == 5);
  }
  SECTION("In a window with unsaved work the press opens this work") {
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

TEST_CASE("A recent checkpoint is added to unsaved work without a question", "[start]") {
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

TEST_CASE("The start page settles in a script and shows a complete picture", "[start][gpu]") {
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

TEST_CASE("Starting without a display and without files writes the start page, with its points and paths",
          "[start][gpu]") {
  const sepx::tests::TemporaryFolder folder;
  app::Options options;
  options.size = gpu::Extent{960, 600};
  CHECK(errorOf(app::renderHeadless(options, {}, folder / "bare.png")) == "");
  Bench bench({960, 600});
  bench.play("key Home\nwait settled\nshot page.png\n", folder.path.string());
  const auto bare = render::readPng(folder / "bare.png"), page = render::readPng(folder / "page.png");
  REQUIRE((bare && page));
  // All but the status line, which in a script reports how the picture was computed.
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

TEST_CASE("Every entry can be reached in small windows, in every theme", "[start]") {
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

TEST_CASE("The start page is drawn within two seconds of processor time, without a shader cache", "[start][gpu]") {
  // Processor time of all threads, so other programs do not count.
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
