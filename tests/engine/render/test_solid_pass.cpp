// SPDX-License-Identifier: Apache-2.0
#include "engine/render/solid_pass.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "engine/render/pdf_writer.h"
#include "engine/render/png.h"
#include "engine/render/svg_writer.h"
#include "tests/engine/render/device.h"
#include "tests/engine/render/sample_scene3.h"

namespace sepx::render {
namespace {

std::shared_ptr<const Scene3> shared(Scene3 scene) {
  return std::make_shared<const Scene3>(std::move(scene));
}

void keep(const gpu::Pixels& pixels, const char* name) {
  if (const char* folder = std::getenv("SEPX_KEEP_PICTURES"))
    REQUIRE(writePng(pixels, std::string(folder) + "/" + name + ".png"));
}

}  // namespace

TEST_CASE("a scene with everything in three dimensions is drawn", "[solid]") {
  test::Device device;
  const Scene page = test::pageWith(shared(test::sampleScene3({{0, 0}, {640, 480}})), 640, 480);
  keep(device.draw(page, 1), "solid_1x");
  CHECK(device.statistics().drawnSolids == 1);
  keep(device.draw(page, 2), "solid_2x");
  if (const char* folder = std::getenv("SEPX_KEEP_PICTURES")) {
    const std::string svg = toSvg(page);
    std::ofstream(std::string(folder) + "/solid.svg") << svg;
    std::ofstream(std::string(folder) + "/solid.pdf", std::ios::binary) << *toPdf(svg, {640, 480, "solid", ""});
  }
}

}  // namespace sepx::render
