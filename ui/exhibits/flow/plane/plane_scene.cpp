// SPDX-License-Identifier: Apache-2.0
// Puts the layers of the plane together and decides which must be made anew: each has a key of all it depends
// on, bit for bit. Frame thread; no document, no jobs.
#include "ui/exhibits/flow/plane/plane_scene.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

namespace {

void add(LayerKey& key, double value) {
  key.push_back(std::bit_cast<std::uint64_t>(value));
}
void add(LayerKey& key, const render::Rect& rect) {
  for (const double value : {rect.min.x, rect.min.y, rect.max.x, rect.max.y})
    add(key, value);
}
void add(LayerKey& key, const std::string& text) {
  key.push_back(std::hash<std::string>{}(text));
}

LayerKey themeKey(const FlowFrame& frame) {
  LayerKey key;
  add(key, frame.theme.key);
  add(key, frame.theme.textSize);
  add(key, frame.theme.smallSize);
  return key;
}

/// Theme, layout and camera.
LayerKey viewKey(const FlowFrame& frame) {
  LayerKey key = themeKey(frame);
  add(key, frame.layout.plot);
  add(key, frame.layout.width);
  add(key, frame.layout.height);
  add(key, frame.state.view);
  return key;
}

void addModel(LayerKey& key, const FlowState& state) {
  add(key, state.field->info().key);
  for (const double parameter : state.parameters)
    add(key, parameter);
}

/// Above this many points the picture of those that rest is kept.
constexpr std::size_t kMany = 32;

LayerKey pathKey(const FlowFrame& frame) {
  LayerKey key = viewKey(frame);
  std::uint64_t content = frame.state.points.size();
  for (std::size_t i = 0; i < frame.results.points() && i < frame.state.points.size(); ++i) {
    if (!frame.draws(i)) continue;
    const FlowPoint& point = frame.state.points[i];
    const std::uint64_t color = point.color.empty() ? 0 : std::uint64_t{std::hash<std::string>{}(point.color)};
    for (const std::uint64_t part :
         {frame.results.revision(i), std::uint64_t{std::hash<std::string>{}(point.name)}, color})
      content = (content ^ part) * 0x100000001b3u + (content >> 29);
  }
  key.push_back(content);
  add(key, frame.state.selected);
  add(key, frame.held);
  add(key, frame.headTime.value_or(-1));
  return key;
}

LayerKey legendKey(const FlowFrame& frame) {
  LayerKey key = viewKey(frame);
  addModel(key, frame.state);
  const FlowState& s = frame.state;
  for (const bool shown : {s.showLoss, s.showCritical, s.showSeparatrix, s.showBasin, s.showCloud})
    add(key, shown);
  add(key, static_cast<double>(frame.results.basin().revision));
  add(key, static_cast<double>(frame.results.cloudRevision()));
  add(key, frame.results.gaussProbability().value_or(-1));
  add(key, static_cast<double>(s.ownRevision));
  add(key, s.showPaths ? static_cast<double>(pathStride(s)) : 0);
  if (frame.layers)
    for (const auto& layer : *frame.layers)
      for (const std::uint64_t part : layer->legendKey(frame))
        key.push_back(part);
  const Placed place = legendPlace(frame);
  add(key, place.box);
  for (const bool flag : {place.met, place.bare, frame.layout.legendOpen, frame.figure})
    add(key, flag);
  return key;
}

struct Recipe {
  std::string name;
  bool shown, still, clip;
  std::function<LayerKey()> key;
  std::function<std::vector<render::Item>(const FlowFrame&)> make;
  FlowFrame::Part part = FlowFrame::Part::All;
};

LayerKey withModel(LayerKey key, const FlowFrame& frame) {
  addModel(key, frame.state);
  return key;
}

LayerKey with(LayerKey key, double value) {
  add(key, value);
  return key;
}

LayerKey readOutKey(const FlowFrame& frame) {
  LayerKey key = pathKey(frame);
  for (const std::uint64_t part : withModel(viewKey(frame), frame))
    key.push_back(part);
  add(key, frame.pointer ? frame.pointer->x : -1);
  add(key, frame.pointer ? frame.pointer->y : -1);
  add(key, static_cast<double>(frame.state.points.size()));
  for (const bool flag : {frame.figure, frame.layout.legendOpen, frame.layout.legend})
    add(key, flag);
  if (frame.layout.legend) add(key, legendPlace(frame).box);
  std::vector<render::Rect> taken;
  if (frame.layers)
    for (const auto& layer : *frame.layers)
      layer->taken(frame, taken);
  for (const render::Rect& box : taken)
    add(key, box);
  return key;
}

LayerKey axisKey(const FlowFrame& frame, bool tinted) {
  LayerKey key = with(with(withModel(viewKey(frame), frame), frame.layout.colorBar.has_value()), tinted);
  const LossPicture* const loss = frame.results.loss();
  add(key, loss ? loss->scale.low : 0);
  add(key, loss ? loss->scale.high : 0);
  add(key, frame.state.locked.has_value());
  add(key, static_cast<double>(frame.state.color));
  return key;
}

std::vector<PlanePart> partsOf(const FlowFrame& frame) {
  std::vector<PlanePart> parts;
  if (!frame.layers) return parts;
  for (const auto& layer : *frame.layers)
    layer->parts(frame, parts);
  return parts;
}

/// The parts of one level as recipes. They hold `parts` by reference.
void addParts(const FlowFrame& frame, const std::vector<PlanePart>& parts, PlaneLevel level,
              std::vector<Recipe>& recipes) {
  for (const PlanePart& part : parts) {
    if (part.level != level) continue;
    const auto key = [&frame, &part] {
      LayerKey whole = viewKey(frame);
      whole.insert(whole.end(), part.key.begin(), part.key.end());
      return with(std::move(whole), frame.figure);
    };
    recipes.push_back({part.name, true, part.still, part.clip, key, [&part](const FlowFrame&) { return part.make(); }});
  }
}

/// The plane: what follows from the model alone.
void addPlane(const FlowFrame& frame, const std::vector<PlanePart>& parts, std::vector<Recipe>& recipes) {
  const FlowState& s = frame.state;
  const FlowResults& r = frame.results;
  const auto view = [&frame] { return withModel(viewKey(frame), frame); };
  const auto basin = [&frame, &r] {
    const bool alone = frame.state.showLoss && frame.state.color == PlaneColor::Basin;
    return with(with(themeKey(frame), static_cast<double>(r.basin().revision)), alone);
  };
  const bool tinted = s.showBasin && (r.basin().exact || r.basin().integrated);  // the loss is grey then
  const auto loss = [&frame, &r, tinted] {
    return with(with(themeKey(frame), static_cast<double>(r.lossRevision())), tinted);
  };
  const auto axes = [&frame, tinted] { return axisKey(frame, tinted); };
  const auto cloud = [&frame, &r] { return with(viewKey(frame), static_cast<double>(r.cloudRevision())); };
  recipes.push_back({"loss", s.showLoss, true, true, loss, lossItems});
  recipes.push_back({"basin", s.showBasin, true, true, basin, basinItems});
  recipes.push_back({"disagreement", s.showBasin, true, true, basin, disagreementItems});
  addParts(frame, parts, PlaneLevel::Ground, recipes);
  recipes.push_back({"grid", true, true, true, view, gridItems});
  recipes.push_back({"arrows", s.showArrows, true, true, view, arrowItems});
  recipes.push_back({"axes", true, true, false, axes, axisItems});
  recipes.push_back({"separatrix", s.showSeparatrix, true, true, view, separatrixItems});
  recipes.push_back({"critical", s.showCritical, true, true, view, criticalItems});
  addParts(frame, parts, PlaneLevel::Lines, recipes);
  recipes.push_back({"cloud", s.showCloud, true, true, cloud, cloudItems});
}

/// What a person placed, and what is written over it.
void addPoints(const FlowFrame& frame, const std::vector<PlanePart>& parts, std::vector<Recipe>& recipes) {
  const FlowState& s = frame.state;
  const bool many = s.points.size() > kMany;
  const bool playing = frame.headTime.has_value();
  const FlowFrame::Part own = many ? FlowFrame::Part::Selected : FlowFrame::Part::All;
  const FlowFrame::Part rest = FlowFrame::Part::Others;
  const auto those = [&frame](FlowFrame::Part part) {
    return [&frame, part] {
      FlowFrame drawn = frame;
      drawn.part = part;
      return with(pathKey(drawn), frame.figure);
    };
  };
  const auto paths = [&frame] { return pathKey(frame); };
  const auto overlays = [&frame] {
    return with(withModel(viewKey(frame), frame), static_cast<double>(frame.state.ownRevision));
  };
  const auto square = [&frame] { return with(withModel(viewKey(frame), frame), frame.flash); };
  const auto legend = [&frame] { return legendKey(frame); };
  const auto readOut = [&frame] { return readOutKey(frame); };
  const bool others = many && s.showPaths;
  recipes.push_back({"paths", s.showPaths, false, true, those(own), pathItems, own});
  recipes.push_back({"limits", s.showPaths, false, true, those(own), limitItems, own});
  recipes.push_back({"heads", playing, false, true, paths, headItems});
  recipes.push_back({"other paths", others, !playing, true, those(rest), pathItems, rest});
  recipes.push_back({"other limits", others, !playing, true, those(rest), limitItems, rest});
  recipes.push_back({"other handles", many, !playing, true, those(rest), handleItems, rest});
  recipes.push_back({"overlays", !s.own->empty(), false, true, overlays, ownItems});
  recipes.push_back({"legend", frame.layout.legend, false, false, legend, legendItems});
  recipes.push_back({"square", frame.layout.square.has_value(), false, false, square, squareItems});
  recipes.push_back({"read-out", true, false, false, readOut, readOutItems});
  addParts(frame, parts, PlaneLevel::Inset, recipes);
  recipes.push_back({"handles", true, false, true, those(own), handleItems, own});
}

/// Bottom to top. What is written makes way for handles and hides paths; nothing hides a handle. They hold the frame by
/// reference.
std::vector<Recipe> recipes(const FlowFrame& frame, const std::vector<PlanePart>& parts) {
  std::vector<Recipe> all;
  addPlane(frame, parts, all);
  addPoints(frame, parts, all);
  return all;
}

}  // namespace

PlaneScene::Kept& PlaneScene::kept(const std::string& name) {
  for (Kept& layer : layers_)
    if (layer.name == name) return layer;
  layers_.emplace_back();
  layers_.back().name = layers_.back().layer.name = name;
  return layers_.back();
}

void PlaneScene::reclaim(std::vector<render::Layer>& layers) {
  for (render::Layer& layer : layers) {
    Kept& home = kept(layer.name);
    home.layer = std::move(layer);
  }
}

void PlaneScene::update(const FlowFrame& frame, std::vector<render::Layer>& into) {
  const std::vector<PlanePart> parts = partsOf(frame);
  for (const Recipe& recipe : recipes(frame, parts)) {
    if (!recipe.shown) continue;
    Kept& layer = kept(recipe.name);
    LayerKey key = recipe.key();
    if (layer.key != key) {
      layer.key = std::move(key);
      FlowFrame drawn = frame;
      drawn.part = recipe.part;
      layer.layer.items = recipe.make(drawn);
      layer.layer.revision = ++revision_;
      layer.layer.still = recipe.still;
      layer.layer.clip = recipe.clip;
    }
    if (!layer.layer.items.empty()) into.push_back(std::move(layer.layer));
  }
}

}  // namespace sepx::ui
