// SPDX-License-Identifier: Apache-2.0
// Helpers that the layers of the plane share, and the list of all layers, bottom first. A new layer needs one line in
// makePlaneLayers().
#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "engine/markov/energy.h"
#include "ui/canvas/readable.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/common_layers.h"
#include "ui/exhibits/flow/plane/energy_layers.h"
#include "ui/exhibits/flow/plane/field_layers.h"
#include "ui/exhibits/flow/plane/guideline_layer.h"
#include "ui/exhibits/flow/plane/particles_layer.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/plane/real_layer.h"
#include "ui/exhibits/flow/plane/texture_layer.h"
#include "ui/properties/number_words.h"

namespace sepx::ui {

std::optional<double> selectedEnergy(const FlowState& state) {
  if (!state.canonical || state.selected < 0) return std::nullopt;
  const FlowPoint& point = state.points[static_cast<std::size_t>(state.selected)];
  const std::optional<double> E = markov::energy(markov::Model::EW, Eigen::Vector2d(point.e, point.w));
  return E && std::isfinite(*E) ? E : std::nullopt;
}

std::optional<double> energyUnder(const FlowFrame& frame) {
  if (!frame.state.canonical || !frame.pointer || frame.figure) return std::nullopt;
  if (const std::optional<ProfilePlace>& profile = frame.layout.profile;
      profile && profile->box.contains(*frame.pointer)) {
    if (!profile->inner.contains(*frame.pointer)) return std::nullopt;
    return toData(Camera{profile->window, profile->inner}, *frame.pointer).y;
  }
  const render::Point at = toData(frame.camera(), *frame.pointer);
  const std::optional<double> E = markov::energy(markov::Model::EW, Eigen::Vector2d(at.x, at.y));
  return E && std::isfinite(*E) ? E : std::nullopt;
}

std::string levelText(double E, int digits) {
  const bool decimals = E == 0 || (std::abs(E) >= std::pow(10.0, -digits) && std::abs(E) < 1e5);
  return decimals ? shownFixed(E, digits) : shownPower(E);
}

std::optional<render::Label> LabelPlacer::place(render::Point page, const std::string& text, float size,
                                                render::Color color) {
  const double half = 0.5 * textWidth(text, size) + 3, up = 0.7 * size;
  const render::Rect box{{page.x - half, page.y - up}, {page.x + half, page.y + up}};
  const render::Rect& plot = frame_.layout.plot;
  if (!plot.contains(box.min) || !plot.contains(box.max)) return std::nullopt;
  const auto meets = [&box](const render::Rect& other) {
    return box.min.x < other.max.x && other.min.x < box.max.x && box.min.y < other.max.y && other.min.y < box.max.y;
  };
  if (std::any_of(taken_.begin(), taken_.end(), meets)) return std::nullopt;
  taken_.push_back(box);
  render::Label label =
      textAt(page, text, size, readable(color, frame_.theme.surface, frame_.theme), render::AlignX::Center);
  label.backdrop = faded(frame_.theme.surface, 0.92f);
  return label;
}

std::vector<render::Rect> boxesOver(const FlowFrame& frame) {
  constexpr double kGap = 6;
  std::vector<render::Rect> boxes;
  if (frame.layout.legendBox) boxes.push_back(*frame.layout.legendBox);
  if (const std::optional<ProfilePlace>& profile = frame.layout.profile)
    boxes.push_back({{profile->box.min.x - kGap, profile->box.min.y - kGap},
                     {profile->box.max.x + kGap, profile->box.max.y + kGap}});
  return boxes;
}

PictureContent& PlaneViews::add(PlaneLevel level, std::string name, Digest of, Draw draw, bool still, bool clipped) {
  PictureContent picture;
  picture.of = of.add(base_).value();
  picture.draw = [at = at_, draw = std::move(draw)](const ViewPlace& place) { return draw(at(place)); };
  picture.still = still;
  picture.clipped = clipped;
  parts_.push_back({level, {std::move(name), std::move(picture)}});
  return std::get<PictureContent>(parts_.back().view.content);
}

PictureContent& PlaneViews::addAt(const render::Rect& box, PlaneLevel level, std::string name, Digest of, Draw draw) {
  PictureContent& picture = add(level, std::move(name), of, std::move(draw), false, false);
  parts_.back().box = box;
  return picture;
}

PictureContent* PlaneViews::named(std::string_view name) {
  const auto part = std::ranges::find_if(parts_, [name](const Part& one) { return one.view.name == name; });
  return part == parts_.end() ? nullptr : &std::get<PictureContent>(part->view.content);
}

Views PlaneViews::take(const render::Rect& area) {
  std::ranges::stable_sort(parts_, {}, &Part::level);
  Views made;
  made.arrangement.kind = Arrangement::Kind::Stack;
  for (Part& part : parts_)
    made.addAt(part.box.value_or(area), std::move(part.view));
  return made;
}

std::optional<render::Point> roomiest(const FlowFrame& frame, const std::function<bool(render::Point data)>& inside) {
  constexpr int kColumns = 40, kRows = 28;
  constexpr double kLeast = 2;  // cells of room around a place
  const Camera camera = frame.camera();
  const render::Rect& plot = camera.plot;
  const auto page = [&plot](int column, int row) {
    return render::Point{plot.min.x + (column + 0.5) * plot.width() / kColumns,
                         plot.min.y + (row + 0.5) * plot.height() / kRows};
  };
  const std::vector<render::Rect> written = boxesOver(frame);
  const auto free = [&written](render::Point at) {
    return std::none_of(written.begin(), written.end(), [at](const render::Rect& box) { return box.contains(at); });
  };
  // Chessboard distance to the nearest cell outside, by two passes over the grid.
  std::vector<int> distance(static_cast<std::size_t>(kColumns) * kRows, 0);
  const auto at = [&distance](int column, int row) {
    const bool in = column >= 0 && row >= 0 && column < kColumns && row < kRows;
    return in ? distance[static_cast<std::size_t>(row * kColumns + column)] : 0;
  };
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < kColumns * kRows; ++k) {
      const int i = pass == 0 ? k : kColumns * kRows - 1 - k, column = i % kColumns, row = i / kColumns;
      int& here = distance[static_cast<std::size_t>(i)];
      if (pass == 0 && !(free(page(column, row)) && inside(toData(camera, page(column, row))))) continue;
      const int way = pass == 0 ? -1 : 1;
      const int near = 1 + std::min({at(column + way, row), at(column, row + way), at(column + way, row + way),
                                     at(column - way, row + way)});
      here = pass == 0 ? near : std::min(here, near);
    }
  const auto best = std::max_element(distance.begin(), distance.end());
  if (*best < kLeast) return std::nullopt;
  const int i = static_cast<int>(best - distance.begin());
  return page(i % kColumns, i / kColumns);
}

void addSetName(std::vector<render::Item>& items, const FlowFrame& frame, render::Point page,
                const std::string& below) {
  const Theme& theme = frame.theme;
  const float size = 1.25f * theme.textSize, small = 0.9f * theme.smallSize;
  const double letter = textWidth("I", size) + 1, width = letter + textWidth(below, small);
  const double left = page.x - width / 2;
  render::Color ground = theme.surface;
  ground.a = 0.8f;
  addBox(items, {{left - 5, page.y - 0.75 * size}, {left + width + 5, page.y + 0.85 * size}}, theme.radius, ground,
         faded(theme.border, 0));
  render::Label name = textAt({left, page.y}, "I", size, theme.text);
  name.bold = true;
  items.push_back(name);
  items.push_back(textAt({left + letter, page.y + 0.35 * size}, below, small, theme.text));
}

PlaneLayers makePlaneLayers() {
  PlaneLayers layers;
  layers.push_back(makeColorLayer());
  layers.push_back(makeTextureLayer());
  layers.push_back(makeParticlesLayer());
  layers.push_back(makeNullclineLayer());
  layers.push_back(makeBackwardPathLayer());
  layers.push_back(makeGuidelineLayer());
  layers.push_back(makeContourLayer());
  layers.push_back(makeCommonLayer());
  layers.push_back(makeNamesLayer());
  layers.push_back(makeRealLayer());
  layers.push_back(makeProfileLayer());
  return layers;
}

}  // namespace sepx::ui
