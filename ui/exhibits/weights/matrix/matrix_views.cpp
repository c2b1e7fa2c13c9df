// SPDX-License-Identifier: Apache-2.0
// The views of the matrix page.
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

/// Why there is no picture, and a button that leads to the mapping.
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
  if (shared.moments && layout.survival) made.addAt(*layout.survival, {"survival", survival(shared, frame.theme)});
  if (layout.spectrum) spectrum_.show(made, *layout.spectrum, frame.theme);
  if (layout.minimap && first && first->overview.places) {
    const PictureContent map = minimapOf(layout.panes, first->overview, scale_);
    addPanes(made, frame.area, std::move(layout.panes));
    made.addAt(*layout.minimap, {"minimap", map});
  } else {
    addPanes(made, frame.area, std::move(layout.panes));
  }
  return made;
}

namespace {

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
  const auto sideOf = [&shared](Side side) -> const attention::Side& {
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
  // γ follows the line that is held; the other side's line follows γ.
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

}  // namespace sepx::ui
