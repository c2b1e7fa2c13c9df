// SPDX-License-Identifier: Apache-2.0
// The comparison as items: panes with their pictures and entries, the colour scale, the table of distances.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/render/color_map.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/compare/compare_page.h"
#include "ui/exhibits/weights/shared/matrix_scene.h"
#include "ui/properties/tr.h"
#include "ui/views/digest.h"

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

/// Row: layer; column: all heads, then head by head.
MatrixContent ComparePage::distances(const PageFrame& frame) const {
  const std::vector<CompareEntry>& entries = board_.entries();
  const auto [low, high] = measureRange();
  MatrixContent content;
  content.longest = 0;
  content.rows = static_cast<int>(entries.size());
  content.columns = columns();
  content.scale = {ScaleKind::Diverging, {low, high}};
  // As many decimals as tell the values from 0, cosines from 1.
  const double least = measure_ == CompareMeasure::Cosine ? 1 - low : high;
  content.decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(std::max(least, 1e-9)))), 2, 6);
  content.map = render::ColorMap::Viridis;
  content.columnTexts.emplace_back(tr("all"));
  for (int head = 0; head + 1 < columns(); ++head)
    content.columnTexts.push_back(std::to_string(head));
  const bool several = frame.shared.model->map.stacks().size() > 1;
  const WeightsState& state = frame.shared.state;
  std::vector<float> values;
  for (std::size_t row = 0; row < entries.size(); ++row) {
    const CompareEntry& entry = entries[row];
    content.rowTexts.push_back((several ? lookOf(entry.stack).mark : "") + std::to_string(entry.layer));
    for (int head = -1; head + 1 < columns(); ++head) {
      const auto found = board_.at(entry.stack, entry.layer, head);
      values.push_back(found ? static_cast<float>(measureOf(*found)) : std::nanf(""));
    }
    if (!frame.figure && entry.stack == state.stack && entry.layer == state.layer && state.head + 1 < columns())
      content.chosen.push_back({static_cast<int>(row), state.head + 1});
  }
  content.values = std::make_shared<const std::vector<float>>(std::move(values));
  const auto entryAt = [this](MatrixCell cell) { return board_.entries().at(static_cast<std::size_t>(cell.row)); };
  content.pick = [entryAt](MatrixCell cell) {
    const CompareEntry entry = entryAt(cell);
    if (cell.column > static_cast<int>(entry.heads.size())) return Changes();
    return Changes{{"weights.stack", std::string(checkpoint::word(entry.stack))},
                   {"weights.layer", static_cast<double>(entry.layer)},
                   {"weights.head", cell.column - 1.0}};
  };
  content.tip = [this, entryAt, &shared = frame.shared](MatrixCell cell) -> std::vector<std::string> {
    const CompareEntry entry = entryAt(cell);
    const auto found = board_.at(entry.stack, entry.layer, cell.column - 1);
    if (!found || !shared.model) return {};
    return {placeWords(shared.model->map, entry.stack, entry.layer, cell.column - 1),
            fmt::format("|A − B| = {}", formatReading(found->norm)),
            fmt::format("{}: {}", tr("relative"), formatReading(found->relative)),
            fmt::format("cos(A, B) = {}", cosineText(found->cosine)),
            fmt::format("|A| = {},  |B| = {}", formatReading(found->normA), formatReading(found->normB))};
  };
  return content;
}

Views ComparePage::tableViews(const PageFrame& frame, const CompareLayout& layout) const {
  const double small = frame.theme.smallSize;
  Views made;
  const std::string title = measure_ == CompareMeasure::Cosine ? tr("cosine, by layer and head")
                                                               : tr("|A − B| / √(|A| |B|), by layer and head");
  TextContent head{.lines = {{{title}}}, .oneLine = true};
  Arrangement column{.kind = Arrangement::Kind::Column, .parts = {asHighAsContent("head")}, .gap = 0.4 * small};
  if (board_.entries().empty()) {
    head.lines.push_back({{board_.complete() ? tr("nothing to compare") : tr("comparing…")}, NoteLine::Role::Muted});
  } else {
    const auto [low, high] = measureRange();
    made.views.push_back(
        {"colours", PictureContent{.of = Digest().add(low, high).value(),
                                   .draw = [low = low, high = high](const ViewPlace& place) {
                                     std::vector<render::Item> items;
                                     const double size = place.theme.smallSize;
                                     addColorStrip(items, {place.box.min.x, place.box.min.y + 0.6 * size},
                                                   std::min(18 * size, place.box.width()), render::ColorMap::Viridis,
                                                   formatReading(low), formatReading(high), place.theme);
                                     return items;
                                   }}});
    made.views.push_back({"table", distances(frame), nothingExported});
    Arrangement colours = viewNamed("colours"), table = viewNamed("table");
    colours.length = 1.2 * small;
    table.length = (3.4 + 5 * columns()) * small;
    Arrangement row{.kind = Arrangement::Kind::Row, .parts = {std::move(table), {.kind = Arrangement::Kind::Row}}};
    row.length = (1.9 * static_cast<double>(board_.entries().size()) + 1.6) * small;
    row.mostShare = layout.table.height() > 0 ? std::max(0.1, 1 - 3.5 * small / layout.table.height()) : 1;
    column.parts.push_back(std::move(colours));
    column.parts.push_back(std::move(row));
  }
  made.views.push_back({"head", std::move(head)});
  column.at = layout.table;
  made.arrangement = std::move(column);
  return made;
}

std::vector<render::Item> ComparePage::tipItems(const PageFrame& frame, const CompareLayout& layout) const {
  std::vector<render::Item> items;
  const render::Point at = *frame.pointer;
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
  layers_.add(into, "compare.pictures", key, [&] { return pictureItems(frame, layout); });
  layers_.add(into, "compare.panes", key, [&] { return paneItems(frame, layout); });
  table_.place(frame);
  table_.scene(frame, into);
  if (!frame.pointer || frame.figure) return;
  layers_.add(
      into, "compare.tip", keyWith(std::move(key), *frame.pointer, measure_), [&] { return tipItems(frame, layout); },
      false);
}

}  // namespace sepx::ui
