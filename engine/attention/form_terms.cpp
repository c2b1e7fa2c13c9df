// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/form_terms.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace sepx::attention {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// LayerNorm or RMSNorm as the model applies it before the projections; x itself if the model has no norm.
VectorXd normed(const OmittedScoreParts& omitted, const VectorXd& x) {
  if (!omitted.hasNorm) return x;
  const double mean = omitted.rms ? 0 : x.mean();
  VectorXd y = x.array() - mean;
  y /= std::sqrt(y.squaredNorm() / double(y.size()) + omitted.epsilon);
  if (omitted.gain.size() == y.size()) y = y.cwiseProduct(omitted.gain);
  if (omitted.bias.size() == y.size()) y += omitted.bias;
  return y;
}

/// R(offset) k: pair t of the first ropeDimensions coordinates is rotated by the angle offset * base^(-2 t /
/// dimensions).
VectorXd rotated(const OmittedScoreParts& omitted, const VectorXd& k, int offset) {
  VectorXd turned = k;
  if (!(omitted.ropeBase > 0)) return turned;
  const Index dimensions = std::min<Index>(omitted.ropeDimensions > 0 ? omitted.ropeDimensions : k.size(), k.size());
  const Index pairs = dimensions / 2;
  for (Index t = 0; t < pairs; ++t) {
    const double angle = offset * std::pow(omitted.ropeBase, -2.0 * double(t) / double(dimensions));
    const Index a = omitted.ropeInterleaved ? 2 * t : t, b = omitted.ropeInterleaved ? 2 * t + 1 : t + pairs;
    turned(a) = k(a) * std::cos(angle) - k(b) * std::sin(angle);
    turned(b) = k(a) * std::sin(angle) + k(b) * std::cos(angle);
  }
  return turned;
}

/// The bias of one head; zero if there is none.
VectorXd biasOf(const VectorXd& biases, Index head, Index d_h) {
  if (biases.size() < (head + 1) * d_h) return VectorXd::Zero(d_h);
  return biases.segment(head * d_h, d_h);
}

}  // namespace

std::vector<HeadTerms> formTerms(const LayerFactors& factors, const OmittedScoreParts& omitted, const VectorXd& x_i,
                                 const VectorXd& x_j, int offset) {
  assert(x_i.size() == factors.rows() && x_j.size() == factors.columns());
  const VectorXd y_i = normed(omitted, x_i), y_j = omitted.normOfKeys ? normed(omitted, x_j) : x_j;
  std::vector<HeadTerms> terms;
  terms.reserve(static_cast<std::size_t>(factors.heads));
  for (int h = 0; h < factors.heads; ++h) {
    const auto W_Q = factors.query(h), W_K = factors.key(h);
    const VectorXd b_Q = biasOf(omitted.b_Q, h, factors.d_h);
    const VectorXd b_K = biasOf(omitted.b_K, factors.keyHead[static_cast<std::size_t>(h)], factors.d_h);
    const VectorXd rawQuery = W_Q.transpose() * x_i, rawKey = W_K.transpose() * x_j;
    const VectorXd query = W_Q.transpose() * y_i, key = W_K.transpose() * y_j;
    const VectorXd q = query + b_Q, k = key + b_K;
    HeadTerms one;
    one.form = rawQuery.dot(rawKey);
    one.norm = query.dot(key) - one.form;
    one.queryBias = b_Q.dot(key);
    one.keyBias = query.dot(b_K);
    one.bothBiases = b_Q.dot(b_K);
    one.score = q.dot(rotated(omitted, k, offset));
    one.rope = omitted.ropeBase > 0 ? one.score - q.dot(k) : 0;
    terms.push_back(one);
  }
  return terms;
}

Ranking ranking(const std::vector<double>& raw, double scale) {
  Ranking result;
  result.raw = raw;
  double largest = -std::numeric_limits<double>::infinity();
  for (const double score : raw)
    if (scale * score > largest) largest = scale * score;
  double total = 0;
  for (const double score : raw) {
    result.softmax.push_back(std::exp(scale * score - largest));
    total += result.softmax.back();
  }
  for (double& share : result.softmax)
    share /= total;
  result.order.resize(raw.size());
  std::iota(result.order.begin(), result.order.end(), 0);
  // NaN last; equal scores keep their order.
  std::stable_sort(result.order.begin(), result.order.end(), [&raw](int a, int b) {
    const double x = raw[static_cast<std::size_t>(a)], y = raw[static_cast<std::size_t>(b)];
    return std::isnan(y) ? !std::isnan(x) : x > y;
  });
  return result;
}

}  // namespace sepx::attention
