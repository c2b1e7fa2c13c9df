// SPDX-License-Identifier: Apache-2.0
// Lines and cells of the wall. Pure.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "ui/exhibits/weights/wall/wall_page.h"

namespace sepx::ui {

namespace {

constexpr double kLeastPicture = 30, kText = 1.25;  // of a line of text, in sizes of it
constexpr double kUsual = 48, kLargest = 240;       // of a picture whose size is automatic
constexpr double kScrolled = 96;                    // of one where the wall scrolls in any case, at most
constexpr int kMostAcross = 6, kMostRows = 4;       // layers beside each other, rows of a layer

/// What a place is sorted by; larger comes first.
double rankOf(const LayerScores& scores, int head, WallOrder order) {
  const PlaceScores of = scores.of(head);
  if (order == WallOrder::Norm) return of.moments ? of.moments->frobenius2 : std::nan("");
  if (!of.scores) return std::nan("");
  // Columns that dominate (a negative d) come first: that is what training a decoder makes.
  return order == WallOrder::Symmetry ? of.scores->symmetry : -of.scores->directionality;
}

}  // namespace

/// False: the layers of a row do not go into the width.
bool WallLayout::layByLayer(const Input& input, double size, Blocks blocks) {
  const std::vector<checkpoint::AttentionLayer>& layers = input.map->layers;
  std::size_t most = 1;
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    begins.push_back(places_.size());
    places_.push_back({static_cast<int>(i), -1});
    for (int head = 0; head < layers[i].heads && layers[i].heads > 1; ++head)
      places_.push_back({static_cast<int>(i), head});
    most = std::max(most, places_.size() - begins.back());
  }
  begins.push_back(places_.size());
  labelWidth_ = 6.2 * input.textSize;
  const double width = (area_.width() - 12) / blocks.across, room = width - labelWidth_;
  const auto rows = static_cast<std::size_t>(blocks.rows);
  const double fitting = room / static_cast<double>((most + rows - 1) / rows) - gap_;
  size_ = size;
  // Asked for a size, a layer may take a little less to stay in one row, or takes several.
  if (input.size > 0 && fitting >= kLeastPicture) size_ = std::min(size, fitting);
  const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(room / (size_ + gap_))));
  const auto across = static_cast<std::size_t>(blocks.across);
  int row = 0;
  for (std::size_t first = 0; first < layers.size(); first += across) {
    int deepest = 0;
    for (std::size_t deep = 0;; ++deep) {
      bool some = false;
      for (std::size_t i = first; i < std::min(first + across, layers.size()); ++i) {
        const std::size_t at = begins[i] + deep * columns;
        if (at >= begins[i + 1]) continue;
        some = true;
        lines_.push_back({deep == 0 ? static_cast<int>(i) : -1, at, std::min(columns, begins[i + 1] - at),
                          row + static_cast<int>(deep), static_cast<double>(i - first) * width});
      }
      if (!some) break;
      deepest = static_cast<int>(deep) + 1;
    }
    row += deepest;
  }
  return fitting >= size;
}

void WallLayout::laySorted(const Input& input, double size) {
  labelWidth_ = 0;
  size_ = size;
  std::vector<double> rank;
  const std::vector<checkpoint::AttentionLayer>& layers = input.map->layers;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (int head = 0; head < layers[i].heads; ++head) {
      places_.push_back({static_cast<int>(i), head});
      rank.push_back(i < input.board->size() ? rankOf((*input.board)[i], head, input.order) : std::nan(""));
    }
  }
  std::vector<std::size_t> order(places_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (std::isnan(rank[a]) || std::isnan(rank[b])) return !std::isnan(rank[a]) && std::isnan(rank[b]);
    return rank[a] > rank[b];
  });
  std::vector<WallPlace> sorted;
  for (const std::size_t i : order)
    sorted.push_back(places_[i]);
  places_ = std::move(sorted);
  const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor((area_.width() - 12) / (size_ + gap_))));
  for (std::size_t at = 0; at < places_.size(); at += columns)
    lines_.push_back({-1, at, std::min(columns, places_.size() - at), static_cast<int>(at / columns)});
}

/// Whether all of it can be seen at once.
bool WallLayout::layOut(const Input& input, double size, Blocks blocks) {
  places_.clear();
  lines_.clear();
  bool fits = true;
  if (input.order == WallOrder::Layer)
    fits = layByLayer(input, size, blocks);
  else
    laySorted(input, size);
  textSize_ = static_cast<float>(std::min(0.85 * input.textSize, 0.235 * size_));
  lineHeight_ = size_ + 3 * kText * textSize_ + 10;
  return fits && height() <= area_.height();
}

/// The largest pictures with which nothing has to be scrolled. A wall that scrolls in any case takes the width.
void WallLayout::layLargest(const Input& input) {
  const bool blocked = input.order == WallOrder::Layer;
  double best = kUsual;
  std::optional<Blocks> chosen;
  for (int across = 1; across <= (blocked ? kMostAcross : 1); ++across) {
    for (int rows = 1; rows <= (blocked ? kMostRows : 1); ++rows) {
      double size = kLargest;
      while (size > best && !layOut(input, size, {across, rows}))
        size -= 4;
      if (size > best || (!chosen && size >= kUsual && layOut(input, size, {across, rows})))
        best = size, chosen = Blocks{across, rows};
    }
  }
  if (chosen) {
    layOut(input, best, *chosen);
    return;
  }
  double wide = kScrolled;
  for (; blocked && wide > kUsual; wide -= 4) {
    places_.clear();
    lines_.clear();
    if (layByLayer(input, wide, {})) break;
  }
  layOut(input, wide, {});
}

void WallLayout::make(const Input& input) {
  places_.clear();
  lines_.clear();
  area_ = input.area;
  if (!input.map) return;
  if (input.size > 0)
    layOut(input, input.size, {});
  else
    layLargest(input);
}

double WallLayout::topOf(std::size_t line, double scroll) const {
  return area_.min.y + lines_[line].row * lineHeight_ - scroll;
}

std::pair<std::size_t, std::size_t> WallLayout::inSight(double scroll) const {
  const auto firstOf = [this](double row) {
    return static_cast<std::size_t>(
        std::partition_point(lines_.begin(), lines_.end(), [row](const Line& line) { return line.row < row; }) -
        lines_.begin());
  };
  return {firstOf(std::floor(scroll / lineHeight_)), firstOf(std::ceil((scroll + area_.height()) / lineHeight_))};
}

std::vector<WallCell> WallLayout::cells(std::size_t line, double scroll) const {
  std::vector<WallCell> cells;
  const double y = topOf(line, scroll) + kText * textSize_ + 2;
  for (std::size_t k = 0; k < lines_[line].count; ++k) {
    const double x = leftOf(line) + labelWidth_ + static_cast<double>(k) * (size_ + gap_);
    cells.push_back({places_[lines_[line].first + k], {{x, y}, {x + size_, y + size_}}});
  }
  return cells;
}

std::optional<WallCell> WallLayout::at(render::Point page, double scroll) const {
  if (!area_.contains(page) || lines_.empty()) return std::nullopt;
  const auto [first, last] = inSight(scroll);
  for (std::size_t line = first; line < last; ++line) {
    for (const WallCell& cell : cells(line, scroll)) {
      const render::Rect whole{{cell.picture.min.x - gap_ / 2, cell.picture.min.y - kText * textSize_},
                               {cell.picture.max.x + gap_ / 2, cell.picture.max.y + 2 * kText * textSize_ + 2}};
      if (whole.contains(page)) return cell;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> WallLayout::lineOf(WallPlace place) const {
  const auto found = std::find(places_.begin(), places_.end(), place);
  if (found == places_.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - places_.begin());
  for (std::size_t line = 0; line < lines_.size(); ++line)
    if (index >= lines_[line].first && index < lines_[line].first + lines_[line].count) return line;
  return std::nullopt;
}

}  // namespace sepx::ui
