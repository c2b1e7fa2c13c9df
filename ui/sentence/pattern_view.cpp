// SPDX-License-Identifier: Apache-2.0
// The pattern of one head: as a matrix of queries by keys, and as lines between two columns of tokens.
#include "ui/sentence/pattern_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/sentence/heads_view.h"
#include "ui/sentence/tokens_view.h"
#include "ui/views/matrix_view.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kMostName = 0.24;   // share of the side: room for names of tokens
constexpr double kBelowSmall = 3;    // points by which names are smaller than small text, at most
constexpr double kFaintest = 0.02;   // smaller weights have no line
constexpr double kWidestLine = 6;    // points, of a weight of 1
constexpr double kLineColumn = 0.3;  // share of the width: a column of tokens
constexpr double kEntryCell = 2.6;   // in sizes of small text: a cell with room for a weight

/// What a picture of a pattern shows. The callbacks of the picture keep it.
struct PatternData {
  SentencePassPointer pass;
  HeadPattern head;
  int query = -1, key = -1;
  bool difference = false;  ///< the changed model minus the whole one
  const std::shared_ptr<const std::vector<float>>& values() const {
    return difference ? head.difference : head.weights;
  }
  MatrixScale scale() const {
    return difference ? MatrixScale{ScaleKind::Diverging, {-1, 1}} : MatrixScale{ScaleKind::Sequential, {0, 1}};
  }
  int n() const { return pass->n(); }
  double weight(int row, int column) const {
    return static_cast<double>(
        (*values())[static_cast<std::size_t>(row) * static_cast<std::size_t>(n()) + static_cast<std::size_t>(column)]);
  }
  const std::string& name(int place) const { return pass->tokens->tokens[static_cast<std::size_t>(place)].shown; }
};
using PatternPointer = std::shared_ptr<const PatternData>;

/// `differs`: shows the changed model minus the whole one if the state says so.
PatternPointer patternOf(const SentenceShown& shown, bool differs, bool whole = false) {
  auto made = std::make_shared<PatternData>();
  made->pass = shown.results.pass();
  made->head = whole ? *shown.results.head() : *shown.head();
  made->difference = differs && shown.state.look == PatternMode::Difference && made->head.difference;
  if (shown.results.score()) {
    made->query = shown.results.score()->query;
    made->key = shown.results.score()->key;
  }
  return made;
}

std::uint64_t digestOf(const PatternData& made) {
  return Digest().add(made.pass, made.values(), made.query, made.key).value();
}

std::vector<std::string> cellWords(const PatternData& made, int query, int key) {
  return {trFormat("query {}", tokenWords(*made.pass->tokens, query)),
          trFormat("key {}", tokenWords(*made.pass->tokens, key)),
          made.difference ? trFormat("changed by {}", formatReading(made.weight(query, key)))
                          : trFormat("weight {}", shownProbability(made.weight(query, key), 4)),
          tr("click: why this score")};
}

/// `opens`: the parts of the score have no room beside the pattern and replace the rest.
Changes scoreChosen(const SentenceKeys& keys, int query, int key, bool opens) {
  Changes changes{{keys.of("query"), static_cast<double>(query)}, {keys.of("key"), static_cast<double>(key)}};
  if (opens) changes.emplace_back(keys.of("panel"), std::string("why"));
  return changes;
}

/// Room left of a square and above it: the longest name, at most a share of the side. The left side also takes the
/// width that a wide box has to spare.
struct RoomForNames {
  double left, top;
};

RoomForNames roomForNames(const PatternData& made, const render::Rect& box, double size) {
  double most = 6;
  for (int i = 0; i < made.n(); ++i)
    most = std::max(most, textWidth(made.name(i), size) + 6);
  const double top = std::min(most, kMostName * std::min(box.width(), box.height()));
  return {std::min(most, std::max(top, box.width() - (box.height() - top))), top};
}

double typeIn(double cell, const Theme& theme) {
  return std::min(static_cast<double>(theme.smallSize), 0.92 * cell);
}

MatrixPlot plotOf(const PatternData& made, const render::Rect& box, const Theme& theme) {
  const RoomForNames names = roomForNames(made, box, theme.smallSize);
  const double side = std::max(8.0, std::min(box.width() - names.left, box.height() - names.top));
  const render::Point corner{box.min.x + names.left, box.min.y + names.top};
  return wholeMatrix({corner, {corner.x + side, corner.y + side}}, made.n(), made.n());
}

void addNames(std::vector<render::Item>& items, const PatternData& made, const MatrixPlot& plot,
              const render::Rect& box, const ViewPlace& place) {
  const Theme& theme = place.theme;
  const double cell = plot.cellHeight(), size = std::max(theme.smallSize - kBelowSmall, typeIn(cell, theme));
  const int every = std::max(1, static_cast<int>(std::ceil(size / cell)));
  const double left = plot.plot.min.x - box.min.x - 4, top = plot.plot.min.y - box.min.y - 4;
  for (int i = 0; i < made.n(); ++i) {
    const bool row = i == made.query, column = i == made.key;
    if (i % every != 0 && !row && !column) continue;
    if (every > 1 && i % every != 0) continue;
    const render::Rect at = plot.box({i, i});
    const auto ink = [&](bool chosen) { return chosen && !place.figure ? theme.selection : theme.textMuted; };
    items.emplace_back(textAt({plot.plot.min.x - 4, (at.min.y + at.max.y) / 2}, elided(made.name(i), size, left),
                              static_cast<float>(size), ink(row), render::AlignX::Right));
    render::Label above = textAt({(at.min.x + at.max.x) / 2, plot.plot.min.y - 4}, elided(made.name(i), size, top),
                                 static_cast<float>(size), ink(column), render::AlignX::Left);
    above.vertical = true;
    items.emplace_back(std::move(above));
  }
}

std::vector<render::Item> matrixItems(const PatternData& made, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  const MatrixPlot plot = plotOf(made, place.box, theme);
  const MatrixScale scale = made.scale();
  items.emplace_back(pageFill(plot.plot, theme.surface));
  items.emplace_back(render::Heatmap{.extent = plot.plot,
                                     .width = made.n(),
                                     .height = made.n(),
                                     .values = made.values(),
                                     .map = scale.map(theme),
                                     .low = static_cast<float>(scale.lowPlace()),
                                     .high = static_cast<float>(scale.highPlace()),
                                     .smooth = false,
                                     .space = render::Space::Page});
  if (plot.cellWidth() >= kEntryCell * theme.smallSize)
    addCellTexts(items, plot, std::min<double>(theme.smallSize, 0.36 * plot.cellWidth()), [&](MatrixCell cell) {
      const double weight = made.weight(cell.row, cell.column);
      if (!std::isfinite(weight)) return CellText{"–", theme.surface};
      return std::abs(weight) < 0.005 ? CellText{} : CellText{shownFixed(weight, 2), scale.color(weight, theme)};
    });
  items.emplace_back(pageFrameLine(plot.plot, theme.border));
  addNames(items, made, plot, place.box, place);
  if (place.figure || made.query < 0) return items;
  // Visible on dark and on light cells.
  const render::Color ink = textColorOn(scale.color(0, theme));
  const render::Rect first = plot.box({made.query, 0}), last = plot.box({made.query, made.n() - 1});
  items.emplace_back(pageFrameLine({first.min, last.max}, faded(ink, 0.5f), 1));
  items.emplace_back(pageFrameLine(plot.box({made.query, made.key}), ink, 4.5f));
  items.emplace_back(pageFrameLine(plot.box({made.query, made.key}), theme.selection, 2));
  return items;
}

/// Places of the tokens in the picture of lines: y of each, and the two columns.
struct LinesLayout {
  double step = 0, top = 0, left = 0, right = 0, size = 0;
  double y(int place) const { return top + step * (place + 0.5); }
  int at(double y) const { return static_cast<int>(std::floor((y - top) / step)); }
};

LinesLayout linesIn(const PatternData& made, const render::Rect& box, const Theme& theme) {
  LinesLayout laid;
  const double heads = 1.5 * theme.smallSize;
  laid.top = box.min.y + heads;
  laid.step = std::min((box.height() - heads) / made.n(), 2.2 * theme.smallSize);
  laid.size = typeIn(laid.step, theme);
  const double names = std::min(kLineColumn * box.width(), 9.0 * theme.smallSize);
  laid.left = box.min.x + names;
  laid.right = box.max.x - names;
  return laid;
}

std::vector<render::Item> lineItems(const PatternData& made, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  const LinesLayout laid = linesIn(made, place.box, theme);
  items.emplace_back(textAt({laid.left, place.box.min.y + 0.6 * theme.smallSize}, tr("queries"), theme.smallSize,
                            theme.textMuted, render::AlignX::Right));
  items.emplace_back(
      textAt({laid.right, place.box.min.y + 0.6 * theme.smallSize}, tr("keys"), theme.smallSize, theme.textMuted));
  const auto line = [&](int query, int key, bool chosen) {
    const double weight = made.weight(query, key);
    if (!(weight >= kFaintest)) return;
    const render::Color color = chosen ? theme.selection : theme.globalMin;
    const double strength = std::min(1.0, weight);
    items.emplace_back(
        pageLine({laid.left + 4, laid.y(query)}, {laid.right - 4, laid.y(key)},
                 faded(color, static_cast<float>(chosen ? 0.35 + 0.65 * strength : 0.12 + 0.6 * strength)),
                 static_cast<float>(0.75 + (kWidestLine - 0.75) * strength)));
  };
  for (int query = 0; query < made.n(); ++query)
    for (int key = 0; key < made.n() && query != made.query; ++key)
      line(query, key, false);
  for (int key = 0; key < made.n() && made.query >= 0; ++key)
    line(made.query, key, !place.figure);
  if (laid.size < 5) return items;
  for (int i = 0; i < made.n(); ++i) {
    const bool query = i == made.query && !place.figure, key = i == made.key && !place.figure;
    items.emplace_back(textAt({laid.left, laid.y(i)}, elided(made.name(i), laid.size, laid.left - place.box.min.x),
                              static_cast<float>(laid.size), query ? theme.selection : theme.text,
                              render::AlignX::Right));
    items.emplace_back(textAt({laid.right, laid.y(i)}, elided(made.name(i), laid.size, place.box.max.x - laid.right),
                              static_cast<float>(laid.size), key ? theme.selection : theme.text));
  }
  return items;
}

/// Query (left) or key (right) under the pointer, and the strongest cell of its row or column.
std::optional<MatrixCell> lineAt(const PatternData& made, const LinesLayout& laid, render::Point at) {
  const int place = laid.at(at.y);
  if (place < 0 || place >= made.n()) return std::nullopt;
  const bool query = at.x < (laid.left + laid.right) / 2;
  int best = 0;
  for (int other = 1; other < made.n(); ++other) {
    const double now = query ? made.weight(place, other) : made.weight(other, place);
    const double before = query ? made.weight(place, best) : made.weight(best, place);
    if (now > before) best = other;
  }
  return query ? MatrixCell{place, best} : MatrixCell{best, place};
}

}  // namespace

PictureContent patternMatrix(const SentenceShown& shown, bool whole) {
  const PatternPointer made = patternOf(shown, !whole, whole);
  PictureContent content;
  content.of = digestOf(*made);
  content.draw = [made](const ViewPlace& place) { return matrixItems(*made, place); };
  const auto cellAt = [made](const ViewPlace& place, render::Point at) -> std::optional<MatrixCell> {
    const MatrixPlot plot = plotOf(*made, place.box, place.theme);
    return plot.plot.contains(at) ? plot.cellAt(at) : std::nullopt;
  };
  content.tip = [made, cellAt](const ViewPlace& place, render::Point at, const render::Rect& area) {
    std::vector<render::Item> items;
    const auto cell = cellAt(place, at);
    if (!cell) return items;
    addCellMark(items, plotOf(*made, place.box, place.theme), *cell, place.theme);
    addTip(items, at, cellWords(*made, cell->row, cell->column), area, place.theme);
    return items;
  };
  content.pick = [cellAt, keys = shown.keys(), opens = !shown.tall()](const ViewPlace& place,
                                                                      render::Point at) -> std::optional<Changes> {
    const auto cell = cellAt(place, at);
    return cell ? std::optional(scoreChosen(keys, cell->row, cell->column, opens)) : std::nullopt;
  };
  content.read = [made](const ViewPlace& place) {
    const auto side = static_cast<std::size_t>(made->n());
    const auto words = [made](MatrixCell cell) {
      return fmt::format("{}", fmt::join(cellWords(*made, cell.row, cell.column), ", "));
    };
    const MatrixPlot plot = plotOf(*made, place.box, place.theme);
    const auto middle = [plot](MatrixCell cell) {
      const render::Rect box = plot.box(cell);
      return std::optional(render::Point{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2});
    };
    ReadableView view = readMatrix(side, side, words, middle, [plot](render::Point at) { return plot.cellAt(at); });
    view.label = headWords(made->head);
    return view;
  };
  return content;
}

PictureContent patternLines(const SentenceShown& shown) {
  const PatternPointer made = patternOf(shown, false);
  PictureContent content;
  content.of = digestOf(*made);
  content.boxed = true;
  content.draw = [made](const ViewPlace& place) { return lineItems(*made, place); };
  const auto at = [made](const ViewPlace& place, render::Point pointer) {
    return lineAt(*made, linesIn(*made, place.box, place.theme), pointer);
  };
  content.tip = [made, at](const ViewPlace& place, render::Point pointer, const render::Rect& area) {
    std::vector<render::Item> items;
    if (const auto cell = at(place, pointer))
      addTip(items, pointer, cellWords(*made, cell->row, cell->column), area, place.theme);
    return items;
  };
  content.pick = [at, keys = shown.keys(), opens = !shown.tall()](const ViewPlace& place,
                                                                  render::Point pointer) -> std::optional<Changes> {
    const auto cell = at(place, pointer);
    return cell ? std::optional(scoreChosen(keys, cell->row, cell->column, opens)) : std::nullopt;
  };
  return content;
}

}  // namespace sepx::ui
