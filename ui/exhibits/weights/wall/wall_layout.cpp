// SPDX-License-Identifier: Apache-2.0
// Lines and cells of the wall. Pure.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/exhibits/weights/wall/wall_page.h"

namespace sepx::ui {

namespace {

constexpr double kLeastPicture = 30, kText = 1.25;  // of a line of text, in sizes of it
constexpr double kUsual = 48, kLargest = 168;       // of a picture whose size is automatic

/// What a place is sorted by; larger comes first.
double rankOf(const LayerScores& scores, int head, WallOrder order) {
  const PlaceScores of = scores.of(head);
  if (order == WallOrder::Norm) return of.moments ? of.moments->frobenius2 : std::nan("");
  if (!of.scores) return std::nan("");
  // Columns that dominate (a negative d) come first: that is what training a decoder makes.
  return order == WallOrder::Symmetry ? of.scores->symmetry : -of.scores->directionality;
}

}  // namespace

void WallLayout::layByLayer(const Input& input, double size) {
  const std::vector<checkpoint::AttentionLayer>& layers = input.map->layers;
  int most = 1;
  for (const checkpoint::AttentionLayer& layer : layers)
    most = std::max(most, layer.heads > 1 ? layer.heads + 1 : 1);
  labelWidth_ = 6.2 * input.textSize;
  const double room = area_.width() - labelWidth_ - 12;
  const double fitting = room / most - gap_;
  size_ = std::clamp(fitting, std::min(size, kLeastPicture), size);
  if (fitting < kLeastPicture) size_ = size;  // a layer takes several lines
  const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(room / (size_ + gap_))));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::size_t first = places_.size();
    places_.push_back({static_cast<int>(i), -1});
    for (int head = 0; head < layers[i].heads && layers[i].heads > 1; ++head)
      places_.push_back({static_cast<int>(i), head});
    for (std::size_t at = first; at < places_.size(); at += columns)
      lines_.push_back({at == first ? static_cast<int>(i) : -1, at, std::min(columns, places_.size() - at)});
  }
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
    lines_.push_back({-1, at, std::min(columns, places_.size() - at)});
}

void WallLayout::layOut(const Input& input, double size) {
  places_.clear();
  lines_.clear();
  if (input.order == WallOrder::Layer)
    layByLayer(input, size);
  else
    laySorted(input, size);
  textSize_ = static_cast<float>(std::min(0.85 * input.textSize, 0.235 * size_));
  lineHeight_ = size_ + 3 * kText * textSize_ + 10;
}

void WallLayout::make(const Input& input) {
  places_.clear();
  lines_.clear();
  area_ = input.area;
  if (!input.map) return;
  if (input.size > 0) return layOut(input, input.size);
  // The largest at which nothing has to be scrolled; a wall that scrolls in any case has the usual size.
  for (double size = kLargest; size > kUsual; size -= 8) {
    layOut(input, size);
    if (height() <= area_.height()) return;
  }
  layOut(input, kUsual);
}

double WallLayout::topOf(std::size_t line, double scroll) const {
  return area_.min.y + static_cast<double>(line) * lineHeight_ - scroll;
}

std::pair<std::size_t, std::size_t> WallLayout::inSight(double scroll) const {
  const auto clamped = [this](double line) {
    return static_cast<std::size_t>(std::clamp(line, 0.0, static_cast<double>(lines_.size())));
  };
  return {clamped(std::floor(scroll / lineHeight_)), clamped(std::ceil((scroll + area_.height()) / lineHeight_))};
}

std::vector<WallCell> WallLayout::cells(std::size_t line, double scroll) const {
  std::vector<WallCell> cells;
  const double y = topOf(line, scroll) + kText * textSize_ + 2;
  for (std::size_t k = 0; k < lines_[line].count; ++k) {
    const double x = area_.min.x + labelWidth_ + static_cast<double>(k) * (size_ + gap_);
    cells.push_back({places_[lines_[line].first + k], {{x, y}, {x + size_, y + size_}}});
  }
  return cells;
}

std::optional<WallCell> WallLayout::at(render::Point page, double scroll) const {
  if (!area_.contains(page) || lines_.empty()) return std::nullopt;
  const double line = std::floor((page.y - area_.min.y + scroll) / lineHeight_);
  if (line < 0 || line >= static_cast<double>(lines_.size())) return std::nullopt;
  for (const WallCell& cell : cells(static_cast<std::size_t>(line), scroll)) {
    const render::Rect whole{{cell.picture.min.x - gap_ / 2, cell.picture.min.y - kText * textSize_},
                             {cell.picture.max.x + gap_ / 2, cell.picture.max.y + 2 * kText * textSize_ + 2}};
    if (whole.contains(page)) return cell;
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
