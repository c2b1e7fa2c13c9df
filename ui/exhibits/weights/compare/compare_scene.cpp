// SPDX-License-Identifier: Apache-2.0
// The comparison as items: panes with their pictures and entries, the colour scale, the table of distances.
#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "engine/render/color_map.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/compare/compare_page.h"
#include "ui/exhibits/weights/shared/matrix_scene.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kValuesFrom = 44;  // points of a cell's width in which its value is printed

attention::Part partOf(const PageFrame& frame) {
  const auto& factors = frame.shared.factors;
  return frame.shared.state.shownPart(factors && factors->rows() == factors->columns());
}

}  // namespace

std::string ComparePage::sentenceOf(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (std::string sentence = modelSentence(shared); !sentence.empty()) return sentence;
  if (shared.state.comparePath.empty())
    return frame.figure ? tr("There is no second checkpoint.")
                        : tr("Choose a second checkpoint to compare: click here, use the panel, or drop a "
                             "file.");
  if (!board_.failure().empty()) {
    const std::string why = sentenceCase(board_.failure());
    return frame.figure ? why : why + " " + tr("Click here to choose another second checkpoint.");
  }
  if (!board_.model()) return tr("Opening the second checkpoint…");
  return {};
}

MatrixScale ComparePage::scaleOf(const PageFrame& frame, CompareSide side) const {
  MatrixScale scale;
  scale.kind = frame.shared.state.scale;
  scale.limits = fitting(pictures_.limits(side), scale.kind);
  return scale;
}

std::string ComparePage::nameOf(const PageFrame& frame, CompareSide side) const {
  const std::string first = frame.shared.model ? frame.shared.title() : std::string();
  const std::string second = board_.model() ? frame.shared.title(*board_.model()) : std::string();
  switch (side) {
    case CompareSide::First:
      return "A: " + first;
    case CompareSide::Second:
      return "B: " + second;
    case CompareSide::Difference:
      break;
  }
  return "A − B: " + first + " − " + second;
}

std::string cosineText(double cosine) {
  const double missing = 1 - std::abs(cosine);
  if (!(missing < 0.01) || missing <= 0) return scoreText(cosine, 3);
  return scoreText(cosine, std::clamp(1 - static_cast<int>(std::floor(std::log10(missing))), 3, 9));
}

std::string ComparePage::numbersLine(const WeightsShared& shared) const {
  const WeightsState& state = shared.state;
  const auto found = board_.at(state.stack, state.layer, state.head);
  std::string text = placeWords(shared.model->map, state.stack, state.layer, state.head);
  if (!found) return text;
  return text + fmt::format(":  |A − B| = {},  {} {},  cos(A, B) = {},  |A| = {}, |B| = {}", formatReading(found->norm),
                            tr("relative"), formatReading(found->relative), cosineText(found->cosine),
                            formatReading(found->normA), formatReading(found->normB));
}

double ComparePage::measureOf(const attention::Difference& difference) const {
  return measure_ == CompareMeasure::Cosine ? difference.cosine : difference.relative;
}

std::pair<double, double> ComparePage::measureRange() const {
  double low = measure_ == CompareMeasure::Cosine ? 1 : 0, high = measure_ == CompareMeasure::Cosine ? 1 : 0;
  for (const CompareEntry& entry : board_.entries()) {
    const auto take = [&](const attention::Difference& difference) {
      const double value = measureOf(difference);
      if (!std::isfinite(value)) return;
      low = std::min(low, value);
      high = std::max(high, value);
    };
    take(entry.whole);
    for (const attention::Difference& head : entry.heads)
      take(head);
  }
  return {low, high > low ? high : low + 1e-9};
}

std::vector<render::Item> ComparePage::pictureItems(const PageFrame& frame, const CompareLayout& layout) const {
  std::vector<render::Item> items;
  for (std::size_t i = 0; i < layout.matrix.panes.size(); ++i) {
    items.emplace_back(pageFill(layout.matrix.panes[i].plot, frame.theme.surface));
    MatrixPicture picture = pictures_.picture(layout.sides[i]);
    if (!picture.values) continue;
    const MatrixScale scale = scaleOf(frame, layout.sides[i]);
    picture.places = placed(picture.values, scale);
    render::Heatmap map = heatmapOf(picture, scale, frame.theme);
    const Camera camera = layout.matrix.in(layout.matrix.panes[i]).camera();
    const render::Point low = toPage(camera, map.extent.min), high = toPage(camera, map.extent.max);
    map.extent = flipped({{low.x, high.y}, {high.x, low.y}});
    items.emplace_back(std::move(map));
  }
  return items;
}

void ComparePage::addValues(std::vector<render::Item>& items, const PageFrame& frame, const CompareLayout& layout,
                            std::size_t pane) const {
  const ComparePictures::Factors& factors = pictures_.factors(layout.sides[pane]);
  const double cell = layout.matrix.cellWidth();
  if (!frame.shared.state.values || !factors || cell < kValuesFrom) return;
  const MatrixScale scale = scaleOf(frame, layout.sides[pane]);
  addCellTexts(items, layout.matrix.in(layout.matrix.panes[pane]),
               std::min(static_cast<double>(frame.theme.smallSize), cell / 5), [&](MatrixCell at) -> CellText {
                 const double value = entryOf(*factors, partOf(frame), at.row, at.column);
                 return {entryText(value, 3), scale.color(value, frame.theme)};
               });
}

/// The numbers of the chosen layer and head, and what does not fit.
void ComparePage::addHead(std::vector<render::Item>& items, const PageFrame& frame, const CompareLayout& layout) const {
  const Theme& theme = frame.theme;
  const auto line = [&](double row, const std::string& text, render::Color color) {
    items.emplace_back(textAt({layout.head.min.x, layout.head.min.y + row * theme.smallSize},
                              elided(text, theme.smallSize, layout.head.width()), theme.smallSize, color));
  };
  line(0.8, numbersLine(frame.shared), theme.text);
  std::string second = board_.misfit(), why;
  if (second.empty() && layout.matrix.panes.empty()) second = tr("There is no room for pictures.");
  const checkpoint::AttentionLayer* const layer = frame.shared.layer;
  if (layer && board_.model() && !partnerOf(*board_.model(), *layer, &why)) second = why;
  if (!pictures_.failure().empty()) second = pictures_.failure();
  if (!second.empty()) line(2.4, sentenceCase(second), theme.textMuted);
}

void ComparePage::addScales(std::vector<render::Item>& items, const PageFrame& frame,
                            const CompareLayout& layout) const {
  const Theme& theme = frame.theme;
  for (std::size_t i = 0; i < layout.bars.size(); ++i) {
    const render::Rect& bar = layout.bars[i];
    const MatrixScale scale = scaleOf(frame, layout.sides[i]);
    render::Heatmap ramp = rampOf(scale, scale.lowPlace(), scale.highPlace(), theme);
    ramp.extent = flipped(bar);
    items.emplace_back(std::move(ramp));
    items.emplace_back(pageFrameLine(bar, theme.border));
    const auto mark = [&](double value, const std::string& text) {
      const double y = bar.max.y - scale.share(value) * bar.height();
      items.emplace_back(pageLine({bar.max.x, y}, {bar.max.x + 4, y}, theme.tick));
      items.emplace_back(textAt({bar.max.x + 7, y}, text, theme.smallSize, theme.tick));
    };
    mark(scale.limits.low, formatReading(scale.limits.low));
    if (scale.limits.low < 0) mark(0, "0");
    mark(scale.limits.high, formatReading(scale.limits.high));
  }
}

/// Everything over the pictures: entries, covers, head, edges with names, colours.
std::vector<render::Item> ComparePage::paneItems(const PageFrame& frame, const CompareLayout& layout) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const auto& panes = layout.matrix.panes;
  for (std::size_t i = 0; i < panes.size(); ++i)
    addValues(items, frame, layout, i);
  std::vector<render::Rect> plots;
  for (const MatrixPane& pane : panes)
    plots.push_back(pane.plot);
  addCovers(items, frame.area, plots, theme.plotBackground);
  addHead(items, frame, layout);
  for (std::size_t i = 0; i < panes.size(); ++i) {
    const render::Rect& plot = panes[i].plot;
    items.emplace_back(pageFrameLine(plot, theme.border));
    std::string name = nameOf(frame, layout.sides[i]);
    if (frame.shared.state.blend == WeightsBlend::Blink && !frame.figure)
      name += std::string("  ") + tr("(X: the other)");
    items.emplace_back(textAt({plot.min.x, plot.min.y - 0.9 * theme.smallSize},
                              elided(name, theme.smallSize, plot.width()), theme.smallSize, theme.text));
  }
  if (!panes.empty() && pictures_.known()) addScales(items, frame, layout);
  return items;
}

/// How the table's cells lie and what they hold.
struct ComparePage::Cells {
  MatrixPlot plot;            ///< row: layer, column: all heads, then head by head
  double low = 0, high = 1;   ///< of the colours
  std::vector<float> values;  ///< [layers, columns]
  int digits = 2;
  double type = 0;  ///< size of the values' text
};

ComparePage::Cells ComparePage::cellsOf(const PageFrame& frame, const CompareLayout& layout) const {
  Cells cells;
  const std::vector<CompareEntry>& entries = board_.entries();
  const double small = frame.theme.smallSize;
  cells.plot = gridOf(frame, layout);
  std::tie(cells.low, cells.high) = measureRange();
  for (const CompareEntry& entry : entries) {
    for (int head = -1; head + 1 < columns(); ++head) {
      const auto found = board_.at(entry.stack, entry.layer, head);
      cells.values.push_back(found ? static_cast<float>(measureOf(*found)) : std::nanf(""));
    }
  }
  // As many decimals as tell the values from 0, cosines from 1; the type as large as cells let it be.
  const double least = measure_ == CompareMeasure::Cosine ? 1 - cells.low : cells.high;
  cells.digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(std::max(least, 1e-9)))), 2, 6);
  const double longest = std::max(textWidth(scoreText(cells.low, cells.digits), 0.9 * small),
                                  textWidth(scoreText(cells.high, cells.digits), 0.9 * small));
  cells.type = std::min(0.9 * small, 0.9 * small * cells.plot.cellWidth() / (longest + 3));
  return cells;
}

/// Names of layers and heads around the cells.
void ComparePage::addCellNames(std::vector<render::Item>& items, const PageFrame& frame, const CompareLayout& layout,
                               const Cells& cells) const {
  const Theme& theme = frame.theme;
  const double small = theme.smallSize;
  const std::vector<CompareEntry>& entries = board_.entries();
  const bool several = frame.shared.model->map.stacks().size() > 1;
  const auto every = static_cast<std::size_t>(std::ceil(1.4 * small / cells.plot.cellHeight()));
  for (std::size_t row = 0; row < entries.size(); row += every) {
    const double y = layout.grid.min.y + cells.plot.cellHeight() * (static_cast<double>(row) + 0.5);
    items.emplace_back(textAt({layout.grid.min.x - 5, y},
                              (several ? lookOf(entries[row].stack).mark : "") + std::to_string(entries[row].layer),
                              theme.smallSize, theme.textMuted, render::AlignX::Right));
  }
  const int step = static_cast<int>(std::ceil(1.7 * small / cells.plot.cellWidth()));
  for (int column = 0; column < columns(); ++column) {
    if (column > 0 && (column - 1) % step != 0) continue;
    items.emplace_back(
        textAt({layout.grid.min.x + cells.plot.cellWidth() * (column + 0.5), layout.grid.min.y - 0.8 * small},
               column == 0 ? std::string(tr("all")) : std::to_string(column - 1), theme.smallSize, theme.textMuted,
               render::AlignX::Center));
  }
}

void ComparePage::addCells(std::vector<render::Item>& items, const PageFrame& frame, const Cells& cells) const {
  const std::vector<CompareEntry>& entries = board_.entries();
  items.emplace_back(render::Heatmap{.extent = flipped(cells.plot.plot),
                                     .width = columns(),
                                     .height = static_cast<int>(entries.size()),
                                     .values = std::make_shared<const std::vector<float>>(cells.values),
                                     .map = render::ColorMap::Viridis,
                                     .low = static_cast<float>(cells.low),
                                     .high = static_cast<float>(cells.high),
                                     .smooth = false});
  if (cells.type >= 7 && cells.plot.cellHeight() >= 1.2 * cells.type)
    addCellTexts(items, cells.plot, cells.type, [&](MatrixCell cell) -> CellText {
      const auto value =
          static_cast<double>(cells.values[static_cast<std::size_t>(cell.row * columns() + cell.column)]);
      if (!std::isfinite(value)) return {};
      return {scoreText(value, cells.digits),
              render::colorAt(render::ColorMap::Viridis, (value - cells.low) / (cells.high - cells.low))};
    });
  if (frame.figure) return;
  const WeightsState& state = frame.shared.state;
  for (std::size_t row = 0; row < entries.size(); ++row)
    if (entries[row].stack == state.stack && entries[row].layer == state.layer && state.head + 1 < columns())
      items.emplace_back(
          pageFrameLine(cells.plot.box({static_cast<int>(row), state.head + 1}), frame.theme.accent, 2.5f));
}

std::vector<render::Item> ComparePage::tableItems(const PageFrame& frame, const CompareLayout& layout) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const double small = theme.smallSize;
  const auto line = [&](double y, double size, const std::string& text, render::Color color) {
    items.emplace_back(
        textAt({layout.table.min.x, y}, elided(text, size, layout.table.width()), static_cast<float>(size), color));
  };
  line(layout.table.min.y + 0.6 * small, small,
       measure_ == CompareMeasure::Cosine ? tr("cosine, by layer and head")
                                          : tr("|A − B| / √(|A| |B|), by layer and head"),
       theme.text);
  if (board_.entries().empty()) {
    line(layout.table.min.y + 2.2 * small, small, board_.complete() ? tr("nothing to compare") : tr("comparing…"),
         theme.textMuted);
    return items;
  }
  const Cells cells = cellsOf(frame, layout);
  addColorStrip(items, {layout.table.min.x, layout.grid.min.y - 2.2 * small},
                std::min(18 * small, layout.table.width()), render::ColorMap::Viridis, formatReading(cells.low),
                formatReading(cells.high), theme);
  addCells(items, frame, cells);
  addCellNames(items, frame, layout, cells);
  return items;
}

std::vector<render::Item> ComparePage::tipItems(const PageFrame& frame, const CompareLayout& layout) const {
  std::vector<render::Item> items;
  const render::Point at = *frame.pointer;
  if (const auto cell = cellAt(frame, at)) {
    const CompareEntry& entry = board_.entries()[cell->first];
    const auto found = board_.at(entry.stack, entry.layer, cell->second);
    if (!found) return items;
    addTip(items, at,
           {placeWords(frame.shared.model->map, entry.stack, entry.layer, cell->second),
            fmt::format("|A − B| = {}", formatReading(found->norm)),
            fmt::format("{}: {}", tr("relative"), formatReading(found->relative)),
            fmt::format("cos(A, B) = {}", cosineText(found->cosine)),
            fmt::format("|A| = {},  |B| = {}", formatReading(found->normA), formatReading(found->normB))},
           frame.area, frame.theme);
    return items;
  }
  const MatrixPane* const pane = layout.matrix.at(at);
  if (!pane || !pictures_.known()) return items;
  const attention::LayerFactors &first = *pictures_.factors(CompareSide::First),
                                &second = *pictures_.factors(CompareSide::Second);
  const std::optional<MatrixCell> cell = layout.matrix.in(*pane).cellAt(at);
  if (!cell || cell->row >= first.rows() || cell->column >= first.columns()) return items;
  const double a = entryOf(first, partOf(frame), cell->row, cell->column);
  const double b = entryOf(second, partOf(frame), cell->row, cell->column);
  // The same place in every pane.
  for (const MatrixPane& one : layout.matrix.panes)
    addCellMark(items, layout.matrix.in(one), *cell, frame.theme);
  addTip(items, at,
         {fmt::format("{} {}, {} {}", tr("row"), cell->row, tr("column"), cell->column), "A: " + entryText(a),
          "B: " + entryText(b), "A − B: " + entryText(a - b)},
         frame.area, frame.theme);
  return items;
}

void ComparePage::scene(const PageFrame& frame, std::vector<render::Layer>& into) {
  if (const std::string text = sentenceOf(frame); !text.empty()) {
    layers_.addSentence(into, "compare.sentence", frame, text);
    return;
  }
  const CompareLayout layout = layoutOf(frame);
  const WeightsState& state = frame.shared.state;
  const ColorLimits locked = state.locked.value_or(ColorLimits{0, 0});
  const LayerKey chosen = keyWith(frameKey(frame), board_.revision(), state.layer, state.head, state.stack);
  LayerKey key = keyWith(chosen, pictures_.revision(), state.blend, secondShown_, layout.matrix.view, state.scale,
                         state.percentile, state.values, locked.low, locked.high, state.part);
  LayerKey table = keyWith(chosen, measure_, layout.grid);
  layers_.add(into, "compare.pictures", key, [&] { return pictureItems(frame, layout); });
  layers_.add(into, "compare.panes", key, [&] { return paneItems(frame, layout); });
  layers_.add(into, "compare.table", std::move(table), [&] { return tableItems(frame, layout); });
  if (!frame.pointer || frame.figure) return;
  layers_.add(
      into, "compare.tip", keyWith(std::move(key), *frame.pointer, measure_), [&] { return tipItems(frame, layout); },
      false);
}

}  // namespace sepx::ui
