// SPDX-License-Identifier: Apache-2.0
// See experiment_sketch.h.
#include "ui/exhibits/training/experiments/experiment_sketch.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>

#include "ui/canvas/page_draw.h"
#include "ui/page/page_kit.h"

namespace sepx::ui {

namespace {

constexpr int kSide = 12;  // of a sketched matrix

/// Between -1 and 1; the same for the same numbers.
double noise(int i, int j) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 374761393u + static_cast<std::uint32_t>(j) * 668265263u + 97u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return static_cast<double>((h ^ (h >> 16)) & 0xffffu) / 32767.5 - 1;
}

using Entry = std::function<double(int, int)>;

double symmetricEntry(int i, int j) {
  return noise(std::min(i, j), std::max(i, j));
}
double skewEntry(int i, int j) {
  return i == j ? 0 : (i < j ? 1 : -1) * noise(std::min(i, j), std::max(i, j));
}
double columnEntry(int i, int j) {
  return (j == 3 || j == 8 ? 1 : 0.22) * noise(i, j);
}
double rankOneEntry(int i, int j) {
  return noise(i, 91) * noise(92, j) * 1.6;
}

void addMatrix(std::vector<render::Item>& items, const render::Rect& box, const Entry& entry, const Theme& theme) {
  auto values = std::make_shared<std::vector<float>>();
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j)
      values->push_back(static_cast<float>(entry(i, j)));
  items.emplace_back(render::Heatmap{.extent = flipped(box),
                                     .width = kSide,
                                     .height = kSide,
                                     .values = std::move(values),
                                     .map = render::ColorMap::Diverging,
                                     .low = -1,
                                     .high = 1,
                                     .smooth = false});
  items.emplace_back(pageFrameLine(box, theme.border));
}

/// Two squares side by side in the middle.
std::pair<render::Rect, render::Rect> twoSquares(const render::Rect& box) {
  const double gap = 14, side = std::min(box.height(), (box.width() - gap) / 2);
  const double left = (box.min.x + box.max.x) / 2 - side - gap / 2, top = (box.min.y + box.max.y - side) / 2;
  return {{{left, top}, {left + side, top + side}}, {{left + side + gap, top}, {left + 2 * side + gap, top + side}}};
}

/// y = curve(x) of [0, 1] in [0, 1].
void addCurve(std::vector<render::Item>& items, const render::Rect& box, const std::function<double(double)>& curve,
              render::Color color, render::Dash dash) {
  constexpr int kPoints = 48;
  render::Polyline line;
  line.stroke = {color, 2, dash};
  line.space = render::Space::Page;
  for (int i = 0; i <= kPoints; ++i) {
    const double x = static_cast<double>(i) / kPoints;
    line.points.push_back({box.min.x + x * box.width(), box.max.y - curve(x) * box.height()});
  }
  items.emplace_back(std::move(line));
}

double falling(double x, double middle, double high, double low) {
  return low + (high - low) / (1 + std::exp((x - middle) * 16));
}

void addStarts(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  addCurve(
      items, box, [](double x) { return falling(x, 0.35, 0.9, 0.12); }, theme.localMin, render::Dash::Solid);
  addCurve(
      items, box, [](double x) { return falling(x, 0.65, 0.9, 0.12); }, theme.globalMin, render::Dash::Dashed);
}

void addEntropies(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  for (const double y : {0.55, 0.15})
    items.emplace_back(pageLine({box.min.x, box.max.y - y * box.height()}, {box.max.x, box.max.y - y * box.height()},
                                theme.textMuted, 1, render::Dash::Dashed));
  addCurve(
      items, box, [](double x) { return 0.57 + 0.38 * std::exp(-9 * x); }, theme.localMin, render::Dash::Solid);
  addCurve(
      items, box, [](double x) { return 0.17 + 0.78 * std::exp(-7 * x); }, theme.globalMin, render::Dash::Dashed);
}

/// A sequence and its mirror image.
void addMirror(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  constexpr int kHalf = 6;
  const double side = std::min(box.width() / (2 * kHalf), box.height() / 2.5), y = (box.min.y + box.max.y - side) / 2;
  const double left = (box.min.x + box.max.x) / 2 - kHalf * side;
  const render::Color colors[] = {theme.globalMin, theme.localMin, theme.saddle, theme.localMax};
  for (int i = 0; i < 2 * kHalf; ++i) {
    const int k = i < kHalf ? i : 2 * kHalf - 1 - i;
    items.emplace_back(pageFill({{left + i * side + 1, y}, {left + (i + 1) * side - 1, y + side}}, colors[k * k % 4]));
  }
  items.emplace_back(pageLine({left + kHalf * side, y - 8}, {left + kHalf * side, y + side + 8}, theme.text, 1.5f,
                              render::Dash::Dashed));
}

/// An image cut into patches.
void addPatches(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  constexpr int kAcross = 4;
  const double side = std::min(box.height(), box.width()), patch = side / kAcross;
  const double left = (box.min.x + box.max.x - side) / 2, top = (box.min.y + box.max.y - side) / 2;
  for (int i = 0; i < kAcross; ++i)
    for (int j = 0; j < kAcross; ++j) {
      const double r = std::hypot(i - 1.5, j - 1.5);
      const render::Rect place{{left + j * patch + 1.5, top + i * patch + 1.5},
                               {left + (j + 1) * patch - 1.5, top + (i + 1) * patch - 1.5}};
      items.emplace_back(pageFill(place, r < 1 ? theme.globalMin : r < 1.8 ? theme.localMin : theme.border));
    }
}

void addSliders(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  for (int i = 0; i < 4; ++i) {
    const double y = box.min.y + (i + 0.5) * box.height() / 4, at = 0.3 + 0.5 * std::abs(noise(i, 5));
    items.emplace_back(pageLine({box.min.x, y}, {box.max.x, y}, theme.border, 3));
    items.emplace_back(render::Marker{{box.min.x + at * box.width(), y},
                                      render::Shape::Circle,
                                      12,
                                      theme.accent,
                                      theme.text,
                                      1,
                                      render::Space::Page});
  }
}

}  // namespace

void addSketch(std::vector<render::Item>& items, const render::Rect& box, ExperimentSketch sketch, const Theme& theme) {
  const auto [left, right] = twoSquares(box);
  switch (sketch) {
    case ExperimentSketch::Objectives:
      addMatrix(items, left, symmetricEntry, theme);
      return addMatrix(items, right, columnEntry, theme);
    case ExperimentSketch::Constraints:
      addMatrix(items, left, symmetricEntry, theme);
      return addMatrix(items, right, skewEntry, theme);
    case ExperimentSketch::RankOne:
      addMatrix(items, left, noise, theme);
      return addMatrix(items, right, rankOneEntry, theme);
    case ExperimentSketch::Starts:
      return addStarts(items, box, theme);
    case ExperimentSketch::Linear:
      return addMirror(items, box, theme);
    case ExperimentSketch::Entropies:
      return addEntropies(items, box, theme);
    case ExperimentSketch::Patches:
      return addPatches(items, box, theme);
    case ExperimentSketch::Own:
      return addSliders(items, box, theme);
  }
}

}  // namespace sepx::ui
