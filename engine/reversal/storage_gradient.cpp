// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/storage_gradient.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/Core>

#include "engine/core/try.h"
#include "engine/nn/layers/attention.h"
#include "engine/reversal/letter_scores.h"
#include "engine/reversal/model_weights.h"

namespace sepx::reversal {
namespace {

/// The part of a value that does not depend on its token: W_V times the bias of the norm, plus the bias of W_V. A row
/// vector.
template <class T>
Eigen::RowVectorXd valueShift(const nn::Transformer<T>& model) {
  const nn::ModelConfig& config = model.config();
  Eigen::RowVectorXd shift = Eigen::RowVectorXd::Zero(config.d_h());
  if (config.placement == nn::Placement::Pre && config.norm == nn::Norm::Layer && config.normBias)
    shift += (weightOf(model, nn::ParameterRole::Value, nn::ParameterKind::Weight, 0) *
              weightOf(model, nn::ParameterRole::AttentionNorm, nn::ParameterKind::NormBias, 0).col(0))
                 .transpose();
  if (config.attentionBias)
    shift += weightOf(model, nn::ParameterRole::Value, nn::ParameterKind::Bias, 0).col(0).transpose();
  return shift;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double cosineOf(std::span<const double> a, std::span<const double> b) {
  const double norms = std::sqrt(dot(a, a)) * std::sqrt(dot(b, b));
  return norms > 0 ? dot(a, b) / norms : std::nan("");
}

nn::Batch batchOf(const Query& query) {
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = static_cast<int>(query.tokens.size());
  batch.tokens = query.tokens;
  batch.targets = {{query.hidden, query.target, 1}};
  return batch;
}

/// p, error and loss from logits, each to full precision also where p(A) is near 1.
template <class T>
void predict(nn::Transformer<T>& model, const nn::Batch& batch, MaskedPass& out) {
  std::vector<T> logits(static_cast<std::size_t>(model.config().logits()));
  const std::int32_t rows[] = {out.query.hidden};
  model.logits(batch, rows, logits);
  const double most = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
  double sum = 0;
  for (const T logit : logits)
    sum += out.p.emplace_back(std::exp(static_cast<double>(logit) - most));
  for (double& share : out.p)
    share /= sum;
  const auto target = static_cast<std::size_t>(out.query.target);
  out.error = out.p;
  out.error[target] = 0;
  const double others = std::accumulate(out.error.begin(), out.error.end(), 0.0);
  out.error[target] = -others;
  out.loss = others < 0.5 ? -std::log1p(-others) : -std::log(out.p[target]);
}

/// Reads the row of [M] of the attention probabilities and of dL/d(q . k), and the storage of all places.
template <class T>
void readAttention(nn::Transformer<T>& model, const nn::Batch& batch, MaskedPass& out) {
  const nn::ModelConfig& config = model.config();
  model.probe().layer = 0;
  model.clearGradient();
  model.accumulate(batch, {});
  std::vector<double> slopes(static_cast<std::size_t>(config.heads));
  nn::AttentionShape shape = nn::attentionShape(config, slopes);
  shape.sequences = 1;
  shape.length = batch.length;
  const auto d_q = static_cast<std::size_t>(config.d_q());
  const T* const q = model.probe().qkv.data();
  const nn::AttentionInput<T> in{q, q + d_q, q + 2 * d_q, static_cast<std::size_t>(config.d_qkv())};
  const auto length = static_cast<std::size_t>(batch.length);
  std::vector<T> whole(length * length);
  const auto row = whole.begin() + static_cast<std::ptrdiff_t>(length) * out.query.hidden;
  nn::attentionProbabilities<T>(shape, in, 0, 0, whole);
  out.alpha.assign(row, row + static_cast<std::ptrdiff_t>(length));
  nn::attentionBetas<T>(shape, in, model.probe().contextGradient.data(), d_q, 0, 0, whole);
  out.scoreGradient.assign(row, row + static_cast<std::ptrdiff_t>(length));
  RowMajor<double> values = Eigen::Map<const RowMajor<T>, 0, Eigen::OuterStride<>>(in.v, batch.length, config.d_h(),
                                                                                   Eigen::OuterStride<>(config.d_qkv()))
                                .template cast<double>();
  values.rowwise() -= valueShift(model);
  const RowMajor<double> storage =
      values * weightOf(model, nn::ParameterRole::Projection, nn::ParameterKind::Weight, 0).transpose() *
      outputOf(model).transpose();
  out.storage.assign(storage.data(), storage.data() + storage.size());
}

void addIdealScoreGradient(MaskedPass& out, double scale) {
  std::vector<double> mu;
  for (std::size_t k = 0; k < out.alpha.size(); ++k)
    mu.push_back(dot(out.error, out.column(static_cast<int>(k))));
  const double mean = dot(out.alpha, mu);
  for (std::size_t k = 0; k < mu.size(); ++k)
    out.idealScoreGradient.push_back(scale * out.alpha[k] * (mu[k] - mean));
}

void countScores(const MaskedPass& pass, StorageSigns& into) {
  for (std::size_t k = 0; k < pass.alpha.size(); ++k) {
    ++into.scores;
    into.agrees += pass.scoreGradient[k] * pass.idealScoreGradient[k] > 0 ? 1 : 0;
  }
}

}  // namespace

Result<void> checkOneHead(const nn::ModelConfig& config) {
  SEPX_TRY(checkReadsPairs(config));
  if (config.layers != 1 || config.heads != 1 || config.attention != nn::AttentionKind::Softmax)
    return fail(ErrorKind::Usage,
                fmt::format("this model has layers: {}, heads: {}; the storage Y is that of one layer and one head of "
                            "softmax attention",
                            config.layers, config.heads));
  if (config.headTransform)
    return fail(ErrorKind::Usage,
                "this model changes the hidden vector once more before the logits; Y leaves that out");
  return {};
}

template <class T>
MaskedPass maskedPass(nn::Transformer<T>& model, const Query& query) {
  MaskedPass out;
  out.query = query;
  const nn::Batch batch = batchOf(query);
  predict(model, batch, out);
  readAttention(model, batch, out);
  out.mass.assign(out.p.size(), 0.0);
  for (std::size_t k = 0; k < out.alpha.size(); ++k)
    out.mass[static_cast<std::size_t>(query.tokens[k])] += out.alpha[k];
  addIdealScoreGradient(out, model.config().scale());
  return out;
}

StorageFactors storageFactors(const MaskedPass& forward, const MaskedPass& reverse) {
  StorageFactors out;
  out.forwardMass = forward.evidenceMass();
  out.reverseMass = reverse.evidenceMass();
  out.errorProduct = dot(forward.error, reverse.error);
  out.errorCosine = cosineOf(forward.error, reverse.error);
  out.massCosine = cosineOf(forward.mass, reverse.mass);
  return out;
}

template <class T>
void countSigns(nn::Transformer<T>& model, const Pair& pair, double rate, StorageSigns& into) {
  const MaskedPass reverse = maskedPass(model, maskedQuery(pair, Direction::Reverse));
  const MaskedPass forward = maskedPass(model, maskedQuery(pair, Direction::Forward));  // last, for gradient()
  const std::vector<T> before(model.theta().begin(), model.theta().end());
  for (std::size_t i = 0; i < before.size(); ++i)
    model.theta()[i] -= static_cast<T>(rate) * model.gradient()[i];
  const MaskedPass after = maskedPass(model, forward.query);
  std::copy(before.begin(), before.end(), model.theta().begin());

  into.rate = rate;
  ++into.pairs;
  const std::span<const double> was = forward.column(forward.query.evidence), is = after.column(after.query.evidence);
  for (std::size_t word = 0; word < was.size(); ++word) {
    if (static_cast<std::int32_t>(word) == forward.query.target) {
      into.rises += is[word] > was[word] ? 1 : 0;
      continue;
    }
    ++into.others;
    into.falls += is[word] < was[word] ? 1 : 0;
  }
  const double f = forward.scoreGradient[static_cast<std::size_t>(forward.query.evidence)],
               r = reverse.scoreGradient[static_cast<std::size_t>(reverse.query.evidence)];
  into.forwardHelps += f < 0 ? 1 : 0;
  into.reverseHelps += r < 0 ? 1 : 0;
  into.sameSign += f * r > 0 ? 1 : 0;
  countScores(forward, into);
  countScores(reverse, into);
}

template MaskedPass maskedPass(nn::Transformer<float>&, const Query&);
template MaskedPass maskedPass(nn::Transformer<double>&, const Query&);
template void countSigns(nn::Transformer<float>&, const Pair&, double, StorageSigns&);
template void countSigns(nn::Transformer<double>&, const Pair&, double, StorageSigns&);

}  // namespace sepx::reversal
