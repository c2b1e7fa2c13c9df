// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/routing.h"

#include <cmath>

namespace sepx::reversal {
namespace {

/// Applies the last norm, without the division by the deviation, and the output matrix to a vector of the stream, [V].
Vector read(const OneLayer& model, const Vector& x) {
  return model.U() * model.finalNorm().linear(x);
}

/// g_f U_A, minus its mean if the norm subtracts the mean. Its product with a vector is entry A of read().
Vector outputRow(const OneLayer& model, Eigen::Index A) {
  const NormParts& norm = model.finalNorm();
  if (norm.kind == nn::Norm::None) return model.U().row(A);
  const Vector gained = model.U().row(A).transpose().array() * norm.gain.array();
  return norm.kind == nn::Norm::Layer ? Vector(gained.array() - gained.mean()) : gained;
}

/// The row whose product with n(x_t) is Y_{A,t}.
Vector storageRow(const OneLayer& model, Eigen::Index A) {
  return model.W_V().transpose() * (model.W_O().transpose() * outputRow(model, A));
}

/// The inputs of the last norm.
struct Paths {
  const Vector& predicted;  ///< of all tokens, through attention
  const Vector &stream, &feedForwardOutput;
  double deviation;
};

LogitParts partsOf(const OneLayer& model, const Paths& paths, Eigen::Index A) {
  const Eigen::Index d = model.config().d_model;
  const Vector row = outputRow(model, A);
  const auto of = [&](const Vector& x) { return row.dot(x) / paths.deviation; };
  LogitParts parts;
  parts.storage = paths.predicted[A];
  if (model.config().residual) parts.residual = of(paths.stream);
  parts.feedForward = of(paths.feedForwardOutput);
  parts.norms =
      of(model.W_O() * (model.W_V() * model.firstNorm().shift(d))) + model.U().row(A).dot(model.finalNorm().shift(d));
  parts.biases = of(model.W_O() * model.valueBias() + model.outputBias()) + model.logitBias()[A];
  return parts;
}

}  // namespace

int rowOf(const Query& query) {
  return query.hidden < static_cast<int>(query.tokens.size()) ? query.hidden
                                                              : static_cast<int>(query.tokens.size()) - 1;
}

Route route(const OneLayer& model, const Query& query, int row, std::span<const int> places, const Vector& alpha) {
  const auto placeOf = [places](std::size_t k) { return places.empty() ? static_cast<int>(k) : places[k]; };
  const auto at = static_cast<std::size_t>(row);
  const Eigen::Index A = query.target, d = model.config().d_model;
  Route out;
  out.alpha = alpha.size() > 0 ? alpha : model.alpha(query.tokens, row, places);

  const Vector stream = model.stream(query.tokens[at], placeOf(at));
  const Vector context = model.context(query.tokens, out.alpha, places);
  const Vector attended = model.attended(context, stream), added = model.feedForwardOutput(attended);
  const Vector last = attended + added;
  out.deviation = model.finalNorm().deviation(last);
  out.actual = (read(model, last) / out.deviation + model.U() * model.finalNorm().shift(d) + model.logitBias());

  const Vector weights = storageRow(model, A);
  out.contributions.resize(static_cast<Eigen::Index>(query.tokens.size()));
  Vector mixed = Vector::Zero(d);  // sum_k alpha_k n(x_k)
  for (std::size_t k = 0; k < query.tokens.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const Vector n = model.read(query.tokens[k], placeOf(k));
    out.contributions[i] = out.alpha[i] * weights.dot(n) / out.deviation;
    mixed += out.alpha[i] * n;
  }
  const auto evidence = static_cast<std::size_t>(query.evidence);
  out.column = read(model, model.W_O() * (model.W_V() * model.read(query.tokens[evidence], placeOf(evidence))));
  out.predicted = read(model, model.W_O() * (model.W_V() * mixed)) / out.deviation;

  const Paths paths{out.predicted, stream, added, out.deviation};
  out.target = partsOf(model, paths, A);
  out.placeholder = partsOf(model, paths, data::kPairPlaceholder);
  out.probability = 1 / (out.actual.array() - out.actual[A]).exp().sum();
  return out;
}

}  // namespace sepx::reversal
