// SPDX-License-Identifier: Apache-2.0
// The chart of a sweep: a metric over one field as points with error bars (one line for each value of a second field),
// over two fields as a map of cells, or, where two fields were drawn at random, as coloured points. Items and hits
// agree because both come from one placed chart. Pure; lengths are points of the page.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/training/library/sweep_picture.h"
#include "ui/plots/line_chart.h"
#include "ui/plots/matrix_view.h"

namespace sepx::ui {

inline constexpr std::size_t kMostSweepLines = 12;  ///< of a chart with a line for each value

/// Colours of means: linear or logarithmic between the smallest and the largest.
struct SweepColors {
  double low = 0, high = 1;
  bool logarithmic = false;
  render::ColorMap map = render::ColorMap::Viridis;
  double share(double value) const;  ///< 0 to 1; NaN for what has no place
  std::vector<std::pair<double, std::string>> marks(double height, double textSize) const;
};

class SweepChart {
 public:
  enum class Kind { Lines, Map, Points };

  SweepChart(std::shared_ptr<const SweepPicture> picture, const render::Rect& box, const Theme& theme);

  Kind kind() const { return kind_; }
  const render::Rect& plot() const;
  std::vector<render::Item> items() const;
  /// The index of the cell of the grid that is nearest to the pointer.
  std::optional<std::size_t> cellAt(render::Point pointer) const;
  /// A ring or a frame around a cell.
  void addMark(std::vector<render::Item>& items, std::size_t cell) const;
  /// What a cell stands for: its fields, mean, spread, runs.
  std::vector<std::string> words(std::size_t cell) const;
  /// "validation: mean over seed; bars: standard deviation"
  std::string title() const { return title(*picture_, box_.width()); }
  static std::string title(const SweepPicture& picture, double width);

  static Kind kindOf(const SweepPicture& picture);

 private:
  const sweep::SweepGrid& grid() const { return picture_->grid; }
  const SweepChoice& choice() const { return picture_->choice; }
  ChartAxis fieldAxis(const sweep::SweepAxis& axis, SweepScale scale) const;
  ChartAxis metricAxis() const;
  bool logarithmicMetric() const;
  double dodge(std::size_t series, std::size_t of) const;
  ChartSeries series(std::size_t line, std::size_t lines) const;
  void placeLines(const render::Rect& box);
  void placePoints(const render::Rect& box);
  void placeMap(const render::Rect& box);
  void addCategories(std::vector<render::Item>& items) const;
  void addMap(std::vector<render::Item>& items) const;
  void addMapLabels(std::vector<render::Item>& items) const;
  void addBar(std::vector<render::Item>& items) const;
  void addNothing(std::vector<render::Item>& items) const;
  render::Rect cellBox(const sweep::SweepCell& cell) const;
  std::size_t mapRow(std::size_t yPlace) const;
  std::string emptyWords(const sweep::SweepCell& cell) const;

  std::shared_ptr<const SweepPicture> picture_;
  Theme theme_;
  Kind kind_;
  render::Rect box_;
  std::optional<PlacedChart> chart_;               ///< of Lines and Points
  std::vector<std::vector<std::size_t>> cellsOf_;  ///< by series and point: cells of the grid
  MatrixPlot map_;                                 ///< of Map
  SweepColors colors_;
};

/// "mean 0.31 ± 0.02 (0.29 … 0.34), 3 runs"; empty where there is no value.
std::string spreadWords(const sweep::Spread& spread);

}  // namespace sepx::ui
