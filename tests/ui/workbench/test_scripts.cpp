// SPDX-License-Identifier: Apache-2.0
// Scripts act as a user does: pointer, keys and controls change the document, and read-outs and picture follow.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/core/file.h"
#include "engine/render/png.h"
#include "tests/ui/workbench/bench.h"

using namespace sepx;
using namespace sepx::test;

namespace {

const char* const kDrag = R"(set flow.p 0.5
set flow.q 0.8
add point 0.3,0.2
expect flow.points[0].limit.kind == local-min
drag 0.3,0.2 -> 0.3,-1.2 in 0.5
wait settled
expect flow.points[0].limit.kind == global-min
expect flow.points[0].w ~ -1.2 +- 0.01
expect flow.points[0].limit.loss ~ 0.6190145817054232 +- 1e-9
)";

std::string scriptsFolder(const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() / ("sepx-test-workbench-" + name);
  std::filesystem::remove_all(path);
  return path.string();
}

}  // namespace

TEST_CASE("A dragged point that crosses the separatrix ends in the other basin", "[script]") {
  Bench bench;
  bench.play(kDrag);
  // The drag is one undo step.
  bench.play(
      "undo\nexpect flow.points[0].w == 0.2\nexpect flow.points[0].limit.kind == local-min\n"
      "redo\nexpect flow.points[0].limit.kind == global-min\n");
  bench.play(
      "key Ctrl+Z\nexpect flow.points[0].w == 0.2\nkey Ctrl+Shift+Z\nexpect flow.points[0].limit.kind == global-min\n");
}

TEST_CASE("The same script gives the same pixels", "[script]") {
  Picture first;
  for (int i = 0; i < 2; ++i) {
    Bench bench({960, 540});
    bench.play(std::string(kDrag) + "set flow.show.cloud on\nset flow.basin.method both\nwait settled\n");
    if (i == 0) {
      first = bench.picture();
    } else {
      CHECK(bench.picture() == first);
    }
  }
}

TEST_CASE("A script whose device is lost during a computation ends with one message", "[script]") {
  app::Options options;
  options.size = {640, 400};
  options.compute = ui::Compute::Gpu;
  auto host = app::Headless::create(options);
  REQUIRE(host);
  app::Headless& window = **host;
  auto script = ui::parseScript("script 1\nset flow.show.particles true\nwait settled\n", "test");
  REQUIRE(script);
  ui::ScriptRunner runner(std::move(*script), window.workbench(), window, {});
  int frames = 0;
  const Result<void> played = window.play(runner, [&]() -> Result<void> {
    constexpr int kUnderWay = 3;  // the particles exist, but do not have all requested steps yet
    if (++frames == kUnderWay) window.context().markLost();
    return {};
  });
  REQUIRE_FALSE(played);
  CHECK(frames == 3);
  CHECK(played.error().kind == ErrorKind::NoDevice);
  CHECK(played.error().message.find("lost") != std::string::npos);
  CHECK(played.error().message.find('\n') == std::string::npos);
}

TEST_CASE("A script does not wait forever for a job that never publishes", "[script]") {
  Bench bench;
  bench.settle();
  bench.workbench().jobLanes().start("test.stuck", "stuck", [](JobContext& job) -> Result<void> {
    while (!job.cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return {};
  });
  auto script = ui::parseScript("script 1\nwait settled\n", "test");
  REQUIRE(script);
  ui::ScriptRunner runner(std::move(*script), bench.workbench(), *bench.host, {});
  runner.setStepTimeout(0.2);
  const auto outcome = bench.host->play(runner);
  bench.workbench().jobLanes().cancel("test.stuck");
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::CheckFailed);
  CHECK_THAT(outcome.error().message, Catch::Contains("test:2:") && Catch::Contains("0.2 seconds"));
}

TEST_CASE("A failed expectation reports file, line and the value that was found", "[script]") {
  Bench bench;
  const auto outcome = bench.run("add point 0.3,0.2\n\nexpect flow.points[0].limit.kind == global-min\n");
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::CheckFailed);
  CHECK_THAT(outcome.error().message, Catch::Contains("test:4:") && Catch::Contains("local-min"));

  const auto late = bench.run("wait flow.points.count == 7 within 0.2\n");
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::CheckFailed);
  CHECK_THAT(late.error().message, Catch::Contains("test:2:") && Catch::Contains("1"));
}

TEST_CASE("Steps that cannot be carried out give an error with their line", "[script]") {
  Bench bench;
  for (const char* line :
       {"set flow.p 2\n", "set flow.nothing 1\n", "expect flow.nothing == 1\n", "open nowhere.sepx\n",
        "open nowhere.png\n", "theme mauve\n", "key Hyper+Q\n", "click ui:flow.nothing\n", "set ui:flow.nothing 3\n",
        "on moon click 0,0\n", "undo 3\n", "redo\n", "exhibit astrology\n", "save x.sepx\n", "shot x.png\n",
        "expect error \"none\"\n"}) {
    CAPTURE(line);
    const auto outcome = bench.run(line);
    REQUIRE_FALSE(outcome);
    CHECK_THAT(outcome.error().message, Catch::Contains("test:2:"));
    CHECK(outcome.error().kind != ErrorKind::Internal);
  }
}

TEST_CASE("Pressing, moving and releasing in separate steps is a drag", "[script]") {
  Bench bench;
  bench.play(
      "add point 0.3,0.2\npress 0.3,0.2\nhover 0.3,-0.4\nwait frames 5\ntry set flow.p 7\nhover 0.3,-1\n"
      "release 0.3,-1.2\nexpect flow.points[0].w ~ -1.2 +- 0.02\nundo\nexpect flow.points[0].w == 0.2\n");
}

TEST_CASE("A step after try that fails is skipped, and the script continues", "[script]") {
  Bench bench;
  bench.play(
      "set flow.p 0.4\ntry set flow.p 7\ntry set no.such.key 1\ntry undo 50\nredo\ntry open /no/such/file\n"
      "try click ui:no.such.control\ntry click 1e9,1e9\ntry on flow@4 hover 0,0\ntry expect flow.p == 3\n"
      "try wait flow.p == 3 within 0.1\ntry key NoSuchKey\ntry theme none\ntry wait steps 5\nexpect flow.p == 0.4\n"
      "add point 0.3,0.2\ndrag 0.3,0.2 -> 0.3,-1.2\nexpect flow.points[0].w ~ -1.2 +- 0.02\n");
}

TEST_CASE("A refused step does not change the document, and its error can be expected", "[script]") {
  Bench bench;
  const auto before = bench.workbench().document().hash();
  bench.play(
      "set flow.p nan\nexpect error \"flow.p\"\nset flow.p 1\nexpect error \"0 and 1\"\nset flow.q -3\nexpect error "
      "\"flow.q\"\n");
  CHECK(bench.workbench().document().hash() == before);
  bench.play("open nowhere.sepx\nexpect error \"nowhere\"\n");
  CHECK(bench.workbench().document().hash() == before);
}

TEST_CASE("Values can be typed into the controls, and invalid ones are refused", "[script]") {
  Bench bench({1280, 720});
  bench.play("wait settled\nset ui:flow.p 0.7\nexpect flow.p == 0.7\nset ui:flow.q 0.25\nexpect flow.q == 0.25\n");
  const auto before = bench.workbench().document().hash();
  // NaN, infinity, words and values out of range give a message, and the document stays.
  for (const char* wrong : {"nan", "inf", "-0.1", "1", "1e999", "half", "0,5"}) {
    CAPTURE(wrong);
    bench.play("set ui:flow.p " + std::string(wrong) + "\nexpect error \"p must\"\nexpect flow.p == 0.7\n");
    CHECK(bench.workbench().document().hash() == before);
  }
  bench.play(
      "set ui:flow.show.arrows on\nexpect flow.show.arrows == true\nclick ui:flow.show.arrows\n"
      "expect flow.show.arrows == false\nset ui:flow.basin.method both\nexpect flow.basin.method == both\n");
}

TEST_CASE("A theme changes the picture but not the document", "[script]") {
  Bench bench;
  bench.play("add point 0.5,0.5\nwait settled\n");
  const auto dark = bench.picture();
  const auto hash = bench.workbench().document().hash();
  bench.play("theme light\nwait settled\nexpect workbench.theme == light\n");
  CHECK(bench.picture() != dark);
  // Once through all themes.
  for (std::size_t i = 0; i + 1 < ui::themeKeys().size(); ++i)
    bench.play("key Ctrl+T\nwait settled\nexpect workbench.theme != light\n");
  bench.play("key Ctrl+T\nwait settled\nexpect workbench.theme == light\n");
  CHECK(bench.picture() != dark);
  bench.play("theme dark\nwait settled\nexpect workbench.theme == dark\n");
  CHECK(bench.picture() == dark);
  CHECK(bench.workbench().document().hash() == hash);
}

TEST_CASE("After resizing and scaling forth and back the picture is the same", "[script]") {
  Bench bench;
  bench.play("add point 0.5,0.5\nwait settled\n");
  const auto before = bench.picture();
  bench.play("resize 900x700\nwait settled\n");
  CHECK(bench.picture().pixels.extent == gpu::Extent{900, 700});
  bench.play("resize 1280x800\nscale 2\nwait settled\n");
  bench.play("scale 1\nresize 640x400\nwait settled\n");
  CHECK(bench.picture() == before);
}

TEST_CASE("Resizing a window during a drag keeps the gesture", "[script]") {
  Bench bench;
  bench.play("add point 0.5,0.5\nwait settled\n");
  const auto at = *bench.workbench().toPixels("flow", {0.5, 0.5});
  bench.frame({ui::PointerMoved{at.x, at.y}});
  bench.frame({ui::PointerPressed{ui::Button::Left, true, at.x, at.y, {}}});
  bench.frame({ui::PointerMoved{at.x + 20, at.y}});
  REQUIRE(bench.host->resize({800, 500}));
  bench.frame();
  const auto to = *bench.workbench().toPixels("flow", {-0.5, -0.5});
  bench.frame({ui::PointerMoved{to.x, to.y}});
  bench.frame({ui::PointerPressed{ui::Button::Left, false, to.x, to.y, {}}});
  bench.settle();
  CHECK(bench.number("flow.points[0].e") < 0);
  CHECK(bench.number("flow.points[0].w") < 0);
  CHECK(bench.number("flow.points.count") == 1);
  bench.play("undo\nexpect flow.points[0].e == 0.5\n");
}

TEST_CASE("Clicks between two frames reach the canvas", "[script]") {
  Bench bench;
  bench.settle();
  const auto at = *bench.workbench().toPixels("flow", {-0.7, 0.6});
  const ui::PointerPressed down{ui::Button::Left, true, at.x, at.y, {}}, up{ui::Button::Left, false, at.x, at.y, {}};
  bench.frame({ui::PointerMoved{at.x, at.y}, down, up, down, up});
  bench.settle();
  CHECK(bench.number("flow.points.count") == 1);
  CHECK(bench.number("flow.points[0].e") == Approx(-0.7).margin(0.02));
}

TEST_CASE("A script writes files, and its session reopens with the same picture", "[script]") {
  const std::string out = scriptsFolder("files");
  Bench bench;
  bench.play(std::string(kDrag) + "shot picture.png\nexport scene.svg\nsave state.sepx\n", out);
  auto png = render::readPng(out + "/picture.png");
  REQUIRE(png);
  CHECK(Picture{*png} == bench.picture());
  const auto svg = readFile(out + "/scene.svg");
  REQUIRE(svg);
  CHECK_THAT(*svg,
             Catch::Contains("<svg") && Catch::Contains("Separatrix-Recipe") && Catch::Contains("global minimum"));
  CHECK_FALSE(bench.workbench().modified());

  Bench again;
  again.play("open state.sepx\nwait settled\nhover @5,5\nwait settled\n", out);
  bench.play("hover @5,5\nwait settled\n");
  CHECK(again.workbench().document() == bench.workbench().document());
  CHECK(again.picture() == bench.picture());
  again.play("set flow.p 0.4\n");
  CHECK(again.workbench().modified());
  again.play("undo\n");
  CHECK_FALSE(again.workbench().modified());
}
