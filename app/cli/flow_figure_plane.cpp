// SPDX-License-Identifier: Apache-2.0
// Figure 1, for p + q below and above one: the flow along the contours of the energy with the critical sets, and the
// integrated basins with the paths of a Gaussian cloud. Four plots on one page, all in page coordinates.
#include "app/cli/flow_figure_plane.h"

#include <algorithm>
#include <cmath>

#include "app/cli/flow_figure.h"
#include "app/cli/text.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/critical_sets.h"
#include "engine/markov/flow.h"
#include "engine/markov/level_sets.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/published/study_charts.h"

namespace sepx::app::cli {

using studies::FlowFigure;
using studies::FlowFigurePart;

namespace {

using markov::LimitKind;
using render::Dash;
using render::Point;

constexpr double kReachW = 1.9;

/// One of the four plots.
class Plot {
 public:
  Plot(const FlowFigurePart& part, const render::Rect& box, double pageHeight, const ui::Theme& theme)
      : part_(part), theme_(theme), pageHeight_(pageHeight) {
    const double reach = kReachW * box.width() / box.height();
    camera_ = {{{-reach, -kReachW}, {reach, kReachW}}, box};
  }

  std::vector<render::Item> flow(const std::string& title) {
    grid();
    for (const double E : markov::energyLevels(-kReachW, kReachW, camera_.window.max.x, 0.05, 24))
      contour(E, ui::faded(theme_.textMuted, 0.55f), 1);
    contour(markov::axisEnergy(-std::sqrt(0.5)), theme_.separatrix, theme_.lineWidth + 0.5f);
    constexpr int kColumns = 8, kRows = 6;
    for (int i = 0; i < kColumns * kRows; ++i) {
      Eigen::Vector2d start(-1 + (i % kColumns + 0.5) * 2 / kColumns, -1 + (i / kColumns + 0.5) * 2 / kRows);
      start[0] *= camera_.window.max.x;
      start[1] *= kReachW;
      path(start, theme_.text, theme_.lineWidth, 0.85f, true);
    }
    criticalSets();
    frame(title);
    return std::move(items_);
  }

  std::vector<render::Item> basins(const std::string& title, ThreadPool& pool) {
    basinMap(pool);
    grid();
    for (std::size_t i = 0; i < part_.starts.size(); ++i)
      path(part_.starts[i], ui::kindColor(theme_, part_.ends[i]), 1, 0.6f, false);
    contourOfSeparatrix();
    criticalSets();
    for (std::size_t i = 0; i < part_.starts.size(); ++i)
      items_.push_back(render::Marker{page({part_.starts[i][0], part_.starts[i][1]}), ui::kindShape(part_.ends[i]),
                                      5.5f, ui::kindColor(theme_, part_.ends[i]), theme_.plotBackground, 1.0f,
                                      render::Space::Page});
    frame(title);
    return std::move(items_);
  }

 private:
  Point page(Point data) const { return ui::toPage(camera_, data); }

  void line(const std::vector<Point>& data, render::Color color, float width, Dash dash = Dash::Solid) {
    std::vector<Point> points;
    for (const Point& at : data)
      points.push_back(page(at));
    for (ui::ClippedLine& piece : ui::clipLine(points, std::vector<double>(points.size(), 1.0), camera_.plot))
      items_.push_back(render::Polyline{std::move(piece.points), {color, width, dash}, {}, render::Space::Page});
  }
  void curve(const std::vector<markov::PlanePoint>& points, render::Color color, float width, Dash dash = Dash::Solid) {
    std::vector<Point> data;
    for (const markov::PlanePoint& at : points)
      data.push_back({at.e, at.w});
    line(data, color, width, dash);
  }
  void contour(double E, render::Color color, float width) {
    const render::Rect& view = camera_.window;
    for (const auto& piece : markov::energyContour(E, view.min.x, view.max.x, view.min.y, view.max.y, 200))
      curve(piece, color, width);
  }
  markov::CriticalSets sets() const {
    const render::Rect& view = camera_.window;
    return markov::criticalSets(part_.chain, view.min.x, view.max.x, view.min.y, view.max.y, 400);
  }
  void contourOfSeparatrix() {
    for (const markov::Curve& piece : sets().separatrix)
      curve(piece.points, theme_.separatrix, theme_.strongLine);
  }
  void criticalSets() {
    const markov::CriticalSets all = sets();
    for (const markov::Curve& piece : all.curves)
      curve(piece.points, ui::kindColor(theme_, piece.kind), theme_.strongLine + 1,
            piece.kind == LimitKind::GlobalMin  ? Dash::Solid
            : piece.kind == LimitKind::LocalMin ? Dash::Dashed
                                                : Dash::Dotted);
    items_.push_back(render::Marker{page({all.saddle.e, all.saddle.w}), ui::kindShape(LimitKind::Saddle), 12,
                                    ui::kindColor(theme_, LimitKind::Saddle), theme_.plotBackground, 1.5f,
                                    render::Space::Page});
  }

  /// The orbit from `start`, with an arrow head halfway.
  void path(const markov::State& start, render::Color color, float width, float alpha, bool arrow) {
    markov::FlowOptions options;
    options.points = 120;
    const auto found = markov::flowFrom(part_.chain, markov::Model::EW, start, options);
    if (!found) return;
    std::vector<Point> points;
    for (const markov::State& at : found->path.theta)
      points.push_back({at[0], at[1]});
    const render::Color shade = ui::faded(color, alpha);
    line(points, shade, width);
    if (arrow) arrowHead(points, shade);
  }
  void arrowHead(const std::vector<Point>& data, render::Color color) {
    constexpr double kLength = 7, kHalf = 3.2, kShortest = 18;
    if (data.size() < 3) return;
    const Point tip = page(data[data.size() / 2]), before = page(data[data.size() / 2 - 1]);
    const Point first = page(data.front()), last = page(data.back());
    const double length = std::hypot(tip.x - before.x, tip.y - before.y);
    if (!(length > 1e-6) || std::hypot(last.x - first.x, last.y - first.y) < kShortest) return;
    if (!camera_.plot.contains(tip)) return;
    const double x = (tip.x - before.x) / length, y = (tip.y - before.y) / length;
    items_.push_back(render::Fill{{tip,
                                   {tip.x - kLength * x - kHalf * y, tip.y - kLength * y + kHalf * x},
                                   {tip.x - kLength * x + kHalf * y, tip.y - kLength * y - kHalf * x}},
                                  color,
                                  render::Space::Page});
  }

  void basinMap(ThreadPool& pool) {
    const render::Rect &view = camera_.window, &plot = camera_.plot;
    constexpr double kPixels = 2;  // per point
    const dynamics::BasinWindow window{view.min.x,
                                       view.max.x,
                                       view.min.y,
                                       view.max.y,
                                       std::max(1, static_cast<int>(plot.width() * kPixels)),
                                       std::max(1, static_cast<int>(plot.height() * kPixels))};
    dynamics::FieldRegistry fields;
    markov::addCanonicalFields(fields);
    const std::vector<double> parameters{part_.chain.p, part_.chain.q};
    auto map = std::make_shared<dynamics::BasinMap>(
        dynamics::integrateBasinMap(*fields.find("ew"), parameters, window, dynamics::basinMapOptions(window), pool));
    // The data coordinates of the scene are those of the page, with y up.
    const render::Rect extent{{plot.min.x, pageHeight_ - plot.max.y}, {plot.max.x, pageHeight_ - plot.min.y}};
    items_.push_back(render::LabelMap{extent, window.width, window.height,
                                      std::shared_ptr<const std::vector<std::uint8_t>>(map, &map->labels),
                                      ui::basinPalette(theme_), ui::basinHatch()});
  }

  void grid() {
    ticks();
    ui::addGrid(items_, camera_, x_, y_, theme_);
  }
  void ticks() {
    const auto small = static_cast<double>(theme_.smallSize);
    x_ = ui::fittingTicks(camera_.window.min.x, camera_.window.max.x, camera_.plot.width(), small, true);
    y_ = ui::fittingTicks(camera_.window.min.y, camera_.window.max.y, camera_.plot.height(), small, false);
  }
  void frame(const std::string& title) {
    ui::addAxes(items_, camera_, x_, y_, {"e", "w"}, theme_);
    render::Label label =
        ui::textAt({camera_.plot.min.x, camera_.plot.min.y - 0.9 * static_cast<double>(theme_.textSize)}, title,
                   theme_.textSize, theme_.text);
    label.bold = true;
    items_.push_back(std::move(label));
  }

  const FlowFigurePart& part_;
  const ui::Theme& theme_;
  const double pageHeight_;
  ui::Camera camera_;
  ui::Ticks x_, y_;
  std::vector<render::Item> items_;
};

}  // namespace

render::Scene planeFigure(const FlowFigure& figure, double width, double height, const ui::Theme& theme,
                          ThreadPool& pool) {
  render::Scene scene = ui::emptyPage(width, height, theme);
  const ui::Margins margins = ui::axisMargins(theme, false);
  const double head = 1.9 * static_cast<double>(theme.textSize), foot = 2.2 * static_cast<double>(theme.smallSize);
  const double cellWidth = width / 2, cellHeight = (height - foot) / 2;
  std::uint64_t revision = 0;
  const char* letters = "abcd";
  for (std::size_t row = 0; row < figure.parts.size(); ++row)
    for (std::size_t column = 0; column < 2; ++column) {
      const FlowFigurePart& part = figure.parts[row];
      const double x = static_cast<double>(column) * cellWidth, y = static_cast<double>(row) * cellHeight;
      const render::Rect box{{x + margins.left, y + head},
                             {x + cellWidth - margins.right - 8, y + cellHeight - margins.bottom}};
      if (box.width() < 40 || box.height() < 40) continue;
      const char letter = letters[2 * row + column];
      const std::string sign = part.chain.switching() > 0 ? "p + q > 1" : "p + q < 1";
      Plot plot(part, box, height, theme);
      const std::string brief = fmt::format("({}) {}", letter, sign);
      const std::string whole = column == 0
                                    ? trf(N_("{}: flow along the energy's contours"), brief)
                                    : trf(N_("{}: basins by integration, cloud of \u03c3 = {}"), brief, part.sigma);
      const std::string title = ui::fittingTitle(whole, brief, box.width(), theme);
      scene.layers.push_back(
          {std::string(1, letter), ++revision, true, false, column == 0 ? plot.flow(title) : plot.basins(title, pool)});
    }
  std::vector<render::Item> legend;
  addKindLegend(legend, {margins.left, height - 0.6 * foot}, width - margins.left, theme, figure.figure);
  scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  return scene;
}

}  // namespace sepx::app::cli
