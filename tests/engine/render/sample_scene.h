// SPDX-License-Identifier: Apache-2.0
// A scene with every kind of item, used by the tests of both renderers. 320 x 240 points.
#pragma once

#include <cmath>
#include <limits>

#include "engine/render/scene.h"

namespace sepx::render::test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline Layer images() {
  auto values = std::make_shared<std::vector<float>>(32 * 24);
  auto labels = std::make_shared<std::vector<std::uint8_t>>(60 * 60);
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 32; ++x)
      (*values)[static_cast<std::size_t>(32 * y + x)] = static_cast<float>(x) / 31;
  }
  (*values)[32 * 6 + 6] = std::numeric_limits<float>::quiet_NaN();
  (*values)[32 * 6 + 7] = std::numeric_limits<float>::infinity();
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) {
      const double radius = std::hypot(x - 30, y - 30);
      (*labels)[static_cast<std::size_t>(60 * y + x)] = radius < 10 ? 3 : radius < 18 ? 2 : radius < 27 ? 1 : 0;
    }
  }
  Layer layer{"images", 1, true, true, {}};
  layer.items.push_back(Heatmap{{{-2, -1.5}, {2, 1.5}}, 32, 24, values, ColorMap::Viridis, 0, 1, 1, true});
  layer.items.push_back(LabelMap{{{-1.8, -1.2}, {-0.4, 0.2}},
                                 60,
                                 60,
                                 labels,
                                 {{0, 0, 0, 0}, {0.35F, 0.7F, 0.9F, 1}, {0.9F, 0.6F, 0, 1}, {0, 0.45F, 0.35F, 1}},
                                 {0, 1, 2, 3}});
  return layer;
}

inline Layer axes() {
  Layer layer{"axes", 1, true, false, {}};
  const Color ink{0.9F, 0.9F, 0.9F, 1};
  layer.items.push_back(Polyline{{{40, 20}, {300, 20}, {300, 200}, {40, 200}, {40, 20}}, {ink, 1}, {}, Space::Page});
  for (int i = 0; i <= 4; ++i) {
    const double x = 40 + 65 * i;
    layer.items.push_back(Polyline{{{x, 200}, {x, 205}}, {ink, 1}, {}, Space::Page});
    layer.items.push_back(
        Label{{x, 208}, std::string(1, static_cast<char>('0' + i)) + ".5", 11, ink, AlignX::Center, AlignY::Top});
  }
  layer.items.push_back(Label{{170, 236}, "e  (β₁², W_Q, π≈½)", 12, ink, AlignX::Center, AlignY::Bottom});
  Label turned{{14, 110}, "weight w", 12, ink, AlignX::Center, AlignY::Middle};
  turned.vertical = true;
  layer.items.push_back(turned);
  return layer;
}

inline Layer paths() {
  Layer layer{"paths", 1, false, true, {}};
  Polyline spiral{{}, {{1, 1, 1, 0.5F}, 4}, {}, Space::Data};
  for (int i = 0; i < 400; ++i) {
    const double t = i * 0.05, r = 0.05 + 0.03 * t;
    spiral.points.push_back({0.9 + r * std::cos(t), 0.6 + r * std::sin(t)});
    spiral.fade.push_back(static_cast<float>(i) / 399);
  }
  layer.items.push_back(spiral);
  layer.items.push_back(
      Polyline{{{-1.9, 1.4}, {-1.2, 0.5}, {-0.8, 1.35}, {-0.3, 0.5}}, {{1, 0.3F, 0.2F, 0.6F}, 7}, {}, Space::Data});
  layer.items.push_back(Polyline{{{-0.2, 1.3}, {kNaN, 0}, {0, 1.3}, {1e6, 1.3}}, {{1, 1, 0, 1}, 2}, {}, Space::Data});
  layer.items.push_back(Polyline{{{-3, -1.3}, {3, -0.9}}, {{1, 1, 1, 1}, 2, Dash::Dashed}, {}, Space::Data});
  layer.items.push_back(Polyline{{{-3, -1.45}, {3, -1.05}}, {{1, 1, 1, 1}, 3, Dash::Dotted}, {}, Space::Data});
  layer.items.push_back(Fill{{{0.1, -0.7}, {0.5, -0.1}, {0.8, -0.65}}, {0.8F, 0.2F, 0.5F, 0.8F}, Space::Data});
  return layer;
}

inline Layer markers() {
  Layer layer{"markers", 1, false, true, {}};
  const Shape shapes[] = {Shape::Circle, Shape::Square, Shape::Diamond, Shape::Triangle, Shape::Cross, Shape::Ring};
  double x = -0.2;
  for (const Shape shape : shapes) {
    layer.items.push_back(Marker{{x, -0.3}, shape, 18, {0.95F, 0.35F, 0.2F, 1}, {1, 1, 1, 1}, 2, Space::Data});
    layer.items.push_back(Marker{{x, -0.02}, shape, 7, {0.2F, 0.6F, 0.95F, 1}, {0, 0, 0, 1}, 1, Space::Data});
    x += 0.36;
  }
  layer.items.push_back(Marker{{kNaN, 0}, Shape::Circle, 9, {1, 0, 0, 1}, {}, 1, Space::Data});
  Label named{{1.8, 1.3}, "local minimum", 11, {1, 1, 1, 1}, AlignX::Right, AlignY::Middle};
  named.space = Space::Data;
  named.bold = true;
  named.backdrop = Color{0.1F, 0.1F, 0.1F, 0.75F};
  layer.items.push_back(named);
  return layer;
}

inline Scene sampleScene() {
  Scene scene;
  scene.width = 320;
  scene.height = 240;
  scene.plot = {{40, 20}, {300, 200}};
  scene.window = {{-2, -1.5}, {2, 1.5}};
  scene.background = {0.1F, 0.11F, 0.13F, 1};
  scene.layers = {images(), axes(), paths(), markers()};
  return scene;
}

}  // namespace sepx::render::test
