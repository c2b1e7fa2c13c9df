// SPDX-License-Identifier: Apache-2.0
// The stage's window in this process, where a test can simulate the loss of the device.
#include <fstream>

#include <catch2/catch.hpp>

#include "app/stage/glfw_input.h"
#include "app/stage/stage_window.h"
#include "tests/hosts/process.h"

#include <GLFW/glfw3.h>

namespace {

using namespace sepx;

/// Initialises GLFW for one case.
struct Glfw {
  Glfw() { REQUIRE(glfwInit()); }
  ~Glfw() { glfwTerminate(); }
};

app::StageOptions scripted(const std::string& name, const char* steps) {
  const std::string folder = tests::freshFolder(name);
  std::ofstream(folder + "/steps.script") << "script 1\n" << steps;
  app::StageOptions options;
  options.common.script = folder + "/steps.script";
  options.common.outDir = folder;
  options.common.threads = 1;
  return options;
}

}  // namespace

TEST_CASE("A slow frame of the stage does not split a double click into two clicks") {
  app::InputSink sink;
  // Times at which the window had the previous events, asked for new ones, and got the press.
  const auto press = [&sink](double ended, double asked, double seconds, double x = 50) {
    sink.turn = {.asked = asked, .ended = ended};
    return app::isDoubleClick(sink, {GLFW_MOUSE_BUTTON_LEFT, seconds, x, 40});
  };
  CHECK_FALSE(press(0, 0.01, 10));
  CHECK(press(10, 10.01, 10.2));          // soon enough
  CHECK_FALSE(press(10.2, 10.21, 10.3));  // a third press starts again
  CHECK(press(10.3, 12.3, 12.3));         // it arrived while a frame took two seconds
  CHECK_FALSE(press(20, 20.01, 30));
  CHECK_FALSE(press(30, 30.01, 33));        // the window waited, so this is the time of the press
  CHECK_FALSE(press(33, 33.01, 33.1, 90));  // at another position
  CHECK_FALSE(app::isDoubleClick(sink, {GLFW_MOUSE_BUTTON_RIGHT, 33.2, 90, 40}));
}

TEST_CASE("A stage whose device is lost creates it again and continues") {
  const Glfw glfw;
  auto stage = app::StageWindow::create(
      scripted("stage-lost",
               "add point 0.3,0.3\nwait settled\nexpect flow.points[0].limit.kind == local-min\nshot after.png\n"));
  REQUIRE(stage);
  REQUIRE((*stage)->session().context().validating());
  (*stage)->session().context().markLost();
  const auto outcome = (*stage)->run();
  INFO((outcome ? std::string() : outcome.error().message));
  CHECK(outcome);
}

TEST_CASE("A stage that loses its device twice ends with status 4 and a message") {
  const Glfw glfw;
  auto stage = app::StageWindow::create(scripted("stage-lost-again", "wait frames 3\n"));
  REQUIRE(stage);
  (*stage)->session().context().markLost();
  REQUIRE((*stage)->run());
  (*stage)->session().context().markLost();
  const auto outcome = (*stage)->run();
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::NoDevice);
  CHECK(outcome.error().message.find("lost") != std::string::npos);
}

TEST_CASE("A stage keeps its picture through resizing, hiding and minimising") {
  const Glfw glfw;
  auto stage = app::StageWindow::create(
      scripted("stage-resize", "resize 800x600\nwait settled\nresize 1280x720\nwait settled\nshot after.png\n"));
  REQUIRE(stage);
  REQUIRE((*stage)->run());
  CHECK((*stage)->extent() == gpu::Extent{1280, 720});
  const auto before = (*stage)->session().drawn();
  GLFWwindow* window = (*stage)->window();
  glfwHideWindow(window);
  glfwPollEvents();
  (*stage)->session().frame(1, false);
  glfwShowWindow(window);
  glfwIconifyWindow(window);
  glfwPollEvents();
  (*stage)->session().frame(1, false);
  glfwRestoreWindow(window);
  glfwPollEvents();
  CHECK((*stage)->session().frame(1, false) == gpu::TargetStatus::Ready);
  CHECK((*stage)->session().drawn() > before);
  CHECK((*stage)->session().validationOutcome());
}
