// SPDX-License-Identifier: Apache-2.0
// Loss, gradient and Hessian of the canonical models. With optimal bias L = Lambda(S), so everything follows from S and
// its derivatives; with a free bias the logits are z_{1,0} = k + b +- S/2 with k = e^2 w|w| |1 + a e^2|. Pure
// functions. Published / corrected: the bars of |1 + a e^2| are kept and the derivatives of k follow from them (errata
// 4, 5, 12).
#include "engine/markov/canonical_model.h"

#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

namespace sepx::markov {

namespace {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

double signOf(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}
/// a b, but 0 for 0 times infinity: a zero factor here is exact, or the underflow of an exponential that outweighs any
/// power.
double product(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

/// The scalars every formula starts from; a = 0 where the model has none.
struct Parts {
  double e, w, a, b, ee, u, v, ww;  // ww = w|w|
};

Parts partsOf(Model model, const State& theta) {
  Parts s{};
  s.e = theta[0];
  s.w = theta[1];
  s.a = hasAttention(model) ? theta[2] : 0.0;
  s.b = hasFreeBias(model) ? theta[dimension(model) - 1] : 0.0;
  s.ee = s.e * s.e;
  s.u = 1 + product(s.a, s.ee);
  s.ww = s.w * std::abs(s.w);
  s.v = 1 + 2 * s.ww;
  return s;
}

double valueS(const Parts& s) {
  return product(product(s.ee, s.u), s.v);
}
double valueK(const Parts& s) {
  return product(product(s.ee, s.ww), std::abs(s.u));
}

/// A scalar function of (e, w, a) with its derivatives.
struct Jet {
  double value;
  Vector3 gradient;
  Matrix3 hessian;
};

/// e^2 u f(w): S has u and f = 1 + 2w|w|, k has |u| and f = w|w|; the two share this shape.
Jet jet(const Parts& s, double sign, double f, double slope, double bend) {
  const double e = s.e, e3 = e * s.ee, e4 = s.ee * s.ee;
  const double first = 2 * e + 4 * product(s.a, e3);  // d(e^2 u)/de
  Jet j;
  j.value = product(product(s.ee, sign * s.u), f);
  j.gradient << product(sign * first, f), product(product(s.ee, sign * s.u), slope), product(sign * e4, f);
  j.hessian(0, 0) = product(sign * (2 + 12 * product(s.a, s.ee)), f);
  j.hessian(0, 1) = product(sign * first, slope);
  j.hessian(0, 2) = product(sign * 4 * e3, f);
  j.hessian(1, 1) = product(product(s.ee, sign * s.u), bend);
  j.hessian(1, 2) = product(sign * e4, slope);
  j.hessian(2, 2) = 0;
  j.hessian.triangularView<Eigen::StrictlyLower>() = j.hessian.transpose();
  return j;
}

Jet jetS(const Parts& s) {
  return jet(s, 1, s.v, 4 * std::abs(s.w), 4 * signOf(s.w));
}
Jet jetK(const Parts& s) {
  return jet(s, signOf(s.u), s.ww, 2 * std::abs(s.w), 2 * signOf(s.w));
}

/// Index in theta of (e, w, a, b); -1 where the model has none.
std::array<Eigen::Index, 4> places(Model model) {
  switch (model) {
    case Model::EW:
      return {0, 1, -1, -1};
    case Model::EWB:
      return {0, 1, -1, 2};
    case Model::EWA:
      return {0, 1, 2, -1};
    case Model::EWAB:
      return {0, 1, 2, 3};
  }
  return {0, 1, -1, -1};
}

Evaluation pick(Model model, const Eigen::Vector4d& gradient, const Eigen::Matrix4d& hessian) {
  const auto place = places(model);
  Evaluation result;
  result.gradient.resize(dimension(model));
  result.hessian.resize(dimension(model), dimension(model));
  for (Eigen::Index i = 0; i < 4; ++i) {
    const auto row = place[static_cast<std::size_t>(i)];
    if (row < 0) continue;
    result.gradient[row] = gradient[i];
    for (Eigen::Index j = 0; j < 4; ++j)
      if (const auto column = place[static_cast<std::size_t>(j)]; column >= 0)
        result.hessian(row, column) = hessian(i, j);
  }
  return result;
}

/// Adds weight x x^T and keeps the matrix exactly symmetric.
void addOuter(Eigen::Matrix4d& matrix, double weight, const Eigen::Vector4d& x) {
  for (Eigen::Index i = 0; i < 4; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double value = matrix(i, j) + product(product(weight, x[i]), x[j]);
      matrix(i, j) = matrix(j, i) = value;
    }
}

Evaluation evaluateOptimal(const Chain& chain, Model model, const Parts& s) {
  const Jet S = jetS(s);
  const Lambda l = lambda(chain, S.value);
  Eigen::Vector4d gradient = Eigen::Vector4d::Zero();
  Eigen::Vector4d slope = Eigen::Vector4d::Zero();
  Eigen::Matrix4d hessian = Eigen::Matrix4d::Zero();
  slope.head<3>() = S.gradient;
  for (Eigen::Index i = 0; i < 3; ++i) {
    gradient[i] = product(l.first, S.gradient[i]);
    for (Eigen::Index j = 0; j < 3; ++j)
      hessian(i, j) = product(l.first, S.hessian(i, j));
  }
  addOuter(hessian, l.second, slope);
  Evaluation result = pick(model, gradient, hessian);
  result.S = S.value;
  result.loss = l.value;
  result.bias = l.c + S.value / 2 - valueK(s);
  return result;
}

/// Logits and residuals with a free bias: r = d loss/d z, slope = d r/d z.
struct Residuals {
  double z1, z0, r1, r0, slope1, slope0;
};

Residuals residuals(const Chain& chain, const Parts& s) {
  const double k = valueK(s), S = valueS(s), pi0 = chain.pi0(), pi1 = chain.pi1();
  Residuals r{};
  r.z1 = k + s.b + S / 2;
  r.z0 = k + s.b - S / 2;
  const double sigma1 = sigmoid(r.z1), sigma0 = sigmoid(r.z0);
  r.r1 = pi1 * (sigma1 - (1 - chain.q));
  r.r0 = pi0 * (sigma0 - chain.p);
  r.slope1 = pi1 * sigma1 * sigmoid(-r.z1);
  r.slope0 = pi0 * sigma0 * sigmoid(-r.z0);
  return r;
}

double lossOf(const Chain& chain, const Residuals& r) {
  return chain.pi0() * ((1 - chain.p) * softplus(r.z0) + chain.p * softplus(-r.z0)) +
         chain.pi1() * (chain.q * softplus(r.z1) + (1 - chain.q) * softplus(-r.z1));
}

Eigen::Vector4d logitSlope(const Jet& k, const Jet& S, double sign) {
  Eigen::Vector4d slope;
  slope << k.gradient + sign * 0.5 * S.gradient, 1;
  return slope;
}

Evaluation evaluateFree(const Chain& chain, Model model, const Parts& s) {
  const Jet S = jetS(s), k = jetK(s);
  const Residuals r = residuals(chain, s);
  const Eigen::Vector4d slope1 = logitSlope(k, S, 1), slope0 = logitSlope(k, S, -1);
  Eigen::Vector4d gradient;
  Eigen::Matrix4d hessian = Eigen::Matrix4d::Zero();
  for (Eigen::Index i = 0; i < 4; ++i)
    gradient[i] = product(r.r1, slope1[i]) + product(r.r0, slope0[i]);
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j)
      hessian(i, j) =
          product(r.r1, k.hessian(i, j) + S.hessian(i, j) / 2) + product(r.r0, k.hessian(i, j) - S.hessian(i, j) / 2);
  addOuter(hessian, r.slope1, slope1);
  addOuter(hessian, r.slope0, slope0);
  Evaluation result = pick(model, gradient, hessian);
  result.S = S.value;
  result.loss = lossOf(chain, r);
  result.bias = s.b;
  return result;
}

}  // namespace

std::optional<Model> modelFromName(std::string_view name) {
  for (const Model model : {Model::EW, Model::EWB, Model::EWA, Model::EWAB})
    if (modelName(model) == name) return model;
  return std::nullopt;
}

std::string_view modelName(Model model) {
  switch (model) {
    case Model::EW:
      return "ew";
    case Model::EWB:
      return "ewb";
    case Model::EWA:
      return "ewa";
    case Model::EWAB:
      return "ewab";
  }
  return "";
}

double reducedS(Model model, const State& theta) {
  return valueS(partsOf(model, theta));
}

double optimalBias(const Chain& chain, Model model, const State& theta) {
  const Parts s = partsOf(model, theta);
  const double S = valueS(s);
  return lambdaC(chain, S) + S / 2 - valueK(s);
}

Evaluation evaluate(const Chain& chain, Model model, const State& theta) {
  const Parts s = partsOf(model, theta);
  return hasFreeBias(model) ? evaluateFree(chain, model, s) : evaluateOptimal(chain, model, s);
}

double loss(const Chain& chain, Model model, const State& theta) {
  const Parts s = partsOf(model, theta);
  return hasFreeBias(model) ? lossOf(chain, residuals(chain, s)) : lambda(chain, valueS(s)).value;
}

State gradient(const Chain& chain, Model model, const State& theta) {
  const Parts s = partsOf(model, theta);
  const double scale = 2 + 4 * product(s.a, s.ee);
  const Vector3 slopeS(product(s.e * scale, s.v), product(product(s.ee, s.u), 4 * std::abs(s.w)),
                       product(s.ee * s.ee, s.v));
  State result(dimension(model));
  if (!hasFreeBias(model)) {
    const double first = lambdaFirst(chain, valueS(s));
    for (Eigen::Index i = 0; i < result.size(); ++i)
      result[i] = product(first, slopeS[i]);
    return result;
  }
  const double sign = signOf(s.u);
  const Vector3 slopeK(product(sign * s.e * scale, s.ww), product(product(s.ee, std::abs(s.u)), 2 * std::abs(s.w)),
                       product(sign * s.ee * s.ee, s.ww));
  const Residuals r = residuals(chain, s);
  for (Eigen::Index i = 0; i + 1 < result.size(); ++i)
    result[i] = product(r.r1, slopeK[i] + slopeS[i] / 2) + product(r.r0, slopeK[i] - slopeS[i] / 2);
  result[result.size() - 1] = r.r1 + r.r0;
  return result;
}

State hessianEigenvalues(const Jacobian& hessian) {
  if (!hessian.allFinite()) return State::Constant(hessian.rows(), std::numeric_limits<double>::quiet_NaN());
  const Eigen::MatrixXd matrix = hessian;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace sepx::markov
