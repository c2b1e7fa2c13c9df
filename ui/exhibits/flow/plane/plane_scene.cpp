// SPDX-License-Identifier: Apache-2.0
// See plane_scene.h. A view is redrawn only when its inputs have changed, so that renderers can cache their result.
#include "ui/exhibits/flow/plane/plane_scene.h"

#include <algorithm>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/plane_legend.h"
#include "ui/exhibits/flow/shared/flow_axes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

namespace {

using Part = FlowFrame::Part;

Digest modelOf(const FlowFrame& frame) {
  const FlowState& s = frame.state;
  return Digest().add(s.field->info().key, s.parameters, s.chain.p, s.chain.q);
}

/// Digest of the points of a part: their paths, names and colours, the selected and the held point, and the time of the
/// heads.
Digest pathsOf(const FlowFrame& frame, Part part) {
  FlowFrame drawn = frame;
  drawn.part = part;
  Digest of = Digest().add(frame.state.points.size(), frame.state.selected, frame.held, frame.headTime);
  for (std::size_t i = 0; i < frame.results.points() && i < frame.state.points.size(); ++i)
    if (drawn.draws(i)) of.add(frame.results.revision(i), frame.state.points[i].name, frame.state.points[i].color);
  return of;
}

PlaneViews::Draw ofPart(Part part, std::vector<render::Item> (*make)(const FlowFrame&)) {
  return [part, make](const FlowFrame& frame) {
    FlowFrame drawn = frame;
    drawn.part = part;
    return make(drawn);
  };
}

/// Whether basins tint the plane, so that the loss below them is drawn in grey.
bool tinted(const FlowFrame& frame) {
  const BasinPicture& basin = frame.results.basin();
  return frame.state.showBasin && (basin.exact || basin.integrated);
}

void addModel(const FlowFrame& f, PlaneViews& into) {
  const FlowState& s = f.state;
  const LossPicture* const loss = f.results.loss();
  const bool alone = s.showLoss && s.color == PlaneColor::Basin;
  const Digest model = modelOf(f), basin = Digest().add(f.results.basin().revision, alone);
  // These views are in data coordinates, so they remain valid while the window moves.
  if (s.showLoss)
    into.add(PlaneLevel::Field, "loss", {}, lossItems).of = Digest().add(f.results.lossRevision(), tinted(f)).value();
  if (s.showBasin) into.add(PlaneLevel::Field, "basin", {}, basinItems).of = basin.value();
  if (s.showBasin) into.add(PlaneLevel::Field, "disagreement", {}, disagreementItems).of = basin.value();
  into.add(PlaneLevel::Sets, "grid", model, gridItems);
  if (s.showArrows) into.add(PlaneLevel::Sets, "arrows", model, arrowItems);
  into.add(PlaneLevel::Sets, "axes",
           Digest(model).add(f.layout.colorBar, tinted(f), loss ? loss->scale.low : 0.0, loss ? loss->scale.high : 0.0,
                             s.locked.has_value(), s.color),
           axisItems, true, false);
  if (s.showSeparatrix) into.add(PlaneLevel::Sets, "separatrix", model, separatrixItems);
  if (s.showCritical) into.add(PlaneLevel::Sets, "critical", model, criticalItems);
  if (s.showCloud) into.add(PlaneLevel::Points, "cloud", Digest().add(f.results.cloudRevision()), cloudItems);
}

}  // namespace

void addPlaneViews(const FlowFrame& f, PlaneViews& into) {
  constexpr std::size_t kMany = 32;  // with more points, the picture of the unselected ones is cached
  const FlowState& s = f.state;
  const bool many = s.points.size() > kMany;
  const Part own = many ? Part::Selected : Part::All;
  const Digest of = pathsOf(f, own);
  addModel(f, into);
  if (s.showPaths) {
    into.add(PlaneLevel::Points, "paths", of, ofPart(own, pathItems), false);
    into.add(PlaneLevel::Points, "limits", of, ofPart(own, limitItems), false);
  }
  if (f.headTime) into.add(PlaneLevel::Points, "heads", pathsOf(f, Part::All), headItems, false);
  if (many) {
    const auto rest = [&, others = pathsOf(f, Part::Others)](const char* name, auto* make) {
      into.add(PlaneLevel::Points, name, others, ofPart(Part::Others, make), !f.headTime);
    };
    if (s.showPaths) rest("other paths", pathItems);
    if (s.showPaths) rest("other limits", limitItems);
    rest("other handles", handleItems);
  }
  if (!s.own->empty()) into.add(PlaneLevel::Points, "overlays", Digest(modelOf(f)).add(s.ownRevision), ownItems, false);
  into.add(PlaneLevel::Handles, "handles", of, ofPart(own, handleItems), false);
}

void addWordViews(const FlowFrame& f, PlaneViews& into) {
  const Digest of = pathsOf(f, Part::All).add(modelOf(f).value());
  if (f.layout.timeBar)
    into.addAt(*f.layout.timeBar, PlaneLevel::Points, "time", Digest(of).add(f.span.begin, f.span.end), timeItems);
  if (f.layout.square)
    into.addAt(*f.layout.squareBox, PlaneLevel::Points, "square", modelOf(f).add(f.flash), squareItems);
  into.add(PlaneLevel::Points, "read-out", Digest(of).add(f.pointer, f.layout.legendOpen, boxesOver(f)), readOutItems,
           false, false);
}

namespace {

void addLoss(LineChart& chart, const FlowState& state, const PointResult& point, const Theme& theme) {
  ChartSeries series{.look = {.color = kindColor(theme, point.kind), .width = theme.strongLine}};
  const auto add = [&](const std::vector<render::Point>& path, const std::vector<double>& time, std::size_t i) {
    series.x.push_back(time[i]);
    series.y.push_back(lossAt(state, path[i].x, path[i].y));
  };
  if (point.back)
    for (std::size_t i = std::min(point.back->path.size(), point.back->time.size()); i-- > 1;)
      add(point.back->path, point.back->time, i);
  for (std::size_t i = 0; i < std::min(point.path.size(), point.time.size()); ++i)
    add(point.path, point.time, i);
  if (!series.x.empty() && series.x.back() < *chart.x.to) {  // the point rests until the end of the axis
    series.x.push_back(*chart.x.to);
    series.y.push_back(series.y.back());
  }
  chart.series.push_back(std::move(series));
}

}  // namespace

std::vector<render::Item> timeItems(const FlowFrame& frame) {
  if (!frame.layout.timeBar) return {};
  const Theme& theme = frame.theme;
  const render::Rect& bar = *frame.layout.timeBar;
  LineChart chart;
  chart.compact = true;
  chart.plot =
      render::Rect{{bar.min.x, bar.min.y + 1.5 * theme.textSize}, {bar.max.x, bar.max.y - 1.5 * theme.smallSize}};
  chart.x = {.name = "t", .from = frame.span.begin, .to = std::max(frame.span.end, frame.span.begin + 1e-9)};
  chart.y.pad = 0.08;
  chart.title = tr("time: select a point to see its loss over time");
  const int selected = frame.state.selected;
  if (selected >= 0 && static_cast<std::size_t>(selected) < frame.results.points() && hasLoss(frame.state)) {
    const std::string& name = frame.state.points[static_cast<std::size_t>(selected)].name;
    addLoss(chart, frame.state, frame.results.point(static_cast<std::size_t>(selected)), theme);
    chart.title = (frame.state.canonical ? tr("loss") : tr("potential")) + (name.empty() ? "" : " " + name) + " (t)";
    if (frame.headTime)
      if (const std::optional<double> now = valueAt(chart.series.front(), *frame.headTime))
        chart.title += ": " + shownFixed(*now, 4) + ", t = " + shownFixed(*frame.headTime, 2);
  } else {
    chart.y.bare = true;
    chart.y.from = 0, chart.y.to = 1;
    if (frame.headTime) chart.title = "t = " + shownFixed(*frame.headTime, 2);
  }
  if (frame.headTime)
    chart.references.push_back(
        {.value = *frame.headTime, .look = {.color = theme.accent, .width = theme.strongLine}, .vertical = true});
  const PlacedChart placed(std::move(chart), bar, theme);
  std::vector<render::Item> items = placed.items();
  if (frame.headTime) append(items, placed.cursor(*frame.headTime));
  return items;
}

}  // namespace sepx::ui
