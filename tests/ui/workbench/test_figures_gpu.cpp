// SPDX-License-Identifier: Apache-2.0
// Figures that a device computes (--compute gpu).
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <vulkan/vulkan.h>

#include "tests/patience.h"
#include "tests/ui/workbench/figure_rig.h"
#include "tests/ui/workbench/parts.h"
#include "ui/workbench/figures.h"

using namespace sepx;

namespace {

/// A workbench whose figures contain a texture of the flow, which a device computes.
struct TextureFigures {
  std::unique_ptr<gpu::Context> context;
  ui::Workbench workbench{options()};

  TextureFigures() {
    auto made = gpu::Context::create({.validation = true});
    if (!made) FAIL(made.error().message);
    context = std::move(*made);
    REQUIRE(workbench.set("flow.show.texture", true));
  }
  static ui::WorkbenchOptions options() {
    ui::WorkbenchOptions wishes;
    wishes.scripted = true;
    wishes.threads = 2;
    wishes.compute = ui::Compute::Gpu;
    return wishes;
  }
};

}  // namespace

TEST_CASE("A cancelled film is ended in a job and leaves no files", "[figure]") {
  const test::Place place;
  const auto context = gpu::Context::create({.validation = true});
  REQUIRE(context);
  std::atomic<bool> ended{false}, left{false};
  ui::WorkbenchOptions options = test::partOptions();
  options.wake = [&] {
    if (!test::isThread("film")) return;
    left = !place.names().empty();
    ended = true;
  };
  ui::Workbench of(options);
  REQUIRE(of.addPoint({0.3, 0.2}));
  test::Parts parts;
  parts.window.options.scripted = false;
  parts.window.gpu = context->get();
  ui::Figures figures(of, parts.window);
  ui::FigureRequest film = test::request(place.path("film/"));
  film.seconds = 60;
  REQUIRE(figures.start(film));
  REQUIRE(tests::eventually([&] {
    figures.step();
    return !place.names().empty() || figures.idle();
  }));
  REQUIRE_FALSE(figures.idle());
  CHECK(figures.cancel(figures.jobs().front().lane));
  CHECK(figures.idle());
  CHECK(tests::eventually([&ended] { return ended.load(); }));
  CHECK_FALSE(left);
  CHECK(tests::eventually([&figures] {
    figures.step();
    return !figures.hasEndingFigures();
  }));
}

TEST_CASE("A figure whose device is lost during the computation ends at once with one message", "[figure]") {
  const test::Place place;
  TextureFigures figures;
  const int before = GENERATE(0, 1, 2);
  ui::FigureMaker maker(figures.workbench, figures.context.get(), test::request(place.path("a.svg")));
  for (int i = 0; i < before; ++i)
    REQUIRE_FALSE(maker.step());
  figures.context->markLost();
  int steps = 1;
  while (!maker.step())
    REQUIRE(++steps < 100);
  CHECK(steps == 1);
  const auto outcome = maker.outcome();
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::NoDevice);
  CHECK(outcome.error().message.find("lost") != std::string::npos);
  CHECK(outcome.error().message.find('\n') == std::string::npos);
  CHECK_FALSE(std::filesystem::exists(place.path("a.svg")));
}

TEST_CASE("A figure that a device computes may be larger than the largest image of the device", "[figure]") {
  const test::Place place;
  TextureFigures figures;
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(figures.context->physicalDevice(), &properties);
  const std::uint32_t width = properties.limits.maxImageDimension2D + 100;
  ui::FigureRequest wide = test::request(place.path("wide.png"));
  wide.scale = 4;
  wide.width = width / wide.scale;
  wide.height = 100;
  const auto made = ui::makeFigure(figures.workbench, figures.context.get(), wide);
  INFO((made ? std::string() : made.error().message));
  REQUIRE(made);
  const auto pixels = render::readPng(wide.path);
  REQUIRE(pixels);
  CHECK(pixels->extent == gpu::Extent{width, 400});
  CHECK(figures.context->validationMessages().empty());
}
