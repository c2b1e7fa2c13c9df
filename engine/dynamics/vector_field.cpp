// SPDX-License-Identifier: Apache-2.0
// Default implementations of VectorField, and the registry of fields. Any thread.
#include "engine/dynamics/vector_field.h"

#include <cassert>

namespace sepx::dynamics {

State VectorField::lift(double x, double y, std::span<const double>) const {
  State state = State::Zero(dimension());
  state[0] = x;
  if (state.size() > 1) state[1] = y;
  return state;
}

void VectorField::evaluateMany(std::span<const double> x, std::span<const double> y, std::span<const double> parameters,
                               std::span<double> fx, std::span<double> fy) const {
  assert(y.size() == x.size() && fx.size() == x.size() && fy.size() == x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const State f = evaluate(lift(x[i], y[i], parameters), parameters);
    fx[i] = f[0];
    fy[i] = f.size() > 1 ? f[1] : 0.0;
  }
}

std::vector<FixedPoint> VectorField::fixedPoints(std::span<const double>) const {
  return {};
}

LimitKind VectorField::classify(const State&, const State&, std::span<const double>) const {
  return LimitKind::Undecided;
}

std::optional<VectorField::Trap> VectorField::trap(const State&, std::span<const double>) const {
  return std::nullopt;
}

std::optional<double> VectorField::potential(const State&, std::span<const double>) const {
  return std::nullopt;
}

void FieldRegistry::add(std::unique_ptr<VectorField> field) {
  assert(field && find(field->info().key) == nullptr);
  assert(field->info().parameters.size() <= 4);
  fields_.push_back(std::move(field));
}

const VectorField* FieldRegistry::find(std::string_view key) const {
  for (const auto& field : fields_)
    if (field->info().key == key) return field.get();
  return nullptr;
}

}  // namespace sepx::dynamics
