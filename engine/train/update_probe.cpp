// SPDX-License-Identifier: Apache-2.0
#include "engine/train/update_probe.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/attention/update.h"
#include "engine/core/try.h"
#include "engine/nn/layers/attention.h"
#include "engine/nn/transformer.h"
#include "engine/train/metrics.h"
#include "engine/train/step.h"

namespace sepx::train {
namespace {

Result<void> checkProbe(const RunConfig& config, const ProbeRequest& request) {
  const nn::ModelConfig& model = config.model;
  const nn::ObjectiveInfo& objective = nn::objectiveInfo(config.objective.kind);
  const auto refuse = [](std::string sentence) { return fail(ErrorKind::Usage, std::move(sentence)); };
  const auto length = static_cast<int>(request.tokens.size());
  if (model.readsImages()) return refuse("this model reads images; only models of token sequences can be shown here");
  if (request.layer < 0 || request.layer >= model.layers)
    return refuse(fmt::format("there is no layer {}: the model has layers 0 to {}", request.layer, model.layers - 1));
  if (length < std::max(2, objective.leastLength) || length > model.length)
    return refuse(fmt::format("the sequence has {} tokens; this model reads {} to {}", length,
                              std::max(2, objective.leastLength), model.length));
  for (const std::int32_t token : request.tokens)
    if (token < 0 || token >= model.vocabulary)
      return refuse(fmt::format("token {} is not in the vocabulary of {}", token, model.vocabulary));
  if (objective.copies)
    return refuse("the objective leave_one_out reads a sequence once for each of its positions; a probe reads it once");
  if (!request.hidden.empty() && !objective.masks)
    return refuse(fmt::format("the objective {} hides no tokens", objective.word));
  for (const int place : request.hidden)
    if (place < 0 || place >= length)
      return refuse(fmt::format("position {} cannot be hidden: the sequence has positions 0 to {}", place, length - 1));
  return {};
}

nn::Batch probeBatch(const RunConfig& config, const ProbeRequest& request) {
  nn::Batch batch;
  RandomStream random = drawStream(request.seed, Draw::Validation);
  const auto length = static_cast<int>(request.tokens.size());
  nn::makeBatch(config.objective, request.tokens, 1, length, {}, random, batch);
  if (request.hidden.empty()) return batch;
  std::vector<int> places = request.hidden;
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  batch.tokens = request.tokens;
  batch.targets.clear();
  std::fill(batch.readable.begin(), batch.readable.end(), std::uint8_t{1});  // empty: all are readable
  for (const int place : places) {
    if (!batch.readable.empty()) batch.readable[static_cast<std::size_t>(place)] = 0;
    batch.tokens[static_cast<std::size_t>(place)] = config.objective.maskToken;
    batch.targets.push_back(
        {place, request.tokens[static_cast<std::size_t>(place)], 1.0F / static_cast<float>(places.size())});
  }
  return batch;
}

nn::ModelConfig withoutDropout(nn::ModelConfig config) {
  config.embeddingDropout = config.attentionDropout = config.residualDropout = 0;
  return config;
}

attention::Matrix squareOf(int side, const auto& fill) {
  attention::Matrix matrix(side, side);
  fill(std::span<double>(matrix.data(), static_cast<std::size_t>(matrix.size())));
  return matrix;
}

/// Empty if the layer has no bias.
Eigen::VectorXd biasOf(const nn::Transformer<double>& model, nn::ParameterRole role, int layer) {
  const nn::Parameter* const bias = model.layout().find(role, nn::ParameterKind::Bias, layer);
  if (bias == nullptr) return {};
  return Eigen::Map<const Eigen::VectorXd>(model.theta().data() + bias->offset,
                                           static_cast<Eigen::Index>(bias->size()));
}

void addHeads(const nn::ModelConfig& config, const nn::Batch& batch, const nn::AttentionProbe<double>& seen,
              UpdateProbe& out) {
  std::vector<double> slopes(static_cast<std::size_t>(config.heads));
  nn::AttentionShape shape = nn::attentionShape(config, slopes);
  shape.sequences = 1;
  shape.length = batch.length;
  shape.lengths = batch.lengths;
  shape.allowed = batch.allowed;
  shape.readable = batch.readable;
  const auto d_q = static_cast<std::size_t>(config.d_q());
  const std::size_t d_kv = static_cast<std::size_t>(config.kv()) * static_cast<std::size_t>(config.d_h());
  const double* q = seen.qkv.data();
  const nn::AttentionInput<double> in{q, q + d_q, q + d_q + d_kv, static_cast<std::size_t>(config.d_qkv())};
  for (int head = 0; head < config.heads; ++head) {
    out.attention.push_back(squareOf(
        batch.length, [&](std::span<double> to) { nn::attentionProbabilities<double>(shape, in, 0, head, to); }));
    out.beta.push_back(squareOf(batch.length, [&](std::span<double> to) {
      nn::attentionBetas<double>(shape, in, seen.contextGradient.data(), d_q, 0, head, to);
    }));
    out.gradient.push_back(attention::formGradient(out.X, out.beta.back()));
  }
}

}  // namespace

Result<UpdateProbe> probeUpdate(const RunConfig& config, std::span<const float> theta, const ProbeRequest& request,
                                ThreadPool& pool) {
  SEPX_TRY(checkProbe(config, request));
  nn::Transformer<double> model(withoutDropout(config.model), pool);
  if (theta.size() != model.layout().size())
    return fail(ErrorKind::Usage,
                fmt::format("{} parameters were given; this model has {}", theta.size(), model.layout().size()));
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  const nn::Batch batch = probeBatch(config, request);
  UpdateProbe out;
  out.layer = model.probe().layer = request.layer;
  out.tokens = batch.tokens;
  for (const nn::Target& target : batch.targets)
    out.targets.push_back(target.row);
  out.loss = model.accumulate(batch, {});
  const nn::AttentionProbe<double>& seen = model.probe();
  out.X = Eigen::Map<const attention::Matrix>(seen.x.data(), batch.length, config.model.d_model);
  out.factors = layerFactors<double>(config.model, model.layout(), std::as_const(model).theta(), request.layer);
  out.gradients = layerFactors<double>(config.model, model.layout(), std::as_const(model).gradient(), request.layer);
  out.b_Q = biasOf(model, nn::ParameterRole::Query, request.layer);
  out.b_K = biasOf(model, nn::ParameterRole::Key, request.layer);
  out.isForm = config.model.positions != nn::Positions::Rope;
  addHeads(model.config(), batch, seen, out);
  return out;
}

std::vector<double> placeShares(const data::Source& source, std::int32_t token, int length, int sequences) {
  std::vector<double> shares(static_cast<std::size_t>(length), 0.0);
  std::vector<std::int32_t> tokens(shares.size());
  for (int s = 0; s < sequences; ++s) {
    const int valid = source.sequence(data::Split::Train, static_cast<std::uint64_t>(s), length, tokens);
    for (std::size_t k = 0; k < static_cast<std::size_t>(valid); ++k)
      shares[k] += tokens[k] == token ? 1.0 / sequences : 0.0;
  }
  return shares;
}

}  // namespace sepx::train
