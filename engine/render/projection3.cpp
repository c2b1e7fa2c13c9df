// SPDX-License-Identifier: Apache-2.0
#include "engine/render/projection3.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sepx::render {
namespace {

constexpr double kLargest = 1e60;  // largest number used in computations; its square is finite

bool finite(const Point3& at) {
  return std::abs(at.x) < kLargest && std::abs(at.y) < kLargest && std::abs(at.z) < kLargest;
}

double dot(const Point3& a, const Point3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

Point3 unit(const Point3& a) {
  const double size = std::sqrt(dot(a, a));
  return size > 0 && std::isfinite(size) ? Point3{a.x / size, a.y / size, a.z / size} : Point3{};
}

Point3 between(const Point3& a, const Point3& b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

// The part of a-b inside all half-spaces, as parameters; false when there is none.
bool clipLine(const Point3& a, const Point3& b, std::span<const HalfSpace> kept, double& from, double& to) {
  from = 0;
  to = 1;
  for (const HalfSpace& half : kept) {
    const double atA = half(a), atB = half(b);
    if (atA < 0 && atB < 0) return false;
    if (atA < 0) from = std::max(from, atA / (atA - atB));
    if (atB < 0) to = std::min(to, atA / (atA - atB));
  }
  return from <= to;
}

}  // namespace

std::optional<Projection3> Projection3::of(const Scene3& scene) {
  const Eye& eye = scene.eye;
  Projection3 p;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      p.rows_[i][k] = eye.toEye[i + 4 * k];
      if (!(std::abs(p.rows_[i][k]) < 1e30)) return std::nullopt;
    }
  }
  const auto& m = p.rows_;
  for (std::size_t i = 0; i < 3; ++i) {  // cofactors: the transposed inverse, up to a factor
    const auto& a = m[(i + 1) % 3];
    const auto& b = m[(i + 2) % 3];
    p.normalRows_[i] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  const double determinant =
      m[0][0] * p.normalRows_[0][0] + m[0][1] * p.normalRows_[0][1] + m[0][2] * p.normalRows_[0][2];
  if (determinant < 0) {
    for (auto& row : p.normalRows_)
      row = {-row[0], -row[1], -row[2]};
  }
  p.perspective_ = eye.perspective;
  p.nearest_ = eye.nearest;
  p.farthest_ = eye.farthest;
  const Rect& plot = scene.plot;
  p.perUnit_ = plot.height() / 2 / eye.halfHeight;
  p.centre_ = {(plot.min.x + plot.max.x) / 2, (plot.min.y + plot.max.y) / 2};
  const bool sees = plot.width() > 0 && plot.height() > 0 && std::abs(p.centre_.x) < 1e9 &&
                    std::abs(p.centre_.y) < 1e9 && p.perUnit_ > 0 && p.perUnit_ < 1e30 && p.farthest_ > p.nearest_ &&
                    p.farthest_ < 1e30 && p.nearest_ > (p.perspective_ ? 0 : -1e30);
  return sees ? std::optional(p) : std::nullopt;
}

Point3 Projection3::eye(const Point3& at) const {
  const auto row = [&](std::size_t i) {
    return rows_[i][0] * at.x + rows_[i][1] * at.y + rows_[i][2] * at.z + rows_[i][3];
  };
  return {row(0), row(1), row(2)};
}

Point3 Projection3::eyeNormal(const Point3& n) const {
  const auto row = [&](std::size_t i) {
    return normalRows_[i][0] * n.x + normalRows_[i][1] * n.y + normalRows_[i][2] * n.z;
  };
  return unit({row(0), row(1), row(2)});
}

Point Projection3::page(const Point3& eye) const {
  const double scale = pointsPerUnit(-eye.z);
  return {centre_.x + eye.x * scale, centre_.y - eye.y * scale};
}

double Projection3::depthValue(double depth) const {
  const double range = farthest_ - nearest_;
  return perspective_ ? farthest_ / range * (1 - nearest_ / depth) : (depth - nearest_) / range;
}

Point3 Projection3::towardsEye(const Point3& eye) const {
  return perspective_ ? unit({-eye.x, -eye.y, -eye.z}) : Point3{0, 0, 1};
}

std::array<HalfSpace, 6> Projection3::frustum(const Rect& bounds) const {
  // Converts the linear form e.x x + e.y y + e.z z + d from eye coordinates to data coordinates.
  const auto inData = [&](const Point3& e, double d) {
    const auto column = [&](std::size_t k) { return e.x * rows_[0][k] + e.y * rows_[1][k] + e.z * rows_[2][k]; };
    return HalfSpace{{column(0), column(1), column(2)}, column(3) + d};
  };
  // Side: sign (perUnit x - room depth) >= 0, where room is the distance of the side from the centre. Without
  // perspective the depth is 1.
  const auto side = [&](double sign, Point3 e, double room) {
    e = {sign * perUnit_ * e.x, sign * perUnit_ * e.y, perspective_ ? sign * room : 0};
    return inData(e, perspective_ ? 0 : -sign * room);
  };
  return {inData({0, 0, -1}, -nearest_),
          inData({0, 0, 1}, farthest_),
          side(1, {1, 0, 0}, bounds.min.x - centre_.x),
          side(-1, {1, 0, 0}, bounds.max.x - centre_.x),
          side(1, {0, 1, 0}, centre_.y - bounds.max.y),
          side(-1, {0, 1, 0}, centre_.y - bounds.min.y)};
}

std::vector<HalfSpace> clipsOf(const Scene3& scene) {
  std::vector<HalfSpace> kept;
  for (const ClipPlane& plane : scene.clips) {
    if (kept.size() == 4) break;
    if (finite(plane.normal) && std::abs(plane.offset) < kLargest && plane.normal != Point3{})
      kept.push_back({plane.normal, -plane.offset});
  }
  return kept;
}

void ProjectedLines::clear() {
  linePoints.clear();
  ends.clear();
}

namespace {

// Receives the points of a piece in order and keeps only those that are needed.
class Thin {
 public:
  Thin(const Projection3& projection, ProjectedLines& projected, double tolerance)
      : projection_(projection), projected_(projected), tolerance_(tolerance), first_(projected.linePoints.size()) {}

  bool open() const { return projected_.linePoints.size() > first_; }

  void push(const Point3& data, float alpha, bool cut = false) {
    ProjectedPoint bead{{}, projection_.eye(data), 0, alpha, cut};
    bead.at = projection_.page(bead.eye);
    if (open()) {
      const ProjectedPoint& last = dropped_.empty() ? projected_.linePoints.back() : dropped_.back();
      along_ = last.along + std::hypot(bead.at.x - last.at.x, bead.at.y - last.at.y);
    }
    bead.along = along_;
    if (!open()) {
      projected_.linePoints.push_back(bead);
      return;
    }
    if (!dropped_.empty() && !replaces(bead)) keepLast();
    dropped_.push_back(bead);
  }

  void finish() {
    if (!dropped_.empty()) keepLast();
    if (projected_.linePoints.size() > first_ + 1)
      projected_.ends.push_back(projected_.linePoints.size());
    else
      projected_.linePoints.resize(first_);  // one point is not a line
    first_ = projected_.linePoints.size();
  }

 private:
  static constexpr std::size_t kMostDropped = 24;

  void keepLast() {
    projected_.linePoints.push_back(dropped_.back());
    dropped_.clear();
  }

  // Whether the straight line from the last kept point to `bead` is close to all points between them, on the page and
  // in depth.
  bool replaces(const ProjectedPoint& bead) const {
    if (dropped_.size() >= kMostDropped) return false;
    const ProjectedPoint& from = projected_.linePoints.back();
    const Point step{bead.at.x - from.at.x, bead.at.y - from.at.y};
    const double square = step.x * step.x + step.y * step.y, deep = projection_.pointsPerUnit(-bead.eye.z);
    for (const ProjectedPoint& one : dropped_) {
      const Point off{one.at.x - from.at.x, one.at.y - from.at.y};
      const double t = square > 0 ? std::clamp((off.x * step.x + off.y * step.y) / square, 0.0, 1.0) : 0;
      const double x = off.x - t * step.x, y = off.y - t * step.y;
      const double depth = from.eye.z + t * (bead.eye.z - from.eye.z);
      if (x * x + y * y > tolerance_ * tolerance_ || std::abs(one.eye.z - depth) * deep > 8 * tolerance_ ||
          std::abs(static_cast<double>(one.alpha) - (from.alpha + t * (bead.alpha - from.alpha))) > 0.02)
        return false;
    }
    return true;
  }

  const Projection3& projection_;
  ProjectedLines& projected_;
  double tolerance_;
  std::size_t first_;
  std::vector<ProjectedPoint> dropped_;  // since the last kept point
  double along_ = 0;
};

}  // namespace

void appendProjectedLine(const Projection3& projection, const Tube& tube, std::span<const HalfSpace> kept,
                         double tolerance, ProjectedLines& projected) {
  Thin thin(projection, projected, tolerance);
  const auto fade = [&](std::size_t i) {
    const float f = i < tube.fade.size() ? tube.fade[i] : 1.0F;
    return f >= 0 ? std::min(f, 1.0F) : 0.0F;  // NaN: invisible
  };
  for (std::size_t i = 1; i < tube.points.size(); ++i) {
    const Point3 &a = tube.points[i - 1], &b = tube.points[i];
    double from = 0, to = 1;
    if (!finite(a) || !finite(b) || !clipLine(a, b, kept, from, to)) {
      thin.finish();
      continue;
    }
    const auto alpha = [&](double t) { return static_cast<float>(fade(i - 1) + t * (fade(i) - fade(i - 1))); };
    if (from > 0) thin.finish();
    if (!thin.open()) thin.push(between(a, b, from), alpha(from), from > 0);
    thin.push(to < 1 ? between(a, b, to) : b, alpha(to), to < 1);
    if (to < 1) thin.finish();
  }
  thin.finish();
}

std::vector<Item> itemsInFront(const Scene3& scene) {
  std::vector<Item> items;
  const auto projection = Projection3::of(scene);
  if (!projection) return items;
  const std::vector<HalfSpace> clips = clipsOf(scene);
  const auto place = [&](const Point3& at) -> std::optional<Point> {
    const Point3 eye = projection->eye(at);
    const bool seen = finite(at) && -eye.z >= projection->nearest() && -eye.z <= projection->farthest();
    return seen ? std::optional(projection->page(eye)) : std::nullopt;
  };
  for (const Marker3& marker : scene.markers) {
    if (!marker.inFront) continue;
    const bool cut = marker.clipped && std::any_of(clips.begin(), clips.end(),
                                                   [&](const HalfSpace& half) { return half(marker.at) < 0; });
    const auto at = place(marker.at);
    if (at && !cut)
      items.push_back(Marker{*at, marker.shape, marker.size, marker.fill, marker.edge, marker.edgeWidth, Space::Page});
  }
  for (const Label3& label : scene.labels) {
    const auto at = place(label.at);
    if (!at) continue;
    Label text{*at, label.text, label.size, label.color, label.alignX, label.alignY};
    text.offset = label.offset;
    items.push_back(text);
  }
  return items;
}

std::vector<float> contoursOf(const Surface& surface) {
  std::vector<float> lines;
  if (!surface.mesh || surface.contours.empty() || !(surface.contourWidth > 0)) return lines;
  const std::vector<float>& values = surface.mesh->values;
  if (values.size() != surface.mesh->positions.size()) return lines;
  float least = std::numeric_limits<float>::max(), greatest = -least;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  const float rim = 1e-4F * (greatest - least);
  for (const float line : surface.contours) {
    if (line > least + rim && line < greatest - rim) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

Point3 lightOf(const Scene3& scene) {
  const Point3 light = unit({scene.light[0], scene.light[1], scene.light[2]});
  return light == Point3{} ? Point3{0, 0, 1} : light;
}

Color lit(const Color& color, const Point3& normal, const Point3& towards, const Point3& light) {
  const double facing = dot(normal, towards), side = facing < 0 ? -1 : 1;
  const Point3 half = unit({light.x + towards.x, light.y + towards.y, light.z + towards.z});
  const double diffuse = 0.75 + 0.25 * side * dot(normal, light);
  double shine = std::max(0.0, side * dot(normal, half));
  for (int i = 0; i < 4; ++i)
    shine *= shine;
  const auto channel = [&](float c) { return static_cast<float>(std::min(1.0, c * diffuse + 0.12 * shine)); };
  const double slant = 1 - std::min(1.0, std::abs(facing));
  const double a = color.a;
  return {channel(color.r), channel(color.g), channel(color.b), static_cast<float>(a * (1 + (1 - a) * slant * slant))};
}

}  // namespace sepx::render
