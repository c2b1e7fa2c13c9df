// SPDX-License-Identifier: Apache-2.0
// The canonical models as vector fields d theta/dt = -grad L, with the tests that decide a basin early. Parameters: p,
// q. Any thread. The GPU counterpart of `classify` for (e,w) is in shaders/fields/ew.glsl.
#include "engine/markov/canonical_field.h"

#include <cmath>
#include <limits>
#include <string>

#include "engine/dynamics/basin_lanes.h"
#include "engine/markov/canonical_many.h"
#include "engine/markov/canonical_model.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/softmax_scalar.h"

namespace sepx::markov {

namespace {

using dynamics::FieldInfo;
using dynamics::LimitKind;

std::string equationOf(Model model) {
  switch (model) {
    case Model::EW:
      return "(e,w)' = -grad L(e, w), bias optimal";
    case Model::EWB:
      return "(e,w,b)' = -grad L(e, w, b)";
    case Model::EWA:
      return "(e,w,a)' = -grad L(e, w, a), bias optimal";
    case Model::EWAB:
      return "(e,w,a,b)' = -grad L(e, w, a, b)";
  }
  return {};
}

FieldInfo describe(Model model) {
  FieldInfo info;
  info.key = modelName(model);
  info.name = "Canonical transformer (";
  info.variables = {"e", "w"};
  if (hasAttention(model)) info.variables.emplace_back("a");
  if (hasFreeBias(model)) info.variables.emplace_back("b");
  for (const std::string& variable : info.variables)
    info.name += (info.name.back() == '(' ? "" : ", ") + variable;
  info.name += ")";
  info.description = "Gradient flow of the one-layer transformer on a binary Markov chain";
  info.equation = equationOf(model);
  constexpr double kInside = 1e-6;  // p and q lie in the open interval
  info.parameters = {{"p", "p", 0.5, kInside, 1 - kInside}, {"q", "q", 0.8, kInside, 1 - kInside}};
  info.windowMin = State::Constant(dimension(model), -2);
  info.windowMax = State::Constant(dimension(model), 2);
  return info;
}

class CanonicalField : public dynamics::VectorField {
 public:
  explicit CanonicalField(Model model) : model_(model), info_(describe(model)) {}

  const FieldInfo& info() const override { return info_; }
  State evaluate(const State& x, std::span<const double> parameters) const override {
    return -gradient(chainOf(parameters), model_, x);
  }
  void evaluateMany(std::span<const double> x, std::span<const double> y, std::span<const double> parameters,
                    std::span<double> fx, std::span<double> fy) const override {
    if (model_ == Model::EW)
      canonicalMany(chainOf(parameters), x, y, fx, fy);
    else
      VectorField::evaluateMany(x, y, parameters, fx, fy);
  }
  Jacobian jacobian(const State& x, std::span<const double> parameters) const override {
    return -markov::evaluate(chainOf(parameters), model_, x).hessian;
  }
  std::optional<double> potential(const State& x, std::span<const double> parameters) const override {
    return loss(chainOf(parameters), model_, x);
  }
  /// The saddle that the separatrix ends in; with a free bias it has b = log(pi1/pi0).
  std::vector<dynamics::FixedPoint> fixedPoints(std::span<const double> parameters) const override {
    return {{lift(0, -std::sqrt(0.5), parameters), LimitKind::Saddle}};
  }
  /// With a free bias a pixel starts at b = b*(e, w).
  State lift(double x, double y, std::span<const double> parameters) const override {
    State theta = VectorField::lift(x, y, parameters);
    if (hasFreeBias(model_)) theta[theta.size() - 1] = optimalBias(chainOf(parameters), model_, theta);
    return theta;
  }

  /// dw is proportional to |w|: no orbit crosses w = 0, though at a large e it comes as near as exp(-e^2).
  unsigned invariantPlanes() const override { return 1u << 1; }

  bool hasClassifier() const override { return true; }

  /// Why each answer is certain (Theorem 1): the loss falls along the flow, and every critical point off Theta* has
  /// S = 0 and the loss Lambda(0). With optimal bias Lambda is convex in S, so S runs monotonically to S_star and, once
  /// on S_star's side of zero, cannot stop before it; with a free bias a loss below Lambda(0) implies the same. Where
  /// (p+q-1) v > 0 the axis e = 0 attracts; 4|e| < |v| keeps clear of the separatrix, which leaves the saddle along
  /// 2|e| = |v|.
  LimitKind classify(const State&, const State& x, std::span<const double> parameters) const override {
    const Chain chain = chainOf(parameters);
    const double s = chain.switching();
    if (chain.degenerate() || s == 0) return LimitKind::Undecided;
    if (belowAxisLoss(chain, x)) return LimitKind::GlobalMin;
    const double e = x[0], v = 1 + 2 * x[1] * std::abs(x[1]);
    if (e == 0) return onAxis(s * v, x[1]);
    constexpr double kNearAxis = 1e-3, kClearOfSaddle = 4;
    const bool near = std::abs(e) < kNearAxis && s * v > 0 && std::abs(v) > kClearOfSaddle * std::abs(e);
    return near && settled(chain, x) ? LimitKind::LocalMin : LimitKind::Undecided;
  }

 private:
  static Chain chainOf(std::span<const double> parameters) { return Chain{parameters[0], parameters[1]}; }

  bool belowAxisLoss(const Chain& chain, const State& x) const {
    if (!hasFreeBias(model_)) return reducedS(model_, x) * chain.S_star() > 0;
    constexpr double kMargin = 1e-9;  // above the rounding of the two losses
    return loss(chain, model_, x) < chain.marginalEntropy() * (1 - kMargin);
  }

  /// Whether the axis remains attracting with attention and bias: a e^2 is small and b is near b*.
  bool settled(const Chain& chain, const State& x) const {
    constexpr double kSmall = 0.05;
    if (hasAttention(model_) && std::abs(x[2]) * x[0] * x[0] > kSmall) return false;
    return !hasFreeBias(model_) || std::abs(x[x.size() - 1] - optimalBias(chain, model_, x)) < kSmall;
  }

  static LimitKind onAxis(double sv, double w) {
    if (std::abs(w + std::sqrt(0.5)) <= std::numeric_limits<double>::epsilon()) return LimitKind::Saddle;
    return sv > 0 ? LimitKind::LocalMin : LimitKind::LocalMax;
  }

  Model model_;
  FieldInfo info_;
};

/// The models with optimal bias, for which many orbits are followed at once.
class ReducedField final : public CanonicalField, public dynamics::BasinLanes {
 public:
  explicit ReducedField(Model model) : CanonicalField(model), model_(model) {}

  void basinLabels(std::span<const double> parameters, std::span<const double> x, std::span<const double> y,
                   const dynamics::BasinMapOptions&, std::uint8_t* labels) const override {
    static_assert(dynamics::BasinLanes::kNeedsGeneralPath == markov::kNeedsGeneralPath);
    markov::basinLabels(Chain{parameters[0], parameters[1]}, model_, {x, y, {}}, labels);
  }

 private:
  Model model_;
};

}  // namespace

void addCanonicalFields(dynamics::FieldRegistry& registry) {
  registry.add(std::make_unique<ReducedField>(Model::EW));
  registry.add(std::make_unique<CanonicalField>(Model::EWB));
  registry.add(std::make_unique<ReducedField>(Model::EWA));
  registry.add(std::make_unique<CanonicalField>(Model::EWAB));
  registry.add(makeSoftmaxField());
}

}  // namespace sepx::markov
