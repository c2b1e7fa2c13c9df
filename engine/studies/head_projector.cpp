// SPDX-License-Identifier: Apache-2.0
// See head_projector.h.
#include "engine/studies/head_projector.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/checkpoint/load_factors.h"
#include "engine/core/try.h"

namespace sepx::studies {

using checkpoint::AttentionLayer;
using checkpoint::Checkpoint;
using checkpoint::NormSource;

namespace {

Result<Eigen::VectorXd> headGain(const Checkpoint& checkpoint, const std::optional<NormSource>& norm, int d_h) {
  if (!norm || norm->gain.empty()) return Eigen::VectorXd();
  SEPX_ASSIGN(Eigen::VectorXd gain, readVector(checkpoint, norm->gain, norm->onePlusGain ? 1 : 0));
  if (gain.size() != d_h || norm->kind != NormSource::Kind::Rms)
    return fail(ErrorKind::Usage,
                fmt::format("{}: the norm of queries and keys is not an RMS norm per head, and other norms are not "
                            "supported; choose another checkpoint",
                            norm->gain));
  return gain;
}

}  // namespace

Result<Eigen::VectorXd> readVector(const Checkpoint& checkpoint, const std::string& name, double added) {
  const checkpoint::TensorInfo* const tensor = checkpoint.find(name);
  if (!tensor) return fail(ErrorKind::BadInput, fmt::format("{}: has no tensor {}", checkpoint.path(), name));
  Eigen::VectorXd values(static_cast<Eigen::Index>(tensor->values()));
  const auto size = static_cast<std::size_t>(values.size());
  SEPX_TRY(checkpoint.read(*tensor, 0, values.size(), 0, 1, std::span<double>(values.data(), size)));
  return Eigen::VectorXd(values.array() + added);
}

Result<HeadProjector> HeadProjector::load(const Checkpoint& checkpoint, const AttentionLayer& layer,
                                          const checkpoint::Cancelled& cancelled) {
  if (!layer.rope)
    return fail(ErrorKind::Usage,
                fmt::format("{}: layer {} has no rotary encoding, so that it has no planes of RoPE; open a checkpoint "
                            "with RoPE, such as LLaDA, Dream or LLaMA",
                            checkpoint.path(), layer.layer));
  const int turned = layer.rope->dimensions > 0 ? layer.rope->dimensions : layer.d_h;
  if (layer.d_h % 2 != 0 || turned % 2 != 0)
    return fail(ErrorKind::Usage,
                fmt::format("{}: a head of {} dimensions, of which {} are rotated, has no whole planes; RoPE needs "
                            "even numbers",
                            checkpoint.path(), layer.d_h, turned));
  HeadProjector out;
  SEPX_ASSIGN(out.factors_, checkpoint::loadFactors(checkpoint, layer, {}, cancelled));
  SEPX_ASSIGN(out.omitted_, checkpoint::loadOmittedScoreParts(checkpoint, layer));
  SEPX_ASSIGN(out.queryGain_, headGain(checkpoint, layer.q_norm, layer.d_h));
  SEPX_ASSIGN(out.keyGain_, headGain(checkpoint, layer.k_norm, layer.d_h));
  if (layer.q_norm) out.headEpsilon_ = layer.q_norm->epsilon;
  const int planes = layer.d_h / 2, rotary = turned / 2;
  out.order_.resize(static_cast<std::size_t>(layer.d_h));
  for (int s = 0; s < planes; ++s) {
    const bool turns = s < rotary;
    out.angles_.push_back(turns ? std::pow(layer.rope->base, -2.0 * s / turned) : 0);
    const int rest = turned + s - rotary;  // if not rotated: the first coordinate of its pair
    const Eigen::Index first = !turns ? rest : layer.rope->interleaved ? 2 * s : s;
    const Eigen::Index second = !turns ? rest + planes - rotary : layer.rope->interleaved ? 2 * s + 1 : s + rotary;
    out.order_[static_cast<std::size_t>(s)] = first;
    out.order_[static_cast<std::size_t>(s + planes)] = second;
  }
  return out;
}

Eigen::VectorXd HeadProjector::normed(const Eigen::VectorXd& x) const {
  if (!omitted_.hasNorm) return x;
  const auto n = static_cast<double>(x.size());
  Eigen::VectorXd out = x;
  if (!omitted_.rms) out.array() -= x.mean();
  out /= std::sqrt(out.squaredNorm() / n + omitted_.epsilon);
  if (omitted_.gain.size() > 0) out.array() *= omitted_.gain.array();
  if (omitted_.bias.size() > 0) out += omitted_.bias;
  return out;
}

Eigen::VectorXd HeadProjector::ordered(Eigen::VectorXd x, const Eigen::VectorXd& gain) const {
  if (gain.size() > 0) {
    x /= std::sqrt(x.squaredNorm() / static_cast<double>(x.size()) + headEpsilon_);
    x.array() *= gain.array();
  }
  return x(order_);
}

Eigen::VectorXd HeadProjector::query(int head, const Eigen::VectorXd& normed) const {
  Eigen::VectorXd q = factors_.query(head).transpose() * normed;
  if (omitted_.b_Q.size() > 0) q += omitted_.b_Q.segment(Eigen::Index{head} * d_h(), d_h());
  return ordered(std::move(q), queryGain_);
}

Eigen::VectorXd HeadProjector::key(int head, const Eigen::VectorXd& normed) const {
  Eigen::VectorXd k = factors_.key(head).transpose() * normed;
  const Eigen::Index at = factors_.keyHead[static_cast<std::size_t>(head)];
  if (omitted_.b_K.size() > 0) k += omitted_.b_K.segment(at * d_h(), d_h());
  return ordered(std::move(k), keyGain_);
}

double HeadProjector::score(const Eigen::VectorXd& query, const Eigen::VectorXd& key, double distance) const {
  const auto planes = static_cast<Eigen::Index>(angles_.size());
  double sum = 0;
  for (Eigen::Index s = 0; s < planes; ++s) {
    const double angle = angles_[static_cast<std::size_t>(s)] * distance, c = std::cos(angle), n = std::sin(angle);
    const double k1 = c * key[s] - n * key[s + planes], k2 = n * key[s] + c * key[s + planes];
    sum += query[s] * k1 + query[s + planes] * k2;
  }
  return scale() * sum;
}

}  // namespace sepx::studies
