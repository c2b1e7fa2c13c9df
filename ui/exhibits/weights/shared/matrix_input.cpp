// SPDX-License-Identifier: Apache-2.0
// The gestures over matrices. The view is replaced (not undoable), γ and the colour scale are committed in groups.
#include "ui/exhibits/weights/shared/matrix_input.h"

#include <algorithm>
#include <cmath>

#include "engine/core/number.h"
#include "ui/canvas/axes.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kStill = 3, kDoubleClick = 0.4, kWheel = 1.25, kReach = 7;
constexpr double kLeastGamma = -5, kMostGamma = 50;
constexpr const char* kGammaGroup = "weights.score.gamma";
constexpr const char* kScaleGroup = "weights.limits";

void show(ExhibitContext& context, const std::optional<render::Rect>& view) {
  context.editor.replace(withWeightsView(context.editor.document(), view));
}

bool nearLine(render::Point at, const render::Rect& box, double line, bool vertical) {
  if (vertical) return std::abs(at.x - line) <= kReach && at.y >= box.min.y && at.y <= box.max.y;
  return std::abs(at.y - line) <= kReach && at.x >= box.min.x && at.x <= box.max.x;
}

double thresholdOf(const WeightsShared& shared, Side side) {
  return side == Side::Rows ? shared.parts.rows.threshold : shared.parts.columns.threshold;
}

std::optional<Side> thresholdAt(render::Point at, const MatrixInput::Place& place) {
  const WeightsShared& shared = place.page.shared;
  if (!shared.moments || !place.layout.columnNorms) return std::nullopt;
  const double largest = largestNorm(shared);
  for (const Side side : {Side::Columns, Side::Rows}) {
    const double threshold = thresholdOf(shared, side);
    if (!std::isfinite(threshold) || threshold < 0 || threshold > largest) continue;
    const render::Rect& box = side == Side::Rows ? *place.layout.rowNorms : *place.layout.columnNorms;
    const render::Rect grown{{box.min.x - 6, box.min.y - 6}, {box.max.x + 6, box.max.y + 6}};
    if (grown.contains(at) && nearLine(at, grown, normToPage(box, side, threshold, largest), side == Side::Rows))
      return side;
  }
  return std::nullopt;
}

bool onScale(render::Point at, const MatrixLayout& layout) {
  if (!layout.scale) return false;
  const double right = layout.histogram ? layout.histogram->max.x : layout.scale->max.x + 6;
  return at.x >= layout.scale->min.x - 6 && at.x <= right && at.y >= layout.scale->min.y - 8 &&
         at.y <= layout.scale->max.y + 8;
}

}  // namespace

Cursor MatrixInput::cursor(const Place& place) const {
  if (grip_ == Grip::Pan) return dragging_ ? Cursor::Move : Cursor::Cross;
  if (grip_ == Grip::Threshold) return side_ == Side::Rows ? Cursor::ResizeHorizontal : Cursor::ResizeVertical;
  if (grip_ == Grip::Scale) return Cursor::ResizeVertical;
  if (grip_ == Grip::Map) return Cursor::Hand;
  if (!there_) return Cursor::Arrow;
  if (over_) return *over_ == Side::Rows ? Cursor::ResizeHorizontal : Cursor::ResizeVertical;
  if (place.layout.minimap && place.layout.minimap->contains(at_)) return Cursor::Hand;
  if (onScale(at_, place.layout)) return Cursor::ResizeVertical;
  return place.layout.at(at_) ? Cursor::Cross : Cursor::Arrow;
}

Cursor MatrixInput::handle(const InputEvent& event, const Place& place, ExhibitContext& context) {
  if (place.layout.panes.empty()) {
    grip_ = Grip::None;
    return Cursor::Arrow;
  }
  if (const auto* move = std::get_if<PointerMoved>(&event)) {
    moved({move->x, move->y}, move->modifiers.shift, place, context);
  } else if (const auto* press = std::get_if<PointerPressed>(&event)) {
    at_ = {press->x, press->y};
    there_ = true;
    if (press->down)
      pressed(*press, place, context);
    else if (press->button == button_)
      released(context);
  } else if (const auto* scroll = std::get_if<Scrolled>(&event)) {
    const bool over = there_ && place.layout.at(at_);
    if (over && scroll->dy != 0) zoom(place, context, at_, std::pow(kWheel, std::clamp(scroll->dy, -20.0, 20.0)));
  } else if (const auto* key = std::get_if<KeyPressed>(&event)) {
    if (key->down && key->key == Key::Escape) takeBack(context);
  } else if (std::holds_alternative<PointerLeft>(event)) {
    there_ = grip_ != Grip::None;
  } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
    if (!focus->focused) released(context);
  }
  over_ = there_ && grip_ == Grip::None ? thresholdAt(at_, place) : std::nullopt;
  return cursor(place);
}

void MatrixInput::zoom(const Place& place, ExhibitContext& context, std::optional<render::Point> about, double factor) {
  if (place.layout.panes.empty()) return;
  const MatrixPane* pane = about ? place.layout.at(*about) : nullptr;
  if (!pane) pane = &place.layout.panes.front();
  const render::Point middle{(pane->plot.min.x + pane->plot.max.x) / 2, (pane->plot.min.y + pane->plot.max.y) / 2};
  const Camera next =
      zoomed({place.layout.view, pane->plot}, about && pane->plot.contains(*about) ? *about : middle, factor);
  show(context, boundedView(next.window, place.layout.whole));
}

std::vector<WeightsPage::Command> MatrixInput::commands(const At& at) {
  const auto zooming = [&at](double factor) {
    return [at, factor](const PageFrame& frame, ExhibitContext& context) {
      at(frame, [&](const Place& place) { zoom(place, context, frame.pointer, factor); });
    };
  };
  return {{"view.reset", tr("Reset view"), "R", tr("View"), true,
           [](ExhibitContext& context) { show(context, std::nullopt); }},
          {"view.zoom-in", tr("Zoom in"), "+", tr("View"), true, zooming(kWheel)},
          {"view.zoom-out", tr("Zoom out"), "-", tr("View"), true, zooming(1 / kWheel)}};
}

void MatrixInput::pressed(const PointerPressed& event, const Place& place, ExhibitContext& context) {
  if (grip_ != Grip::None) return;
  const bool twice = event.button == Button::Left && lastPress_ >= 0 && context.seconds - lastPress_ <= kDoubleClick &&
                     std::hypot(at_.x - lastAt_.x, at_.y - lastAt_.y) <= kStill;
  lastPress_ = twice ? -1 : context.seconds;
  lastAt_ = from_ = at_;
  button_ = event.button;
  dragging_ = changed_ = false;
  before_ = context.editor.document();
  const std::optional<Side> side = event.button == Button::Left ? thresholdAt(at_, place) : std::nullopt;
  if (place.layout.minimap && place.layout.minimap->contains(at_)) {
    grip_ = Grip::Map;
    moveView(at_, place, context);
  } else if (side) {
    grip_ = Grip::Threshold;
    side_ = *side;
    const double line = normToPage(place.layout.norms(side_), side_, thresholdOf(place.page.shared, side_),
                                   largestNorm(place.page.shared));
    offset_ = line - (side_ == Side::Rows ? at_.x : at_.y);
    context.editor.seal();
  } else if (onScale(at_, place.layout)) {
    context.editor.seal();
    if (twice) {
      context.editor.commit(withoutLockedLimits(context.editor.document()), tr("colour scale from the data"));
      context.editor.seal();
      return;
    }
    grip_ = Grip::Scale;
    heldScale_ = place.scale;
    upper_ = at_.y <= valueToPage(*place.layout.scale, place.scale, 0) || place.scale.kind == ScaleKind::Sequential;
  } else if (place.layout.at(at_)) {
    if (twice)
      show(context, std::nullopt);
    else
      grip_ = Grip::Pan;
  }
}

void MatrixInput::moved(render::Point at, bool shift, const Place& place, ExhibitContext& context) {
  const render::Point last = at_;
  at_ = at;
  there_ = true;
  if (grip_ == Grip::None) return;
  if (!dragging_ && std::hypot(at.x - from_.x, at.y - from_.y) < kStill) return;
  const render::Point since = dragging_ ? last : from_;
  dragging_ = true;
  switch (grip_) {
    case Grip::Pan: {
      const Camera camera = panned(place.layout.camera(), at.x - since.x, at.y - since.y);
      show(context, boundedView(camera.window, place.layout.whole));
      break;
    }
    case Grip::Threshold:
      dragThreshold(at, shift, place, context);
      break;
    case Grip::Scale:
      dragScale(at, place, context);
      break;
    case Grip::Map:
      moveView(at, place, context);
      break;
    case Grip::None:
      break;
  }
}

/// γ follows the line that is held; the other side's line follows γ.
void MatrixInput::dragThreshold(render::Point at, bool shift, const Place& place, ExhibitContext& context) {
  const WeightsShared& shared = place.page.shared;
  if (!shared.moments || !place.layout.columnNorms) return;
  const render::Point held{at.x + offset_, at.y + offset_};
  const double threshold = pageToNorm(place.layout.norms(side_), side_, held, largestNorm(shared));
  const attention::Side& side = side_ == Side::Rows ? shared.parts.rows : shared.parts.columns;
  const double raw = attention::gammaAt(side, threshold);
  if (!std::isfinite(raw)) return;
  const double step = shift ? 10 : 100;  // tenths or hundredths
  const double gamma = std::clamp(std::round(raw * step) / step, kLeastGamma, kMostGamma);
  context.editor.commit(context.editor.document().with("weights.score.gamma", gamma), tr("move the threshold γ"),
                        kGammaGroup);
  changed_ = true;
}

/// The end that is held goes where the pointer is, as a share of the scale as it was: nothing jumps.
void MatrixInput::dragScale(render::Point at, const Place& place, ExhibitContext& context) {
  if (!place.layout.scale) return;
  const render::Rect& bar = *place.layout.scale;
  const double zero = valueToPage(bar, heldScale_, 0);
  const double before = std::abs(from_.y - zero), now = upper_ ? zero - at.y : at.y - zero;
  if (before < 4) return;
  const double ratio = std::clamp(now / before, 0.02, 20.0);
  const double end = std::max(std::abs(heldScale_.limits.low), std::abs(heldScale_.limits.high));
  double moved = end * ratio;
  if (heldScale_.kind == ScaleKind::Logarithmic)
    moved = std::abs(pageToValue(bar, heldScale_, upper_ ? std::min(at.y, zero - 2) : std::max(at.y, zero + 2)));
  const double step = roundStep(end / 500);
  moved = std::max(step, std::round(moved / step) * step);
  moved = parseNumber(formatFixed(moved, 12)).value_or(moved);
  if (!std::isfinite(moved) || moved <= 0) return;
  const ColorLimits limits =
      fitting({heldScale_.kind == ScaleKind::Sequential ? heldScale_.limits.low : -moved, moved}, heldScale_.kind);
  context.editor.commit(withLockedLimits(context.editor.document(), limits), tr("move the colour scale"), kScaleGroup);
  changed_ = true;
}

void MatrixInput::moveView(render::Point at, const Place& place, ExhibitContext& context) {
  if (!place.layout.minimap) return;
  const render::Point centre = toData(Camera{place.layout.whole, *place.layout.minimap}, at);
  const render::Rect& view = place.layout.view;
  show(context, boundedView({{centre.x - view.width() / 2, centre.y - view.height() / 2},
                             {centre.x + view.width() / 2, centre.y + view.height() / 2}},
                            place.layout.whole));
}

void MatrixInput::released(ExhibitContext& context) {
  if (grip_ != Grip::None && changed_) context.editor.seal();
  grip_ = Grip::None;
  dragging_ = changed_ = false;
  before_ = {};
}

/// Escape: what the grip has changed is as it was, within the same undo step.
void MatrixInput::takeBack(ExhibitContext& context) {
  if (grip_ == Grip::Threshold && changed_)
    context.editor.commit(before_, tr("move the threshold γ"), kGammaGroup);
  else if (grip_ == Grip::Scale && changed_)
    context.editor.commit(before_, tr("move the colour scale"), kScaleGroup);
  released(context);
}

}  // namespace sepx::ui
