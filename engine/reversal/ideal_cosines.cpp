// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/ideal_cosines.h"

#include "engine/reversal/model_weights.h"

namespace sepx::reversal {
namespace {

double cosineOf(double product, double norm2, double otherNorm2) {
  const double norms = std::sqrt(norm2) * std::sqrt(otherNorm2);
  return norms > 0 ? product / norms : std::nan("");
}

double cosineOf(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return cosineOf(a.dot(b), a.squaredNorm(), b.squaredNorm());
}

/// The terms of a query from which the gradients are computed.
struct Terms {
  Eigen::VectorXd u;            ///< W_U^T (p - e_A)
  double score = 0;             ///< c = dL/dS_B
  Eigen::VectorXd mask, token;  ///< gradients of the columns of [M] and of B
};
Terms termsOf(const IdealLayer& layer, const IdealQuery& query) {
  Terms terms;
  terms.u = layer.W_U.transpose() * query.error;
  terms.score = query.alpha * (1 - query.alpha) * query.scale * terms.u.dot(layer.W_V * query.evidence);
  terms.mask = terms.score * layer.W_Q.transpose() * query.queryGradient;
  terms.token = terms.score * layer.W_K.transpose() * query.keyGradient + query.alpha * layer.W_V.transpose() * terms.u;
  return terms;
}

/// R(places) x: plane s has the coordinates s and s + D/2.
Eigen::VectorXd turned(const Eigen::VectorXd& x, double base, double places) {
  const Eigen::Index half = x.size() / 2;
  Eigen::VectorXd out = x;
  for (Eigen::Index s = 0; s < half; ++s) {
    const double angle = places * std::pow(base, -2.0 * static_cast<double>(s) / static_cast<double>(x.size()));
    const double c = std::cos(angle), n = std::sin(angle);
    out[s] = c * x[s] - n * x[s + half];
    out[s + half] = n * x[s] + c * x[s + half];
  }
  return out;
}

}  // namespace

IdealCosines idealCosines(const IdealLayer& layer, const IdealQuery& forward, const IdealQuery& reverse) {
  const Terms f = termsOf(layer, forward), r = termsOf(layer, reverse);
  const double sign = f.score * r.score > 0 ? 1 : f.score * r.score < 0 ? -1 : std::nan("");
  const double masks = cosineOf(forward.mask, reverse.mask), tokens = cosineOf(forward.evidence, reverse.evidence);
  IdealCosines out;
  out.output =
      cosineOf(forward.error, reverse.error) * cosineOf(layer.W_V * forward.evidence, layer.W_V * reverse.evidence);
  out.value = cosineOf(f.u, r.u) * tokens;
  out.query = sign * cosineOf(forward.queryGradient, reverse.queryGradient) * masks;
  out.key = sign * cosineOf(forward.keyGradient, reverse.keyGradient) * tokens;
  out.embedding = cosineOf(f.mask.dot(r.mask) + f.token.dot(r.token), f.mask.squaredNorm() + f.token.squaredNorm(),
                           r.mask.squaredNorm() + r.token.squaredNorm());
  return out;
}

IdealProducts idealProducts(const IdealLayer& layer, const IdealQuery& forward, const IdealQuery& reverse) {
  const Terms f = termsOf(layer, forward), r = termsOf(layer, reverse);
  const double alphas = forward.alpha * reverse.alpha, scores = f.score * r.score;
  const Eigen::VectorXd keyF = layer.W_K.transpose() * forward.keyGradient,
                        keyR = layer.W_K.transpose() * reverse.keyGradient, valueF = layer.W_V.transpose() * f.u,
                        valueR = layer.W_V.transpose() * r.u;
  IdealProducts out;
  out.output =
      alphas * forward.error.dot(reverse.error) * (layer.W_V * forward.evidence).dot(layer.W_V * reverse.evidence);
  out.value = alphas * f.u.dot(r.u) * forward.evidence.dot(reverse.evidence);
  out.query = scores * forward.mask.dot(reverse.mask) * forward.queryGradient.dot(reverse.queryGradient);
  out.key = scores * forward.evidence.dot(reverse.evidence) * forward.keyGradient.dot(reverse.keyGradient);
  out.embeddingQuery = f.mask.dot(r.mask);
  out.embeddingKey = scores * keyF.dot(keyR);
  out.embeddingValue = alphas * valueF.dot(valueR);
  out.embeddingCross = f.score * reverse.alpha * keyF.dot(valueR) + r.score * forward.alpha * keyR.dot(valueF);
  return out;
}

IdealLayer idealLayer(const nn::Transformer<double>& model) {
  using nn::ParameterKind;
  using nn::ParameterRole;
  return {outputOf(model),
          weightOf(model, ParameterRole::Projection, ParameterKind::Weight, 0) *
              weightOf(model, ParameterRole::Value, ParameterKind::Weight, 0),
          weightOf(model, ParameterRole::Query, ParameterKind::Weight, 0),
          weightOf(model, ParameterRole::Key, ParameterKind::Weight, 0)};
}

IdealQuery idealQuery(nn::Transformer<double>& model, const MaskedPass& pass) {
  const nn::ModelConfig& config = model.config();
  const IdealLayer layer = idealLayer(model);
  const Eigen::Index d = config.d_model;
  const auto read = [&](int place) {
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(model.probe().x.data() + place * d, d));
  };
  IdealQuery query;
  query.alpha = pass.alpha[static_cast<std::size_t>(pass.query.evidence)];
  query.scale = config.scale();
  query.error = Eigen::Map<const Eigen::VectorXd>(pass.error.data(), static_cast<Eigen::Index>(pass.error.size()));
  query.mask = read(pass.query.hidden);
  query.evidence = read(pass.query.evidence);
  Eigen::VectorXd q = layer.W_Q * query.mask, k = layer.W_K * query.evidence;
  if (config.attentionBias) {
    q += weightOf(model, nn::ParameterRole::Query, nn::ParameterKind::Bias, 0).col(0);
    k += weightOf(model, nn::ParameterRole::Key, nn::ParameterKind::Bias, 0).col(0);
  }
  const bool rope = config.positions == nn::Positions::Rope;
  const int distance = pass.query.evidence - pass.query.hidden;
  query.queryGradient = rope ? turned(k, config.ropeBase, distance) : k;
  query.keyGradient = rope ? turned(q, config.ropeBase, -distance) : q;
  return query;
}

}  // namespace sepx::reversal
