// SPDX-License-Identifier: Apache-2.0
// See paths_page.h.
#include "ui/exhibits/flow/shared/paths_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/markov/basin.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/readable.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_layout.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/views/left_out.h"

namespace sepx::ui {

namespace {

constexpr double kPlaneShare = 0.56;  // fraction of the width or height

}  // namespace

void PathsPage::read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) {
  ground_.follow(document, live.state);
  start_ = startPoint(live.state);
  readOptions(document, registry, live.state);
}

void PathsPage::ask(const FlowPageFrame& frame, ExhibitContext& context) {
  if (std::exchange(seed_, context.seed) != context.seed)
    readOptions(context.editor.document(), context.editor.properties(), frame.state());
  updateResult(context);
  speed_ = frame.state().speed;
  advance(context.seconds);
  fit();
  results_.follow(Digest().add(ground_.contentDigest(), revision(), seed_).value());
  place(frame);
  plane_ = PlaneGround::layoutIn({board().boxOf("axes").value_or(frame.area), frame.theme}, frame.compact);
  ground_.update(plane_, context);
  results_.follow(Digest().add(ground_.contentDigest(), revision(), seed_).value());
}

void PathsPage::advance(double seconds) {
  const std::optional<double> before = std::exchange(last_, playing_ ? std::optional(seconds) : std::nullopt);
  if (!playing_) return;
  const double passed = before ? std::max(0.0, seconds - *before) : 0;
  played_ = std::min(1.0, played_.value_or(0) + passed * speed_ / kPlaySeconds);
  playing_ = *played_ < 1;
}

/// Fits the window to the paths. ground_ ignores this while a point is held, so the window changes after the release.
void PathsPage::fit() {
  if (!there()) return ground_.fit(std::nullopt);
  if (fitOf_ != revision()) {
    std::vector<render::Point> all;
    for (const std::vector<render::Point>& path : places())
      all.insert(all.end(), path.begin(), path.end());
    fitted_ = PlaneGround::around(startPlace(), all);
    fitOf_ = revision();
  }
  ground_.fit(fitted_);
}

/// The plane beside or above the other views; alone if there is not enough space.
Views PathsPage::views(const FlowPageFrame& frame) const {
  constexpr double kRatio = 1.15, kWide = 42, kLow = 20, kNarrow = 22, kTall = 38;  // in text sizes
  Views made;
  made.camera = [this](const PageArea&) { return ground_.camera(plane_); };
  made.over = [this, &results = frame.shared.results](const PageArea& area) { return heads(results, area); };
  made.views = ground_.below(frame);
  const std::uint64_t of = Digest().add(documents(), revision()).value();
  if (there()) {
    made.views.push_back(ground_.view(frame, "paths", of, [this](const FlowFrame& plane) { return pathItems(plane); }));
    made.views.push_back(ground_.view(frame, "names", of, [this](const FlowFrame& plane) {
      return nameItems(plane, startPlace(), namedPaths(plane));
    }));
  }
  for (View& view : ground_.above(frame, start_ ? static_cast<int>(*start_) : -1))
    made.views.push_back(std::move(view));
  Arrangement plane{.kind = Arrangement::Kind::Stack, .weight = kPlaneShare};
  for (const View& view : made.views)
    plane.parts.push_back(viewNamed(view.name));
  const double unit = frame.theme.textSize, width = frame.area.width() / unit, height = frame.area.height() / unit;
  const bool row = width > kRatio * height && width > kWide && height > kLow;
  const std::string why = missing();
  if (!why.empty()) made.views.push_back({"words", TextContent{.lines = {{{why}}}, .centred = true}});
  if (!row && !(width > kNarrow && height > kTall)) {
    // Inside the axes.
    if (!why.empty())
      plane.parts.push_back({.kind = Arrangement::Kind::Column, .parts = {viewNamed("words")}, .margin = 4.5 * unit});
    made.arrangement = std::move(plane);
    if (why.empty() && !frame.figure)
      made.arrangement = {.kind = Arrangement::Kind::Column,
                          .parts = {std::move(made.arrangement), leftOut(tr("the charts and the numbers"))}};
    return made;
  }
  Arrangement side = why.empty() ? beside(made, frame.theme) : viewNamed("words");
  side.weight = 1 - kPlaneShare;
  made.arrangement.kind = row ? Arrangement::Kind::Row : Arrangement::Kind::Column;
  made.arrangement.parts = {std::move(plane), std::move(side)};
  return made;
}

Cursor PathsPage::input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  inputViews(frame, context, event);
  return ground_.input(plane_, context, event);
}

FlowMoves PathsPage::moves(const Document&) {
  const auto play = [this] {
    if (!playing_ && played_ && *played_ >= 1) played_ = 0;
    playing_ = !playing_ && there();
  };
  return {.play = play,
          .reset = PlaneGround::reset,
          .zoom = [this](const FlowPageFrame&, ExhibitContext& context,
                         double factor) { ground_.zoom(plane_, context, factor); },
          .placeForPoint = [this](const FlowPageFrame&) { return ground_.placeForPoint(plane_); }};
}

PageFacts PathsPage::facts(const FlowShared&) const {
  PageFacts now{.playing = playing_, .moving = ground_.held(), .playSeconds = there() ? kPlaySeconds / speed_ : 0};
  now.gestures = [] {
    Gestures all = PlaneGround::gestures();
    all.emplace_back(tr("hover over a chart"), tr("show where each path is at that time"));
    return all;
  };
  return now;
}

std::optional<double> PathsPage::shownAt(const PageArea& area) const {
  if (!there()) return std::nullopt;
  std::optional<double> at = played_ ? std::optional(*played_ * horizon()) : std::nullopt;
  if (const auto under = area.figure ? std::nullopt : board().xUnder(area.pointer))
    at = std::clamp(*under, 0.0, horizon());
  if (at && wholeSteps_) at = std::round(*at);
  return at;
}

std::optional<PictureContent> PathsPage::heads(const FlowResults& results, const PageArea& area) const {
  const std::optional<double> at = shownAt(area);
  if (!at) return std::nullopt;
  PictureContent heads;
  heads.of = Digest().add(*at, area.pointer, plane_.plot).value();
  heads.draw = [this, &results, pointer = area.pointer, at = *at](const ViewPlace& place) {
    std::vector<render::Item> items = board().cursorsAt(at);
    std::vector<std::string> lines;
    addHeads(items, lines, ground_.flowFrame(results, place, plane_), at);
    if (board().xUnder(pointer)) addTip(items, *pointer, lines, place.box, place.theme);
    return items;
  };
  return heads;
}

std::vector<render::Point> planePlaces(const std::vector<markov::State>& path) {
  std::vector<render::Point> points;
  points.reserve(path.size());
  for (const markov::State& theta : path)
    points.push_back({theta[0], theta[1]});
  return points;
}

std::string startCaption(const char* words, render::Point start, double p, double q) {
  return fmt::format("{} ({}, {}), p = {}, q = {}", tr(words), shownFixed(start.x, 3), shownFixed(start.y, 3),
                     shownProbability(p, 3), shownProbability(q, 3));
}

namespace {

constexpr double kShares[] = {1.0, 0.3, 0.15, 0.5, 0.08, 0.7, 0.04, 0.02, 0.01};  // fractions of the points of a path
constexpr double kTipOffset[] = {1, 2.4, 3.8, 5.5, 7.5};  // distances from the path, in text sizes

/// The box of a name that nameAt() has set, page.
render::Rect boxOf(const FlowFrame& plane, const render::Label& label) {
  const render::Point at = toPage(plane.camera(), label.at);
  const double size = static_cast<double>(label.size);
  const double width = textWidth(label.text, size), height = 1.3 * size;
  const double left = at.x + label.offset.x - (label.alignX == render::AlignX::Right ? width : 0);
  const double middle = at.y + label.offset.y;
  return {{left - 3, middle - height / 2}, {left + width + 3, middle + height / 2}};
}

/// Adds a line from a name that is away from its path to the place that it names.
void addLeader(std::vector<render::Item>& items, const FlowFrame& plane, const render::Rect& box, render::Point place,
               render::Color color) {
  const render::Point at = toPage(plane.camera(), place);
  const render::Point near{std::clamp(at.x, box.min.x, box.max.x), std::clamp(at.y, box.min.y, box.max.y)};
  items.insert(items.begin(), pageLine(at, near, readable(color, plane.theme.surface, plane.theme)));
}

void addName(std::vector<render::Item>& items, std::vector<render::Rect>& taken, const FlowFrame& plane,
             const NamedPath& path) {
  const std::size_t last = path.places.size() - 1;
  std::vector<std::size_t> steps;
  if (path.at) steps.push_back(std::min(*path.at, last));
  for (const double share : kShares)
    steps.push_back(static_cast<std::size_t>(std::lround(share * static_cast<double>(last))));
  std::optional<render::Label> best;
  bool bestInside = false;
  for (const double away : kTipOffset)
    for (const std::size_t step : steps)
      for (const bool above : {true, false}) {
        const render::Point place = path.places[step];
        if (!plane.layout.plot.contains(toPage(plane.camera(), place))) continue;
        render::Label label =
            nameAt(plane, place, path.text, path.color, away * static_cast<double>(plane.theme.smallSize), above);
        const render::Rect box = boxOf(plane, label);
        const auto meets = [&box](const render::Rect& other) { return overlap(box, other); };
        const render::Rect& plot = plane.layout.plot;
        const bool inside = box.min.x >= plot.min.x && box.max.x <= plot.max.x;
        if (!best || (!bestInside && inside)) best = label, bestInside = inside;
        if (!inside) continue;
        if (std::any_of(taken.begin(), taken.end(), meets)) continue;
        taken.push_back(box);
        if (away > kTipOffset[0]) addLeader(items, plane, box, place, path.color);
        items.emplace_back(std::move(label));
        return;
      }
  if (!best) return;
  taken.push_back(boxOf(plane, *best));
  items.emplace_back(std::move(*best));
}

}  // namespace

std::string startWords(const markov::Chain& chain, double e, double w) {
  if (chain.degenerate())
    return tr("p + q = 1: the next symbol does not depend on the last, so there are no basins to tell apart.");
  std::string text;
  if (e == 0)
    text = tr("On e = 0 the gradient vanishes: the flow stays where it is.");
  else if (markov::basinLabel(chain, e, w) == markov::LimitKind::Saddle)
    text =
        tr("The initial point lies on the separatrix: the flow ends in the saddle, and a path with steps of any size, "
           "however small, leaves it to one side.");
  if (w == 0) {
    if (!text.empty()) text += " ";
    text += tr("On the axis w = 0 the energy is not defined.");
  }
  return text;
}

void addPath(std::vector<render::Item>& items, const std::vector<render::Point>& places, const render::Stroke& stroke,
             const FlowFrame& plane, bool casing) {
  if (casing) return addLine(items, places, stroke, plane);
  // addLine() adds casing and line of each piece in turn; only the lines are kept.
  std::vector<render::Item> both;
  addLine(both, places, stroke, plane);
  for (std::size_t i = 1; i < both.size(); i += 2)
    items.push_back(std::move(both[i]));
}

std::vector<render::Item> nameItems(const FlowFrame& plane, render::Point start, const std::vector<NamedPath>& paths) {
  // Boxes that are occupied first: the start with its name, and the ends of the paths.
  const double handle = plane.theme.handleSize, end = 0.3 * handle;
  const render::Point at = toPage(plane.camera(), start);
  std::vector<render::Item> items;
  std::vector<render::Rect> taken{
      {{at.x - 0.8 * handle, at.y - 0.8 * handle}, {at.x + 0.8 * handle, at.y + 0.8 * handle}},
      boxOf(plane, nameAt(plane, start, "A", plane.theme.text, 0.8 * handle, true))};
  for (const NamedPath& path : paths) {
    const render::Point last = toPage(plane.camera(), path.places.back());
    taken.push_back({{last.x - end, last.y - end}, {last.x + end, last.y + end}});
  }
  for (const NamedPath& path : paths)
    addName(items, taken, plane, path);
  return items;
}

}  // namespace sepx::ui
