// SPDX-License-Identifier: Apache-2.0
// The wall of patterns: every layer and head, in the order of the model or sorted by a number. Pictures have a least
// size at which they can be told apart: rows that do not fit scroll, and the heads of a layer wrap if they do not fit
// in a row.
#include "ui/sentence/heads_view.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kBetweenPatterns = 3;  // points
constexpr double kFrameRoom = 3;        // points around the pictures
constexpr double kLeastSide = 22;       // of a picture, points
constexpr double kBar = 5;              // of the scroll bar, points
constexpr double kNamed = 34;           // points; pictures of at least this side have a line of text below them
constexpr double kLayerNames = 2.2;     // in sizes of small text, left of the rows of layers

/// The number that the wall is sorted by.
double numberOf(const HeadPattern& head, HeadOrder order, const forward::Effects* effects) {
  switch (order) {
    case HeadOrder::Entropy:
      return head.entropy;
    case HeadOrder::Distance:
      return head.distance;
    case HeadOrder::First:
      return head.first;
    case HeadOrder::Symmetry:
      return head.symmetry;
    case HeadOrder::Effect: {
      const auto at = effects ? static_cast<std::size_t>(head.block * effects->heads + head.head) : 0;
      return effects && head.head < effects->heads && at < effects->head.size() ? effects->head[at] : std::nan("");
    }
    case HeadOrder::Layer:
      break;
  }
  return std::nan("");
}

struct WallPicture {
  std::size_t head = 0;  ///< index in the pass
  render::Rect box;
};

struct SentenceWall {
  std::vector<WallPicture> pictures;
  std::vector<std::pair<std::string, double>> layers;  ///< name and middle of rows
  double side = 0;
  bool named = false;                    ///< with text below the pictures
  int first = 0, inSight = 0, rows = 0;  ///< first row that is drawn, number of rows drawn, number of all rows
  bool scrolls() const { return inSight < rows; }
};

/// The number of columns that makes the squares in `box` largest.
std::size_t columnsFor(std::size_t count, const render::Rect& box, double below) {
  std::size_t best = 1;
  double largest = 0;
  for (std::size_t columns = 1; columns <= count; ++columns) {
    const auto rows = static_cast<double>((count + columns - 1) / columns);
    const double side = std::min((box.width() + kBetweenPatterns) / static_cast<double>(columns),
                                 (box.height() + kBetweenPatterns) / rows - below);
    if (side > largest) {
      largest = side;
      best = columns;
    }
  }
  return best;
}

/// Everything that the wall shows. The callbacks of the picture keep it.
struct WallData {
  SentencePassPointer pass;
  std::vector<HeadPattern> heads;  ///< as they are shown
  std::vector<std::size_t> order;
  std::vector<double> numbers;  ///< by head: the numbers of the order; NaN: none
  HeadOrder by = HeadOrder::Layer;
  std::size_t chosen = ~std::size_t{0};
  std::vector<double> effects;  ///< by head
  int first = -1;               ///< first row that is shown if they scroll; -1: so that the chosen head is shown
};

struct WallGrid {
  std::size_t columns = 1, rows = 1;
  double side = 1, below = 0;  ///< of a picture; room for words below it
  bool wraps = false;          ///< it scrolls, and rows are filled to the width
};

/// Rows of layers, with as many columns as the longest has. For another order, as many columns as make the pictures
/// largest.
WallGrid wallGrid(const WallData& made, const render::Rect& box, double small) {
  WallGrid grid;
  if (made.by == HeadOrder::Layer) {
    grid.rows = 0;
    std::size_t inRow = 0;
    for (std::size_t i = 0; i < made.heads.size(); ++i) {
      const bool first = i == 0 || made.heads[i].block != made.heads[i - 1].block;
      inRow = first ? 1 : inRow + 1;
      grid.rows += first;
      grid.columns = std::max(grid.columns, inRow);
    }
    grid.rows = std::max<std::size_t>(1, grid.rows);
  }
  const auto fit = [&](double below) {
    if (made.by != HeadOrder::Layer) {
      grid.columns = columnsFor(made.heads.size(), box, below);
      grid.rows = std::max<std::size_t>(1, (made.heads.size() + grid.columns - 1) / grid.columns);
    }
    const double across = (box.width() + kBetweenPatterns) / static_cast<double>(grid.columns);
    const double down = (box.height() + kBetweenPatterns) / static_cast<double>(grid.rows) - below;
    grid.below = below;
    grid.side = std::max(1.0, std::min(across, down) - kBetweenPatterns);
  };
  fit(1.1 * small);
  if (grid.side < kNamed) fit(0);
  if (grid.side >= kLeastSide) return grid;
  grid.wraps = true;
  grid.side = kLeastSide;
  grid.columns =
      static_cast<std::size_t>(std::max(1.0, std::floor((box.width() - kBar) / (kLeastSide + kBetweenPatterns))));
  return grid;
}

/// Row and column of every picture, in their order.
std::vector<std::pair<int, int>> cellsOf(const WallData& made, const WallGrid& grid) {
  std::vector<std::pair<int, int>> cells;
  const bool byLayer = made.by == HeadOrder::Layer;
  int row = 0, column = 0;
  for (std::size_t i = 0; i < made.order.size(); ++i) {
    const bool first = i == 0 || made.heads[made.order[i]].block != made.heads[made.order[i - 1]].block;
    const bool full = column + 1 == static_cast<int>(grid.columns);
    column = i == 0 || (byLayer && first) || ((!byLayer || grid.wraps) && full) ? 0 : column + 1;
    row += i > 0 && column == 0;
    cells.emplace_back(row, column);
  }
  return cells;
}

SentenceWall layOutWall(const WallData& made, render::Rect box, const Theme& theme) {
  SentenceWall wall;
  const bool byLayer = made.by == HeadOrder::Layer;
  // Room at the edges for the frame of the chosen picture.
  box = {{box.min.x + kFrameRoom, box.min.y + kFrameRoom}, {box.max.x - kFrameRoom, box.max.y - kFrameRoom}};
  if (byLayer) box.min.x += kLayerNames * theme.smallSize;
  const WallGrid grid = wallGrid(made, box, theme.smallSize);
  wall.side = grid.side;
  wall.named = grid.below > 0 && !grid.wraps;
  const double across = wall.side + kBetweenPatterns, down = across + (grid.wraps ? 0 : grid.below);
  const std::vector<std::pair<int, int>> cells = cellsOf(made, grid);
  wall.rows = cells.empty() ? 0 : cells.back().first + 1;
  wall.inSight = grid.wraps
                     ? std::min(std::max(static_cast<int>((box.height() + kBetweenPatterns) / down), 1), wall.rows)
                     : wall.rows;
  for (std::size_t i = 0; i < cells.size() && made.first < 0; ++i)
    if (made.order[i] == made.chosen) wall.first = cells[i].first - wall.inSight / 2;
  if (made.first >= 0) wall.first = made.first;
  wall.first = std::clamp(wall.first, 0, std::max(0, wall.rows - wall.inSight));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int row = cells[i].first - wall.first;
    if (row < 0 || row >= wall.inSight) continue;
    const HeadPattern& head = made.heads[made.order[i]];
    const bool first = i == 0 || head.block != made.heads[made.order[i - 1]].block;
    const render::Point at{box.min.x + across * cells[i].second, box.min.y + down * row};
    if (byLayer && (first || (row == 0 && cells[i].second == 0)))
      wall.layers.emplace_back(fmt::format("L{}", head.layer), at.y + wall.side / 2);
    wall.pictures.push_back({made.order[i], {at, {at.x + wall.side, at.y + wall.side}}});
  }
  return wall;
}

const WallPicture* pictureOf(const SentenceWall& wall, std::size_t head) {
  const auto found = std::find_if(wall.pictures.begin(), wall.pictures.end(),
                                  [head](const WallPicture& one) { return one.head == head; });
  return found == wall.pictures.end() ? nullptr : &*found;
}

/// The first row that is shown after the wheel was turned.
int scrolledTo(const SentenceWall& wall, double notches) {
  const int rows = std::max(1, static_cast<int>(std::lround(std::abs(notches))));
  return std::clamp(wall.first - (notches > 0 ? rows : -rows), 0, wall.rows - wall.inSight);
}

std::string shortNumber(double value) {
  if (!std::isfinite(value)) return "–";
  return std::abs(value) >= 0.095 || value == 0 ? shownFixed(value, std::abs(value) < 9.95 ? 2 : 1)
                                                : withMinus(fmt::format("{:.1g}", value));
}

std::vector<render::Item> wallItems(const WallData& made, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  const SentenceWall wall = layOutWall(made, place.box, theme);
  const MatrixScale scale{ScaleKind::Sequential, {0, 1}};
  for (const auto& [name, y] : wall.layers)
    if (wall.side >= 0.9 * theme.smallSize)
      items.emplace_back(textAt({place.box.min.x, y}, name, theme.smallSize, theme.textMuted));
  for (const WallPicture& one : wall.pictures) {
    const HeadPattern& head = made.heads[one.head];
    items.emplace_back(pageFill(one.box, theme.surface));
    items.emplace_back(render::Heatmap{.extent = one.box,
                                       .width = head.side,
                                       .height = head.side,
                                       .values = head.thumb,
                                       .map = scale.map(theme),
                                       .low = 0,
                                       .high = 1,
                                       .smooth = false,
                                       .space = render::Space::Page});
    if (!std::isfinite(head.entropy) && wall.named)
      items.emplace_back(textAt({(one.box.min.x + one.box.max.x) / 2, (one.box.min.y + one.box.max.y) / 2}, "NaN",
                                theme.smallSize, theme.error, render::AlignX::Center));
    if (!wall.named) continue;
    const double number = made.by == HeadOrder::Layer
                              ? (one.head < made.effects.size() ? made.effects[one.head] : std::nan(""))
                              : made.numbers[one.head];
    std::string words =
        made.by == HeadOrder::Layer ? fmt::format("{}", head.head) : fmt::format("{}·{}", head.layer, head.head);
    if (std::isfinite(number)) words += (made.by == HeadOrder::Layer ? " KL " : " ") + shortNumber(number);
    items.emplace_back(textAt({(one.box.min.x + one.box.max.x) / 2, one.box.max.y + 0.7 * theme.smallSize},
                              elided(words, 0.9 * theme.smallSize, wall.side + kBetweenPatterns),
                              0.9f * theme.smallSize, theme.textMuted, render::AlignX::Center));
  }
  for (const WallPicture& one : wall.pictures)
    if (one.head == made.chosen && !place.figure)
      items.emplace_back(
          pageFrameLine({{one.box.min.x - 1.5, one.box.min.y - 1.5}, {one.box.max.x + 1.5, one.box.max.y + 1.5}},
                        theme.selection, 2.5f));
  if (wall.scrolls() && !place.figure) {
    const double height = place.box.height() / wall.rows;
    const render::Rect bar{{place.box.max.x - kBar, place.box.min.y + height * wall.first},
                           {place.box.max.x, place.box.min.y + height * (wall.first + wall.inSight)}};
    addBox(items, bar, kBar / 2, theme.border, theme.border);
  }
  return items;
}

std::vector<std::string> wallWords(const WallData& made, std::size_t of) {
  const HeadPattern& head = made.heads[of];
  std::vector<std::string> lines{headWords(head), trFormat("entropy {} nats", shortNumber(head.entropy)),
                                 trFormat("mean distance {}", shortNumber(head.distance)),
                                 trFormat("share on the first token {}", shortNumber(head.first)),
                                 trFormat("symmetry of the pattern {}", shortNumber(head.symmetry))};
  if (of < made.effects.size() && std::isfinite(made.effects[of]))
    lines.push_back(trFormat("taken out: KL {} nats", formatReading(made.effects[of])));
  lines.emplace_back(tr("click: show this head"));
  return lines;
}

const WallPicture* pictureAt(const SentenceWall& wall, render::Point at) {
  const auto found = std::find_if(wall.pictures.begin(), wall.pictures.end(),
                                  [at](const WallPicture& one) { return one.box.contains(at); });
  return found == wall.pictures.end() ? nullptr : &*found;
}

std::shared_ptr<const WallData> wallOf(const SentenceShown& shown) {
  auto made = std::make_shared<WallData>();
  made->pass = shown.results.pass();
  made->heads = shown.heads();
  made->by = shown.state.order;
  made->order.resize(made->heads.size());
  std::iota(made->order.begin(), made->order.end(), std::size_t{0});
  const forward::Effects* const effects = shown.results.effects();
  for (const HeadPattern& head : made->heads) {
    made->numbers.push_back(numberOf(head, made->by, effects));
    made->effects.push_back(numberOf(head, HeadOrder::Effect, effects));
  }
  // Heads without a number are last. Entropies ascend, other numbers descend.
  const auto rank = [&](std::size_t i) {
    const double value = made->numbers[i];
    return std::isnan(value) ? INFINITY : made->by == HeadOrder::Entropy ? value : -value;
  };
  if (made->by != HeadOrder::Layer)
    std::stable_sort(made->order.begin(), made->order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  made->first = shown.state.scroll;
  if (const HeadPattern* const head = shown.head())
    made->chosen = static_cast<std::size_t>(head - shown.heads().data());
  return made;
}

}  // namespace

std::string headWords(const HeadPattern& head) {
  return trFormat("layer {}, head {}", head.layer, head.head);
}

std::string orderWords(HeadOrder order) {
  switch (order) {
    case HeadOrder::Entropy:
      return tr("entropy, lowest first");
    case HeadOrder::Distance:
      return tr("mean distance");
    case HeadOrder::First:
      return tr("share on the first token");
    case HeadOrder::Symmetry:
      return tr("symmetry of the pattern");
    case HeadOrder::Effect:
      return tr("effect on the prediction");
    case HeadOrder::Layer:
      break;
  }
  return tr("layer and head");
}

PictureContent headsWall(const SentenceShown& shown) {
  const std::shared_ptr<const WallData> made = wallOf(shown);
  PictureContent content;
  content.boxed = true;
  Digest digest;
  digest.add(made->pass, made->by, made->first, made->chosen, made->numbers, made->effects);
  for (const HeadPattern& head : made->heads)
    digest.add(head.thumb);
  content.of = digest.value();
  content.draw = [made](const ViewPlace& place) { return wallItems(*made, place); };
  content.tip = [made](const ViewPlace& place, render::Point at, const render::Rect& area) {
    std::vector<render::Item> items;
    const SentenceWall wall = layOutWall(*made, place.box, place.theme);
    const WallPicture* const one = pictureAt(wall, at);
    if (!one) return items;
    items.emplace_back(pageFrameLine(one->box, place.theme.text, 1.5f));
    addTip(items, at, wallWords(*made, one->head), area, place.theme);
    return items;
  };
  content.pick = [made, keys = shown.keys()](const ViewPlace& place, render::Point at) -> std::optional<Changes> {
    const SentenceWall wall = layOutWall(*made, place.box, place.theme);
    const WallPicture* const one = pictureAt(wall, at);
    if (!one) return std::nullopt;
    const HeadPattern& head = made->heads[one->head];
    return Changes{{keys.shared("layer"), static_cast<double>(head.layer)},
                   {keys.shared("head"), static_cast<double>(head.head)}};
  };
  content.wheel = [made, key = shown.keys().of("scroll")](Editor& editor, const ViewPlace& place, render::Point,
                                                          double notches) {
    const SentenceWall wall = layOutWall(*made, place.box, place.theme);
    if (wall.scrolls()) ui::apply(editor, {{key, static_cast<double>(scrolledTo(wall, notches))}});
  };
  content.read = [made](const ViewPlace& place) {
    ReadableView view{
        .role = ReadableView::Role::Table, .label = tr("Patterns of all heads"), .description = orderWords(made->by)};
    view.rows = made->order.size();
    view.cells = [](std::size_t) { return std::size_t{1}; };
    view.text = [made](std::size_t row, std::size_t) {
      return fmt::format("{}", fmt::join(wallWords(*made, made->order[row]), ", "));
    };
    const SentenceWall wall = layOutWall(*made, place.box, place.theme);
    view.place = [wall, made](std::size_t row, std::size_t) -> std::optional<render::Point> {
      const WallPicture* const one = row < made->order.size() ? pictureOf(wall, made->order[row]) : nullptr;
      if (!one) return std::nullopt;
      const render::Rect& box = one->box;
      return render::Point{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
    };
    // For a script: x is the head, y the layer.
    view.at = [wall, made](render::Point data) -> std::optional<render::Point> {
      for (const WallPicture& one : wall.pictures) {
        const HeadPattern& head = made->heads[one.head];
        if (head.head != static_cast<int>(data.x) || head.layer != static_cast<int>(data.y)) continue;
        return render::Point{(one.box.min.x + one.box.max.x) / 2, (one.box.min.y + one.box.max.y) / 2};
      }
      return std::nullopt;
    };
    return view;
  };
  return content;
}

ChartContent depthChart(const SentenceShown& shown, double HeadPattern::*member, const std::string& name) {
  LineChart chart;
  chart.title = name;
  chart.compact = true;
  chart.x = {.name = tr("layer"), .whole = true, .pad = 0.04};
  chart.y = {.name = "", .pad = 0.08};
  ChartSeries mean{.name = tr("mean over heads"),
                   .look = {.color = shown.theme().globalMin, .marker = render::Shape::Circle, .spread = Spread::Band}};
  ChartSeries one{.name = tr("the head shown"),
                  .look = {.color = shown.theme().selection, .width = 0, .marker = render::Shape::Diamond}};
  const std::vector<HeadPattern>& heads = shown.heads();
  for (std::size_t i = 0; i < heads.size();) {
    const int block = heads[i].block;
    double sum = 0, low = INFINITY, high = -INFINITY;
    std::size_t count = 0;
    const double layer = heads[i].layer;
    for (; i < heads.size() && heads[i].block == block; ++i, ++count) {
      const double value = heads[i].*member;
      sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    mean.x.push_back(layer);
    mean.y.push_back(sum / static_cast<double>(count));
    mean.low.push_back(low);
    mean.high.push_back(high);
  }
  if (const HeadPattern* const head = shown.head()) {
    one.x = {static_cast<double>(head->layer)};
    one.y = {head->*member};
  }
  chart.series = {std::move(mean), std::move(one)};
  ChartContent content{std::move(chart), {}, {}, {}};
  content.pick = [key = shown.keys().shared("layer")](double x) -> Changes {
    return {{key, std::max(0.0, std::round(x))}};
  };
  return content;
}

}  // namespace sepx::ui
