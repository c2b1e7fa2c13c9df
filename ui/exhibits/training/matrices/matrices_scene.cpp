// SPDX-License-Identifier: Apache-2.0
// What the page Matrices draws: the panes, the table, the curves over steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/matrices/matrices_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"

namespace sepx::ui {

namespace {

constexpr double kGap = 12;                  // points
constexpr double kUpperShare = 0.6;          // of the height
constexpr double kDecade = 10;               // a curve that goes beyond it has a logarithmic axis
constexpr double kMostTable = 0.46;          // of the width
constexpr double kLeastPane = 130;           // points, of the width
constexpr double kNarrowest = 0.5;           // of a picture: its shorter side over its longer
constexpr double kColumn = 5.4, kFirst = 6;  // of the size of small text

std::string ratioText(double value) {
  return std::isinf(value) ? "∞" : std::isfinite(value) ? entryText(value, 3) : "–";
}
std::string cosineText(const train::LeadingVector* leading) {
  return leading && std::isfinite(leading->cosine) ? shownFixed(leading->cosine, 2) : "–";
}

/// How e is called.
std::string embeddingWords(train::EmbeddingVector::Kind kind) {
  using Kind = train::EmbeddingVector::Kind;
  return kind == Kind::Vector       ? tr("e: the vector of the bit")
         : kind == Kind::Difference ? tr("e: the difference of the two embeddings")
                                    : tr("e: the leading direction of the embeddings");
}

/// A picture of [rows, columns] as large as it can be in `box`; very long sides are shortened.
render::Rect pictureIn(const render::Rect& box, int rows, int columns) {
  const double shape =
      rows > 0 && columns > 0 ? std::clamp(static_cast<double>(columns) / rows, kNarrowest, 1 / kNarrowest) : 1;
  const double width = std::min(box.width(), box.height() * shape), height = width / shape;
  const double left = box.min.x + (box.width() - width) / 2;
  return {{left, box.min.y}, {left + width, box.min.y + height}};
}

}  // namespace

std::vector<train::LayerMatrix> MatricesPage::rowsOf(const RaceFrame& frame) const {
  std::vector<train::LayerMatrix> rows;
  for (const train::LayerMatrixInfo& info : train::layerMatrices())
    for (std::size_t i = 0; i < shown(frame.shared); ++i)
      if (sides_[i]->view() && sides_[i]->view()->row(info.which)) {
        rows.push_back(info.which);
        break;
      }
  return rows;
}

MatricesPage::Places MatricesPage::placesOf(const RaceFrame& frame) const {
  Places places;
  const Theme& theme = frame.theme;
  const double pad = theme.space, small = theme.smallSize;
  render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad}, {frame.area.max.x - pad, frame.area.max.y - pad}};
  const std::size_t count = shown(frame.shared);
  if (count == 0 || area.width() < 30 || area.height() < 30) return places;
  if (!frame.compact) {
    places.charts = area;
    places.legend = {{area.min.x + 2 * pad, area.min.y + kUpperShare * area.height()}, area.max};
    places.charts.min.y = places.legend.min.y + 1.9 * small;
    area.max.y = places.legend.min.y - pad;
    const double each = count <= 2 ? 3 : 1;
    const double wanted = (kFirst + kColumn * each * static_cast<double>(count)) * small;
    const double table = std::min(wanted, kMostTable * area.width());
    if (area.width() - table - kGap >= kLeastPane * static_cast<double>(count)) {
      places.table = {{area.max.x - table, area.min.y + 1.7 * small}, area.max};
      area.max.x -= table + 2 * kGap;
    }
  }
  const double above = 1.7 * small, below = 4.4 * small;
  const std::vector<render::Rect> boxes = gridOf(area, count, count, kGap);
  for (std::size_t i = 0; i < count; ++i) {
    Pane pane{boxes[i], boxes[i]};
    pane.picture.min.y += above;
    pane.picture.max.y = std::max(pane.picture.min.y + 8, pane.picture.max.y - below);
    const MatricesPointer& view = sides_[i]->view();
    pane.picture = pictureIn(pane.picture, view ? view->rows : 1, view ? view->columns : 1);
    places.panes.push_back(pane);
  }
  return places;
}

void MatricesPage::addPane(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t run,
                           const Pane& pane) const {
  const Theme& theme = frame.theme;
  const float small = theme.smallSize;
  const double middle = (pane.box.min.x + pane.box.max.x) / 2, width = pane.box.width();
  const std::string name = elided(frame.shared.runs[run].name(), small, width - 20);
  const double left = std::max(pane.box.min.x, middle - (textWidth(name, small) + 20) / 2);
  addSwatch(items, {left, pane.box.min.y + 0.8 * small}, 16, runLook(theme, run), theme);
  items.emplace_back(textAt({left + 20, pane.box.min.y + 0.8 * small}, name, small, theme.text));
  items.emplace_back(pageFill(pane.picture, theme.surface));
  const MatricesPointer& view = sides_[run]->view();
  if (!view || !view->values) {
    const std::string& why = view ? view->sentence : sides_[run]->sentence();
    addMissing(items, pane.picture, why.empty() ? std::string(tr("The matrix is being read…")) : why, frame);
    items.emplace_back(pageFrameLine(pane.picture, theme.border));
    return;
  }
  const double limit = limitOf(*view);
  const MatrixScale scale{ScaleKind::Diverging, {-limit, limit}};
  items.emplace_back(render::Heatmap{.extent = flipped(pane.picture),
                                     .width = view->columns,
                                     .height = view->rows,
                                     .values = view->values,
                                     .map = scale.map(theme),
                                     .low = static_cast<float>(-limit),
                                     .high = static_cast<float>(limit),
                                     .smooth = false});
  items.emplace_back(pageFrameLine(pane.picture, theme.border));
  double y = pane.picture.max.y + 0.95 * small;
  const auto line = [&](const std::vector<std::string>& parts, render::Color color) {
    items.emplace_back(textAt({middle, y}, fitting(parts, "   ", small, width), small, color, render::AlignX::Center));
    y += 1.35 * small;
  };
  const std::string step = trFormat("step {}", stepText(view->step));
  const std::string from = trFormat("{}, {}", step, wordsOf(view->source));
  line({textWidth(from, small) <= width ? from : step, fmt::format("±{}", entryText(limit, 3)),
        fmt::format("[{}, {}]", view->rows, view->columns)},
       theme.textMuted);
  const MatrixRow* const row = view->chosen();
  line({fmt::format("σ₁/σ₂ {}", ratioText(row->reading.ratio)),
        fmt::format("|cos(v₁, e)| {}", cosineText(row->reading.main()))},
       theme.text);
  if (view->hasEmbedding)
    line({fmt::format("max|v|/min|v| {}", ratioText(row->reading.main() ? row->reading.main()->corner : std::nan(""))),
          fmt::format("max|e|/min|e| {}", ratioText(view->embeddingCorner))},
         theme.text);
}

TableView MatricesPage::tableOf(const RaceFrame& frame) const {
  TableView table;
  const std::size_t count = shown(frame.shared), each = count <= 2 ? 3 : 1;
  table.columns = {{tr("matrix"), kFirst}};
  for (std::size_t i = 0; i < count; ++i) {
    table.columns.push_back({"σ₁/σ₂", kColumn, true});
    if (each == 1) continue;
    table.columns.push_back({"|cos e|", kColumn, true});
    table.columns.push_back({tr("corner"), kColumn, true});
  }
  const std::vector<train::LayerMatrix> rows = rowsOf(frame);
  table.rows = rows.size();
  table.text = [this, rows, each](std::size_t at, std::size_t column) -> std::string {
    if (column == 0) return train::infoOf(rows[at]).word;
    const MatricesPointer& view = sides_[(column - 1) / each]->view();
    const MatrixRow* const row = view ? view->row(rows[at]) : nullptr;
    if (!row) return "–";
    switch ((column - 1) % each) {
      case 0:
        return ratioText(row->reading.ratio);
      case 1:
        return cosineText(row->reading.main());
      default:
        return ratioText(row->reading.main() ? row->reading.main()->corner : std::nan(""));
    }
  };
  const render::Color usual = frame.theme.text;
  table.color = [usual](std::size_t, std::size_t) { return usual; };
  return table;
}

TableView::Look MatricesPage::lookOf(const RaceFrame& frame, const render::Rect& box) const {
  const std::vector<train::LayerMatrix> rows = rowsOf(frame);
  const auto at = std::find(rows.begin(), rows.end(), which_);
  std::optional<std::size_t> chosen;
  if (at != rows.end()) chosen = static_cast<std::size_t>(at - rows.begin());
  return {&frame.theme, box, chosen, std::nullopt, frame.figure};
}

void MatricesPage::addTable(std::vector<render::Item>& items, const RaceFrame& frame, const render::Rect& box) const {
  const TableView table = tableOf(frame);
  if (table.rows == 0) return;
  const Theme& theme = frame.theme;
  const double small = theme.smallSize;
  const std::size_t count = shown(frame.shared), each = count <= 2 ? 3 : 1;
  const double unit = box.width() / (kFirst + kColumn * static_cast<double>(count * each));
  for (std::size_t i = 0; i < count; ++i) {  // whose columns they are
    const double left = box.min.x + unit * (kFirst + kColumn * static_cast<double>(i * each));
    const double width = unit * kColumn * static_cast<double>(each) - 8;
    const std::string name = elided(frame.shared.runs[i].name(), small, width - 20);
    const double at = left + 8 + std::max(0.0, width - textWidth(name, small) - 20);
    addSwatch(items, {at, box.min.y - 0.8 * small}, 16, runLook(theme, i), theme);
    items.emplace_back(textAt({at + 20, box.min.y - 0.8 * small}, name, theme.smallSize, theme.text));
  }
  table.draw(items, lookOf(frame, box), 0);
  for (std::size_t i = 0; i < count; ++i) {
    const MatricesPointer& view = sides_[i]->view();
    if (!view || !view->hasEmbedding) continue;
    const double y = box.min.y + table.height(theme) + 0.9 * small;
    if (each > 1 && y + 2 * small < box.max.y)
      items.emplace_back(
          textAt({box.min.x + 4, y + 1.35 * small},
                 elided(tr("corner: max|v|/min|v|, 1 at a corner of the hypercube"), small, box.width() - 4),
                 theme.smallSize, theme.textMuted));
    if (y + 0.6 * small < box.max.y)
      items.emplace_back(textAt({box.min.x + 4, y}, elided(embeddingWords(view->embedding), small, box.width() - 4),
                                theme.smallSize, theme.textMuted));
    break;
  }
}

LineChart MatricesPage::chartOf(const RaceFrame& frame, Curve curve) const {
  LineChart chart;
  chart.compact = true;
  chart.x = stepAxis(frame.shared);
  const std::string word = train::infoOf(which_).word;
  chart.y.name = curve == Curve::Ratio    ? trFormat("σ₁/σ₂ of {}", word)
                 : curve == Curve::Cosine ? trFormat("|cos(v₁, e)| of {}", word)
                                          : trFormat("max|v|/min|v| of {}", word);
  chart.y.pad = 0.05;
  if (curve == Curve::Cosine) {
    chart.y.from = 0;
    chart.y.to = 1;
  } else {
    chart.references.push_back({.value = 1, .look = {.color = frame.theme.axisZero, .width = 1}});
  }
  for (std::size_t i = 0; i < shown(frame.shared); ++i) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = frame.shared.runs[i].name();
    series.look = runLook(frame.theme, i);
    series.look.marker.reset();
    // The run's own numbers where it watches the matrix: they are as dense as the schedule says.
    const Run* const run = frame.shared.runs[i].run.get();
    const RunSeries* measured = nullptr;
    if (curve == Curve::Ratio && run && run->config() && frame.shared.state.head < 0) {
      const std::vector<std::string> names =
          train::parametersOf(run->config()->model, which_, frame.shared.state.layer);
      const std::vector<const RunSeries*> found =
          names.size() == 1 ? run->seriesOf("sigma_ratio:" + names.front()) : std::vector<const RunSeries*>();
      if (!found.empty()) measured = found.front();
    }
    if (measured) {
      series.x = measured->steps;
      series.y = measured->values;
      continue;
    }
    for (const auto& [step, point] : sides_[i]->points()) {
      series.x.push_back(static_cast<double>(step));
      series.y.push_back(curve == Curve::Ratio ? point.ratio : curve == Curve::Cosine ? point.cosine : point.corner);
    }
  }
  double most = 0;
  for (const ChartSeries& series : chart.series)
    for (const double y : series.y)
      if (std::isfinite(y)) most = std::max(most, y);
  chart.y.logarithmic = most > kDecade;  // all of these are 1 at least, or a cosine
  return chart;
}

std::vector<render::Item> MatricesPage::tip(const RaceFrame& frame, const Places& places) const {
  std::vector<render::Item> items;
  for (std::size_t i = 0; i < places.panes.size(); ++i) {
    const MatricesPointer& view = sides_[i]->view();
    if (!view || !view->values || !places.panes[i].picture.contains(*frame.pointer)) continue;
    const MatrixPlot plot = wholeMatrix(places.panes[i].picture, view->rows, view->columns);
    const std::optional<MatrixCell> cell = plot.cellAt(*frame.pointer);
    if (!cell) continue;
    const float entry = (*view->values)[static_cast<std::size_t>(cell->row) * static_cast<std::size_t>(view->columns) +
                                        static_cast<std::size_t>(cell->column)];
    addCellMark(items, plot, *cell, frame.theme);
    addTip(items, *frame.pointer,
           {trFormat("row {}, column {} = {}", cell->row, cell->column, entryText(static_cast<double>(entry))),
            fmt::format("{}, {}", frame.shared.runs[i].name(), trFormat("step {}", stepText(view->step)))},
           frame.area, frame.theme);
  }
  return items;
}

void MatricesPage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  if (const std::string text = noRunsSentence(frame.shared); !text.empty()) {
    charts_.update(frame, {}, {});
    layers_.addSentence(into, "training.sentence", frame, text);
    return;
  }
  const Places places = placesOf(frame);
  const LayerKey key = keyWith(keyOf(frame), changes_, static_cast<int>(which_), limit_);
  std::vector<ChartPlacing> placing;
  if (places.charts.height() > 60) {
    static constexpr std::array kCurves{std::pair{Curve::Ratio, "matrices.ratio"},
                                        std::pair{Curve::Cosine, "matrices.cosine"},
                                        std::pair{Curve::Corner, "matrices.corner"}};
    const std::vector<render::Rect> boxes = gridOf(places.charts, kCurves.size(), kCurves.size(), frame.theme.space);
    for (std::size_t i = 0; i < kCurves.size(); ++i)
      placing.push_back({.box = boxes[i],
                         .compact = true,
                         .name = kCurves[i].second,
                         .make = [this, &frame, curve = kCurves[i].first] { return chartOf(frame, curve); }});
  }
  charts_.update(frame, placing, key);
  charts_.scene(frame, into);
  layers_.add(
      into, "training.matrices", key,
      [&] {
        std::vector<render::Item> items;
        for (std::size_t i = 0; i < places.panes.size(); ++i)
          addPane(items, frame, i, places.panes[i]);
        if (places.table.height() > 3 * TableView::rowHeight(frame.theme)) addTable(items, frame, places.table);
        if (placing.empty()) return items;
        std::vector<LegendEntry> legend;
        for (std::size_t i = 0; i < shown(frame.shared); ++i)
          legend.push_back({frame.shared.runs[i].name(), runLook(frame.theme, i)});
        for (LegendEntry& entry : legend)
          entry.look.marker.reset();
        addLegend(items, places.legend.min, places.legend.width(), legend, frame.theme);
        return items;
      },
      false);
  if (frame.pointer && !frame.figure)
    layers_.add(
        into, "training.matrices.tip", keyWith(key, *frame.pointer), [&] { return tip(frame, places); }, false);
}

}  // namespace sepx::ui
