// SPDX-License-Identifier: Apache-2.0
// The stage's window in this process, connected to the link of a studio that the test simulates: the received state is
// in its document, its lesson and its picture.
#include <catch2/catch.hpp>

#include "app/presentation/studio_link.h"
#include "app/stage/stage_window.h"
#include "tests/folders.h"
#include "tests/hosts/process.h"
#include "tests/temporary_folder.h"
#include "ui/workbench/presented.h"
#include "ui/workbench/presenter.h"

#include <GLFW/glfw3.h>

namespace {

using namespace sepx;
using ui::Json;

struct Glfw {
  Glfw() { REQUIRE(glfwInit()); }
  ~Glfw() { glfwTerminate(); }
};

/// A link without a studio, and the stage that follows it.
struct TwoScreens {
  Glfw glfw;
  tests::TemporaryFolder folder;
  std::string path = folder / "stage.sock";
  std::unique_ptr<app::StudioLink> studio;
  std::unique_ptr<app::StageWindow> stage;
  ui::Presented shown;

  TwoScreens() {
    openStudio();
    app::StageOptions options;
    options.windowed = true;
    options.follow = path;
    options.common.threads = 1;
    options.common.theme = "projector";
    options.common.size = gpu::Extent{960, 540};
    auto made = app::StageWindow::create(options);
    INFO((made ? std::string() : made.error().message));
    REQUIRE(made);
    stage = std::move(*made);
    shown.document = ui::Document()
                         .with("flow.p", 0.5)
                         .with("flow.q", 0.8)
                         .with("flow.points", Json::array({Json{{"e", 0.3}, {"w", 0.3}}}))
                         .with("flow.selected", 0);
  }
  ~TwoScreens() {
    const auto messages = stage->session().validationOutcome();
    if (!messages) FAIL_CHECK(messages.error().message);
  }
  void openStudio() {
    auto link = app::StudioLink::listen(path, {});
    REQUIRE(link);
    studio = std::move(*link);
  }
  ui::Workbench& workbench() { return stage->session().workbench(); }
  /// Runs the stage's own loop until the condition is true.
  bool until(const std::function<bool()>& condition) {
    return tests::eventually([&] {
      stage->turn();
      return condition();
    });
  }
  /// Sends `shown`, and waits until the stage has drawn it.
  void show() {
    const std::uint64_t number = ++sent;
    studio->show(shown, 1);
    REQUIRE(until([&] {
      while (const auto event = studio->next())
        if (event->kind == app::StudioLink::Event::Kind::Drawn) drawn = event->number;
      return drawn >= number;
    }));
  }
  double real(const char* key) {
    const ui::Value value = workbench().get(key).value_or(ui::Value());
    const double* const number = std::get_if<double>(&value);
    return number ? *number : NAN;
  }
  gpu::Pixels picture() {
    auto pixels = stage->capture();
    REQUIRE(pixels);
    return std::move(*pixels);
  }
  std::uint64_t sent = 0, drawn = 0;
};

/// Number of pixels that differ.
std::size_t differing(const gpu::Pixels& a, const gpu::Pixels& b) {
  REQUIRE(a.rgba.size() == b.rgba.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4)
    count += a.rgba[i] != b.rgba[i] || a.rgba[i + 1] != b.rgba[i + 1] || a.rgba[i + 2] != b.rgba[i + 2];
  return count;
}

bool isBlack(const gpu::Pixels& pixels) {
  for (std::size_t i = 0; i < pixels.rgba.size(); i += 4)
    if (pixels.rgba[i] > 0 || pixels.rgba[i + 1] > 0 || pixels.rgba[i + 2] > 0) return false;
  return true;
}

}  // namespace

TEST_CASE("The stage shows the document of the studio and its changes") {
  TwoScreens two;
  two.show();
  CHECK(two.real("flow.points[0].e") == 0.3);
  two.shown.document = two.shown.document.with("flow.points[0].e", 0.6).with("flow.points[0].w", -1.3);
  two.show();
  CHECK(two.real("flow.points[0].e") == 0.6);
  REQUIRE(two.until([&] { return two.workbench().settled(); }));
  CHECK(two.real("flow.points[0].w") == -1.3);
}

TEST_CASE("A document that the stage cannot show leaves its picture unchanged") {
  TwoScreens two;
  two.show();
  two.shown.document = two.shown.document.with("flow.p", 7.0);
  two.studio->show(two.shown, 1);
  two.sent++;
  two.shown.document = two.shown.document.with("flow.p", 0.25);
  two.show();
  CHECK(two.real("flow.p") == 0.25);
}

TEST_CASE("A blank stage is black, and the picture returns") {
  TwoScreens two;
  two.show();
  REQUIRE(two.until([&] { return two.workbench().settled(); }));
  const gpu::Pixels before = two.picture();
  CHECK_FALSE(isBlack(before));
  two.shown.blank = true;
  two.show();
  CHECK(isBlack(two.picture()));
  two.shown.blank = false;
  two.show();
  CHECK(differing(before, two.picture()) == 0);
}

TEST_CASE("Pointer, numbers, laser and zoom change only the picture of the stage") {
  TwoScreens two;
  two.show();
  REQUIRE(two.until([&] { return two.workbench().settled(); }));
  const gpu::Pixels before = two.picture();
  const auto document = two.workbench().document();
  SECTION("the pointer is a halo at the same coordinates") {
    two.shown.pointer = ui::PicturePlace{1, {}, 1.0, 1.0};
    two.show();
    const auto at = two.workbench().toPixels("flow", {1.0, 1.0});
    REQUIRE(at);
    const gpu::Pixels now = two.picture();
    const std::size_t pixel = 4 * (std::size_t(at->y) * now.extent.width + std::size_t(at->x));
    CHECK((now.rgba[pixel] != before.rgba[pixel] || now.rgba[pixel + 1] != before.rgba[pixel + 1]));
  }
  SECTION("large numbers are drawn") {
    two.shown.numbers = true;
    two.show();
    CHECK(differing(before, two.picture()) > 2000);
  }
  SECTION("a laser stroke is drawn and fades") {
    const double now = ui::monotonicSeconds();
    two.shown.laser = {{{1, {}, -1.0, 0.0}, now}, {{1, {}, 1.0, 0.5}, now}};
    two.show();
    CHECK(differing(before, two.picture()) > 200);
    REQUIRE(two.until([&] { return !two.workbench().needsFrame(); }));  // after the stroke has faded, nothing moves
    CHECK(ui::monotonicSeconds() - now >= ui::kLaserSeconds);
  }
  SECTION("a zoomed region fills the window") {
    two.shown.zoom.emplace(ui::PicturePlace{1, {}, 0.0, 0.5}, ui::PicturePlace{1, {}, 0.5, 0.0});
    two.show();
    CHECK(differing(before, two.picture()) > before.rgba.size() / 4 / 10);
  }
  CHECK(two.workbench().document() == document);
}

TEST_CASE("The stage shows the step of the studio's lesson without playing it") {
  TwoScreens two;
  two.shown.lesson = tests::sourceFolder() + "/assets/lessons/01-why-small-initialisation-fails.md";
  two.shown.step = 1;
  two.show();
  REQUIRE(two.workbench().lesson());
  CHECK(two.workbench().lessonStep() == 1);
  CHECK(two.real("flow.points[0].e") == 0.3);  // the document is that of the studio
  two.shown.step = 2;
  two.show();
  CHECK(two.workbench().lessonStep() == 2);
  two.shown.lesson.clear();
  two.show();
  CHECK_FALSE(two.workbench().lesson());
}

TEST_CASE("A lesson that the stage cannot read leaves its picture unchanged, with one message") {
  TwoScreens two;
  two.show();
  ui::Presented lost = two.shown;
  lost.lesson = two.folder / "lost.md";
  lost.document = lost.document.with("flow.p", 0.25);
  two.studio->show(lost, 1);
  two.sent++;
  REQUIRE(two.until([&] { return !two.stage->refused().empty(); }));
  CHECK(two.stage->refused().find("lost.md") != std::string::npos);
  CHECK(two.real("flow.p") == 0.5);
  two.show();
  CHECK(two.stage->refused().empty());
}

TEST_CASE("The stage continues after the studio ends, and follows the next one") {
  TwoScreens two;
  two.show();
  REQUIRE(two.until([&] { return two.workbench().settled(); }));
  two.studio.reset();
  REQUIRE(two.until([&] { return !two.stage->connected(); }));
  CHECK(two.real("flow.points[0].e") == 0.3);
  two.openStudio();
  two.sent = two.drawn = 0;
  two.shown.document = two.shown.document.with("flow.points[0].e", 0.9);
  two.show();
  CHECK(two.stage->connected());
  CHECK(two.real("flow.points[0].e") == 0.9);
  two.studio->endStage();
  two.studio.reset();
  REQUIRE(two.until([&] { return glfwWindowShouldClose(two.stage->window()) == GLFW_TRUE; }));
}
