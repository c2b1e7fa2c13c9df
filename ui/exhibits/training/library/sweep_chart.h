// SPDX-License-Identifier: Apache-2.0
// The chart of a sweep: a metric over one field as points with error bars (one line for each value of a second field),
// over two fields as a map of cells, or, if two fields were drawn at random, as coloured points. Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/training/library/sweep_picture.h"
#include "ui/views/view.h"

namespace sepx::ui {

inline constexpr std::size_t kMostSweepLines = 12;  ///< of a chart with a line for each value

enum class SweepKind { Lines, Map, Points };
SweepKind sweepKind(const SweepPicture& picture);
/// "validation: mean over seed; bars: standard deviation". `width`: of the chart, points.
std::string sweepTitle(const SweepPicture& picture, double width);
/// `chosen`: the cell of the grid that is marked. A press in the chart gives the index of a cell.
ChartContent sweepChart(const std::shared_ptr<const SweepPicture>& picture, std::optional<std::size_t> chosen,
                        const render::Rect& room, const Theme& theme);
/// "mean 0.31 ± 0.02 (0.29 … 0.34), 3 runs"; empty if there is no value.
std::string spreadWords(const sweep::Spread& spread);

}  // namespace sepx::ui
