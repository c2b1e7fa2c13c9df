// SPDX-License-Identifier: Apache-2.0
// Figures 2 and 5: the space (e,w,a) for p + q below and above one: Theta*, the halves of e = 0, the saddles and
// stationary curves, an energy sheet, and the orbits of a Gaussian cloud; figure 5 near the origin.
#include "app/cli/flow_figure_space.h"

#include <algorithm>
#include <cmath>

#include "app/cli/flow_figure.h"
#include "app/cli/text.h"
#include "engine/markov/critical_sets3.h"
#include "engine/markov/flow.h"
#include "engine/render/scene3.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/orbit_camera.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/space/space_results.h"
#include "ui/published/study_charts.h"

namespace sepx::app::cli {

using studies::FlowFigure;
using studies::FlowFigurePart;

namespace {

using markov::LimitKind;
using markov::Place3;
using render::Dash;
using render::Point3;

constexpr int kSectionCells = 72;

Point3 point3(const Place3& at) {
  return {at[0], at[1], at[2]};
}

/// One of the two pictures.
class Picture {
 public:
  Picture(const FlowFigurePart& part, double reach, const render::Rect& box, const ui::Theme& theme, ThreadPool& pool)
      : part_(part), theme_(theme), pool_(pool), box_{{-reach, -reach, -reach}, {reach, reach, reach}} {
    ui::OrbitCamera camera;
    camera.yaw = 32;
    camera.pitch = 20;
    camera.distance = 4.75;
    camera.target = {0, 0, -0.22};
    scene_.plot = box;
    scene_.eye = ui::OrbitView(camera, box_.low, box_.high, box).eye();
  }

  render::Scene3 make(bool energy) {
    surfaces(energy);
    curves();
    orbits();
    cube();
    return std::move(scene_);
  }

 private:
  void surface(const markov::Sheet3& sheet, render::Color color, float opacity) {
    const ui::MeshPointer mesh = ui::meshOf(sheet);
    if (!mesh) return;
    render::Surface made;
    made.mesh = mesh;
    made.color = ui::faded(color, opacity);
    scene_.surfaces.push_back(std::move(made));
  }
  void surfaces(bool energy) {
    surface(markov::thetaStarSheet(part_.chain, box_, kSectionCells, &pool_), theme_.globalMin, 0.38f);
    for (const markov::AxisPlane& plane : markov::axisPlanes(part_.chain, box_, 24))
      surface(plane.sheet, ui::kindColor(theme_, plane.kind), 0.28f);
    if (energy)
      surface(markov::energySheet(part_.chain, {0.6, -0.6, 0}, box_, kSectionCells, &pool_), theme_.accent, 0.3f);
  }
  void tube(std::vector<Point3> points, render::Color color, float width, Dash dash, bool lit) {
    render::Tube made;
    made.points = std::move(points);
    made.color = color;
    made.width = width;
    made.dash = dash;
    made.lit = lit;
    scene_.tubes.push_back(std::move(made));
  }
  void curves() {
    for (const markov::Curve3& curve : markov::criticalCurves(part_.chain, box_)) {
      std::vector<Point3> points;
      for (const Place3& at : curve.points)
        points.push_back(point3(at));
      const bool station = curve.set == markov::Curve3::Set::Station;
      tube(std::move(points), theme_.saddle, 3, station ? Dash::Dashed : Dash::Solid, false);
    }
  }
  void orbits() {
    for (std::size_t i = 0; i < part_.starts.size(); ++i) {
      markov::FlowOptions options;
      options.points = 80;
      const auto found = markov::flowFrom(part_.chain, markov::Model::EWA, part_.starts[i], options);
      if (!found) continue;
      const render::Color color = ui::kindColor(theme_, part_.ends[i]);
      std::vector<Point3> points;
      for (const markov::State& at : found->path.theta) {
        const Place3 place{at[0], at[1], at[2]};
        if (!box_.contains(place)) break;
        points.push_back(point3(place));
      }
      if (points.empty()) continue;
      const bool ends = points.size() == found->path.theta.size();
      scene_.markers.push_back(
          {points.front(), render::Shape::Circle, 5, theme_.plotBackground, color, 1.5f, false, false});
      if (ends)
        scene_.markers.push_back(
            {points.back(), ui::kindShape(part_.ends[i]), 7, color, theme_.plotBackground, 1, false, false});
      tube(std::move(points), color, 2.5f, Dash::Solid, true);
    }
  }
  void cube() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t x = (axis + 1) % 3, y = (axis + 2) % 3;
      for (int corner = 0; corner < 4; ++corner) {
        Place3 from{}, to{};
        from[x] = to[x] = corner % 2 ? box_.high[x] : box_.low[x];
        from[y] = to[y] = corner / 2 ? box_.high[y] : box_.low[y];
        from[axis] = box_.low[axis];
        to[axis] = box_.high[axis];
        tube({point3(from), point3(to)}, ui::faded(theme_.tick, 0.6f), 1, Dash::Solid, false);
      }
    }
    // Labels along the lower front edges and the left vertical edge.
    constexpr double kName = 1.17, kTick = 1.1, kNearEnd = 0.93;
    name({0, -kName, -1}, "e", false);
    name({kName, 0, -1}, "w", false);
    name({-kName, -1, 0}, "a", false);
    for (const double side : {-kNearEnd, kNearEnd}) {
      const std::string end = ui::tickLabel(std::copysign(box_.high[0], side), 0.1);
      name({side, -kTick, -1}, end, true);
      name({kTick, side, -1}, end, true);
      name({-kTick, -1, side}, end, true);
    }
  }
  /// A text at a place of the cube [-1, 1]^3.
  void name(const Place3& cube, const std::string& text, bool small) {
    render::Label3 label;
    label.at = {cube[0] * box_.high[0], cube[1] * box_.high[1], cube[2] * box_.high[2]};
    label.text = text;
    label.size = small ? theme_.smallSize : theme_.textSize;
    label.color = small ? theme_.textMuted : theme_.text;
    label.alignX = render::AlignX::Center;
    scene_.labels.push_back(std::move(label));
  }

  const FlowFigurePart& part_;
  const ui::Theme& theme_;
  ThreadPool& pool_;
  const markov::Box3 box_;
  render::Scene3 scene_;
};

}  // namespace

render::Scene spaceFigure(const FlowFigure& figure, double width, double height, const ui::Theme& theme,
                          ThreadPool& pool) {
  render::Scene scene = ui::emptyPage(width, height, theme);
  const double head = 2.2 * static_cast<double>(theme.textSize), foot = 2.4 * static_cast<double>(theme.smallSize);
  const double reach = figure.figure == 2 ? 1.8 : 0.4, gap = 12;
  const double cell = width / 2;
  std::uint64_t revision = 0;
  for (std::size_t i = 0; i < figure.parts.size(); ++i) {
    const FlowFigurePart& part = figure.parts[i];
    const double x = static_cast<double>(i) * cell;
    const render::Rect box{{x + gap, head}, {x + cell - gap, height - foot}};
    if (box.width() < 40 || box.height() < 40) continue;
    std::vector<render::Item> items;
    items.push_back(render::Solid{
        std::make_shared<const render::Scene3>(Picture(part, reach, box, theme, pool).make(figure.figure == 2))});
    const std::string sign = part.chain.switching() > 0 ? "p + q > 1" : "p + q < 1";
    const std::string brief = fmt::format("({}) {}", i == 0 ? 'a' : 'b', sign);
    const std::string whole = trf(N_("{}: from N(0, {}\u00b2 I): {} to global, {} to local minima"), brief, part.sigma,
                                  part.count(LimitKind::GlobalMin), part.count(LimitKind::LocalMin));
    render::Label title = ui::textAt({x + gap, 0.55 * head}, ui::fittingTitle(whole, brief, cell - 2 * gap, theme),
                                     theme.textSize, theme.text);
    title.bold = true;
    items.emplace_back(std::move(title));
    scene.layers.push_back({i == 0 ? "a" : "b", ++revision, true, false, std::move(items)});
  }
  std::vector<render::Item> legend;
  addKindLegend(legend, {gap, height - 0.5 * foot}, width - 2 * gap, theme, figure.figure);
  scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  return scene;
}

}  // namespace sepx::app::cli
