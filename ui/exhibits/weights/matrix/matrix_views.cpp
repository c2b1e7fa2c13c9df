// SPDX-License-Identifier: Apache-2.0
// The views of the matrix page, but for what is about norms.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/matrix/matrix_page.h"
#include "ui/exhibits/weights/shared/color_scale.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

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

/// Why there is no picture, and a button that leads to the mapping.
Views sentenceViews(const PageFrame& frame) {
  Views made = sentenceAlone(matrixSentence(frame.shared));
  const double size = frame.theme.textSize;
  if (!frame.shared.model || frame.figure || frame.area.height() <= 8 * size) return made;
  const std::string words = tr("Show the mapping");
  const double half = textWidth(words, size) / 2 + 2 * frame.theme.space;
  const render::Point middle{(frame.area.min.x + frame.area.max.x) / 2, frame.area.max.y - 3.5 * size};
  const auto button = [words](const ViewPlace& place, std::optional<render::Point> pointer) {
    std::vector<render::Item> items;
    addButton(items, {.label = words, .box = place.box, .on = true, .size = place.theme.textSize}, place.theme,
              pointer);
    return items;
  };
  made.views.push_back(
      {"mapping", PictureContent{.draw = [button](const ViewPlace& place) { return button(place, std::nullopt); },
                                 .tip = [button](const ViewPlace& place, render::Point at,
                                                 const render::Rect&) { return button(place, at); },
                                 .pick =
                                     [](const ViewPlace&, render::Point) {
                                       return Changes{{"weights.page", "mapping"}};
                                     }}});
  Arrangement at = viewNamed("mapping");
  at.at = render::Rect{{middle.x - half, middle.y - size}, {middle.x + half, middle.y + size}};
  made.arrangement = {.kind = Arrangement::Kind::Stack, .parts = {std::move(made.arrangement), std::move(at)}};
  return made;
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

PictureContent MatrixPage::minimap(const MatrixPanes& panes) const {
  const MatrixPart* const part = pictures_.part(panes.panes.front().part);
  PictureContent content;
  if (!part || !part->overview.places) return content;
  const auto draw = [overview = part->overview, scale = scale_, seen = panes.seen,
                     whole = panes.whole](const ViewPlace& place) {
    std::vector<render::Item> items;
    const MatrixPlot plot{place.box, whole, whole};
    render::Heatmap map = heatmapOf(overview, scale, place.theme);
    map.extent = pageBox(plot, map.extent);
    map.space = render::Space::Page;
    map.smooth = true;
    items.emplace_back(std::move(map));
    items.emplace_back(pageFrameLine(place.box, place.theme.border));
    constexpr double kLeast = 4;  // points: a view of few cells is still seen
    render::Rect box = pageBox(plot, seen);
    const double wide = std::max(0.0, kLeast - box.width()) / 2, tall = std::max(0.0, kLeast - box.height()) / 2;
    box = {{box.min.x - wide, box.min.y - tall}, {box.max.x + wide, box.max.y + tall}};
    items.emplace_back(pageFrameLine(box, place.theme.accent, place.theme.strongLine));
    return items;
  };
  content.of =
      Digest()
          .add(part->overview.places, panes.seen, panes.whole, scale_.kind, scale_.limits.low, scale_.limits.high)
          .value();
  content.draw = draw;
  content.boxed = true;
  content.hold = [seen = panes.seen, whole = panes.whole](const ViewPlace& place,
                                                          render::Point) -> std::optional<PictureGrip> {
    const auto drag = [seen, plot = MatrixPlot{place.box, whole, whole}](Editor& editor, render::Point at, bool) {
      const render::Point middle = toData(plot.camera(), at), half{seen.width() / 2, seen.height() / 2};
      showEntries(editor, boundedView({{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}},
                                      plot.whole));
    };
    return PictureGrip{.drag = drag, .cursor = Cursor::Hand, .atOnce = true};
  };
  return content;
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
  Arrangement stack{.kind = Arrangement::Kind::Stack};
  const auto add = [&](View view, const std::optional<render::Rect>& box) {
    if (!box) return;
    stack.parts.push_back(viewNamed(view.name));
    stack.parts.back().at = *box;
    made.views.push_back(std::move(view));
  };
  fill(layout.panes, shared);
  if (layout.columnNorms) add({"margins", margins(layout, shared)}, frame.area);
  const MatrixPart* const first = pictures_.part(layout.panes.panes.front().part);
  add(colorScale("scale", {.scale = scale_,
                           .roomForHistogram = layout.histogram,
                           .histogram = first ? first->histogram : nullptr,
                           .locked = shared.state.locked.has_value(),
                           .edge = frame.area.max.x - 8}),
      layout.scale);
  add({"notes", notes(layout.panes, shared)}, layout.notes);
  if (shared.moments) add({"survival", survival(shared, frame.theme), nothingExported}, layout.survival);
  if (layout.spectrum) spectrum_.show(made, stack, *layout.spectrum, frame.theme);
  const PictureContent map = minimap(layout.panes);
  addPanes(made, stack, std::move(layout.panes));
  add({"minimap", map}, layout.minimap);
  made.arrangement = std::move(stack);
  return made;
}

// Norms of rows and columns beside the matrix, the thresholds over them, which are dragged, and the survival curves.
// One scale for both sides, so that they compare.

namespace {

constexpr double kStill = 3, kReach = 7, kGrown = 6;  // points
constexpr double kLeastGamma = -5, kMostGamma = 50;
constexpr const char* kGroup = "weights.score.gamma";

/// The norms of the chosen matrix at the edges of a plot. What it refers to outlives the views of a frame.
struct NormMargins {
  const WeightsShared& shared;
  const MatrixResults& pictures;
  MatrixPlot plot;
  render::Rect rows, columns;  ///< page

  const render::Rect& box(Side side) const { return side == Side::Rows ? rows : columns; }
  const attention::Side& of(Side side) const { return side == Side::Rows ? shared.parts.rows : shared.parts.columns; }
  /// x of the threshold of rows, y of that of columns; nothing: it is not in the box.
  std::optional<double> line(Side side) const {
    const double threshold = of(side).threshold, largest = largestNorm(shared);
    if (!std::isfinite(threshold) || threshold < 0 || threshold > largest) return std::nullopt;
    return normToPage(box(side), side, threshold, largest);
  }
  std::optional<Side> lineAt(render::Point at) const;
  void addBars(std::vector<render::Item>& items, Side side, const Theme& theme) const;
  void addLine(std::vector<render::Item>& items, Side side, const ViewPlace& place, bool held) const;
  std::vector<render::Item> items(const ViewPlace& place) const;
  std::vector<render::Item> heldItems(Side side, const ViewPlace& place) const;
  PictureGrip grip(Side side, render::Point from, const ViewPlace& place) const;
};

std::optional<Side> NormMargins::lineAt(render::Point at) const {
  for (const Side side : {Side::Columns, Side::Rows}) {
    const render::Rect& of = box(side);
    const render::Rect grown{{of.min.x - kGrown, of.min.y - kGrown}, {of.max.x + kGrown, of.max.y + kGrown}};
    const std::optional<double> where = line(side);
    if (where && grown.contains(at) && std::abs((side == Side::Rows ? at.x : at.y) - *where) <= kReach) return side;
  }
  return std::nullopt;
}

void NormMargins::addBars(std::vector<render::Item>& items, Side side, const Theme& theme) const {
  const Eigen::VectorXd& norms = side == Side::Rows ? shared.moments->rowNorms : shared.moments->columnNorms;
  const std::vector<int>& order = side == Side::Rows ? pictures.rowOrder() : pictures.columnOrder();
  NormBars bars{plot, side, box(side), static_cast<std::size_t>(norms.size())};
  bars.norm = [&](std::size_t place) {
    return norms[place < order.size() ? order[place] : static_cast<Eigen::Index>(place)];
  };
  bars.threshold = of(side).threshold;
  bars.largest = largestNorm(shared);
  bars.add(items, theme);
}

void NormMargins::addLine(std::vector<render::Item>& items, Side side, const ViewPlace& place, bool held) const {
  const std::optional<double> at = line(side);
  if (!at) return;
  const render::Color color = held ? place.theme.accent : place.theme.text;
  const render::Rect& box = plot.plot;
  const bool across = side == Side::Rows;
  const render::Point from = across ? render::Point{*at, box.min.y} : render::Point{box.min.x, *at};
  const render::Point to = across ? render::Point{*at, box.max.y} : render::Point{box.max.x, *at};
  items.emplace_back(pageLine(from, to, color, held ? place.theme.strongLine : 1, render::Dash::Dashed));
  if (!place.figure)
    items.emplace_back(render::Marker{to, render::Shape::Triangle, 8, color, color, 0, render::Space::Page});
}

std::vector<render::Item> NormMargins::items(const ViewPlace& place) const {
  std::vector<render::Item> items;
  for (const Side side : {Side::Columns, Side::Rows})
    addBars(items, side, place.theme);
  for (const Side side : {Side::Columns, Side::Rows})
    addLine(items, side, place, false);
  return items;
}

/// Of a threshold that is dragged or under the pointer.
std::vector<render::Item> NormMargins::heldItems(Side side, const ViewPlace& place) const {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  addLine(items, side, place, true);
  render::Label label = textAt({columns.max.x - 12, columns.min.y + theme.smallSize},
                               "γ " + shownFixed(shared.state.score.gamma, 2) + "  τ " + entryText(of(side).threshold),
                               theme.smallSize, theme.text, render::AlignX::Right);
  label.backdrop = theme.surfaceRaised;
  items.emplace_back(std::move(label));
  return items;
}

/// γ follows the line that is held; the other side's line follows γ.
PictureGrip NormMargins::grip(Side side, render::Point from, const ViewPlace& place) const {
  const double offset = line(side).value_or(0) - (side == Side::Rows ? from.x : from.y);
  const auto drag = [held = *this, side, offset](Editor& editor, render::Point at, bool shift) {
    if (!held.shared.moments) return;
    const double threshold = pageToNorm(held.box(side), side, {at.x + offset, at.y + offset}, largestNorm(held.shared));
    const double raw = attention::gammaAt(held.of(side), threshold);
    if (!std::isfinite(raw)) return;
    const double step = shift ? 10 : 100;  // tenths or hundredths
    const double gamma = std::clamp(std::round(raw * step) / step, kLeastGamma, kMostGamma);
    editor.commit(editor.document().with("weights.score.gamma", gamma), tr("move the threshold γ"), kGroup);
  };
  const auto back = [](Editor& editor, const Document& before) {
    editor.commit(before, tr("move the threshold γ"), kGroup);
  };
  return {.drag = drag,
          .cursor = side == Side::Rows ? Cursor::ResizeHorizontal : Cursor::ResizeVertical,
          .still = kStill,
          .over =
              [held = *this, side, theme = place.theme, box = place.box] {
                return held.heldItems(side, {box, theme});
              },
          .takeBack = back};
}

/// The share that lies above a norm, as steps, and where the threshold cuts it.
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
  if (!known) return {};  // the picture is still of the layer before
  const NormMargins margins{shared, pictures_, layout.panes.first(), *layout.rowNorms, *layout.columnNorms};
  PictureContent content;
  content.of = Digest()
                   .add(margins.rows, margins.columns, margins.plot.view, shared.factorsRevision, pictures_.revision(),
                        shared.parts.rows.threshold, shared.parts.columns.threshold)
                   .value();
  content.draw = [margins](const ViewPlace& place) { return margins.items(place); };
  content.tip = [margins](const ViewPlace& place, render::Point at, const render::Rect&) {
    const std::optional<Side> side = margins.lineAt(at);
    return side ? margins.heldItems(*side, place) : std::vector<render::Item>();
  };
  content.hold = [margins](const ViewPlace& place, render::Point at) -> std::optional<PictureGrip> {
    const std::optional<Side> side = margins.lineAt(at);
    return side ? std::optional(margins.grip(*side, at, place)) : std::nullopt;
  };
  return content;
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

}  // namespace sepx::ui
