// SPDX-License-Identifier: Apache-2.0
// The views of the matrix page and their layout.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/matrix/matrix_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/entry_scale.h"
#include "ui/views/matrix_margins.h"

namespace sepx::ui {

namespace {

std::vector<std::string> hoverLines(const MatrixHover& hover) {
  std::vector<std::string> lines{fmt::format("{} {}, {} {}", tr("row"), hover.row, tr("column"), hover.column),
                                 "= " + entryText(hover.value, 7)};
  if (std::isfinite(hover.rowNorm)) lines.push_back(std::string(tr("row norm")) + " " + entryText(hover.rowNorm));
  if (std::isfinite(hover.columnNorm))
    lines.push_back(std::string(tr("column norm")) + " " + entryText(hover.columnNorm));
  if (hover.rowOutlier || hover.columnOutlier)
    lines.emplace_back(hover.rowOutlier && hover.columnOutlier ? tr("outliers: row, column")
                       : hover.rowOutlier                      ? tr("outlier: row")
                                                               : tr("outlier: column"));
  if (hover.part != attention::Part::Full)
    lines.push_back(hover.part == attention::Part::Symmetric ? tr("of the symmetric part") : tr("of the skew part"));
  return lines;
}

/// The reason why there is no picture, and a button that opens the page Mapping.
Views sentenceViews(const PageFrame& frame) {
  Views made = sentenceAlone(matrixSentence(frame.shared));
  const double size = frame.theme.textSize;
  if (!frame.shared.model || frame.figure || frame.area.height() <= 8 * size) return made;
  const std::string words = tr("Show the mapping");
  const double half = textWidth(words, frame.theme.smallSize) / 2 + 2 * frame.theme.space;
  const render::Point middle{(frame.area.min.x + frame.area.max.x) / 2, frame.area.max.y - 3.5 * size};
  made.addAt({{middle.x - half, middle.y - size}, {middle.x + half, middle.y + size}},
             {"mapping", ChoicesContent{{{"weights.page", "", {{"mapping", words, true}}}}}});
  return made;
}

/// Adds the share of norms above a value, as steps, and marks the threshold on it.
void addSurvival(LineChart& chart, const attention::Survival& survival, const char* name, const ChartLook& look,
                 double threshold) {
  ChartSeries& series = chart.series.emplace_back();
  series.name = name;
  series.look = look;
  for (const auto& [norm, share] : attention::staircase(survival)) {
    series.x.push_back(norm);
    series.y.push_back(share);
  }
  if (!std::isfinite(threshold) || threshold < 0) return;
  chart.references.push_back({.value = threshold,
                              .look = {faded(look.color, 0.6f), render::Dash::Dotted, 1},
                              .vertical = true,
                              .counts = false});
  chart.marks.push_back({{threshold, survival.at(threshold)}, render::Shape::Circle, 7, look.color, look.color, 0});
}

}  // namespace

void MatrixPage::fill(MatrixPanes& panes, const WeightsShared& shared) const {
  for (MatrixPane& pane : panes.panes) {
    const MatrixPart* const part = pictures_.part(pane.part);
    pane.pictures = picturesOf(part, panes.seen);
    pane.scale = scale_;
    pane.stale = isStale(shared);
    pane.nonfinite = (part && part->histogram && part->histogram->nonfinite() > 0) ||
                     (shared.moments && shared.moments->nonfinite > 0);
  }
  panes.tip = [this, &shared](const MatrixPane& pane, MatrixCell cell) {
    const std::optional<MatrixHover> hover = hoverAt(shared, pane.part, cell);
    return hover ? hoverLines(*hover) : std::vector<std::string>();
  };
}

TextContent MatrixPage::notes(const MatrixPanes& panes, const WeightsShared& shared) const {
  TextContent text;
  const auto line = [&text](std::string words, NoteLine::Role role = NoteLine::Role::Muted) {
    text.lines.push_back({{std::move(words)}, role});
  };
  const double rows = panes.whole.height(), columns = panes.whole.width();
  line(fmt::format("{:.0f} × {:.0f}", rows, columns));
  if (rows != columns) line(tr("the two sides have different widths: no symmetric part, no symmetry"));
  const MatrixPart* const part = pictures_.part(panes.panes.front().part);
  if (part && part->picture.values && part->picture.step > 1)
    line(trEither(shared.state.pool == attention::Pool::Mean, N_("a pixel: the mean of {0:.0f} × {0:.0f} entries"),
                  N_("a pixel: the largest of {0:.0f} × {0:.0f} entries"), part->picture.step));
  if (part && part->histogram && part->histogram->sampled < 1)
    line(trFormat("colours and histogram: {:.2g} % of the entries, evenly spaced", 100 * part->histogram->sampled));
  if (shared.moments && shared.moments->nonfinite > 0)
    line(trFormat("{} weights are NaN or infinite: hatched", shared.moments->nonfinite), NoteLine::Role::Error);
  return text;
}

Views MatrixPage::views(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  MatrixLayout layout = layoutOf(frame);
  if (layout.panes.panes.empty()) return sentenceViews(frame);
  Views made;
  made.camera = [camera = layout.panes.first().camera()](const PageArea&) { return camera; };
  fill(layout.panes, shared);
  if (layout.columnNorms) made.addAt(frame.area, {"margins", margins(layout, shared)});
  const MatrixPart* const first = pictures_.part(layout.panes.panes.front().part);
  if (layout.scale)
    made.addAt(*layout.scale, entryScale("scale", {.scale = scale_,
                                                   .roomForHistogram = layout.histogram,
                                                   .histogram = first ? first->histogram : nullptr,
                                                   .locked = shared.state.locked.has_value(),
                                                   .edge = frame.area.max.x - 8,
                                                   .with = withLimits}));
  if (layout.notes) made.addAt(*layout.notes, {"notes", notes(layout.panes, shared)});
  if (shared.moments) {
    View curves{"survival", survival(shared, frame.theme)};
    if (layout.survival)
      made.addAt(*layout.survival, std::move(curves));
    else
      made.views.push_back(std::move(curves));  // a figure may ask for it
  }
  if (layout.spectrum)
    spectrum_.show(made, *layout.spectrum, frame.theme);
  else
    spectrum_.offer(made, shared.layer->d_model == shared.layer->d_key, frame.theme);
  if (layout.minimap && first && first->overview.places) {
    const PictureContent map = minimapOf(layout.panes, first->overview, scale_);
    addPanes(made, frame.area, std::move(layout.panes));
    made.addAt(*layout.minimap, {"minimap", map});
  } else {
    addPanes(made, frame.area, std::move(layout.panes));
  }
  return made;
}

double largestNorm(const WeightsShared& shared) {
  if (!shared.moments) return 1;
  double largest = 0;
  for (const Eigen::VectorXd* norms : {&shared.moments->rowNorms, &shared.moments->columnNorms})
    for (const double norm : *norms)
      if (std::isfinite(norm)) largest = std::max(largest, norm);
  return largest > 0 ? 1.04 * largest : 1;
}

PictureContent MatrixPage::margins(const MatrixLayout& layout, const WeightsShared& shared) const {
  const MatrixResults::Factors& factors = pictures_.factors();
  const bool known = shared.moments && factors && shared.moments->rowNorms.size() == factors->rows() &&
                     shared.moments->columnNorms.size() == factors->columns();
  if (!known) return {};  // the picture still shows the previous layer
  const auto sideOf = [&shared](Side side) -> const attention::OutlyingNorms& {
    return side == Side::Rows ? shared.parts.rows : shared.parts.columns;
  };
  MatrixMargins margins{.plot = layout.panes.first(), .rows = *layout.rowNorms, .columns = *layout.columnNorms};
  margins.of = Digest()
                   .add(shared.factorsRevision, pictures_.revision(), shared.parts.rows.threshold,
                        shared.parts.columns.threshold)
                   .value();
  margins.largest = largestNorm(shared);
  margins.norm = [this, moments = shared.moments](Side side, std::size_t place) {
    const std::vector<int>& order = side == Side::Rows ? pictures_.rowOrder() : pictures_.columnOrder();
    const auto stored = place < order.size() ? order[place] : static_cast<Eigen::Index>(place);
    return side == Side::Rows ? moments->rowNorms[stored] : moments->columnNorms[stored];
  };
  margins.threshold = [sideOf](Side side) { return sideOf(side).threshold; };
  margins.heldText = [sideOf, &shared](Side side) {
    return "γ " + shownFixed(shared.state.score.gamma, 2) + "  τ " + entryText(sideOf(side).threshold);
  };
  // γ follows the line that is dragged, and the line of the other side follows γ.
  margins.with = [sideOf](const Document& document, Side side, double threshold, bool coarse) {
    constexpr double kLeast = -5, kMost = 50;
    const double gamma = attention::gammaAt(sideOf(side), threshold), step = coarse ? 10 : 100;
    if (!std::isfinite(gamma)) return document;
    return document.with("weights.score.gamma", std::clamp(std::round(gamma * step) / step, kLeast, kMost));
  };
  return marginsContent(margins);
}

ChartContent MatrixPage::survival(const WeightsShared& shared, const Theme& theme) const {
  const attention::DirectionalityParts& parts = shared.parts;
  const double least = 1 / static_cast<double>(std::max<std::size_t>({rows_.count, columns_.count, 10}));
  LineChart chart;
  chart.title = tr("share of norms above");
  chart.compact = chart.legend = true;
  chart.x = {.name = tr("norm"), .from = 0, .to = largestNorm(shared)};
  chart.y = {.logarithmic = true, .from = least, .to = 1, .least = least};
  addSurvival(chart, rows_, tr("rows"), {theme.globalMin, render::Dash::Solid, 1.75f}, parts.rows.threshold);
  addSurvival(chart, columns_, tr("columns"), {theme.localMin, render::Dash::Dashed, 1.75f}, parts.columns.threshold);
  return {.chart = std::move(chart)};
}

// Layout: the plots are as large as the area allows, and the remaining room is for notes, minimap and curves.

namespace {

constexpr double kCurvesWidth = 270, kLeastWithCurves = 90;  // points at a type size of 13
constexpr double kUsualText = 13, kMarginGap = 4;            // points

/// The room around the plots, and the parts that the area is large enough for.
struct PlotSurroundings {
  render::Rect room;    ///< of the plots
  double right, below;  ///< beside and below them
  double margin = 0;    ///< height and width of norms; 0: none
  bool scale, histogram;
};

const char* axisName(bool rows, WeightsOrder order) {
  const bool sorted =
      order == WeightsOrder::BothNorms || order == (rows ? WeightsOrder::RowNorm : WeightsOrder::ColumnNorm);
  if (rows) return sorted ? tr("rows by norm (query)") : tr("row (query)");
  return sorted ? tr("columns by norm (key)") : tr("column (key)");
}

/// The curves that the user switched on. In a figure with panels there are none, because curves have their own panels.
struct Curves {
  bool survival, spectrum;
  explicit Curves(const PageFrame& frame)
      : survival(frame.shared.state.survival && !frame.panels),
        spectrum(frame.shared.state.spectrum && !frame.panels) {}
  bool any() const { return survival || spectrum; }
};

PlotSurroundings plotSurroundings(const PageFrame& frame, double unit, bool titles) {
  const Theme& theme = frame.theme;
  const double small = theme.smallSize, width = frame.area.width(), height = frame.area.height();
  PlotSurroundings around{};
  if (frame.shared.state.margins && width > 260 * unit && height > 220 * unit)
    around.margin = (frame.compact ? 26 : 46) * unit;
  around.scale = width > 300 * unit && height > 150 * unit;
  around.histogram = around.scale && width > 460 * unit;
  around.right = theme.space + (around.histogram ? 11 : around.scale ? 6.8 : 0) * small;
  around.below = height > 160 * unit ? 1.7 * small + 1.5 * theme.textSize : theme.space;
  const double axis = width > 240 * unit ? 3.4 * small + 1.5 * theme.textSize : theme.space;
  around.room = {{frame.area.min.x + axis + around.margin,
                  frame.area.min.y + theme.space + around.margin + (titles ? 1.5 * small : 0)},
                 {frame.area.max.x - around.right, frame.area.max.y - around.below}};
  return around;
}

/// The largest plots. `row`: receives the height of the curves below them; 0: the curves are at the right, in a free
/// corner, or nowhere.
std::vector<render::Rect> plotsOf(const PageFrame& frame, double unit, const PlotSurroundings& around, double aspect,
                                  std::size_t count, double& row) {
  const auto with = [&](double right, double below) {
    const render::Rect& all = around.room;
    return largestPlots({all.min, {all.max.x - right, all.max.y - below}}, count, aspect,
                        {1.6 * frame.theme.space, around.below + 1.5 * frame.theme.smallSize});
  };
  const auto height = [](const std::vector<render::Rect>& plots) { return plots.empty() ? 0 : plots.front().height(); };
  row = 0;
  const std::vector<render::Rect> alone = with(0, 0);
  if (!Curves(frame).any()) return alone;
  const double least = kLeastWithCurves * unit, low = std::clamp(0.34 * frame.area.height(), 110 * unit, 260 * unit);
  const bool corner = alone.size() == 3 && alone[1].min.y == alone[0].min.y && alone[2].min.y > alone[0].min.y;
  if (corner) return alone;
  const std::vector<render::Rect> right = with(kCurvesWidth * unit, 0), below = with(0, low);
  if (std::max(height(right), height(below)) < least) return alone;
  if (height(right) >= height(below)) return right;
  row = low;
  return below;
}

/// The last plot of the first line of plots.
const render::Rect& lastOfFirstLine(const MatrixPanes& panes) {
  const render::Rect* last = &panes.panes.front().plot;
  for (const MatrixPane& pane : panes.panes)
    if (pane.plot.min.y == last->min.y) last = &pane.plot;
  return *last;
}

/// The curves in a column beside the plots: those that are switched on, and others if they fit there.
struct SideCurves {
  bool survival, spectrum;
  int count() const { return (spectrum ? 2 : 0) + (survival ? 1 : 0); }
};

SideCurves curvesBeside(const PageFrame& frame, const render::Rect& column, double unit) {
  constexpr int kQuick = 1024;  // rows of a matrix whose spectrum takes a second at most
  const Curves asked(frame);
  const bool roomy = frame.shared.state.curvesBeside && !frame.figure && column.width() >= 135 * unit;
  const auto& layer = *frame.shared.layer;
  return {asked.survival || (roomy && column.height() >= 110 * unit),
          asked.spectrum || (roomy && column.height() >= 520 * unit && std::max(layer.d_model, layer.d_key) <= kQuick)};
}

/// Notes, minimap and curves, from top to bottom.
void placeColumn(MatrixLayout& layout, const render::Rect& column, const PageFrame& frame, double unit) {
  const SideCurves shown = curvesBeside(frame, column, unit);
  const double gap = frame.theme.space;
  double y = column.min.y;
  const auto take = [&](double height) {
    const render::Rect box{{column.min.x, y}, {column.max.x, y + height}};
    y += height + gap;
    return box;
  };
  const int curves = shown.count();
  if (!frame.figure && column.height() > (curves > 0 ? 260 : 120) * unit)
    layout.notes = take(4.2 * 1.5 * frame.theme.smallSize);
  const double aspect = layout.panes.whole.height() / layout.panes.whole.width();
  const double most = (curves > 0 ? 110 : 170) * unit, side = std::min({column.width(), most, most / aspect});
  if (layout.panes.zoomed() && column.max.y - y > side * aspect + (curves > 0 ? 130 * unit : 0)) {
    const render::Rect box = take(side * aspect);
    layout.minimap = render::Rect{box.min, {box.min.x + side, box.max.y}};
  }
  const double left = column.max.y - y;
  if (curves == 0 || left < 90 * unit) return;
  const double each = std::min((left - (curves - 1) * gap) / curves, 260 * unit);
  if (shown.survival) layout.survival = take(each);
  if (shown.spectrum && column.max.y - y > 80 * unit)
    layout.spectrum = take(std::min(2 * each + gap, column.max.y - y));
}

/// Places curves in a row below the plots. If none is switched on, the row gets the survival curves.
void placeRow(MatrixLayout& layout, const render::Rect& row, const Curves& asked) {
  constexpr double kHalfGap = 6;
  if (asked.survival && asked.spectrum) {
    const double third = row.min.x + row.width() / 3;
    layout.survival = render::Rect{row.min, {third - kHalfGap, row.max.y}};
    layout.spectrum = render::Rect{{third + kHalfGap, row.min.y}, row.max};
  } else if (asked.spectrum) {
    layout.spectrum = row;
  } else {
    const double width = asked.survival ? std::min(row.width(), 1.8 * row.height()) : row.width();
    layout.survival = render::Rect{row.min, {row.min.x + width, row.max.y}};
  }
}

void placeBeside(MatrixLayout& layout, const PageFrame& frame, const PlotSurroundings& around, double unit,
                 double row) {
  const Theme& theme = frame.theme;
  const std::vector<MatrixPane>& panes = layout.panes.panes;
  const render::Rect &first = panes.front().plot, &last = lastOfFirstLine(layout.panes);
  if (around.margin > 0) {
    const double far = kMarginGap + around.margin - 6;
    layout.columnNorms = render::Rect{{first.min.x, first.min.y - far}, {first.max.x, first.min.y - kMarginGap}};
    layout.rowNorms = render::Rect{{first.min.x - far, first.min.y}, {first.min.x - kMarginGap, first.max.y}};
  }
  layout.histogram = around.histogram;
  if (around.scale) layout.scale = scaleBox(last, last.max.x + 1.4 * theme.space, last.max.x + around.right);
  const double edge = frame.area.max.x - 1.5 * theme.space, aspect = first.width() / first.height();
  render::Rect free{{last.max.x + around.right + theme.space, first.min.y},
                    {edge, frame.area.max.y - (row > 0 ? around.below + row : theme.space)}};
  const bool corner = panes.size() == 3 && &last == &panes[1].plot;
  if (corner) free.min = {panes[1].plot.min.x, panes[2].plot.min.y};
  free.max.x = std::min(edge, free.min.x + 480 * unit);
  if (free.width() > 130 * unit) placeColumn(layout, free, frame, unit);
  const render::Rect below{{around.room.min.x, panes.back().plot.max.y + around.below},
                           {edge, frame.area.max.y - theme.space}};
  const bool spare = !Curves(frame).any() && frame.shared.state.curvesBeside && &last == &panes.back().plot &&
                     !layout.survival && !frame.figure && below.height() >= 130 * unit && below.width() >= 200 * unit;
  if (row > 0 || spare) placeRow(layout, below, Curves(frame));
  if (layout.minimap || !layout.panes.zoomed() || frame.figure || frame.compact) return;
  const double side = 0.2 * first.width();  // over a corner of the last picture
  const render::Point at{panes.back().plot.max.x - 8, panes.back().plot.max.y - 8};
  layout.minimap = render::Rect{{at.x - side, at.y - side / aspect}, at};
}

}  // namespace

MatrixLayout layoutMatrix(const PageFrame& frame) {
  MatrixLayout layout;
  const WeightsState& state = frame.shared.state;
  const double rows = std::max(1, frame.shared.layer->d_model), columns = std::max(1, frame.shared.layer->d_key);
  layout.panes = panesOf(state, rows, columns);
  const double unit = frame.theme.textSize / kUsualText;
  const bool three = rows == columns && state.part == WeightsPart::Three;
  const PlotSurroundings around = plotSurroundings(frame, unit, three);
  double row = 0;
  std::vector<render::Rect> plots =
      plotsOf(frame, unit, around, std::clamp(columns / rows, 0.2, 5.0), three ? 3 : 1, row);
  if (plots.empty()) return layout;
  if (frame.figure && !Curves(frame).any()) {
    // A figure has nothing beside the plots, so they are centred.
    double right = 0;
    for (const render::Rect& plot : plots)
      right = std::max(right, plot.max.x);
    for (render::Rect& plot : plots)
      for (double* const x : {&plot.min.x, &plot.max.x})
        *x += std::max(0.0, (around.room.max.x - right) / 2);
  }
  constexpr struct {
    const char* view;
    const char* name;
    attention::Part part;
  } kParts[] = {{"full", N_("W_qk"), attention::Part::Full},
                {"symmetric", N_("symmetric part"), attention::Part::Symmetric},
                {"skew", N_("skew part"), attention::Part::Skew}};
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const auto& of = kParts[three ? i : static_cast<std::size_t>(state.shownPart(rows == columns))];
    const double title = plots[i].min.y - (i == 0 && around.margin > 0 ? around.margin + 2 : 5);
    layout.panes.panes.push_back({of.view, three ? tr(of.name) : "", plots[i], title, of.part});
  }
  if (frame.area.height() > 160) layout.panes.columnAxis = axisName(false, state.order);
  if (frame.area.width() > 240) layout.panes.rowAxis = axisName(true, state.order);
  placeBeside(layout, frame, around, unit, row);
  layout.panes.rowEdge = layout.rowNorms ? layout.rowNorms->min.x : plots.front().min.x;
  return layout;
}

}  // namespace sepx::ui
