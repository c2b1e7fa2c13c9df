// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/canonical_projection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string_view>

#include <Eigen/Dense>

#include "engine/core/try.h"
#include "engine/nn/initialise.h"

namespace sepx::nn {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// The parameters that the projection reads; an absent bias is empty.
struct Tensors {
  Vector e;            ///< [d]
  Matrix p;            ///< [N, d]
  Matrix W_1;          ///< [r, d]
  Matrix W_2;          ///< [d, r]
  Matrix OV, QK;       ///< W_O W_V, W_Q^T W_K, [d, d]
  double biases2 = 0;  ///< sum of squares of all biases except that of the logits
  double b = 0;        ///< bias of the logits
};

template <class T>
Tensors tensorsOf(const ParameterLayout& layout, std::span<const T> theta) {
  const auto matrix = [&](ParameterRole role, ParameterKind kind, int layer) -> Matrix {
    const Parameter* parameter = layout.find(role, kind, layer);
    if (parameter == nullptr) return {};
    using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const Rows>(theta.data() + parameter->offset, parameter->rows, parameter->columns)
        .template cast<double>();
  };
  const auto weight = [&](ParameterRole role) { return matrix(role, ParameterKind::Weight, 0); };
  Tensors all;
  all.e = matrix(ParameterRole::Embedding, ParameterKind::Embedding, -1).row(0).transpose();
  all.p = matrix(ParameterRole::Position, ParameterKind::Position, -1);
  all.W_1 = weight(ParameterRole::Up);
  all.W_2 = weight(ParameterRole::Down);
  all.OV = weight(ParameterRole::Projection) * weight(ParameterRole::Value);
  all.QK = weight(ParameterRole::Query).transpose() * weight(ParameterRole::Key);
  for (const Parameter& parameter : layout.all()) {
    if (parameter.kind != ParameterKind::Bias) continue;
    const double squares = matrix(parameter.role, parameter.kind, parameter.layer).squaredNorm();
    if (parameter.role != ParameterRole::OutputBias) all.biases2 += squares;
  }
  const Matrix output = matrix(ParameterRole::OutputBias, ParameterKind::Bias, -1);
  if (output.size() > 0) all.b = output(0, 0);
  return all;
}

/// The unit vector that keeps most of the squared norms.
Vector leadingDirection(const Tensors& all) {
  const auto d = all.e.size();
  const Matrix gram = all.e * all.e.transpose() + all.p.transpose() * all.p / static_cast<double>(all.p.rows()) +
                      all.W_1.transpose() * all.W_1 + all.W_2 * all.W_2.transpose() + all.OV * all.OV.transpose();
  const double size = gram.cwiseAbs().maxCoeff();
  if (!(size > 0) || !std::isfinite(size)) return Vector::Unit(d, 0);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram / size);
  return solver.eigenvectors().col(d - 1);
}

/// sum |h_k g_k| over the hidden units with h_k > 0, minus that over those with h_k < 0.
double balanceOf(const Vector& h, const Vector& g) {
  double balance = 0;
  for (Eigen::Index k = 0; k < h.size(); ++k)
    balance += std::abs(g[k]) * h[k];
  return balance;
}

/// Returns alpha with the sign that the header defines.
Vector orient(const Tensors& all, const Vector& alpha) {
  constexpr double kTie = 1e-12;
  const Vector h = all.W_1 * alpha, g = all.W_2.transpose() * alpha;
  const double balance = balanceOf(h, g), whole = h.cwiseProduct(g).cwiseAbs().sum();
  const bool turned = std::abs(balance) > kTie * whole ? balance < 0 : alpha.dot(all.e) < 0;
  return turned ? Vector(-alpha) : alpha;
}

CanonicalPart part(const char* name, double norm, double nearest, double distance) {
  const double larger = std::max(norm, nearest);
  return {name, norm, distance, larger == 0 ? 0 : distance / larger};  // propagates NaN
}

/// Compares M with its nearest in a linear set. The distance is that of the difference, so that equal matrices give 0.
CanonicalPart partOf(const char* name, const Matrix& M, const Matrix& nearest) {
  return part(name, M.norm(), nearest.norm(), (M - nearest).norm());
}

double constantOfHidden(const Vector& h, const Vector& g, double tau) {
  const auto relu = [&](double t) { return g.dot((h * t).cwiseMax(0.0)); };
  return (relu(tau) + relu(-tau)) / 2;
}

/// Distance of (h, g) from units that are equal up to sign with this w, relative to the larger norm.
double unevenness(const Vector& h, const Vector& g, double w) {
  const double each = 2 / std::sqrt(static_cast<double>(h.size()));
  const Vector signs = h.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
  const double apart = std::hypot((h - each * std::abs(w) * signs).norm(), (g - each * w * signs).norm());
  const double larger = std::max(std::hypot(h.norm(), g.norm()), 2 * std::sqrt(2.0) * std::abs(w));
  return larger > 0 ? apart / larger : 0;
}

double total(const std::array<CanonicalPart, kCanonicalParts>& parts, bool linear) {
  double apart = 0, whole = 0;
  for (const CanonicalPart& one : parts) {
    if (!linear && std::string_view(one.name) == "W_Q^T W_K") continue;
    apart += one.distance * one.distance;
    const double larger = one.residual > 0 ? one.distance / one.residual : one.norm;
    whole += larger * larger;
  }
  return whole == 0 ? 0 : std::sqrt(apart / whole);
}

}  // namespace

Result<void> checkProjection(const ModelConfig& config) {
  Initial canonical;
  canonical.scheme = InitialScheme::Canonical;
  canonical.a = canonical.b = 0;
  if (const auto fits = check(canonical, config); !fits)
    return fail(ErrorKind::Usage, "this model is not a canonical one: " + fits.error().message);
  if (config.input != Input::Bit || config.output != Output::Tied)
    return fail(ErrorKind::Usage,
                "this model is not a canonical one: set model.input to \"bit\" and model.output to \"tied\"");
  return {};
}

template <class T>
CanonicalProjection projectCanonical(const ModelConfig& config, const ParameterLayout& layout,
                                     std::span<const T> theta) {
  assert(checkProjection(config) && theta.size() == layout.size());
  const Tensors all = tensorsOf<T>(layout, theta);
  const bool linear = config.attention == AttentionKind::Linear;
  const Vector alpha = orient(all, leadingDirection(all));
  const Vector h = all.W_1 * alpha, g = all.W_2.transpose() * alpha, v = all.OV.transpose() * alpha;
  const double kappa = alpha.dot(all.QK * alpha);

  CanonicalProjection out;
  out.alpha.assign(alpha.data(), alpha.data() + alpha.size());
  out.e = alpha.dot(all.e);
  const double ww = h.dot(g) / 4;
  out.w = std::copysign(std::sqrt(std::abs(ww)), ww);
  out.a = linear ? config.scale() * kappa * v.dot(alpha) / 4 : 0;
  const double u = 1 + out.a * out.e * out.e, tau = out.e * u / 2;
  out.b = all.b + out.e * constantOfHidden(h, g, tau) - out.e * out.e * ww * std::abs(u);

  const double rows = std::sqrt(static_cast<double>(all.p.rows()));
  const Matrix positions = Vector::Constant(all.p.rows(), -out.e / 2) * alpha.transpose();
  // With softmax the canonical attention adds nothing, so its v has no component along alpha.
  const Vector wanted = linear ? v : Vector(v - v.dot(alpha) * alpha);
  out.parts = {partOf("e", all.e, out.e * alpha),
               partOf("p", all.p / rows, positions / rows),
               partOf("W_1", all.W_1, h * alpha.transpose()),
               partOf("W_2", all.W_2, alpha * g.transpose()),
               partOf("W_O W_V", all.OV, alpha * wanted.transpose()),
               partOf("W_Q^T W_K", all.QK, kappa * alpha * alpha.transpose()),
               part("biases", std::sqrt(all.biases2), 0, std::sqrt(all.biases2))};
  out.residual = total(out.parts, linear);
  out.uneven = unevenness(h, g, out.w);
  const double weight = h.cwiseProduct(g).cwiseAbs().sum();
  out.positive = weight > 0 ? (1 + balanceOf(h, g) / weight) / 2 : 1;
  return out;
}

template CanonicalProjection projectCanonical<float>(const ModelConfig&, const ParameterLayout&,
                                                     std::span<const float>);
template CanonicalProjection projectCanonical<double>(const ModelConfig&, const ParameterLayout&,
                                                      std::span<const double>);

}  // namespace sepx::nn
