// SPDX-License-Identifier: Apache-2.0
// The three-dimensional picture: surfaces, curves, paths, limits, points, the slice. Positions are data coordinates;
// paths are cut at the box. Pure.
#include "ui/exhibits/flow/space/space_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/space/space_axes.h"
#include "ui/properties/color_text.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;
using markov::Place3;
using render::Dash;
using render::Tube;

const render::Point3 kBreak{std::numeric_limits<double>::quiet_NaN(), 0, 0};

/// The pieces of a polyline inside the box.
std::vector<render::Point3> clipped(const std::vector<Place3>& path, const markov::Box3& box) {
  std::vector<render::Point3> points;
  for (std::size_t i = 1; i < path.size(); ++i) {
    double from = 0, to = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double begin = path[i - 1][k], step = path[i][k] - begin;
      if (step == 0) {
        if (begin < box.low[k] || begin > box.high[k]) to = -1;
        continue;
      }
      const double a = (box.low[k] - begin) / step, b = (box.high[k] - begin) / step;
      from = std::max(from, std::min(a, b));
      to = std::min(to, std::max(a, b));
    }
    if (!(from < to)) continue;
    const auto along = [&](double share) {
      Place3 at{};
      for (std::size_t k = 0; k < 3; ++k)
        at[k] = share == 1 ? path[i][k] : path[i - 1][k] + share * (path[i][k] - path[i - 1][k]);
      return point3(at);
    };
    const render::Point3 begin = along(from);
    if (points.empty() || !(points.back() == begin)) {
      if (!points.empty()) points.push_back(kBreak);
      points.push_back(begin);
    }
    points.push_back(along(to));
  }
  return points;
}

/// The points of a section line in space.
std::vector<render::Point3> lifted(const markov::SectionLine& line, const markov::SectionPlane& plane) {
  std::vector<render::Point3> points;
  for (const markov::SectionPoint& at : line)
    points.push_back(point3(plane.place(at.x, at.y)));
  return points;
}

class SceneMaker {
 public:
  explicit SceneMaker(const SpaceFrame& frame) : f_(frame), theme_(frame.theme()) {}

  render::Scene3 make() {
    scene_.plot = f_.layout.plot;
    scene_.eye = f_.view.eye();
    clips();
    addBox(scene_, f_);
    surfaces();
    curves();
    slice();
    paths();
    points();
    return std::move(scene_);
  }

 private:
  void clips() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const SpaceClip& clip = f_.space.clip[axis];
      if (clip.keep == SpaceClip::Keep::All) continue;
      const double sign = clip.keep == SpaceClip::Keep::Above ? 1 : -1;
      Place3 normal{};
      normal[axis] = sign;
      scene_.clips.push_back({point3(normal), sign * clip.at});
      outline(axis, clip.at, theme_.textMuted, Dash::Dotted);
    }
  }

  void outline(std::size_t axis, double at, render::Color color, Dash dash, float width = 1.5f) {
    const markov::Box3& box = f_.space.box;
    if (!(at >= box.low[axis] && at <= box.high[axis])) return;
    const std::size_t x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
    Tube tube;
    for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}) {
      Place3 place{};
      place[axis] = at;
      place[x] = i ? box.high[x] : box.low[x];
      place[y] = j ? box.high[y] : box.low[y];
      tube.points.push_back(point3(place));
    }
    tube.color = color;
    tube.width = width;
    tube.dash = dash;
    tube.lit = tube.clipped = false;
    scene_.tubes.push_back(std::move(tube));
  }

  void surface(const MeshPointer& mesh, render::Color color, double opacity, std::vector<float> contours) {
    if (!mesh) return;
    render::Surface surface;
    surface.mesh = mesh;
    surface.color = color;
    surface.color.a = static_cast<float>(opacity);
    surface.contours = std::move(contours);
    surface.contourColor = faded(color, 0.9f);
    surface.contourWidth = 1;
    scene_.surfaces.push_back(std::move(surface));
  }

  /// Lines of equal a.
  std::vector<float> heights() const {
    const double low = f_.space.box.low[2], high = f_.space.box.high[2], step = roundStep((high - low) / 16);
    std::vector<float> values;
    for (double at = std::ceil(low / step) * step; at <= high && values.size() < 40; at += step)
      values.push_back(static_cast<float>(at));
    return values;
  }
  /// Lines of equal loss: between the two entropies and above.
  std::vector<float> losses() const {
    const ColorScale scale(limitsOf(f_.flow.chain));
    std::vector<float> values;
    constexpr int kLines = 14;
    for (int i = 1; i < kLines; ++i)
      values.push_back(static_cast<float>(scale.valueAt(static_cast<double>(i) / kLines)));
    return values;
  }

  void surfaces() {
    const auto& made = f_.results.surfaces();
    if (!made) return;
    const SpaceShow& show = f_.space.show;
    const double opacity = f_.space.opacity;
    if (show.thetaStar) surface(made->thetaStar, theme_.globalMin, opacity, heights());
    if (show.axisPlane) {
      surface(made->minima, theme_.localMin, 0.6 * opacity, {});
      surface(made->maxima, theme_.localMax, 0.6 * opacity, {});
    }
    if (show.separatrix) surface(made->separatrix, theme_.separatrix, 0.7 * opacity, losses());
    if (show.energy) surface(f_.results.energySheet(), theme_.accent, 0.8 * opacity, losses());
  }

  Tube line(std::vector<render::Point3> points, render::Color color, float width, Dash dash = Dash::Solid,
            bool lit = false) {
    Tube tube;
    tube.points = std::move(points);
    tube.color = color;
    tube.width = width;
    tube.dash = dash;
    tube.lit = lit;
    return tube;
  }

  void curves() {
    const auto& made = f_.results.surfaces();
    if (!made || !f_.space.show.curves) return;
    for (const markov::Curve3& curve : made->curves) {
      const bool station = curve.set == markov::Curve3::Set::Station;
      std::vector<render::Point3> points;
      for (const Place3& at : curve.points)
        points.push_back(point3(at));
      scene_.tubes.push_back(
          line(std::move(points), theme_.saddle, station ? 3.5f : 2.5f, station ? Dash::Dashed : Dash::Solid, station));
    }
  }

  void slice() {
    if (!f_.space.slice) return;
    outline(f_.space.section.across(), f_.space.section.at, theme_.accent, Dash::Solid);
    surface(f_.slicePlane, theme_.accent, 0.10, {});
    if (!scene_.surfaces.empty() && scene_.surfaces.back().mesh == f_.slicePlane)
      scene_.surfaces.back().clipped = false;
    const auto& section = f_.results.section();
    if (!section || !(section->of.plane == f_.space.section)) return;
    const auto add = [&](const std::vector<markov::SectionLine>& lines, render::Color color, Dash dash) {
      for (const markov::SectionLine& trace : lines)
        scene_.tubes.push_back(line(lifted(trace, f_.space.section), color, 2, dash));
    };
    add(section->thetaStar, theme_.globalMin, Dash::Solid);
    if (f_.space.show.separatrix) add(section->separatrix, theme_.separatrix, Dash::Solid);
    if (f_.space.show.energy) add(f_.energyTrace, theme_.accent, Dash::Dashed);
  }

  void paths() {
    if (!f_.space.show.paths) return;
    for (std::size_t i = 0; i < f_.results.points(); ++i) {
      const SpacePoint& point = f_.results.point(i);
      const bool selected = static_cast<int>(i) == f_.marked();
      const render::Color color = pointColor(f_, i);
      std::vector<render::Point3> points = clipped(point.path, f_.space.box);
      if (points.size() > 1)
        scene_.tubes.push_back(line(std::move(points), color, selected ? 5.0f : 3.5f, Dash::Solid, true));
      if (std::vector<render::Point3> back = clipped(point.back, f_.space.box); back.size() > 1)
        scene_.tubes.push_back(line(std::move(back), color, 2, Dash::Dashed));
      if (point.limit && f_.space.box.contains(*point.limit) && !point.isCritical)
        scene_.markers.push_back({point3(*point.limit), kindShape(point.kind), selected ? 12.0f : 9.0f,
                                  kindColor(theme_, point.kind), theme_.plotBackground, 1.5f, true, false});
    }
  }

  /// Adds a plumb line to the floor of the box, which shows how far back the selected point is.
  void plumb(const Place3& at) {
    Place3 foot = at;
    foot[2] = f_.space.box.low[2];
    Tube tube = line({point3(at), point3(foot)}, theme_.textMuted, 1, Dash::Dotted);
    tube.clipped = false;
    scene_.tubes.push_back(std::move(tube));
    scene_.markers.push_back(
        {point3(foot), render::Shape::Cross, 7, theme_.textMuted, theme_.textMuted, 1, false, false});
  }

  void arrows(const SpaceHandle& handle) {
    if (handle.kind != SpaceHandle::Kind::Axis) return;
    const auto& point = f_.flow.points[static_cast<std::size_t>(f_.flow.selected)];
    const bool hot = f_.hot && f_.hot->kind == handle.kind && f_.hot->index == handle.index;
    Tube tube = line({point3(placeOf(point)), handle.data}, hot ? theme_.text : theme_.accent, hot ? 3.5f : 2.5f);
    tube.clipped = false;
    scene_.tubes.push_back(std::move(tube));
    scene_.markers.push_back({handle.data, render::Shape::Circle, hot ? 13.0f : 11.0f, theme_.accent,
                              hot ? theme_.text : theme_.plotBackground, 1.5f, false, true});
  }

  void points() {
    if (f_.headTime)
      for (std::size_t i = 0; i < f_.results.points(); ++i)
        if (const Place3 head = headAt(f_.results.point(i), *f_.headTime); f_.space.box.contains(head))
          scene_.markers.push_back(
              {point3(head), render::Shape::Circle, 10, theme_.text, pointColor(f_, i), 2.5f, false, true});
    for (const SpaceHandle& handle : spaceHandles(f_)) {
      if (handle.kind == SpaceHandle::Kind::Point) {
        const auto i = static_cast<std::size_t>(handle.index);
        const bool selected = handle.index == f_.marked();
        if (selected) plumb(placeOf(f_.flow.points[i]));
        const auto size = static_cast<float>(theme_.handleSize + (selected ? 3 : 0));
        scene_.markers.push_back({handle.data, render::Shape::Circle, size, pointColor(f_, i),
                                  selected ? theme_.selection : theme_.text, selected ? 3.0f : 1.5f, false, true});
      } else if (handle.kind != SpaceHandle::Kind::Axis) {
        const bool hot = f_.hot && f_.hot->kind == handle.kind && f_.hot->index == handle.index;
        const render::Color color = handle.kind == SpaceHandle::Kind::Slice ? theme_.accent : theme_.textMuted;
        scene_.markers.push_back({handle.data, render::Shape::Square, hot ? 14.0f : 11.0f, color,
                                  hot ? theme_.text : theme_.plotBackground, 1.5f, false, true});
      }
      arrows(handle);
    }
  }

  const SpaceFrame& f_;
  const Theme& theme_;
  render::Scene3 scene_;
};

}  // namespace

render::Color pointColor(const SpaceFrame& frame, std::size_t point) {
  const std::vector<FlowPoint>& points = frame.flow.points;
  if (const auto rgb = point < points.size() ? rgbOf(points[point].color) : std::nullopt)
    return {(*rgb)[0], (*rgb)[1], (*rgb)[2], 1};
  if (point >= frame.results.points()) return frame.theme().textMuted;  // its path is not computed yet
  const SpacePoint& result = frame.results.point(point);
  return kindColor(frame.theme(),
                   result.kind == LimitKind::Undecided && !result.onSurface ? result.theory : result.kind);
}

render::Scene3 spaceScene(const SpaceFrame& frame) {
  return SceneMaker(frame).make();
}

}  // namespace sepx::ui
