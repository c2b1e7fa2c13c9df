// SPDX-License-Identifier: Apache-2.0
#include "engine/render/solid_pass.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/render/picture.h"
#include "engine/render/png.h"
#include "tests/engine/render/device.h"
#include "tests/engine/render/sample_scene3.h"
#include "tests/folders.h"

namespace sepx::render {
namespace {

using test::alongX;
using test::wallAt;

const Rect kSquare{{0, 0}, {120, 120}};
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const Color kRed{0.9F, 0.2F, 0.1F, 1}, kBlue{0.1F, 0.3F, 0.9F, 1}, kGreen{0.1F, 0.8F, 0.2F, 1};
const Color kGround{0.1F, 0.11F, 0.13F, 1};  // the background of pageWith

struct Pixel {
  int r, g, b;
  bool near(const Color& color, int tolerance = 4) const {
    return std::abs(r - color.r * 255) <= tolerance && std::abs(g - color.g * 255) <= tolerance &&
           std::abs(b - color.b * 255) <= tolerance;
  }
};

Pixel at(const gpu::Pixels& pixels, double x, double y) {
  const std::size_t i = 4 * (static_cast<std::size_t>(y) * pixels.extent.width + static_cast<std::size_t>(x));
  return {pixels.rgba.at(i), pixels.rgba.at(i + 1), pixels.rgba.at(i + 2)};
}

double difference(const gpu::Pixels& a, const gpu::Pixels& b, int by) {
  REQUIRE(a.extent == b.extent);
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i)
    count += std::abs(int{a.rgba[i]} - int{b.rgba[i]}) > by ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(a.rgba.size());
}

std::shared_ptr<const Scene3> shared(Scene3 scene) {
  return std::make_shared<const Scene3>(std::move(scene));
}

Tube across(double x, Color color, float width = 8) {
  Tube tube;
  tube.points = {{x, -1, 0}, {x, 1, 0}};
  tube.color = color;
  tube.width = width;
  tube.lit = false;
  return tube;
}

// The colour at the middle of a wall, which faces the eye.
Color faced(const Color& color, const Scene3& scene) {
  return lit(color, {0, 0, 1}, {0, 0, 1}, lightOf(scene));
}

Color over(const Color& top, const Color& below) {
  const auto mix = [&](float a, float b) { return a * top.a + b * (1 - top.a); };
  return {mix(top.r, below.r), mix(top.g, below.g), mix(top.b, below.b), 1};
}

gpu::Pixels drawn(test::Device& device, const Scene3& scene, float scale = 1) {
  return device.draw(test::pageWith(shared(scene), scene.plot.max.x, scene.plot.max.y), scale);
}

}  // namespace

TEST_CASE("Near surfaces hide far ones in any order of the list", "[solid][vulkan]") {
  test::Device device;
  for (const bool nearFirst : {true, false}) {
    Scene3 scene = alongX(kSquare);
    scene.surfaces = {wallAt(-1, kBlue), wallAt(0.5F, kRed, 0.5F)};
    if (nearFirst) std::swap(scene.surfaces[0], scene.surfaces[1]);
    const gpu::Pixels pixels = drawn(device, scene);
    CHECK(at(pixels, 60, 70).near(faced(kRed, scene)));
    CHECK(at(pixels, 60, 78).near(faced(kBlue, scene), 8));
    CHECK(at(pixels, 4, 4).near(kGround));
  }
}

TEST_CASE("Translucent surfaces are blended from far to near", "[solid][vulkan]") {
  test::Device device;
  for (const bool nearFirst : {true, false}) {
    Scene3 scene = alongX(kSquare);
    Color far = kBlue, near = kRed;
    far.a = 0.6F;
    near.a = 0.4F;
    scene.surfaces = {wallAt(-1, far), wallAt(0.5F, near)};
    if (nearFirst) std::swap(scene.surfaces[0], scene.surfaces[1]);
    const Color expected = over(faced(near, scene), over(faced(far, scene), kGround));
    CHECK(at(drawn(device, scene), 63, 70).near(expected));
    // With an opaque wall between them the far surface is hidden.
    scene.surfaces.push_back(wallAt(-0.3F, kGreen));
    CHECK(at(drawn(device, scene), 63, 70).near(over(faced(near, scene), faced(kGreen, scene))));
  }
}

TEST_CASE("A clip plane cuts surfaces and tubes at its position", "[solid][vulkan]") {
  test::Device device;
  Scene3 scene = alongX(kSquare);
  scene.clips = {{{0, 1, 0}, 0.2}};
  scene.surfaces = {wallAt(0, kBlue)};
  scene.tubes = {across(0.5, kRed)};
  const double edge = toPage(scene, {0, 0.2, 0})->x, cut = toPage(scene, {0.5, 0.2, 0})->x;
  const gpu::Pixels pixels = drawn(device, scene);
  CHECK(at(pixels, edge - 3, 75).near(kGround));
  CHECK(at(pixels, edge + 3, 75).near(faced(kBlue, scene), 8));
  CHECK(at(pixels, cut - 2, 60).near(kGround));  // cut perpendicularly
  CHECK(at(pixels, cut + 7, 60).near(kRed));
  // Neither is cut if it is not marked as clipped.
  scene.surfaces[0].clipped = scene.tubes[0].clipped = false;
  const gpu::Pixels whole = drawn(device, scene);
  CHECK(at(whole, edge - 3, 75).near(faced(kBlue, scene), 8));
  CHECK(at(whole, cut - 6, 60).near(kRed));
}

TEST_CASE("A tube is hidden behind a wall, visible in front of it, and tinted behind a translucent surface",
          "[solid][vulkan]") {
  test::Device device;
  Scene3 scene = alongX(kSquare);
  scene.surfaces = {wallAt(0, kBlue)};
  scene.tubes = {across(-0.5, kRed)};
  CHECK(at(drawn(device, scene), 66, 60).near(faced(kBlue, scene), 8));
  scene.tubes = {across(0.5, kRed)};
  CHECK(at(drawn(device, scene), 66, 60).near(kRed));
  Color glass = kBlue;
  glass.a = 0.5F;
  scene.surfaces = {wallAt(0, glass)};
  CHECK(at(drawn(device, scene), 66, 60).near(kRed));
  scene.tubes = {across(-0.5, kRed)};
  CHECK(at(drawn(device, scene), 66, 60).near(over(faced(glass, scene), kRed), 6));
  // A translucent tube is blended over the sheet in front of it and under the sheet behind it.
  Color faint = kRed;
  faint.a = 0.5F;
  scene.tubes = {across(0.5, faint)};
  CHECK(at(drawn(device, scene), 66, 60).near(over(faint, over(faced(glass, scene), kGround)), 6));
  scene.tubes = {across(-0.5, faint)};
  CHECK(at(drawn(device, scene), 66, 60).near(over(faced(glass, scene), over(faint, kGround)), 6));
}

TEST_CASE("A tube on a surface is visible, with a smooth rim and lighting", "[solid][vulkan]") {
  test::Device device;
  Scene3 scene = alongX(kSquare);
  Color glass = kBlue;
  glass.a = 0.5F;
  scene.surfaces = {wallAt(0, glass)};
  scene.tubes = {across(0, kRed, 10)};
  CHECK(at(drawn(device, scene), 66, 60).near(kRed));
  // Half-covered pixels show the sheet, not the background behind it.
  const Color sheet = over(faced(glass, scene), kGround);
  scene.tubes[0].width = 9;  // 60 - 4.5 is the middle of a pixel
  const Pixel rim = at(drawn(device, scene), 66, 55);
  CHECK(rim.near(over({kRed.r, kRed.g, kRed.b, 0.5F}, sheet), 8));
  scene.tubes[0].lit = true;
  scene.light = {0, 1, 0.5};
  const gpu::Pixels lit = drawn(device, scene);
  CHECK(at(lit, 66, 57).r > at(lit, 66, 63).r + 15);  // light from above
}

TEST_CASE("A contour line lies at its value", "[solid][vulkan]") {
  test::Device device;
  for (const bool even : {true, false}) {
    Scene3 scene = alongX(kSquare);
    scene.surfaces = {wallAt(0, kBlue)};
    scene.surfaces[0].contours = even ? std::vector<float>{-0.5F, 0, 0.5F} : std::vector<float>{-0.5F, 0.1F, 0.5F};
    scene.surfaces[0].contourColor = {1, 1, 1, 1};
    scene.surfaces[0].contourWidth = 3;
    for (const float scale : {1.0F, 2.0F}) {
      const gpu::Pixels pixels = drawn(device, scene, scale);
      for (const float value : scene.surfaces[0].contours) {
        const double x = toPage(scene, {0, value, 0})->x;
        CHECK(at(pixels, scale * x, scale * 70).near({1, 1, 1, 1}));
        CHECK(at(pixels, scale * (x - 4), scale * 70).near(faced(kBlue, scene), 8));
        CHECK(at(pixels, scale * (x + 4), scale * 70).near(faced(kBlue, scene), 8));
      }
    }
  }
}

TEST_CASE("Values are drawn with the colours of the scale", "[solid][vulkan]") {
  test::Device device;
  Scene3 scene = alongX(kSquare);
  scene.surfaces = {wallAt(0, kBlue)};
  scene.surfaces[0].map = ColorMap::Gray;
  scene.surfaces[0].low = -1;
  scene.surfaces[0].high = 1;
  const gpu::Pixels pixels = drawn(device, scene);
  CHECK(at(pixels, 40, 60).r + 40 < at(pixels, 60, 60).r);
  CHECK(at(pixels, 60, 60).r + 40 < at(pixels, 80, 60).r);
  CHECK(std::abs(at(pixels, 60, 60).r - at(pixels, 60, 60).b) < 3);
}

TEST_CASE("Markers hide and are hidden, handles are never hidden, and labels are always visible", "[solid][vulkan]") {
  test::Device device;
  Scene3 scene = alongX(kSquare);
  scene.surfaces = {wallAt(0, kBlue)};
  scene.markers = {{{-0.5, 0, 0}, Shape::Square, 20, kRed, kRed, 0}};  // 0.43 units thick
  CHECK(at(drawn(device, scene), 63, 60).near(faced(kBlue, scene), 8));
  scene.markers[0].at.x = 0;  // on the wall, facing the eye
  CHECK(at(drawn(device, scene), 63, 60).near(kRed));
  scene.markers[0].at.x = -0.5;
  scene.markers[0].inFront = true;
  CHECK(at(drawn(device, scene), 63, 60).near(kRed));
  scene.markers.clear();
  const gpu::Pixels without = drawn(device, scene);
  scene.labels = {{{-0.5, 0, 0}, "W", 30, {1, 1, 1, 1}, AlignX::Center, AlignY::Middle}};
  CHECK(difference(drawn(device, scene), without, 40) > 0.002);
}

TEST_CASE("A picture is drawn again only if it has changed", "[solid][vulkan]") {
  test::Device device;
  const auto scene = shared(test::sampleScene3({{0, 0}, {160, 120}}, 10));
  Scene page = test::pageWith(scene, 160, 120);
  const gpu::Pixels first = device.draw(page, 1);
  CHECK(device.statistics().drawnSolids == 1);
  CHECK(device.draw(page, 1).rgba == first.rgba);
  CHECK(device.statistics().drawnSolids == 0);
  const gpu::Pixels twice = device.draw(page, 2);
  CHECK(device.statistics().drawnSolids == 1);
  Scene3 other = *scene;
  other.eye = test::orbit(1.2, 0.4, 4);
  const Scene moved = test::pageWith(shared(other), 160, 120);
  CHECK(difference(device.draw(moved, 1), first, 10) > 0.01);
  CHECK(device.statistics().drawnSolids == 1);
  CHECK(device.draw(page, 1).rgba == first.rgba);
  SECTION("Two positions in one frame") {
    const PlacedScene both[] = {{&page, {0, 0}}, {&moved, {160, 0}}};
    const gpu::Pixels side = device.draw(both, 1, {320, 120});
    for (int i = 0; i < 3; ++i)
      CHECK(device.draw(both, 1, {320, 120}).rgba == side.rgba);
    CHECK(device.statistics().drawnSolids == 0);
    for (std::uint32_t y = 0; y < 120; ++y)
      REQUIRE(std::equal(side.rgba.begin() + 4 * 320 * y, side.rgba.begin() + 4 * (320 * y + 160),
                         first.rgba.begin() + 4 * 160 * y));
  }
  SECTION("In a cached layer it is drawn with the layer") {
    const Scene still = test::pageWith(scene, 160, 120, true);
    CHECK(device.draw(still, 1).rgba == first.rgba);
    for (int i = 0; i < 8; ++i)
      CHECK(device.draw(still, 1).rgba == first.rgba);
    CHECK(device.statistics().drawnSolids == 0);
    CHECK(device.statistics().cachedLayers == 1);
  }
  SECTION("Many eyes one after the other") {
    for (int i = 0; i < 12; ++i) {
      other.eye = test::orbit(0.1 * i, 0.4, 4);
      const Scene turned = test::pageWith(shared(other), 160, 120);
      const gpu::Pixels seen = device.draw(turned, 1);
      if (i % 4 == 3) {
        test::Device fresh;
        CHECK(fresh.draw(turned, 1).rgba == seen.rgba);
      }
    }
  }
}

TEST_CASE("A three-dimensional picture drawn in tiles equals the whole picture", "[solid][vulkan]") {
  test::Device device;
  const Scene scene = test::pageWith(shared(test::sampleScene3({{20, 10}, {300, 230}}, 20)), 320, 240);
  const PlacedScene placed{&scene, {0, 0}};
  const auto made = [&](std::uint32_t tile) {
    auto picture = Picture::create(device.context(), {640, 480}, 2, {0, 0, 0, 1});
    REQUIRE(picture);
    (*picture)->setTile(tile);
    for (auto more = (*picture)->step({&placed, 1}); more && !*more;)
      more = (*picture)->step({&placed, 1});
    return (*picture)->take();
  };
  CHECK(difference(made(4096), made(200), 24) < 0.002);
  device.requireClean();
}

TEST_CASE("Invalid scenes are drawn as far as possible, without validation messages", "[solid][vulkan]") {
  test::Device device;
  const auto quiet = [&](const Scene3& scene) { return drawn(device, scene, 1); };
  Scene3 empty = alongX(kSquare);
  CHECK(at(quiet(empty), 60, 60).near(kGround));
  Scene3 none = alongX(kSquare);
  none.plot = {{10, 10}, {10, 90}};
  CHECK(at(device.draw(test::pageWith(shared(none), 120, 120), 1), 60, 60).near(kGround));
  CHECK(at(device.draw(test::pageWith(nullptr, 120, 120), 1), 60, 60).near(kGround));
  Scene3 outside = test::sampleScene3({{-500, -400}, {-20, -10}});
  CHECK(at(device.draw(test::pageWith(shared(outside), 120, 120), 1), 60, 60).near(kGround));
  Scene3 blind = test::sampleScene3({{0, 0}, {120, 120}});
  blind.eye.toEye[0] = kNaN;
  CHECK(at(quiet(blind), 60, 60).near(kGround));
  Scene3 holes = alongX(kSquare);
  auto mesh = std::make_shared<Mesh>(*test::graph(12, 1, [](double, double) { return 0.0; }));
  for (std::size_t i = 0; i < mesh->positions.size(); i += 7) {
    mesh->positions[i][2] = i % 2 ? std::numeric_limits<float>::quiet_NaN() : 1e30F;
    mesh->values[i] = std::numeric_limits<float>::infinity();
    mesh->normals[i] = {0, 0, 0};
  }
  mesh->triangles.insert(mesh->triangles.end(), {3, 3, 3, 100000, 1, 2, 5});
  mesh->revision = test::nextRevision();
  for (const float alpha : {1.0F, 0.5F}) {
    holes.surfaces.push_back({mesh, {1, 0.5F, 0.2F, alpha}, ColorMap::Viridis, 0, 1, {0, 0.5F}});
    holes.surfaces.push_back({});
  }
  holes.tubes = {across(kNaN, kRed), across(1e300, kRed), Tube{}};
  holes.markers = {{{kNaN, 0, 0}}, {{0, 0, 1e300}}};
  holes.labels = {{{kNaN, 0, 0}, "x"}};
  holes.clips = {{{kNaN, 0, 0}, 0}, {{0, 0, 0}, 5}, {{1e300, 0, 0}, 0}, {{0, 0, 1}, kNaN}, {{0, 1, 0}, -9}};
  holes.light = {0, 0, 0};
  quiet(holes);
  // From inside a closed surface it is visible everywhere.
  Scene3 inside = alongX(kSquare);
  inside.eye = test::orbit(0.4, 0.2, 0.3);
  for (const float x : {-1.0F, 1.0F})
    inside.surfaces.push_back(wallAt(x, kBlue, 3));
  Surface roof;
  roof.mesh = test::graph(4, 3, [](double x, double y) { return 1 - 0.05 * (x * x + y * y); });
  roof.color = kBlue;
  inside.surfaces.push_back(roof);
  const Pixel seen = at(quiet(inside), 60, 60);
  CHECK(seen.b > 100);
  CHECK(seen.b > seen.r + 50);
}

TEST_CASE("Multisampling changes the picture only at edges", "[solid][vulkan]") {
  test::Device one({1}), four({4});
  const auto scene = shared(test::sampleScene3({{0, 0}, {400, 300}}, 20));
  const Scene page = test::pageWith(scene, 400, 300);
  const gpu::Pixels plain = one.draw(page, 1);
  CHECK(difference(four.draw(page, 1), plain, 30) < 0.03);
  CHECK(difference(four.draw(page, 1), plain, 4) > 0);
  // Drawn again, and at another position with the same size: the samples are shared.
  Scene3 other = *scene;
  other.eye = test::orbit(1.2, 0.4, 4);
  const Scene moved = test::pageWith(shared(other), 400, 300);
  const PlacedScene both[] = {{&page, {0, 0}}, {&moved, {400, 0}}};
  const gpu::Pixels side = four.draw(both, 1, {800, 300});
  CHECK(four.draw(both, 1, {800, 300}).rgba == side.rgba);
  CHECK(difference(side, one.draw(both, 1, {800, 300}), 30) < 0.03);
}

TEST_CASE("A scene with all kinds of elements agrees with the golden picture", "[solid][vulkan]") {
  test::Device device;
  const Scene page = test::pageWith(shared(test::sampleScene3({{0, 0}, {400, 300}})), 400, 300);
  const gpu::Pixels picture = device.draw(page, 1);
  const std::string path = tests::sourceFolder() + "/tests/golden/solid_1x.png";
  const char* update = std::getenv("SEPX_UPDATE_GOLDEN");
  if (update && std::string(update) == "1") REQUIRE(writePng(picture, path));
  const auto golden = readPng(path);
  if (!golden) FAIL(golden.error().message);
  const double share = difference(picture, *golden, 14);
  if (share > 0.003) {
    const std::string seen = tests::buildFolder() + "/seen_solid_1x.png";
    REQUIRE(writePng(picture, seen));
    FAIL(100 * share << " % of the numbers differ; see " << seen);
  }
}

}  // namespace sepx::render
