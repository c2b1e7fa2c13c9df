// SPDX-License-Identifier: Apache-2.0
// The unforced Duffing oscillator, a damped ball in a double well: x' = v, v' = x - x^3 - delta v. Two attractors whose
// basins wind around each other, one saddle. The example to copy for a new field.
#include <optional>

#include "engine/dynamics/basin_lanes.h"
#include "engine/dynamics/fields/duffing_lanes.h"
#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

namespace {

class Duffing : public VectorField, public BasinLanes {
 public:
  const FieldInfo& info() const override { return info_; }

  State evaluate(const State& x, std::span<const double> parameters) const override {
    return Eigen::Vector2d(x[1], x[0] - x[0] * x[0] * x[0] - parameters[0] * x[1]);
  }

  Jacobian jacobian(const State& x, std::span<const double> parameters) const override {
    Eigen::Matrix2d matrix;
    matrix << 0, 1, 1 - 3 * x[0] * x[0], -parameters[0];
    return matrix;
  }

  std::vector<FixedPoint> fixedPoints(std::span<const double> parameters) const override {
    const FixedPoint saddle{Eigen::Vector2d(0, 0), LimitKind::Saddle};
    if (!(parameters[0] > 0)) return {saddle};  // without damping the bottoms of the wells are not attractors
    return {{Eigen::Vector2d(-1, 0), LimitKind::Attractor}, {Eigen::Vector2d(1, 0), LimitKind::Attractor}, saddle};
  }

  /// The energy v^2/2 - x^2/2 + x^4/4 decreases at the rate delta v^2. Below the energy of the saddle, which is 0, the
  /// ball stays in its well.
  std::optional<Trap> trap(const State& x, std::span<const double> parameters) const override {
    if (!(parameters[0] > 0)) return std::nullopt;
    const double xx = x[0] * x[0];
    return Trap{0.5 * x[1] * x[1] - 0.5 * xx + 0.25 * xx * xx, x[0] < 0 ? 0 : 1};
  }

  /// Optional for a field: without it, basin maps integrate the orbits one by one.
  void basinLabels(std::span<const double> parameters, std::span<const double> x, std::span<const double> y,
                   const BasinMapOptions& options, std::uint8_t* labels) const override {
    duffingLabels(parameters[0], x, y, options, labels);
  }

 private:
  FieldInfo info_{.key = "duffing",
                  .name = "Duffing oscillator",
                  .description = "A damped ball in a double well",
                  .equation = "x' = v, v' = x - x^3 - delta v",
                  .variables = {"x", "v"},
                  .parameters = {{.key = "delta", .symbol = "delta", .fallback = 0.2, .min = 0.0, .max = 1.0}},
                  .windowMin = Eigen::Vector2d(-2, -2),
                  .windowMax = Eigen::Vector2d(2, 2)};
};

}  // namespace

std::unique_ptr<VectorField> makeDuffing() {
  return std::make_unique<Duffing>();
}

}  // namespace sepx::dynamics
