// SPDX-License-Identifier: Apache-2.0
// A small chart of lines over steps or times, with linear or logarithmic axes: what the pages on optimisers and on the
// free bias draw beside the plane. Pure functions of plain numbers; also what lies under the pointer, so that what is
// said and what is drawn are the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

struct ChartLine {
  std::string name;
  render::Color color;
  render::Dash dash = render::Dash::Solid;
  float width = 1.5f;
  std::vector<double> x, y;  ///< of one length; what is not finite, or not above 0 on a logarithmic axis, breaks it
};

/// A horizontal line with its name: an entropy.
struct ChartLevel {
  double value = 0;
  std::string name;
};

/// A place on a line: where it leaves the basin.
struct ChartMark {
  std::size_t line = 0;
  double x = 0, y = 0;
};

struct LineChart {
  const Theme* theme = nullptr;
  render::Rect box;  ///< with title and axes
  std::string title, xName, yName;
  bool logX = false, logY = false;
  double leastY = 0;            ///< below it a logarithmic axis does not go
  std::optional<double> mostX;  ///< cut there
  std::vector<ChartLine> lines;
  std::vector<ChartLevel> levels;
  std::vector<ChartMark> marks;
  std::optional<render::Rect> window;  ///< set by prepare(): what the lines span
  double right = 0;                    ///< set by prepare(): room for the last number
  double left = 0;                     ///< set by prepare(): room for the vertical axis; the same where charts align
};

/// Looks at every point once; whoever keeps a chart over several frames calls it first.
void prepare(LineChart& chart);
/// Axes of log10 where they are logarithmic.
Camera chartCamera(const LineChart& chart);
std::vector<render::Item> chartItems(const LineChart& chart);
/// A vertical line at x, and a dot on every line there.
std::vector<render::Item> chartCursor(const LineChart& chart, double x);
/// x under the pointer, when it is over the plot.
std::optional<double> chartAt(const LineChart& chart, render::Point pointer);
/// The value of a line at x: that of its last point at or before it.
std::optional<double> lineAt(const ChartLine& line, double x);

/// A stroke with a dark (or light) edge on the page, and what a legend shows of it: two whole dashes.
void addSwatch(std::vector<render::Item>& items, render::Point left, double width, const ChartLine& line);

/// Swatches and names in rows of at most `width`; answers the height used.
double addLegend(std::vector<render::Item>& items, render::Point at, double width, const std::vector<ChartLine>& lines,
                 const Theme& theme);

}  // namespace sepx::ui
