// SPDX-License-Identifier: Apache-2.0
// A chart of series over plain vectors: lines, bands, bars and markers on linear or logarithmic axes, with reference
// lines, a legend and what lies under the pointer. A LineChart is data in the units of its axes; placed in a rectangle
// of the page with a theme it becomes a PlacedChart, whose items and hits agree because both come from one camera.
// A PlacedChart looks at every point once when it is made: keep it over the frames in which nothing changes. Long
// series are drawn by their extremes in each column of pixels. No colour stands alone: series differ by dash or marker
// too. Pure; lengths are points of the page.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

/// What is not finite, and not above 0 on a logarithmic axis, is a gap.
struct ChartAxis {
  std::string name;     ///< with its unit: "loss (nats)"
  std::string brief{};  ///< in place of the name where the chart is compact
  bool logarithmic = false;
  bool whole = false;                      ///< ticks at whole numbers alone: layers
  bool bare = false;                       ///< neither ticks nor numbers nor a name
  std::optional<double> from, to;          ///< the ends; what is absent follows the data
  double least = 0;                        ///< logarithmic: what lies below it, 0 too, is drawn at it
  double pad = 0;                          ///< share of the span that is left free beyond the data
  double narrowest = 1e-9;                 ///< less than this is not a span (decades on a logarithmic axis)
  std::string (*label)(double) = nullptr;  ///< of a tick at a power of ten; absent: "10⁻³"
  std::vector<std::string> words{};  ///< what stands at 0, 1, …, which are the axis then; cut where they are long
};

/// What stands between `low` and `high` of a series.
enum class Spread {
  None,
  Band,      ///< a translucent area between them
  Bars,      ///< a bar with caps at each point
  Quartiles  ///< such a bar with a wide stroke at y
};

/// How a series, a reference line or an entry of a legend looks.
struct ChartLook {
  render::Color color;
  render::Dash dash = render::Dash::Solid;
  float width = 1.5f;  ///< of the line; 0: none
  std::optional<render::Shape> marker;
  float markerSize = 8;
  float markerGap = 0;   ///< markers are left out nearer than this to the one before
  bool hollow = false;   ///< markers are filled with the ground
  bool crossed = false;  ///< markers have a small cross in them
  float stem = 0;        ///< width of a bar from 0 to every point, in units of x; 0: none
  Spread spread = Spread::None;
  float shade = 0.18f;  ///< alpha of a band

  render::Stroke stroke() const { return {color, width, dash}; }
};

/// The i-th of several series that have no look of their own: no two of 18 are alike, nor two of six in black and
/// white.
ChartLook seriesLook(const Theme& theme, std::size_t i);

struct ChartSeries {
  std::string name;  ///< in the legend and in read-outs; empty: not in the legend
  ChartLook look;
  std::vector<double> x, y;       ///< of one length, x ascending for lines
  std::vector<double> low, high;  ///< as long as x, or empty: quartiles, an interval
  bool guide = false;             ///< no data: nothing to read out under the pointer
  std::vector<bool> hollow;       ///< by point, or empty: as the look says
};

/// A line across the whole plot, with its name, and a stripe along it.
struct ChartReference {
  double value = 0;  ///< NaN: the stripe alone
  std::string name;
  ChartLook look;         ///< colour, dash, width and shade
  bool vertical = false;  ///< at an x; otherwise at a y
  std::optional<std::pair<double, double>> stripe;
  bool nameFirst = false;  ///< the name stands at the left end
  bool counts = true;      ///< the axis reaches to it
};

struct LegendEntry {
  std::string name;
  ChartLook look;
};

struct LineChart {
  std::string title;
  bool strongTitle = false;  ///< large and bold: of a figure
  ChartAxis x, y;
  std::vector<ChartSeries> series;
  std::vector<ChartReference> references;
  std::vector<render::Marker> marks;  ///< `at` in the units of the axes; crosses have a dark (or light) edge
  bool ground = true;                 ///< the plot is filled
  bool legend = false;                ///< between title and plot
  bool equalUnits = false;            ///< a unit of x is as long as one of y: the shorter span grows
  bool compact = false;               ///< small type; the name of x at its end, that of y in the title
  std::optional<render::Rect> plot;   ///< where the axes stand; absent: inside the rectangle, with room for numbers
};

struct ChartHit {
  std::size_t series = 0, point = 0;
  render::Point page;
  double distance = 0;  ///< points from the pointer
};

class PlacedChart {
 public:
  /// `box`: title, legend, plot and numbers.
  PlacedChart(LineChart chart, const render::Rect& box, const Theme& theme);

  const LineChart& chart() const { return chart_; }
  /// Axes of log10 where they are logarithmic.
  const Camera& camera() const { return camera_; }
  const render::Rect& box() const { return box_; }
  /// Both axes as far as there is data, as the axes of the camera.
  const render::Rect& ends() const { return ends_; }
  /// Shows a part of ends() alone; nothing: all of it.
  void zoom(std::optional<render::Rect> window);
  const std::optional<render::Rect>& zoomed() const { return zoom_; }
  /// Room left of the plot. Charts above each other take the largest.
  double left() const { return left_; }
  void leaveLeft(double points);

  /// The place of a value of the data; NaN where the axes have none. It may lie outside the plot.
  render::Point page(render::Point data) const;
  /// A value of an axis of the camera, back in the data's units.
  render::Point data(render::Point page) const;
  /// x under the pointer, when it is over the plot.
  std::optional<double> xAt(render::Point pointer) const;
  /// The point nearest to the pointer, within `reach`. Points out of the plot are not looked at.
  std::optional<ChartHit> nearest(render::Point pointer, double reach) const;
  /// The name, "x = 3" and "y = 0.25 (0.1 … 0.4)", a line each.
  std::vector<std::string> words(const ChartHit& hit) const;

  std::vector<render::Item> items() const;
  /// A vertical line at x, and a dot on every line at its last point at or before x.
  std::vector<render::Item> cursor(double x) const;
  /// A ring around the point nearest to the pointer and its words beside it, kept inside `area`. Of a line among others
  /// the values of all of them at that x.
  std::vector<render::Item> tip(render::Point pointer, const render::Rect& area) const;

 private:
  struct TipRow {
    std::size_t series = 0, point = 0;
    std::string name, value;
  };
  std::vector<TipRow> rowsAt(const ChartHit& hit) const;
  void addRows(std::vector<render::Item>& items, const ChartHit& hit, std::vector<TipRow> rows, render::Point pointer,
               const render::Rect& area) const;
  void place();
  double axisX(double x) const;
  double axisY(double y) const;
  bool inside(render::Point page) const;
  AxisNames axisNames() const;  ///< no longer than the box is
  void addGround(std::vector<render::Item>& items) const;
  void addReference(std::vector<render::Item>& items, const ChartReference& reference) const;
  void addReferenceName(std::vector<render::Item>& items, const ChartReference& reference,
                        std::vector<render::Rect>& taken) const;
  void addBand(std::vector<render::Item>& items, const ChartSeries& series) const;
  void addBars(std::vector<render::Item>& items, const ChartSeries& series) const;
  void addLine(std::vector<render::Item>& items, const ChartSeries& series) const;
  void addMarkers(std::vector<render::Item>& items, const ChartSeries& series) const;
  void addStems(std::vector<render::Item>& items, const ChartSeries& series) const;
  void addCompactAxes(std::vector<render::Item>& items) const;
  void addTitle(std::vector<render::Item>& items) const;

  LineChart chart_;
  render::Rect box_;
  Theme theme_;
  Camera camera_;
  Ticks x_, y_;
  std::vector<bool> ascending_;  ///< by series: what is under the pointer is found by halving
  render::Rect ends_;            ///< the window before units are made equal
  std::optional<render::Rect> zoom_;
  double left_ = 0, legend_ = 0;
};

/// The value of a series at x: that of its last point at or before it; nothing in a gap.
std::optional<double> valueAt(const ChartSeries& series, double x);

/// The extremes of a line in each column of half a point, in their order, with its first and last point there; a gap
/// narrower than a column is closed. At most five points a column for a line that goes one way.
std::vector<render::Point> thinned(const std::vector<render::Point>& page);

std::vector<LegendEntry> legendOf(const LineChart& chart);
/// A line, marker, bar or band as a legend shows it, in `width` points from `left`.
void addSwatch(std::vector<render::Item>& items, render::Point left, double width, const ChartLook& look,
               const Theme& theme);
/// A ring around a point that is pointed at.
void addRing(std::vector<render::Item>& items, render::Point at, float size, const Theme& theme);
/// A marker of a series.
void addMarker(std::vector<render::Item>& items, render::Point at, const ChartLook& look, bool hollow,
               const Theme& theme);
/// Swatches and names in rows of at most `width`; answers the height used.
double addLegend(std::vector<render::Item>& items, render::Point at, double width,
                 const std::vector<LegendEntry>& entries, const Theme& theme);

}  // namespace sepx::ui
