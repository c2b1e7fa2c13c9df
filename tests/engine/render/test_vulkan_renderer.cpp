// SPDX-License-Identifier: Apache-2.0
#include "engine/render/vulkan_renderer.h"

#include <algorithm>
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/render/color_map.h"
#include "engine/render/png.h"
#include "tests/engine/render/device.h"
#include "tests/engine/render/sample_scene.h"
#include "tests/folders.h"

namespace sepx::render {
namespace {

struct Pixel {
  int r, g, b;
  bool near(const Color& color, int tolerance = 3) const {
    return std::abs(r - color.r * 255) <= tolerance && std::abs(g - color.g * 255) <= tolerance &&
           std::abs(b - color.b * 255) <= tolerance;
  }
};

Pixel at(const gpu::Pixels& pixels, int x, int y) {
  const std::size_t i = 4 * (static_cast<std::size_t>(y) * pixels.extent.width + static_cast<std::size_t>(x));
  return {pixels.rgba[i], pixels.rgba[i + 1], pixels.rgba[i + 2]};
}

// The share of the pixels in which a channel differs by more than `by`.
double difference(const gpu::Pixels& a, const gpu::Pixels& b, int by) {
  REQUIRE(a.extent == b.extent);
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::abs(int{a.rgba[i + k]} - int{b.rgba[i + k]}) > by) {
        ++count;
        break;
      }
    }
  }
  return static_cast<double>(count) / static_cast<double>(a.rgba.size() / 4);
}

// With SEPX_UPDATE_GOLDEN=1 the picture becomes the golden one. Look at it before you commit it.
void compareGolden(const gpu::Pixels& picture, const std::string& name) {
  const std::string path = tests::sourceFolder() + "/tests/golden/" + name;
  const char* update = std::getenv("SEPX_UPDATE_GOLDEN");
  if (update && std::string(update) == "1") REQUIRE(writePng(picture, path));
  const auto golden = readPng(path);
  if (!golden) FAIL(golden.error().message);
  const double share = difference(picture, *golden, 12);
  if (share > 0.002) {
    const std::string seen = tests::buildFolder() + "/seen_" + name;
    REQUIRE(writePng(picture, seen));
    FAIL(name << ": " << 100 * share << " % of the pixels differ; see " << seen);
  }
}

const Color kWhite{1, 1, 1, 1}, kBlack{0, 0, 0, 1}, kRed{1, 0, 0, 1};

Scene blank(std::vector<Item> items, bool clip = false) {
  Scene scene;
  scene.width = scene.height = 64;
  scene.plot = {{8, 8}, {56, 56}};
  scene.window = {{0, 0}, {48, 48}};
  scene.background = kBlack;
  scene.layers = {Layer{"items", 1, false, clip, std::move(items)}};
  return scene;
}

}  // namespace

TEST_CASE("Every kind of item at scale 1 and 2 agrees with the golden pictures", "[vulkan]") {
  test::Device device;
  const Scene scene = test::sampleScene();
  const gpu::Pixels once = device.draw(scene, 1), twice = device.draw(scene, 2);
  compareGolden(once, "scene_1x.png");
  compareGolden(twice, "scene_2x.png");
  test::Device again;
  CHECK(again.draw(scene, 1).rgba == once.rgba);
  CHECK(again.draw(scene, 2).rgba == twice.rgba);
}

TEST_CASE("Still layers are cached and give the same pixels", "[vulkan]") {
  test::Device device;
  Scene scene = test::sampleScene();
  const gpu::Pixels first = device.draw(scene, 1);
  CHECK(device.statistics().drawnLayers == 4);
  CHECK(device.statistics().cachedLayers == 0);
  CHECK(device.draw(scene, 1).rgba == first.rgba);
  CHECK(device.statistics().drawnLayers == 2);  // the moving layers
  CHECK(device.statistics().cachedLayers == 2);

  SECTION("Layers that are not cached give the same pixels") {
    for (Layer& layer : scene.layers)
      layer.still = false;
    CHECK(difference(device.draw(scene, 1), first, 1) == 0);
    CHECK(device.statistics().cachedLayers == 0);
  }
  SECTION("A changed revision redraws the layers") {
    scene.layers[1].items.push_back(Marker{{0.5, 0.5}, Shape::Square, 30, kRed, kRed});
    ++scene.layers[1].revision;
    CHECK(device.draw(scene, 1).rgba != first.rgba);
    CHECK(device.statistics().drawnLayers == 4);
  }
  SECTION("A changed window redraws the layers") {
    scene.window.max.x = 3;
    CHECK(device.draw(scene, 1).rgba != first.rgba);
    CHECK(device.statistics().cachedLayers == 0);
    scene.window.max.x = 2;
    CHECK(device.draw(scene, 1).rgba == first.rgba);
  }
  SECTION("A changed scale redraws the layers") {
    device.draw(scene, 2);
    CHECK(device.statistics().cachedLayers == 0);
    CHECK(device.draw(scene, 1).rgba == first.rgba);
  }
  SECTION("A changed moving layer keeps the cached layers") {
    scene.layers[3].items.clear();
    ++scene.layers[3].revision;
    CHECK(device.draw(scene, 1).rgba != first.rgba);
    CHECK(device.statistics().cachedLayers == 2);
  }
}

TEST_CASE("A line along an axis is sharp and ends at the right pixels", "[vulkan]") {
  test::Device device;
  const gpu::Pixels picture = device.draw(blank({Polyline{{{10, 20}, {50, 20}}, {kWhite, 2}, {}, Space::Page}}), 1);
  CHECK(at(picture, 30, 18).near(kBlack));
  CHECK(at(picture, 30, 19).near(kWhite));
  CHECK(at(picture, 30, 20).near(kWhite));
  CHECK(at(picture, 30, 21).near(kBlack));
  CHECK(at(picture, 7, 20).near(kBlack));
  CHECK(at(picture, 53, 20).near(kBlack));
}

TEST_CASE("The joins of a translucent line have the opacity of the line", "[vulkan]") {
  test::Device device;
  Polyline bent{{{10, 32}, {32, 31}, {33, 32}, {54, 34}}, {{1, 1, 1, 0.5F}, 12}, {}, Space::Page};
  const gpu::Pixels picture = device.draw(blank({bent}), 1);
  for (int x = 12; x < 52; ++x)
    CHECK(at(picture, x, 32).near({0.5F, 0.5F, 0.5F, 1}));
  int brightest = 0;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x)
      brightest = std::max(brightest, at(picture, x, y).r);
  }
  CHECK(brightest <= 130);
}

TEST_CASE("Layers are clipped to the plot or drawn over the page", "[vulkan]") {
  test::Device device;
  const Polyline across{{{-100, 24}, {1e6, 24}}, {kWhite, 4}, {}, Space::Data};
  const gpu::Pixels clipped = device.draw(blank({across}, true), 1);
  CHECK(at(clipped, 8, 32).near(kWhite));
  CHECK(at(clipped, 55, 32).near(kWhite));
  CHECK(at(clipped, 7, 32).near(kBlack));
  CHECK(at(clipped, 56, 32).near(kBlack));
  const gpu::Pixels open = device.draw(blank({across}, false), 1);
  CHECK(at(open, 1, 32).near(kWhite));
  CHECK(at(open, 62, 32).near(kWhite));
}

TEST_CASE("A heat map shows row 0 at the top, its colours, and nothing for NaN", "[vulkan]") {
  test::Device device;
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const auto values = std::make_shared<std::vector<float>>(std::vector<float>{0, nan, 1, 0.5F, -inf, 7});
  for (const bool smooth : {false, true}) {
    const gpu::Pixels picture =
        device.draw(blank({Heatmap{{{0, 0}, {48, 48}}, 3, 2, values, ColorMap::Viridis, 0, 1, 1, smooth}}), 1);
    CHECK(at(picture, 9, 9).near(colorAt(ColorMap::Viridis, 0), 4));
    CHECK(at(picture, 32, 20).near(kBlack));
    CHECK(at(picture, 54, 9).near(colorAt(ColorMap::Viridis, 1), 4));
    CHECK(at(picture, 9, 54).near(colorAt(ColorMap::Viridis, 0.5), 4));
    CHECK(at(picture, 32, 40).near(kBlack));
    CHECK(at(picture, 54, 54).near(colorAt(ColorMap::Viridis, 1), 4));  // above the limits
    CHECK(at(picture, 4, 4).near(kBlack));
  }
}

TEST_CASE("Only a smooth heat map interpolates", "[vulkan]") {
  test::Device device;
  const auto values = std::make_shared<std::vector<float>>(std::vector<float>{0, 1});
  const gpu::Pixels hard =
      device.draw(blank({Heatmap{{{0, 0}, {48, 48}}, 2, 1, values, ColorMap::Gray, 0, 1, 1, false}}), 1);
  const gpu::Pixels soft =
      device.draw(blank({Heatmap{{{0, 0}, {48, 48}}, 2, 1, values, ColorMap::Gray, 0, 1, 1, true}}), 1);
  CHECK(at(hard, 31, 32).near(kBlack));
  CHECK(at(hard, 32, 32).near(kWhite));
  CHECK(at(soft, 31, 32).near(colorAt(ColorMap::Gray, 0.48), 5));
  CHECK(at(soft, 10, 32).near(kBlack));
}

TEST_CASE("A label map shows its palette, and nothing for labels without a colour", "[vulkan]") {
  test::Device device;
  const auto labels = std::make_shared<std::vector<std::uint8_t>>(std::vector<std::uint8_t>{0, 1, 255, 1});
  const LabelMap map{{{0, 0}, {48, 48}}, 2, 2, labels, {kRed, kWhite}, {0, 1}};
  const gpu::Pixels picture = device.draw(blank({map}), 1);
  CHECK(at(picture, 20, 20).near(kRed));
  CHECK(at(picture, 20, 44).near(kBlack));
  int inked = 0, plain = 0;
  for (int x = 33; x < 55; ++x)
    (at(picture, x, 20).near(kWhite) ? plain : inked)++;
  CHECK(inked >= 2);  // lines of the hatch
  CHECK(plain >= 8);
}

TEST_CASE("A small palette and a large palette give the same picture", "[vulkan]") {
  std::vector<std::uint8_t> all(32), hatch(16);
  std::vector<Color> palette(16);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::uint8_t>(i);  // the second half has no colour
  for (std::size_t i = 0; i < palette.size(); ++i) {
    palette[i] = {static_cast<float>(i) / 15, 1 - static_cast<float>(i) / 15, i % 2 == 0 ? 1.0F : 0.25F,
                  i % 3 == 0 ? 0.5F : 1};
    hatch[i] = static_cast<std::uint8_t>(i % 4);
  }
  const auto labels = std::make_shared<std::vector<std::uint8_t>>(all);
  LabelMap map{{{0, 0}, {48, 48}}, 8, 4, labels, palette, hatch};
  test::Device device;
  const gpu::Pixels small = device.draw(blank({map}), 1);
  map.palette.push_back({0, 0, 0, 0});
  const gpu::Pixels large = device.draw(blank({map}), 1);
  CHECK(difference(small, large, 0) == 0);
  CHECK(at(small, 20, 50).near(kBlack));
  CHECK_FALSE(at(small, 10, 20).near(kBlack));
}

TEST_CASE("New values of the same size are shown, also at the same address", "[vulkan]") {
  test::Device device;
  for (const float value : {0.0F, 1.0F, 0.25F, 0.75F}) {
    const auto values = std::make_shared<std::vector<float>>(4, value);
    const gpu::Pixels picture =
        device.draw(blank({Heatmap{{{0, 0}, {48, 48}}, 2, 2, values, ColorMap::Viridis, 0, 1, 1, false}}), 1);
    CHECK(at(picture, 30, 30).near(colorAt(ColorMap::Viridis, value), 4));
  }
}

TEST_CASE("A deep zoom into an image shows the right value", "[vulkan]") {
  test::Device device;
  std::vector<float> ramp(4096);
  for (std::size_t i = 0; i < ramp.size(); ++i)
    ramp[i] = i % 2 == 0 ? 0.0F : 1.0F;
  Scene scene = blank({Heatmap{
      {{0, 0}, {4096, 1}}, 4096, 1, std::make_shared<std::vector<float>>(ramp), ColorMap::Gray, 0, 1, 1, false}});
  scene.window = {{3000.999, 0.2}, {3001.001, 0.8}};
  const gpu::Pixels picture = device.draw(scene, 1);
  CHECK(at(picture, 20, 32).near(kBlack));  // value 3000
  CHECK(at(picture, 44, 32).near(kWhite));  // value 3001
}

// Drivers shade fully covered tiles with other code than edges. Every pixel of a large area must have the same colour.
TEST_CASE("Large translucent areas are uniform", "[vulkan]") {
  test::Device device;
  Scene scene = blank({});
  scene.width = scene.height = 512;
  scene.background = {0.86F, 0.73F, 0.1F, 1};
  scene.plot = {{16, 16}, {496, 496}};
  const bool still = GENERATE(false, true);
  const int kind = GENERATE(0, 1, 2, 3, 4);
  const Color color{0.09F, 0.12F, 0.14F, 0.9F};
  const auto values = std::make_shared<std::vector<float>>(4, 0.5F);
  const auto labels = std::make_shared<std::vector<std::uint8_t>>(4, std::uint8_t{0});
  Item item = Fill{{{16, 16}, {496, 16}, {496, 496}, {16, 496}}, color};
  if (kind == 1) item = Marker{{256, 256}, Shape::Square, 800, color, color, 0, Space::Page};
  if (kind == 2) item = Polyline{{{-100, 256}, {600, 256}}, {color, 480}, {}, Space::Page};
  if (kind == 3) item = Heatmap{scene.window, 2, 2, values, ColorMap::Gray, 0, 1, 0.9F, true};
  if (kind == 4) item = LabelMap{scene.window, 2, 2, labels, {color}, {}};
  scene.layers = {
      Layer{"under", 1, true, true, {Fill{{{0, 0}, {512, 0}, {512, 512}, {0, 512}}, {0, 0.3F, 0.9F, 0.2F}}}},
      Layer{"over", 1, still, true, {item}}};
  const gpu::Pixels picture = device.draw(scene, 1);
  const Pixel middle = at(picture, 256, 256);
  const float over = kind == 3 ? colorAt(ColorMap::Gray, 0.5).r : 0.0F;
  const auto mix = [&](float under, float paint, float here) {
    const float ground = under * 0.8F + paint * 0.2F;
    return 0.1F * ground + 0.9F * (kind == 3 ? over : here);
  };
  CHECK(middle.near({mix(0.86F, 0, 0.09F), mix(0.73F, 0.3F, 0.12F), mix(0.1F, 0.9F, 0.14F), 1}));
  int uneven = 0;
  for (int y = 20; y < 492; ++y) {
    for (int x = 20; x < 492; ++x) {
      const Pixel pixel = at(picture, x, y);
      if (pixel.r != middle.r || pixel.g != middle.g || pixel.b != middle.b) ++uneven;
    }
  }
  CHECK(uneven == 0);
}

TEST_CASE("Markers have the right fill, edge and size", "[vulkan]") {
  test::Device device;
  for (const Shape shape : {Shape::Circle, Shape::Square, Shape::Diamond, Shape::Triangle, Shape::Cross}) {
    const gpu::Pixels picture = device.draw(blank({Marker{{32, 32}, shape, 40, kRed, kWhite, 2, Space::Page}}), 1);
    CHECK(at(picture, 32, 32).near(kRed));
    CHECK(at(picture, 32, 10).near(kBlack));
    CHECK(at(picture, 54, 32).near(kBlack));
    bool edge = false;
    for (int y = 10; y < 54; ++y)
      edge = edge || at(picture, 32, y).near(kWhite);
    CHECK(edge);
  }
  const gpu::Pixels ring = device.draw(blank({Marker{{32, 32}, Shape::Ring, 40, kRed, kWhite, 4, Space::Page}}), 1);
  CHECK(at(ring, 32, 32).near(kBlack));
  CHECK(at(ring, 32, 14).near(kWhite));
}

TEST_CASE("Two scenes are drawn side by side at their origins", "[vulkan]") {
  test::Device device;
  Scene left = blank({Marker{{32, 32}, Shape::Square, 20, kRed, kRed, 0, Space::Page}});
  Scene right = left;
  right.background = {0, 0, 1, 1};
  right.layers[0].still = true;
  const PlacedScene placed[] = {{&left, {0, 0}}, {&right, {70, 5}}};
  const gpu::Pixels picture = device.draw(placed, 1, {140, 80}, {0, 1, 0, 1});
  CHECK(at(picture, 2, 2).near(kBlack));
  CHECK(at(picture, 32, 32).near(kRed));
  CHECK(at(picture, 72, 7).near({0, 0, 1, 1}));
  CHECK(at(picture, 102, 37).near(kRed));
  CHECK(at(picture, 67, 40).near({0, 1, 0, 1}));
  CHECK(at(picture, 137, 2).near({0, 1, 0, 1}));
}

TEST_CASE("Cached pictures that overlap, cross the edge or are translucent equal pictures that are not cached",
          "[vulkan]") {
  Scene left = blank({Marker{{60, 32}, Shape::Square, 20, kRed, kRed, 0, Space::Page}});
  left.layers.push_back(
      {"moving", 1, false, false, {Marker{{50, 40}, Shape::Circle, 30, kWhite, kWhite, 0, Space::Page}}});
  left.layers[0].still = true;
  Scene right = left;
  right.background = {0, 0, 1, 1};
  Scene glass = right;
  glass.background = {0, 0.5F, 0, 0.5F};
  std::vector<Scene> scenes{left, right, glass, right};
  const auto draw = [&scenes](float scale) {
    test::Device device;
    const PlacedScene placed[] = {
        {&scenes[0], {-10, 3}}, {&scenes[1], {40, 20}}, {&scenes[2], {100, 10}}, {&scenes[3], {166.3, -7.7}}};
    const gpu::Pixels first = device.draw(placed, scale, {200, 100}, {0, 1, 0, 1});
    CHECK(device.draw(placed, scale, {200, 100}, {0, 1, 0, 1}).rgba == first.rgba);
    return first;
  };
  const gpu::Pixels kept = draw(1), keptLarger = draw(1.25F);
  for (Scene& scene : scenes)
    for (Layer& layer : scene.layers)
      layer.still = false;
  CHECK(difference(kept, draw(1), 1) == 0);
  CHECK(difference(keptLarger, draw(1.25F), 1) == 0);
}

TEST_CASE("The overlay is recorded last, inside the main pass", "[vulkan]") {
  test::Device device;
  const Scene scene = blank({Marker{{32, 32}, Shape::Square, 40, kRed, kRed, 0, Space::Page}});
  const PlacedScene placed{&scene, {}};
  int calls = 0;
  const gpu::Pixels picture = device.draw({&placed, 1}, 1, {64, 64}, kBlack, [&](gpu::Frame& frame) {
    ++calls;
    VkClearAttachment clear{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    clear.clearValue.color = {{0, 1, 0, 1}};
    const VkClearRect rect{{{28, 28}, {8, 8}}, 0, 1};
    vkCmdClearAttachments(frame.commands, 1, &clear, 1, &rect);
  });
  CHECK(calls == 1);
  CHECK(at(picture, 32, 32).near({0, 1, 0, 1}));
  CHECK(at(picture, 24, 24).near(kRed));
}

TEST_CASE("After many changing frames the picture equals that of a new renderer", "[vulkan]") {
  const auto frame = [](int number) {
    Scene scene = test::sampleScene();
    const int side = 16 + 16 * (number % 3);
    auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(side * side));
    for (std::size_t i = 0; i < values->size(); ++i)
      (*values)[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(number)) % 100) / 100;
    scene.layers[0].items.insert(
        scene.layers[0].items.begin() + 1,
        Heatmap{{{0, -1.4}, {1.9, 0.1}}, side, side, values, ColorMap::Cividis, 0, 1, 0.8F, number % 2 == 0});
    scene.layers[0].revision = static_cast<std::uint64_t>(number + 10);
    Polyline zigzag{{}, {kWhite, 1.5F}};
    for (int i = 0; i < 40 << number; ++i)
      zigzag.points.push_back({-2 + 4.0 * i / (40 << number), i % 2 == 0 ? 0.1 : 0.3});
    scene.layers[2].items.push_back(zigzag);
    return scene;
  };
  test::Device device;
  gpu::Pixels last;
  for (int number = 0; number < 9; ++number)
    last = device.draw(frame(number), 1);
  test::Device fresh;
  CHECK(fresh.draw(frame(8), 1).rgba == last.rgba);
  CHECK(device.draw(frame(2), 1).rgba == fresh.draw(frame(2), 1).rgba);
}

TEST_CASE("Invalid items cause no validation message", "[vulkan]") {
  test::Device device;
  std::vector<Item> items;
  for (const double bad : {test::kNaN, static_cast<double>(INFINITY), 1e300, -1e6, 1e-200}) {
    items.push_back(Polyline{{{bad, 0}, {0, bad}, {-bad, bad}}, {kRed, static_cast<float>(bad)}});
    items.push_back(Marker{{bad, bad}, Shape::Circle, static_cast<float>(bad), kRed, kRed});
    items.push_back(Label{{bad, bad}, "x", static_cast<float>(bad), kRed});
    items.push_back(Heatmap{{{bad, bad}, {bad, bad}}, 1, 1, std::make_shared<std::vector<float>>(1, 0.5F)});
  }
  items.push_back(Heatmap{{{0, 0}, {48, 48}}, 8, 8, std::make_shared<std::vector<float>>(3, 0.5F)});  // too few values
  items.push_back(Heatmap{{{0, 0}, {48, 48}}, 8, 8, nullptr});
  items.push_back(LabelMap{{{0, 0}, {48, 48}}, -1, 8, nullptr, {}, {}});
  Scene scene = blank(items);
  device.draw(scene, 1);
  scene.layers[0].still = true;
  device.draw(scene, 1);
  scene.window = {{1, 1}, {1, 1}};
  device.draw(scene, 1);
  scene.plot = {{8, 8}, {8, 8}};
  device.draw(scene, 3);
  scene.width = 0;
  const PlacedScene empty[] = {{&scene, {}}, {nullptr, {}}};
  device.draw(empty, 1, {16, 16});
}

TEST_CASE("More glyphs than fit into the atlas are still drawn", "[vulkan]") {
  test::Device device;
  Scene scene;
  scene.width = scene.height = 400;
  scene.plot = {{0, 0}, {400, 400}};
  scene.window = {{0, 0}, {1, 1}};
  scene.background = kBlack;
  scene.layers = {Layer{"text", 1, false, false, {}}};
  for (int frame = 0; frame < 4; ++frame) {
    scene.layers[0].items.clear();
    for (int line = 0; line < 6; ++line) {
      scene.layers[0].items.push_back(
          Label{{5, 40.0 + 60 * line}, "ABCDEFGHKM", 40 + static_cast<float>(6 * frame + line), kWhite, AlignX::Left});
    }
    const gpu::Pixels picture = device.draw(scene, 1);
    for (int line = 0; line < 6; ++line) {
      bool lit = false;
      for (int x = 5; x < 100; ++x)
        lit = lit || at(picture, x, 40 + 60 * line).near(kWhite, 40);
      CHECK(lit);
    }
  }
}

}  // namespace sepx::render
