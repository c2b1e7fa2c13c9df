// SPDX-License-Identifier: Apache-2.0
// Puts the layers of the plane together and decides which must be made anew: each has a key of all it depends
// on, bit for bit. Frame thread; no document, no jobs.
#include "ui/exhibits/flow/plane/plane_scene.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/plane/time_bar.h"

namespace sepx::ui {

namespace {

void put(LayerKey& key, double value) {
  key.push_back(bits(value));
}
void put(LayerKey& key, const render::Rect& rect) {
  for (const double value : {rect.min.x, rect.min.y, rect.max.x, rect.max.y})
    put(key, value);
}
void put(LayerKey& key, const std::string& text) {
  key.push_back(bits(std::string_view(text)));
}
void put(LayerKey& key, const LayerKey& more) {
  key.insert(key.end(), more.begin(), more.end());
}

template <class... Parts>
LayerKey with(LayerKey key, const Parts&... parts) {
  (put(key, parts), ...);
  return key;
}

LayerKey themeKey(const FlowFrame& frame) {
  return with({}, frame.theme.key, frame.theme.textSize, frame.theme.smallSize);
}

/// Theme, layout and camera.
LayerKey viewKey(const FlowFrame& frame) {
  return with(themeKey(frame), frame.layout.plot, frame.layout.width, frame.layout.height, frame.state.view);
}

/// And field and parameters.
LayerKey modelKey(const FlowFrame& frame) {
  LayerKey key = with(viewKey(frame), frame.state.field->info().key);
  for (const double parameter : frame.state.parameters)
    put(key, parameter);
  return key;
}

LayerKey pathKey(const FlowFrame& frame) {
  std::uint64_t content = frame.state.points.size();
  for (std::size_t i = 0; i < frame.results.points() && i < frame.state.points.size(); ++i) {
    if (!frame.draws(i)) continue;
    const FlowPoint& point = frame.state.points[i];
    const std::uint64_t color = point.color.empty() ? 0 : bits(std::string_view(point.color));
    for (const std::uint64_t part : {frame.results.revision(i), bits(std::string_view(point.name)), color})
      content = (content ^ part) * 0x100000001b3u + (content >> 29);
  }
  return with(viewKey(frame), LayerKey{content}, frame.state.selected, frame.held, frame.headTime.value_or(-1));
}

LayerKey legendKey(const FlowFrame& frame) {
  const FlowState& s = frame.state;
  const FlowResults& r = frame.results;
  LayerKey key = with(modelKey(frame), s.showLoss, s.showCritical, s.showSeparatrix, s.showBasin, s.showCloud,
                      LayerKey{r.basin().revision, r.cloudRevision(), s.ownRevision}, r.gaussProbability().value_or(-1),
                      s.showPaths ? static_cast<double>(pathStride(s)) : 0.0);
  if (frame.layers)
    for (const auto& layer : *frame.layers)
      put(key, layer->legendKey(frame));
  const Placed place = legendPlace(frame);
  return with(std::move(key), place.box, place.met, place.bare, frame.layout.legendOpen, frame.figure);
}

LayerKey readOutKey(const FlowFrame& frame) {
  const render::Point pointer = frame.pointer.value_or(render::Point{-1, -1});
  return with(pathKey(frame), modelKey(frame), pointer.x, pointer.y, static_cast<double>(frame.state.points.size()),
              frame.figure, frame.layout.legendOpen, frame.layout.legend, boxesKey(frame));
}

/// The loss is grey under basins.
bool tinted(const FlowFrame& frame) {
  const BasinPicture& basin = frame.results.basin();
  return frame.state.showBasin && (basin.exact || basin.integrated);
}

LayerKey axisKey(const FlowFrame& frame) {
  const LossPicture* const loss = frame.results.loss();
  return with(modelKey(frame), frame.layout.colorBar.has_value(), tinted(frame), loss ? loss->scale.low : 0.0,
              loss ? loss->scale.high : 0.0, frame.state.locked.has_value(), static_cast<double>(frame.state.color));
}

}  // namespace

void PlaneScene::add(const char* name, LayerKey key, Make make, Look look, FlowFrame::Part part) {
  FlowFrame drawn = *frame_;
  drawn.part = part;
  put(
      name, std::move(key), [&] { return make(drawn); }, look);
}

void PlaneScene::put(const std::string& name, LayerKey key, const PageLayers::Make& make, Look look) {
  Kept& layer = kept(name);
  if (layer.key != key) {
    layer.key = std::move(key);
    layer.layer.items = make();
    layer.layer.revision = ++revision_;
    layer.layer.still = look.still;
    layer.layer.clip = look.clip;
  }
  if (!layer.layer.items.empty()) into_->push_back(std::move(layer.layer));
}

void PlaneScene::addParts(const std::vector<PlanePart>& parts, PlaneLevel level) {
  for (const PlanePart& part : parts)
    if (part.level == level)
      put(part.name, with(viewKey(*frame_), part.key, frame_->figure), part.make, {part.still, part.clip});
}

/// What follows from the model alone.
void PlaneScene::addPlane(const std::vector<PlanePart>& parts) {
  const FlowFrame& f = *frame_;
  const FlowState& s = f.state;
  const bool alone = s.showLoss && s.color == PlaneColor::Basin;
  const LayerKey basin = with(themeKey(f), LayerKey{f.results.basin().revision}, alone), model = modelKey(f);
  if (s.showLoss) add("loss", with(themeKey(f), LayerKey{f.results.lossRevision()}, tinted(f)), lossItems);
  if (s.showBasin) add("basin", basin, basinItems);
  if (s.showBasin) add("disagreement", basin, disagreementItems);
  addParts(parts, PlaneLevel::Ground);
  add("grid", model, gridItems);
  if (s.showArrows) add("arrows", model, arrowItems);
  add("axes", axisKey(f), axisItems, {true, false});
  if (s.showSeparatrix) add("separatrix", model, separatrixItems);
  if (s.showCritical) add("critical", model, criticalItems);
  addParts(parts, PlaneLevel::Lines);
  if (s.showCloud) add("cloud", with(viewKey(f), LayerKey{f.results.cloudRevision()}), cloudItems);
}

/// What a person placed, and what is written over it.
void PlaneScene::addPoints(const std::vector<PlanePart>& parts) {
  constexpr std::size_t kMany = 32;  // above this many points the picture of those that rest is kept
  using Part = FlowFrame::Part;
  const FlowFrame& f = *frame_;
  const FlowState& s = f.state;
  const bool many = s.points.size() > kMany, others = many && s.showPaths;
  const Look moves{false, true}, written{false, false}, rests{!f.headTime, true};
  const auto of = [&f](Part part) {
    FlowFrame drawn = f;
    drawn.part = part;
    return with(pathKey(drawn), f.figure);
  };
  const Part own = many ? Part::Selected : Part::All;
  const LayerKey ownKey = of(own), rest = many ? of(Part::Others) : LayerKey{};
  if (s.showPaths) add("paths", ownKey, pathItems, moves, own);
  if (s.showPaths) add("limits", ownKey, limitItems, moves, own);
  if (f.headTime) add("heads", pathKey(f), headItems, moves);
  if (others) add("other paths", rest, pathItems, rests, Part::Others);
  if (others) add("other limits", rest, limitItems, rests, Part::Others);
  if (many) add("other handles", rest, handleItems, rests, Part::Others);
  if (!s.own->empty()) add("overlays", with(modelKey(f), LayerKey{s.ownRevision}), ownItems, moves);
  if (f.layout.legend) add("legend", legendKey(f), legendItems, written);
  if (f.layout.timeBar)
    add("time", with(pathKey(f), modelKey(f), f.span.begin, f.span.end, f.layout.timeBar->min.y), timeItems, written);
  if (f.layout.square) add("square", with(modelKey(f), f.flash), squareItems, written);
  add("read-out", readOutKey(f), readOutItems, written);
  addParts(parts, PlaneLevel::Inset);
  add("handles", ownKey, handleItems, moves, own);
}

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

/// What is written makes way for handles and hides paths; nothing hides a handle.
void PlaneScene::update(const FlowFrame& frame, std::vector<render::Layer>& into) {
  frame_ = &frame;
  into_ = &into;
  std::vector<PlanePart> parts;
  if (frame.layers)
    for (const auto& layer : *frame.layers)
      layer->parts(frame, parts);
  addPlane(parts);
  addPoints(parts);
}

}  // namespace sepx::ui
