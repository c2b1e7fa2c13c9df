// SPDX-License-Identifier: Apache-2.0
// The views of the comparison: numbers of the selected layer and head, panes with their colour scales, and the
// distances as a table and as a chart.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "ui/exhibits/weights/compare/compare_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/entry_scale.h"
#include "ui/views/left_out.h"

namespace sepx::ui {

namespace {

constexpr double kLeastChart = 20, kLeastTable = 26;  // widths, multiples of the small type

}  // namespace

std::string ComparePage::sentenceOf(const WeightsShared& shared) const {
  if (std::string sentence = modelSentence(shared); !sentence.empty()) return sentence;
  if (shared.state.comparePath.empty())
    return tr("Choose a second checkpoint to compare: click here, use the panel, or drop a file.");
  if (!board_.failure().empty())
    return sentenceCase(board_.failure()) + " " + tr("Click here to choose another second checkpoint.");
  return board_.model() ? std::string() : std::string(tr("Opening the second checkpoint…"));
}

MatrixScale ComparePage::scaleOf(const WeightsShared& shared, CompareSide side) const {
  return {shared.state.scale, fitting(pictures_.limits(side), shared.state.scale)};
}

std::string ComparePage::nameOf(const PageFrame& frame, CompareSide side) const {
  const std::string first = frame.shared.model ? frame.shared.title() : std::string();
  const std::string second = board_.model() ? frame.shared.title(*board_.model()) : std::string();
  if (side == CompareSide::Difference) return "A − B: " + first + " − " + second;
  const bool other = frame.shared.state.blend == WeightsBlend::Blink && !frame.figure;
  return (side == CompareSide::First ? "A: " + first : "B: " + second) +
         (other ? std::string("  ") + tr("(X: switch)") : std::string());
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

/// The numbers of the selected layer and head, and the reason if something cannot be compared or shown.
TextContent ComparePage::head(const PageFrame& frame, const Layout& layout) const {
  std::string second = board_.mismatch(), why;
  if (second.empty() && layout.panes.panes.empty()) second = tr("There is no room for pictures.");
  const checkpoint::AttentionLayer* const layer = frame.shared.layer;
  if (layer && board_.model() && !partnerOf(*board_.model(), *layer, &why)) second = why;
  if (!pictures_.failure().empty()) second = pictures_.failure();
  TextContent text{.lines = {{{numbersLine(frame.shared)}}}, .oneLine = true};
  if (!second.empty()) text.lines.push_back({{sentenceCase(second)}, NoteLine::Role::Muted});
  return text;
}

void ComparePage::fill(Layout& layout, const PageFrame& frame) const {
  MatrixPanes& panes = layout.panes;
  for (std::size_t i = 0; i < panes.panes.size(); ++i) {
    MatrixPane& pane = panes.panes[i];
    pane.scale = scaleOf(frame.shared, layout.sides[i]);
    pane.pictures = picturesOf(pictures_.part(layout.sides[i]), panes.seen);
    for (MatrixPicture& picture : pane.pictures)
      picture.places = placed(picture.values, pane.scale);
  }
  panes.tip = [this](const MatrixPane& pane, MatrixCell cell) -> std::vector<std::string> {
    if (!pictures_.known()) return {};
    const attention::LayerFactors &first = *pictures_.factors(CompareSide::First),
                                  &second = *pictures_.factors(CompareSide::Second);
    if (cell.row >= first.rows() || cell.column >= first.columns()) return {};
    const double a = entryOf(first, pane.part, cell.row, cell.column),
                 b = entryOf(second, pane.part, cell.row, cell.column);
    return {fmt::format("{} {}, {} {}", tr("row"), cell.row, tr("column"), cell.column), "A: " + entryText(a),
            "B: " + entryText(b), "A − B: " + entryText(a - b)};
  };
}

/// One row per layer. Columns: all heads together, then head by head.
MatrixContent ComparePage::distances(const PageFrame& frame) const {
  const std::vector<CompareEntry>& entries = board_.entries();
  MatrixContent content;
  content.longest = 0;
  content.rows = static_cast<int>(entries.size());
  content.columns = columns();
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
  const bool cosine = measure_ == CompareMeasure::Cosine;
  double low = cosine ? 1 : 0, high = low;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  content.scale = {ScaleKind::Diverging, {low, high > low ? high : low + 1e-9}};
  // Enough decimals to tell the values from 0, and cosines from 1.
  const double least = cosine ? 1 - low : high;
  content.decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(std::max(least, 1e-9)))), 2, 6);
  content.values = std::make_shared<const std::vector<float>>(std::move(values));
  const auto entryAt = [this](MatrixCell cell) { return board_.entries().at(static_cast<std::size_t>(cell.row)); };
  content.pick = [entryAt, &state](MatrixCell cell) {
    const CompareEntry entry = entryAt(cell);
    if (cell.column > static_cast<int>(entry.heads.size())) return Changes();
    return chooses(state, entry.stack, entry.layer, cell.column - 1);
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

std::string ComparePage::measureWords() const {
  return measure_ == CompareMeasure::Cosine ? tr("cosine") : tr("|A − B| / √(|A| |B|)");
}

/// The same numbers by layer: a line through whole layers, the heads as dots.
ChartContent ComparePage::byLayer(const PageFrame& frame) const {
  const Theme& theme = frame.theme;
  LineChart chart;
  chart.title = trFormat("{}, by layer", measureWords());
  chart.compact = chart.legend = true;
  std::map<checkpoint::Stack, std::pair<ChartSeries, ChartSeries>> stacks;
  int first = 1 << 30, last = 0;
  for (const CompareEntry& entry : board_.entries()) {
    auto& [whole, heads] = stacks[entry.stack];
    const double layer = entry.layer;
    first = std::min(first, entry.layer), last = std::max(last, entry.layer);
    whole.x.push_back(layer);
    whole.y.push_back(measureOf(entry.whole));
    for (const attention::Difference& head : entry.heads) {
      heads.x.push_back(layer);
      heads.y.push_back(measureOf(head));
    }
  }
  for (auto& [stack, both] : stacks) {
    auto& [whole, heads] = both;
    const render::Color color = theme.*lookOf(stack).color;
    const std::string of = stacks.size() > 1 ? stackWords(stack) + ": " : std::string();
    whole.name = of + tr("all heads together");
    whole.look = {color, render::Dash::Solid, theme.lineWidth, lookOf(stack).shape, 6};
    heads.name = of + tr("each head");
    heads.look = {faded(color, 0.6f), render::Dash::Solid, 0, render::Shape::Circle, 4};
    if (!heads.x.empty()) chart.series.push_back(std::move(heads));
    chart.series.push_back(std::move(whole));
  }
  chart.x = {.name = tr("layer"), .whole = true, .from = first - 0.5, .to = last + 0.5};
  chart.y.pad = 0.08;
  ChartContent content{.chart = std::move(chart)};
  content.pick = [this, &state = frame.shared.state](double x) {
    const CompareEntry* nearest = nullptr;
    for (const CompareEntry& entry : board_.entries())
      if (entry.stack == state.stack && (!nearest || std::abs(entry.layer - x) < std::abs(nearest->layer - x)))
        nearest = &entry;
    return nearest ? chooses(state, nearest->stack, nearest->layer, state.head) : Changes();
  };
  return content;
}

void ComparePage::addTable(Views& into, const PageFrame& frame, const render::Rect& box) const {
  const double small = frame.theme.smallSize;
  const std::string title = trFormat("{}, by layer and head", measureWords());
  TextContent head{.lines = {{{title}}}, .oneLine = true};
  Arrangement column{.kind = Arrangement::Kind::Column, .parts = {asHighAsContent("table.head")}, .gap = 0.4 * small};
  if (board_.entries().empty()) {
    head.lines.push_back({{board_.complete() ? tr("nothing to compare") : tr("comparing…")}, NoteLine::Role::Muted});
  } else {
    MatrixContent matrix = distances(frame);
    const ColorLimits ends = matrix.scale.limits;
    const auto strip = [ends](const ViewPlace& place) {
      std::vector<render::Item> items;
      const double size = place.theme.smallSize;
      addColorStrip(items, {place.box.min.x, place.box.min.y + 0.6 * size}, std::min(18 * size, place.box.width()),
                    render::ColorMap::Viridis, formatReading(ends.low), formatReading(ends.high), place.theme);
      return items;
    };
    into.views.push_back(
        {"table.colours", PictureContent{.of = Digest().add(ends.low, ends.high).value(), .draw = strip}});
    into.views.push_back({"table", std::move(matrix), nothingExported});
    Arrangement colours = viewNamed("table.colours"), table = viewNamed("table");
    colours.length = 1.2 * small;
    table.length = (3.4 + 5 * columns()) * small;
    Arrangement row{.kind = Arrangement::Kind::Row, .parts = {std::move(table), {.kind = Arrangement::Kind::Row}}};
    row.length = (1.9 * static_cast<double>(board_.entries().size()) + 1.6) * small;
    row.mostShare = std::max(0.1, 1 - 3.5 * small / std::max(1.0, box.height()));
    column.parts.push_back(std::move(colours));
    column.parts.push_back(std::move(row));
  }
  into.views.push_back({"table.head", std::move(head)});
  if (board_.entries().empty()) return into.addAt(box, std::move(column));
  // The room that the table leaves shows the same numbers as a chart.
  into.views.push_back({"layers", byLayer(frame), nothingExported});
  Arrangement chart = viewNamed("layers");
  chart.leastWidth = kLeastChart * small;
  chart.leastHeight = kLeastChart / 2 * small;
  chart.order = 1;
  const bool beside = box.width() > 2 * box.height();
  if (beside) {
    column.length = std::max(kLeastTable, 3.4 + 5 * columns()) * small;
  } else {
    column.length = (4.6 + 1.9 * static_cast<double>(board_.entries().size())) * small;
  }
  column.mostShare = beside ? 0.7 : 0.6;
  into.addAt(box, Arrangement{.kind = beside ? Arrangement::Kind::Row : Arrangement::Kind::Column,
                              .parts = {std::move(column), std::move(chart)},
                              .gap = 2 * frame.theme.space});
}

Views ComparePage::views(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (std::string text = sentenceOf(shared); !text.empty()) {
    Views made = sentenceAlone(std::move(text));
    const bool asks = shared.model && !shared.model->map.layers.empty() &&
                      (shared.state.comparePath.empty() || !board_.failure().empty());
    if (asks) std::get<TextContent>(made.views.front().content).command = "weights.open-compare";
    return made;
  }
  Layout layout = layoutOf(frame);
  fill(layout, frame);
  Views made;
  made.addAt(layout.head, {"head", head(frame, layout)});
  if (layout.table.width() > 0)
    addTable(made, frame, layout.table);
  else if (!frame.figure)
    made.addAt(frame.area, Arrangement{.kind = Arrangement::Kind::Column,
                                       .parts = {leftOut(tr("the table and the chart by layer"))}});
  const std::vector<MatrixPane> panes = layout.panes.panes;
  if (panes.empty()) return made;
  addPanes(made, frame.area, std::move(layout.panes));
  for (std::size_t i = 0; i < panes.size() && pictures_.known(); ++i) {
    if (!ownScales_ && i + 1 < panes.size()) continue;
    const render::Rect& plot = panes[i].plot;
    const double edge = plot.max.x + 6.5 * frame.theme.smallSize;
    made.addAt(
        scaleBox(plot, plot.max.x + 1.5 * frame.theme.space, edge),
        entryScale(
            panes[i].view + ".scale",
            {.scale = panes[i].scale, .locked = shared.state.locked.has_value(), .edge = edge, .with = withLimits}));
  }
  return made;
}

}  // namespace sepx::ui
