// SPDX-License-Identifier: Apache-2.0
// Charts of series in plain vectors: lines, bands, bars and markers on linear or logarithmic axes, with reference
// lines, a legend and hit testing. A LineChart is data in the units of its axes. Placed in a rectangle of the page with
// a theme it becomes a PlacedChart, whose items and hits agree because both use the same camera. The constructor of a
// PlacedChart visits every point: keep the object while nothing changes. Long series are drawn by their extremes in
// each column of half a point. Series differ not by colour alone, but by dash or marker too. Pure; lengths are points
// of the page.
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

/// Values that are not finite are gaps. So are values <= 0 on a logarithmic axis, unless `least` is above 0.
struct ChartAxis {
  std::string name;     ///< with its unit: "loss (nats)"
  std::string brief{};  ///< replaces the name if the chart is compact; of x only
  bool logarithmic = false;
  bool whole = false;                      ///< ticks only at whole numbers, such as layers
  bool bare = false;                       ///< without ticks, numbers and name
  std::optional<double> from, to;          ///< the ends; absent: follows the data
  double least = 0;                        ///< logarithmic axis: values below it, including 0, are drawn at it
  double pad = 0;                          ///< share of the span that is left free beyond the data at each end
  double narrowest = 1e-9;                 ///< a smaller span is widened (decades on a logarithmic axis)
  std::string (*label)(double) = nullptr;  ///< label of a tick at a power of ten; null: "10⁻³"
  std::vector<std::string> words{};        ///< labels of 0, 1, …, which then make up the axis; long ones are cut
};

/// How the range from `low` to `high` of a series is drawn.
enum class Spread {
  None,
  Band,      ///< a translucent area between them
  Bars,      ///< a bar with caps at each point
  Quartiles  ///< such a bar with a wide stroke at y instead of a line
};

/// How a series, a reference line or an entry of a legend looks.
struct ChartLook {
  render::Color color;
  render::Dash dash = render::Dash::Solid;
  float width = 1.5f;  ///< of the line; 0: none
  std::optional<render::Shape> marker;
  float markerSize = 8;
  float markerGap = 0;   ///< a marker nearer than this to the one before is left out
  bool hollow = false;   ///< markers are filled with the background colour
  bool crossed = false;  ///< markers have a small cross in them
  float stem = 0;        ///< width of a bar from 0 to every point, in units of x; 0: none
  Spread spread = Spread::None;
  float shade = 0.18f;  ///< alpha of a band

  render::Stroke stroke() const { return {color, width, dash}; }
};

/// The look of the i-th of several series that have no look of their own. 18 looks are different, and the first six are
/// different even in black and white.
ChartLook seriesLook(const Theme& theme, std::size_t i);

struct ChartSeries {
  std::string name;  ///< in the legend and in read-outs; empty: not in the legend
  ChartLook look;
  std::vector<double> x, y;       ///< of equal length, x ascending for lines
  std::vector<double> low, high;  ///< quartiles or an interval; as long as x, or empty
  bool guide = false;             ///< not data: nothing is read out under the pointer
  std::vector<bool> hollow;       ///< by point, or empty: as the look says
};

/// A line across the whole plot, with its name, and a stripe along it.
struct ChartReference {
  double value = 0;  ///< NaN: only the stripe
  std::string name;
  ChartLook look;         ///< colour, dash, width and shade
  bool vertical = false;  ///< at x = value; otherwise at y = value
  std::optional<std::pair<double, double>> stripe;
  bool nameFirst = false;  ///< the name is at the left end
  bool counts = true;      ///< the range of the axis includes it
};

struct LegendEntry {
  std::string name;
  ChartLook look;
};

struct LineChart {
  std::string title;
  bool strongTitle = false;  ///< bold, for figures
  ChartAxis x, y;
  std::vector<ChartSeries> series;
  std::vector<ChartReference> references;
  std::vector<render::Marker> marks;  ///< `at` in the units of the axes; crosses get an edge in the background colour
  bool ground = true;                 ///< the plot has a background
  bool legend = false;                ///< between title and plot
  bool equalUnits = false;            ///< a unit of x is as long as one of y: the shorter span is extended
  bool compact = false;  ///< small type; the name of x is at its end, that of y is the title if there is none
  std::optional<render::Rect> plot;  ///< where the axes are; absent: inside the rectangle, with room for numbers
};

struct ChartHit {
  std::size_t series = 0, point = 0;
  render::Point page;
  double distance = 0;  ///< points from the pointer
};

class PlacedChart {
 public:
  /// `box`: encloses title, legend, plot and numbers.
  PlacedChart(LineChart chart, const render::Rect& box, const Theme& theme);

  const LineChart& chart() const { return chart_; }
  /// Its window is in log10 along logarithmic axes.
  const Camera& camera() const { return camera_; }
  const render::Rect& box() const { return box_; }
  /// The full range of both axes, in the units of the camera.
  const render::Rect& ends() const { return ends_; }
  /// Shows only a part of ends(); empty optional: all of it.
  void zoom(std::optional<render::Rect> window);
  const std::optional<render::Rect>& zoomed() const { return zoom_; }
  /// Room left of the plot. Charts one above the other use the largest of their values.
  double left() const { return left_; }
  void leaveLeft(double points);

  /// The position of a data point on the page; NaN if an axis cannot show it. It may lie outside the plot.
  render::Point page(render::Point data) const;
  /// The data point at a position on the page, in the units of the data.
  render::Point data(render::Point page) const;
  /// x under the pointer, if it is over the plot.
  std::optional<double> xAt(render::Point pointer) const;
  /// The point nearest to the pointer, within `reach`. Points outside the plot are ignored.
  std::optional<ChartHit> nearest(render::Point pointer, double reach) const;
  /// The name, "x = 3" and "y = 0.25 (0.1 … 0.4)", one line each.
  std::vector<std::string> words(const ChartHit& hit) const;

  std::vector<render::Item> items() const;
  /// A vertical line at x, and a dot on every line at its last point at or before x.
  std::vector<render::Item> cursor(double x) const;
  /// A ring around the point nearest to the pointer and its text beside it, kept inside `area`. If several lines have a
  /// value at that x, the text has the values of all of them.
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
  AxisNames axisNames() const;  ///< cut to the size of the box
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
  std::vector<bool> ascending_;  ///< by series: x ascends, so that points are found by binary search
  render::Rect ends_;            ///< the window before units are made equal
  std::optional<render::Rect> zoom_;
  double left_ = 0, legend_ = 0;
};

/// The value of a series at x: that of its last point at or before x; empty optional in a gap.
std::optional<double> valueAt(const ChartSeries& series, double x);

/// The first, last, lowest and highest point of a line in each column of half a point, in their order. A gap narrower
/// than a column is closed. At most five points per column if x is monotonic.
std::vector<render::Point> thinned(const std::vector<render::Point>& page);

std::vector<LegendEntry> legendOf(const LineChart& chart);
/// A line, marker, bar or band as a legend shows it, in `width` points from `left`.
void addSwatch(std::vector<render::Item>& items, render::Point left, double width, const ChartLook& look,
               const Theme& theme);
/// A ring around a point under the pointer.
void addRing(std::vector<render::Item>& items, render::Point at, float size, const Theme& theme);
/// A marker of a series.
void addMarker(std::vector<render::Item>& items, render::Point at, const ChartLook& look, bool hollow,
               const Theme& theme);
/// Swatches and names in rows of at most `width`; returns the height used.
double addLegend(std::vector<render::Item>& items, render::Point at, double width,
                 const std::vector<LegendEntry>& entries, const Theme& theme);

}  // namespace sepx::ui
