// SPDX-License-Identifier: Apache-2.0
// What the chart of a sweep draws.
#include <algorithm>
#include <cmath>

#include "engine/render/color_map.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/library/library_view.h"
#include "ui/exhibits/training/library/sweep_chart.h"
#include "ui/page/page_kit.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kTickMark = 4;

/// Every how many labels of `widths` have room, `each` points apart.
std::size_t labelStep(double widest, double each) {
  if (!(each > 0)) return 1;
  return static_cast<std::size_t>(std::max(1.0, std::ceil((widest + 8) / each)));
}

/// The whole name of a field, or its last part where there is little room.
std::string axisName(const std::string& field, double size, double room) {
  return textWidth(field, size) <= room ? field : elided(headOf(field), size, room);
}

/// Labels below `y`, centred at their places; cut where two of them would touch, left out where nothing would be left.
void addLabelsBelow(std::vector<render::Item>& items, const sweep::SweepAxis& axis, double left, double each, double y,
                    const Theme& theme) {
  std::vector<std::string> labels;
  for (const std::string& label : axis.labels)
    labels.push_back(axis.isNumber() ? withMinus(label) : label);
  constexpr double kLeastLabel = 5;  // sizes of the text
  double widest = 0;
  for (const std::string& label : labels)
    widest = std::max(widest, textWidth(label, theme.smallSize));
  const double cut = std::min(widest, std::max(each - 8, kLeastLabel * theme.smallSize));
  const std::size_t step = labelStep(cut, each);
  for (std::size_t i = 0; i < labels.size(); i += step) {
    const double x = left + (static_cast<double>(i) + 0.5) * each;
    items.push_back(pageLine({x, y}, {x, y + kTickMark}, theme.tick));
    items.push_back(textAt({x, y + kTickMark + 2}, elided(labels[i], theme.smallSize, cut + 1), theme.smallSize,
                           theme.tick, render::AlignX::Center, render::AlignY::Top));
  }
}

}  // namespace

/// The labels of words, which have no ticks.
void SweepChart::addCategories(std::vector<render::Item>& items) const {
  const render::Rect& plot = chart_->camera().plot;
  const double each = plot.width() / static_cast<double>(grid().columns());
  addLabelsBelow(items, grid().x, plot.min.x, each, plot.max.y, theme_);
  items.push_back(textAt({(plot.min.x + plot.max.x) / 2, plot.max.y + kTickMark + 4 + 1.4 * theme_.smallSize},
                         axisName(picture_->fieldName(grid().x.field), theme_.textSize, plot.width()), theme_.textSize,
                         theme_.text, render::AlignX::Center, render::AlignY::Top));
}

void SweepChart::addMapLabels(std::vector<render::Item>& items) const {
  const render::Rect& plot = map_.plot;
  addLabelsBelow(items, grid().x, plot.min.x, map_.cellWidth(), plot.max.y, theme_);
  const sweep::SweepAxis& y = *grid().y;
  const double room = plot.min.x - box_.min.x - 8 - 1.6 * theme_.textSize;
  const std::size_t step = labelStep(1.6 * theme_.smallSize - 8, map_.cellHeight());
  for (std::size_t i = 0; i < y.labels.size(); i += step) {
    const double at = plot.min.y + (static_cast<double>(mapRow(i)) + 0.5) * map_.cellHeight();
    items.push_back(pageLine({plot.min.x - kTickMark, at}, {plot.min.x, at}, theme_.tick));
    items.push_back(textAt({plot.min.x - kTickMark - 3, at},
                           elided(y.isNumber() ? withMinus(y.labels[i]) : y.labels[i], theme_.smallSize, room + 1),
                           theme_.smallSize, theme_.tick, render::AlignX::Right));
  }
  items.push_back(textAt({(plot.min.x + plot.max.x) / 2, plot.max.y + kTickMark + 4 + 1.4 * theme_.smallSize},
                         axisName(picture_->fieldName(grid().x.field), theme_.textSize, plot.width()), theme_.textSize,
                         theme_.text, render::AlignX::Center, render::AlignY::Top));
  render::Label name = textAt({box_.min.x + 0.8 * theme_.textSize, (plot.min.y + plot.max.y) / 2},
                              axisName(picture_->fieldName(y.field), theme_.textSize, plot.height()), theme_.textSize,
                              theme_.text, render::AlignX::Center);
  name.vertical = true;
  items.push_back(std::move(name));
}

void SweepChart::addMap(std::vector<render::Item>& items) const {
  const render::Rect& plot = map_.plot;
  const auto columns = static_cast<int>(grid().columns()), lines = static_cast<int>(grid().lines());
  auto shares = std::make_shared<std::vector<float>>(
      static_cast<std::size_t>(columns) * static_cast<std::size_t>(lines), std::nanf(""));
  for (const sweep::SweepCell& cell : grid().cells)
    if (cell.spread.count > 0)
      (*shares)[mapRow(cell.y) * static_cast<std::size_t>(columns) + cell.x] =
          static_cast<float>(std::clamp(colors_.share(cell.spread.mean), 0.0, 1.0));
  items.push_back(pageFill(plot, theme_.plotBackground));
  items.push_back(render::Heatmap{.extent = flipped(plot),
                                  .width = columns,
                                  .height = lines,
                                  .values = std::move(shares),
                                  .map = colors_.map,
                                  .low = 0,
                                  .high = 1,
                                  .smooth = false});
  if (map_.cellWidth() > 8 && map_.cellHeight() > 8) addCellGrid(items, map_, theme_);
  const double size = theme_.smallSize, width = map_.cellWidth() - 6;
  if (map_.cellHeight() > 1.4 * size)
    for (const sweep::SweepCell& cell : grid().cells) {
      const bool value = cell.spread.count > 0;
      const std::string mean = value ? formatReading(cell.spread.mean) : emptyWords(cell);
      if (mean.empty() || textWidth(mean, size) > width) continue;
      const render::Color ink =
          value ? inkOn(render::colorAt(colors_.map, colors_.share(cell.spread.mean))) : theme_.textMuted;
      const render::Rect at = cellBox(cell);
      const render::Point middle{(at.min.x + at.max.x) / 2, (at.min.y + at.max.y) / 2};
      const std::string away = cell.spread.count > 1 ? "± " + formatReading(cell.spread.deviation()) : "";
      const bool both = !away.empty() && map_.cellHeight() > 3 * size && textWidth(away, 0.85 * size) <= width;
      items.push_back(
          textAt({middle.x, middle.y - (both ? 0.6 * size : 0)}, mean, theme_.smallSize, ink, render::AlignX::Center));
      if (both)
        items.push_back(
            textAt({middle.x, middle.y + 0.7 * size}, away, 0.85f * theme_.smallSize, ink, render::AlignX::Center));
    }
  items.push_back(pageFrameLine(plot, theme_.border));
  addMapLabels(items);
  items.push_back(textAt({plot.min.x, plot.min.y - 0.5 * theme_.textSize},
                         elided(title(), theme_.textSize, box_.max.x - plot.min.x - 4), theme_.textSize, theme_.text,
                         render::AlignX::Left, render::AlignY::Bottom));
}

void SweepChart::addBar(std::vector<render::Item>& items) const {
  if (!grid().hasValues()) return;
  ColorBar bar;
  const render::Rect& plot = this->plot();
  const double height = plot.height();
  bar.at = {{plot.max.x + 1.5 * theme_.space, plot.max.y - height},
            {plot.max.x + 1.5 * theme_.space + theme_.smallSize, plot.max.y}};
  bar.map = colors_.map;
  bar.marks = colors_.marks(height, theme_.smallSize);
  addColorBar(items, Camera{flipped(plot), plot}, bar, theme_);
}

void SweepChart::addNothing(std::vector<render::Item>& items) const {
  const bool missing = std::ranges::any_of(grid().cells, [](const auto& cell) { return cell.missing > 0; });
  const bool notFinite = std::ranges::any_of(grid().cells, [](const auto& cell) { return cell.notFinite > 0; });
  const std::string text =
      notFinite            ? trFormat("{} is not finite in any finished run. Choose another metric.", grid().metric)
      : missing            ? trFormat("No finished run has {}. Choose another metric.", grid().metric)
      : picture_->filtered ? std::string(tr("No finished run passes search and filter. Press Show all to remove them."))
                           : std::string(tr("No run has finished yet. The chart appears with the first one that has."));
  addSentence(items, plot(), text, theme_);
}

std::vector<render::Item> SweepChart::items() const {
  std::vector<render::Item> items;
  if (chart_) {
    items = chart_->items();
    if (kind_ == Kind::Lines && !grid().x.isNumber()) addCategories(items);
  } else {
    addMap(items);
  }
  if (kind_ != Kind::Lines) addBar(items);
  if (!grid().hasValues()) addNothing(items);
  return items;
}

void SweepChart::addMark(std::vector<render::Item>& items, std::size_t index) const {
  if (kind_ == Kind::Map) {
    const sweep::SweepCell& cell = grid().cells[index];
    // Two colours: one of them is seen on any cell.
    if (map_.cellWidth() > 8 && map_.cellHeight() > 8)
      items.push_back(pageFrameLine(cellBox(cell), theme_.plotBackground, 5));
    addCellMark(items, map_, {static_cast<int>(mapRow(cell.y)), static_cast<int>(cell.x)}, theme_);
    return;
  }
  for (std::size_t k = 0; k < cellsOf_.size(); ++k) {
    const auto at = std::ranges::find(cellsOf_[k], index);
    if (at == cellsOf_[k].end()) continue;
    const ChartSeries& series = chart_->chart().series[k];
    const auto point = static_cast<std::size_t>(at - cellsOf_[k].begin());
    const render::Point page = chart_->page({series.x[point], series.y[point]});
    if (std::isfinite(page.x) && std::isfinite(page.y)) addRing(items, page, 15, theme_);
  }
}

}  // namespace sepx::ui
