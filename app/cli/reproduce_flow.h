// SPDX-License-Identifier: Apache-2.0
// Figures 1, 2 and 5 of Local-to-Global, drawn by our own engine: the plane (e,w) with energy contours, flow and basins
// for p + q below and above one; the space (e,w,a) with its critical sets and the flow from a Gaussian cloud, and the
// same near the origin. What is drawn is also counted: integrated kinds against theory. Main thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/json_out.h"
#include "engine/core/thread_pool.h"
#include "engine/markov/basin.h"
#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::app::cli {

struct FlowFigureEntry {
  int figure;
  const char* id;  ///< "local-to-global-figure-1"
  const char* about;
};
const std::vector<FlowFigureEntry>& flowFigureEntries();

/// One half of a figure: p + q below or above one.
struct FlowFigurePart {
  markov::Chain chain;
  double sigma = 0;                               ///< of the cloud N(0, sigma^2 I)
  std::vector<markov::State> starts;              ///< of the cloud
  std::vector<markov::LimitKind> ends;            ///< integrated
  std::size_t differ = 0;                         ///< of those from theory
  std::size_t basinPixels = 0, basinsDiffer = 0;  ///< integrated basin map against the closed form; figure 1 alone
  std::size_t count(markov::LimitKind kind) const;
};

struct FlowFigure {
  int figure = 1;
  std::vector<FlowFigurePart> parts;
  bool passed() const;  ///< nothing differs from theory
};

/// `quick`: a quarter of the cloud.
FlowFigure computeFlowFigure(int figure, bool quick, std::uint64_t seed, ThreadPool& pool);
Json flowFigureJson(const FlowFigure& figure, bool quick);
std::string flowFigureText(const FlowFigure& figure);
std::string flowFigureTitle(int figure);

/// The page.
render::Scene planeFigure(const FlowFigure& figure, double width, double height, const ui::Theme& theme,
                          ThreadPool& pool);
render::Scene spaceFigure(const FlowFigure& figure, double width, double height, const ui::Theme& theme,
                          ThreadPool& pool);

/// `whole` where it fits above a plot of that width, else `brief`.
std::string fittingTitle(const std::string& whole, const std::string& brief, double width, const ui::Theme& theme);

/// Marks and words of what a figure shows, in one row from `at`, as many as fit.
void addKindLegend(std::vector<render::Item>& items, render::Point at, double width, const ui::Theme& theme,
                   int figure);

}  // namespace sepx::app::cli
