// SPDX-License-Identifier: Apache-2.0
// The geometry of the orbit camera. Cube coordinates: (data - centre)/half side. Pure.
#include "ui/canvas/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sepx::ui {

namespace {

using Vector = std::array<double, 3>;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kTangent = 0.36;                      // of half the angle that the smaller side of the picture spans
constexpr double kUsualSide = 600, kUsualShare = 0.7;  // side of a plot in points; share for the cube
constexpr double kFarthestTarget = 50;
constexpr double kTurn = 0.5;  // degrees per point

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector sum(const Vector& a, const Vector& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

double finite(double value, double fallback) {
  return std::isfinite(value) ? value : fallback;
}

/// Sine and cosine, exact at multiples of 90 degrees, so that a view along an axis is exact.
std::pair<double, double> sineAndCosine(double degrees) {
  const double quarter = degrees / 90;
  if (quarter == std::round(quarter)) {
    const int k = ((static_cast<int>(quarter) % 4) + 4) % 4;
    return {k == 1 ? 1 : k == 3 ? -1 : 0, k == 0 ? 1 : k == 2 ? -1 : 0};
  }
  return {std::sin(degrees * kDegree), std::cos(degrees * kDegree)};
}

}  // namespace

OrbitCamera bounded(OrbitCamera camera, const OrbitCamera& fallback) {
  camera.yaw = std::remainder(finite(camera.yaw, fallback.yaw), 360.0);
  if (camera.yaw <= -180) camera.yaw = 180;
  camera.pitch = std::clamp(finite(camera.pitch, fallback.pitch), -90.0, 90.0);
  camera.distance = std::clamp(finite(camera.distance, fallback.distance), kLeastDistance, kLargestDistance);
  for (std::size_t i = 0; i < 3; ++i)
    camera.target[i] = std::clamp(finite(camera.target[i], fallback.target[i]), -kFarthestTarget, kFarthestTarget);
  return camera;
}

OrbitCamera turned(OrbitCamera camera, double dx, double dy) {
  camera.yaw -= kTurn * dx;
  camera.pitch += kTurn * dy;
  return bounded(camera, {});
}

OrbitCamera nearer(OrbitCamera camera, double factor) {
  camera.distance /= factor;
  return bounded(camera, {});
}

OrbitCamera alongAxis(OrbitCamera camera, int axis, bool fromAbove) {
  camera.yaw = axis == 0 ? (fromAbove ? 90 : -90) : axis == 1 && fromAbove ? 180 : 0;
  camera.pitch = axis == 2 ? (fromAbove ? 90 : -90) : 0;
  camera.target = {0, 0, 0};
  camera.distance = camera.perspective ? 4.8 : 3.8;  // the face fills the plot, with room for its ticks
  return camera;
}

std::optional<int> viewingAxis(const OrbitCamera& camera) {
  constexpr double kClose = 0.1;
  if (std::abs(std::abs(camera.pitch) - 90) < kClose) return 2;
  if (std::abs(camera.pitch) > kClose) return std::nullopt;
  if (std::abs(std::remainder(camera.yaw, 180.0)) < kClose) return 1;
  if (std::abs(std::remainder(camera.yaw - 90, 180.0)) < kClose) return 0;
  return std::nullopt;
}

OrbitView::OrbitView(const OrbitCamera& camera, const Vector& low, const Vector& high, const render::Rect& plot)
    : camera_(camera), plot_(plot) {
  for (std::size_t i = 0; i < 3; ++i) {
    centre_[i] = 0.5 * (low[i] + high[i]);
    half_[i] = 0.5 * (high[i] - low[i]);
  }
  const auto [sy, cy] = sineAndCosine(camera.yaw);
  const auto [sp, cp] = sineAndCosine(camera.pitch);
  right_ = {cy, sy, 0};
  back_ = {sy * cp, -cy * cp, sp};
  up_ = cross(back_, right_);
}

/// In a large plot the cube takes a larger share, because the labels around it do not grow.
double OrbitView::halfHeight() const {
  const double wide = plot_.height() > 0 ? std::max(1.0, plot_.height() / std::max(plot_.width(), 1.0)) : 1;
  const double side = std::max(kUsualSide, std::min(plot_.width(), plot_.height()));
  const double larger = (side - (1 - kUsualShare) * kUsualSide) / (kUsualShare * side);
  return kTangent / larger * wide * (camera_.perspective ? 1 : camera_.distance);
}

render::Eye OrbitView::eye() const {
  render::Eye eye;
  const std::array<const Vector*, 3> rows{&right_, &up_, &back_};
  for (std::size_t row = 0; row < 3; ++row) {
    double offset = row == 2 ? -camera_.distance : 0;
    for (std::size_t i = 0; i < 3; ++i) {
      eye.toEye[i * 4 + row] = (*rows[row])[i] / half_[i];
      offset -= (*rows[row])[i] * (centre_[i] / half_[i] + camera_.target[i]);
    }
    eye.toEye[12 + row] = offset;
  }
  for (std::size_t i = 0; i < 3; ++i)
    eye.toEye[i * 4 + 3] = 0;
  eye.toEye[15] = 1;
  eye.halfHeight = halfHeight();
  eye.perspective = camera_.perspective;
  // The cube and the parts that extend beyond it, wherever the target is.
  const double reach = 2.6 + std::sqrt(dot(camera_.target, camera_.target));
  eye.farthest = camera_.distance + reach;
  eye.nearest = camera_.perspective ? std::max({0.02 * camera_.distance, camera_.distance - reach, 0.01})
                                    : camera_.distance - reach;
  return eye;
}

std::optional<render::Point> OrbitView::toPage(const render::Point3& data, double* depth) const {
  const Vector from = sum(toCube(data), camera_.target, -1);
  const double away = camera_.distance - dot(back_, from);
  if (depth) *depth = away;
  if (camera_.perspective && !(away > 0.01 * camera_.distance)) return std::nullopt;
  const double scale = scaleAt(away);
  const render::Point page{0.5 * (plot_.min.x + plot_.max.x) + scale * dot(right_, from),
                           0.5 * (plot_.min.y + plot_.max.y) - scale * dot(up_, from)};
  if (!std::isfinite(page.x) || !std::isfinite(page.y)) return std::nullopt;
  return page;
}

double OrbitView::scaleAt(double depth) const {
  return 0.5 * plot_.height() / halfHeight() / (camera_.perspective ? depth : 1);
}

render::Point3 OrbitView::toData(const Vector& cube) const {
  return {centre_[0] + half_[0] * cube[0], centre_[1] + half_[1] * cube[1], centre_[2] + half_[2] * cube[2]};
}

Vector OrbitView::toCube(const render::Point3& data) const {
  return {(data.x - centre_[0]) / half_[0], (data.y - centre_[1]) / half_[1], (data.z - centre_[2]) / half_[2]};
}

Vector OrbitView::towardsEye(const Vector& cube) const {
  if (!camera_.perspective) return back_;
  const Vector way = sum(sum(camera_.target, back_, camera_.distance), cube, -1);
  const double length = std::sqrt(dot(way, way));
  return length > 0 ? Vector{way[0] / length, way[1] / length, way[2] / length} : back_;
}

render::Point3 OrbitView::atDepth(render::Point page, double depth) const {
  const double scale = scaleAt(depth);
  const double x = (page.x - 0.5 * (plot_.min.x + plot_.max.x)) / scale,
               y = -(page.y - 0.5 * (plot_.min.y + plot_.max.y)) / scale;
  return toData(sum(sum(sum(camera_.target, right_, x), up_, y), back_, camera_.distance - depth));
}

OrbitView::Ray OrbitView::sight(render::Point page) const {
  const Vector there = toCube(atDepth(page, camera_.distance));
  if (!camera_.perspective) return {there, {-back_[0], -back_[1], -back_[2]}};
  const Vector eye = sum(camera_.target, back_, camera_.distance);
  return {eye, sum(there, eye, -1)};
}

std::optional<render::Point3> OrbitView::onPlane(render::Point page, int axis, double at) const {
  const auto i = static_cast<std::size_t>(axis);
  const Ray ray = sight(page);
  const double speed = ray.direction[i], length = std::sqrt(dot(ray.direction, ray.direction));
  if (!(std::abs(speed) > 1e-3 * length)) return std::nullopt;
  const double share = ((at - centre_[i]) / half_[i] - ray.origin[i]) / speed;
  if (camera_.perspective && !(share > 0)) return std::nullopt;
  return toData(sum(ray.origin, ray.direction, share));
}

std::optional<render::Point3> OrbitView::onAxis(render::Point page, const render::Point3& from, int axis) const {
  const auto i = static_cast<std::size_t>(axis);
  const Ray ray = sight(page);
  const Vector begin = toCube(from), between = sum(begin, ray.origin, -1);
  // The axis has the unit vector a, the line of sight the direction d. The nearest point is begin + t a.
  const double dd = dot(ray.direction, ray.direction), ad = ray.direction[i];
  const double across = dd - ad * ad;
  if (!(across > 1e-3 * dd)) return std::nullopt;
  const double t = (ad * dot(between, ray.direction) - dd * between[i]) / across;
  Vector place = begin;
  place[i] += t;
  return toData(place);
}

OrbitCamera OrbitView::panned(double dx, double dy) const {
  OrbitCamera camera = camera_;
  const double scale = scaleAt(camera_.distance);
  camera.target = sum(sum(camera.target, right_, -dx / scale), up_, dy / scale);
  return bounded(camera, camera_);
}

}  // namespace sepx::ui
