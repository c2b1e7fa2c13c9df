// SPDX-License-Identifier: Apache-2.0
#include "engine/train/sequence_probe.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/nn/layers/attention.h"
#include "engine/nn/objective.h"
#include "engine/nn/transformer.h"

namespace sepx::train {
namespace {

Result<void> checkSequence(const RunConfig& config, std::size_t parameters, std::span<const float> theta,
                           const SequenceRequest& request) {
  const nn::ModelConfig& model = config.model;
  const auto refuse = [](std::string sentence) { return fail(ErrorKind::Usage, std::move(sentence)); };
  const auto length = static_cast<int>(request.tokens.size());
  if (theta.size() != parameters)
    return refuse(fmt::format("{} parameters were given; this model has {}", theta.size(), parameters));
  if (model.readsImages()) return refuse("this model reads images; only models of token sequences can be shown here");
  if (request.layer < 0 || request.layer >= model.layers)
    return refuse(fmt::format("there is no layer {}: the model has layers 0 to {}", request.layer, model.layers - 1));
  if (length < 1 || length > model.length)
    return refuse(fmt::format("the sequence has {} tokens; this model reads 1 to {}", length, model.length));
  for (const std::int32_t token : request.tokens)
    if (token < 0 || token >= model.vocabulary)
      return refuse(fmt::format("token {} is not in the vocabulary of {}", token, model.vocabulary));
  for (const int place : request.hidden)
    if (place < 0 || place >= length)
      return refuse(fmt::format("position {} cannot be hidden: the sequence has positions 0 to {}", place, length - 1));
  return {};
}

/// Softmax; for the single logit of a bit the logistic function.
std::vector<double> sharesOf(std::span<const float> logits) {
  if (logits.size() == 1) {
    const double one = 1 / (1 + std::exp(-static_cast<double>(logits[0])));
    return {1 - one, one};
  }
  const double most = *std::max_element(logits.begin(), logits.end());
  std::vector<double> shares;
  double sum = 0;
  for (const float logit : logits)
    sum += shares.emplace_back(std::exp(static_cast<double>(logit) - most));
  for (double& share : shares)
    share /= sum;
  return shares;
}

nn::Batch batchOf(const std::vector<std::int32_t>& tokens, int sequences) {
  nn::Batch batch;
  batch.sequences = sequences;
  batch.length = static_cast<int>(tokens.size()) / sequences;
  batch.tokens = tokens;
  return batch;
}

void addAttention(nn::Transformer<float>& model, int layer, SequenceProbe& out) {
  nn::Batch batch = batchOf(out.read, 1);
  batch.targets.push_back({0, out.read.front(), 1});
  model.probe().layer = layer;
  model.accumulate(batch, {});
  const nn::ModelConfig& config = model.config();
  std::vector<double> slopes(static_cast<std::size_t>(config.heads));
  nn::AttentionShape shape = nn::attentionShape(config, slopes);
  shape.sequences = 1;
  shape.length = batch.length;
  const auto d_q = static_cast<std::size_t>(config.d_q());
  const std::size_t d_kv = static_cast<std::size_t>(config.kv()) * static_cast<std::size_t>(config.d_h());
  const float* const q = model.probe().qkv.data();
  const nn::AttentionInput<float> in{q, q + d_q, q + d_q + d_kv, static_cast<std::size_t>(config.d_qkv())};
  for (int head = 0; head < config.heads; ++head) {
    attention::MatrixF& P = out.attention.emplace_back(batch.length, batch.length);
    nn::attentionProbabilities<float>(shape, in, 0, head, {P.data(), static_cast<std::size_t>(P.size())});
  }
}

/// Adds the predictions of some rows; `places[i]` is the position that row i predicts.
void addPredictions(nn::Transformer<float>& model, const nn::Batch& batch, const std::vector<std::int32_t>& rows,
                    const std::vector<int>& places, SequenceProbe& out) {
  if (rows.empty()) return;
  const auto width = static_cast<std::size_t>(model.config().logits());
  std::vector<float> logits(rows.size() * width);
  model.logits(batch, rows, logits);
  for (std::size_t i = 0; i < rows.size(); ++i)
    out.predictions.push_back({places[i], sharesOf(std::span(logits).subspan(i * width, width))});
}

void predictNext(nn::Transformer<float>& model, SequenceProbe& out) {
  std::vector<std::int32_t> rows;
  std::vector<int> places;
  for (int i = 0; i < static_cast<int>(out.read.size()); ++i) {
    rows.push_back(i);
    places.push_back(i + 1);
  }
  addPredictions(model, batchOf(out.read, 1), rows, places, out);
}

void predictHidden(nn::Transformer<float>& model, std::int32_t mask, SequenceProbe& out) {
  const auto length = static_cast<int>(out.read.size());
  std::vector<std::int32_t> rows;
  std::vector<int> places;
  for (int i = 0; i < length; ++i)
    if (out.read[static_cast<std::size_t>(i)] == mask) places.push_back(i);
  if (!places.empty()) {
    rows.assign(places.begin(), places.end());
    return addPredictions(model, batchOf(out.read, 1), rows, places, out);
  }
  if (length > kLongestInTurn) return;
  out.eachInTurn = true;
  std::vector<std::int32_t> tokens;
  for (int i = 0; i < length; ++i) {
    tokens.insert(tokens.end(), out.read.begin(), out.read.end());
    tokens[static_cast<std::size_t>(i) * static_cast<std::size_t>(length) + static_cast<std::size_t>(i)] = mask;
    rows.push_back(i * length + i);
    places.push_back(i);
  }
  addPredictions(model, batchOf(tokens, length), rows, places, out);
}

}  // namespace

Result<SequenceProbe> probeSequence(const RunConfig& config, std::span<const float> theta,
                                    const SequenceRequest& request, ThreadPool& pool) {
  nn::ModelConfig without = config.model;
  without.embeddingDropout = without.attentionDropout = without.residualDropout = 0;
  nn::Transformer<float> model(without, pool);
  SEPX_TRY(checkSequence(config, model.layout().size(), theta, request));
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  const bool masks = nn::objectiveInfo(config.objective.kind).masks;
  SequenceProbe out;
  out.read = request.tokens;
  for (const int place : request.hidden)
    if (masks) out.read[static_cast<std::size_t>(place)] = config.objective.maskToken;
  addAttention(model, request.layer, out);
  if (masks)
    predictHidden(model, config.objective.maskToken, out);
  else
    predictNext(model, out);
  return out;
}

}  // namespace sepx::train
