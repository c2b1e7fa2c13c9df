// SPDX-License-Identifier: Apache-2.0
// Computes the rows and cells of the wall.
#include "ui/exhibits/weights/wall/wall_layout.h"

#include <algorithm>
#include <cmath>

namespace sepx::ui {

namespace {

constexpr double kLeastPicture = 30, kText = 1.25;  // points; height of a line of text, in type sizes
constexpr double kUsual = 48, kLargest = 240;       // least and largest automatic size of a picture
constexpr double kScrolled = 96;                    // largest automatic size on a wall that must scroll
constexpr double kGap = 6, kScrollBar = 12;         // points: between pictures, and for the scroll bar
constexpr int kMostAcross = 6, kMostRows = 4;       // layers side by side, rows of a layer

/// The number by which the wall is sorted; the largest comes first.
double rankOf(const LayerScores& scores, int head, WallOrder order) {
  const PlaceScores of = scores.of(head);
  if (order == WallOrder::Norm) return of.moments ? of.moments->frobenius2 : std::nan("");
  if (!of.scores) return std::nan("");
  // Dominating columns (a negative d) come first, because training a decoder produces them.
  return order == WallOrder::Symmetry ? of.scores->symmetry : -of.scores->directionality;
}

/// The number of pictures of a layer: one of all heads together, and one of each head.
int countOf(const checkpoint::AttentionLayer& layer) {
  return layer.heads > 1 ? layer.heads + 1 : 1;
}

int columnsIn(double width, double size) {
  return static_cast<int>(std::max(1.0, std::floor(width / (size + kGap))));
}

}  // namespace

void WallLayout::setSize(double size, const Input& input) {
  size_ = size;
  textSize_ = static_cast<float>(std::min(0.85 * input.textSize, 0.235 * size_));
  rowHeight_ = size_ + 3 * kText * static_cast<double>(textSize_) + 10;
}

void WallLayout::add(WallPlace place, int row, double left) {
  const double top = area_.min.y + row * rowHeight_ + kText * static_cast<double>(textSize_) + 2;
  cells_.push_back({place, {{left, top}, {left + size_, top + size_}}, row});
}

int WallLayout::layByLayer(const Input& input, double size, int across) {
  const std::vector<checkpoint::AttentionLayer>& layers = input.map->layers;
  int most = 1;
  for (const checkpoint::AttentionLayer& layer : layers)
    most = std::max(most, countOf(layer));
  labelWidth_ = 6.2 * input.textSize;
  const double width = (area_.width() - kScrollBar) / across, room = width - labelWidth_;
  // A requested size is reduced if a layer then fits into one row; otherwise the layer takes several rows.
  const double fitting = room / most - kGap;
  setSize(input.size > 0 && fitting >= kLeastPicture ? std::min(size, fitting) : size, input);
  const int columns = columnsIn(room, size_), count = static_cast<int>(layers.size());
  const auto rowsOf = [columns](int pictures) { return (pictures + columns - 1) / columns; };
  int row = 0;
  for (int first = 0; first < count; first += across) {
    const int end = std::min(first + across, count);
    int rows = 1;
    for (int i = first; i < end; ++i)
      rows = std::max(rows, rowsOf(countOf(layers[static_cast<std::size_t>(i)])));
    for (int down = 0; down < rows; ++down, ++row) {
      for (int i = first; i < end; ++i) {
        const double left = area_.min.x + (i - first) * width;
        if (down == 0) names_.push_back({i, row, left});
        const int from = down * columns, to = std::min(from + columns, countOf(layers[static_cast<std::size_t>(i)]));
        for (int k = from; k < to; ++k)
          add({i, k - 1}, row, left + labelWidth_ + (k - from) * (size_ + kGap));
      }
    }
  }
  return rowsOf(most);
}

void WallLayout::laySorted(const Input& input, double size) {
  labelWidth_ = 0;
  setSize(size, input);
  std::vector<std::pair<double, WallPlace>> places;
  const std::vector<checkpoint::AttentionLayer>& layers = input.map->layers;
  for (std::size_t i = 0; i < layers.size(); ++i)
    for (int head = 0; head < layers[i].heads; ++head)
      places.emplace_back(i < input.board->size() ? rankOf((*input.board)[i], head, input.order) : std::nan(""),
                          WallPlace{static_cast<int>(i), head});
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    if (std::isnan(a.first) || std::isnan(b.first)) return !std::isnan(a.first) && std::isnan(b.first);
    return a.first > b.first;
  });
  const int columns = columnsIn(area_.width() - kScrollBar, size_);
  for (int i = 0; i < static_cast<int>(places.size()); ++i)
    add(places[static_cast<std::size_t>(i)].second, i / columns, area_.min.x + i % columns * (size_ + kGap));
}

int WallLayout::layOut(const Input& input, double size, int across) {
  cells_.clear();
  names_.clear();
  if (input.order == WallOrder::Layer) return layByLayer(input, size, across);
  laySorted(input, size);
  return 1;
}

/// Chooses the largest pictures with which nothing has to be scrolled. If the wall must scroll, only the width counts.
void WallLayout::layLargest(const Input& input) {
  const bool blocked = input.order == WallOrder::Layer;
  double best = 0;
  int chosen = 1;
  for (int across = 1; across <= (blocked ? kMostAcross : 1); ++across)
    for (double size = kLargest; size >= kUsual && size > best; size -= 4)
      if (layOut(input, size, across) <= kMostRows && height() <= area_.height()) best = size, chosen = across;
  for (double wide = kScrolled; best == 0; wide -= 4)
    if (layOut(input, wide, 1) == 1 || wide <= kUsual) best = wide;
  layOut(input, best, chosen);
}

void WallLayout::make(const Input& input) {
  cells_.clear();
  names_.clear();
  area_ = input.area;
  if (!input.map) return;
  if (input.size > 0)
    layOut(input, input.size, 1);
  else
    layLargest(input);
}

std::pair<int, int> WallLayout::visibleRows(double scroll) const {
  return {static_cast<int>(std::floor(scroll / rowHeight_)),
          static_cast<int>(std::ceil((scroll + area_.height()) / rowHeight_))};
}

std::vector<WallCell> WallLayout::visibleCells(double scroll) const {
  const auto [first, last] = visibleRows(scroll);
  const auto before = [](int row) { return [row](const WallCell& cell) { return cell.row < row; }; };
  const auto from = std::partition_point(cells_.begin(), cells_.end(), before(first));
  std::vector<WallCell> cells(from, std::partition_point(from, cells_.end(), before(last)));
  for (WallCell& cell : cells) {
    cell.picture.min.y -= scroll;
    cell.picture.max.y -= scroll;
  }
  return cells;
}

std::optional<WallCell> WallLayout::at(render::Point page, double scroll) const {
  if (!area_.contains(page)) return std::nullopt;
  const double line = kText * static_cast<double>(textSize_);
  for (const WallCell& cell : visibleCells(scroll)) {
    const render::Rect whole{{cell.picture.min.x - kGap / 2, cell.picture.min.y - line},
                             {cell.picture.max.x + kGap / 2, cell.picture.max.y + 2 * line + 2}};
    if (whole.contains(page)) return cell;
  }
  return std::nullopt;
}

}  // namespace sepx::ui
