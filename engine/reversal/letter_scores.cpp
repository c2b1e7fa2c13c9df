// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/letter_scores.h"

#include <algorithm>

#include <fmt/format.h>
#include <Eigen/Core>

#include "engine/core/try.h"
#include "engine/nn/layers/attention_rows.h"
#include "engine/nn/parameters.h"
#include "engine/nn/pass.h"
#include "engine/nn/weights.h"

namespace sepx::reversal {
namespace {

/// A sequence of [M] only, then a sequence for every capital.
nn::Batch tokensEverywhere(int length) {
  nn::Batch batch;
  batch.sequences = 1 + data::kPairLetters;
  batch.length = length;
  const auto place = static_cast<std::size_t>(length);
  batch.tokens.assign(place, data::kPairMask);
  for (std::int32_t letter = 0; letter < data::kPairLetters; ++letter)
    batch.tokens.insert(batch.tokens.end(), place, data::kPairLetters + letter);
  return batch;
}

/// Rows Q | K | V of the first layer of these sequences, computed as in a forward pass (nn/pass.cpp).
template <class T>
std::vector<T> firstLayerRows(const nn::ModelConfig& config, const nn::Weights<T>& weights,
                              const nn::Constants<T>& constants, const nn::Batch& batch, ThreadPool& pool) {
  const std::size_t rows = batch.tokens.size(), d = static_cast<std::size_t>(config.d_model);
  std::vector<T> embedded(rows * d), normedEmbedding(rows * d), normed(rows * d), stats(2 * rows);
  nn::embedForward<T>(pool, config.input, batch, config.d_model, {weights.tokens, weights.positions, weights.segment},
                      constants.sinusoids.empty() ? nullptr : constants.sinusoids.data(), embedded.data());
  T* const stream =
      weights.embeddingNorm.forward(pool, rows, embedded.data(), nullptr, normedEmbedding.data(), stats.data());
  const nn::BlockWeights<T>& block = weights.blocks.front();
  const T* const read = config.placement == nn::Placement::Pre
                            ? block.norm1.forward(pool, rows, stream, nullptr, normed.data(), stats.data())
                            : stream;
  std::vector<T> qkv(rows * block.qkv.out);
  block.qkv.forward(pool, rows, read, qkv.data());
  if (config.positions == nn::Positions::Rope)
    nn::rotate(pool, constants.rotary, batch.sequences, batch.length, config.heads + config.kv(), config.d_h(),
               qkv.data(), block.qkv.out, false);
  return qkv;
}

}  // namespace

Result<void> checkReadsPairs(const nn::ModelConfig& config) {
  if (config.input != nn::Input::Table || config.vocabulary < data::kPairVocabulary)
    return fail(
        ErrorKind::Usage,
        fmt::format("this model reads {} tokens; forward and reverse queries need the {} tokens of letter pairs",
                    config.vocabulary, data::kPairVocabulary));
  if (config.causal)
    return fail(ErrorKind::Usage,
                "this model reads from left to right, so no [M] sees the capitals on both sides of it; choose a "
                "masked diffusion model");
  return {};
}

template <class T>
Result<LetterVectors<T>> letterVectors(const nn::ModelConfig& config, std::span<const T> theta, int head,
                                       ThreadPool& pool) {
  SEPX_TRY(checkReadsPairs(config));
  if (head < 0 || head >= config.heads)
    return fail(ErrorKind::Usage,
                fmt::format("head {} is not there: the model has heads 0 to {}", head, config.heads - 1));
  const nn::ParameterLayout layout(config);
  if (theta.size() != layout.size())
    return fail(ErrorKind::Usage,
                fmt::format("{} parameters were given; this model has {}", theta.size(), layout.size()));
  const nn::Weights<T> weights(config, layout, theta.data(), nullptr);
  const nn::Constants<T> constants(config);
  const nn::Batch batch = tokensEverywhere(config.length);
  const std::vector<T> qkv = firstLayerRows(config, weights, constants, batch, pool);
  nn::AttentionShape shape = constants.attention;
  shape.sequences = batch.sequences;
  shape.length = batch.length;
  const auto width = static_cast<std::size_t>(config.d_h()), ld = weights.blocks.front().qkv.out;
  const T* const k = qkv.data() + config.d_q();
  const nn::AttentionInput<T> in{qkv.data(), k, k + static_cast<std::ptrdiff_t>(config.kv()) * config.d_h(), ld};
  LetterVectors<T> out;
  out.length = config.length;
  out.headDim = config.d_h();
  const auto take = [&](const T* from, std::vector<T>& to) {
    for (int place = 0; place < config.length; ++place, from += ld)
      to.insert(to.end(), from, from + width);
  };
  take(nn::headRows(shape, in, 0, head).q, out.queries);
  for (int letter = 0; letter < data::kPairLetters; ++letter)
    take(nn::headRows(shape, in, 1 + letter, head).k, out.keys);
  return out;
}

template <class T>
Result<LetterScores> letterScores(const nn::ModelConfig& config, std::span<const T> theta, int head, ThreadPool& pool) {
  SEPX_ASSIGN(const LetterVectors<T> vectors, letterVectors<T>(config, theta, head, pool));
  using Rows = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  const Rows queries(vectors.queries.data(), vectors.length, vectors.headDim);
  const Rows keys(vectors.keys.data(), Eigen::Index{data::kPairLetters} * vectors.length, vectors.headDim);
  // [length of masks, letters * length of capitals]
  const Eigen::MatrixXd products = queries.template cast<double>() * keys.template cast<double>().transpose();
  std::vector<double> slopes(static_cast<std::size_t>(config.heads));
  const nn::AttentionShape shape = nn::attentionShape(config, slopes);
  LetterScores out;
  out.length = vectors.length;
  out.relative = config.positions != nn::Positions::Learned && config.positions != nn::Positions::Sinusoidal;
  out.values.reserve(static_cast<std::size_t>(products.size()));
  for (int mask = 0; mask < out.length; ++mask)
    for (int capital = 0; capital < out.length; ++capital) {
      const double bias = nn::hasBias(shape)
                              ? shape.slopes[static_cast<std::size_t>(head)] * nn::alibiDistance(shape, mask, capital)
                              : 0;
      for (int letter = 0; letter < data::kPairLetters; ++letter)
        out.values.push_back(shape.scale * products(mask, Eigen::Index{letter} * out.length + capital) + bias);
    }
  return out;
}

template Result<LetterVectors<float>> letterVectors(const nn::ModelConfig&, std::span<const float>, int, ThreadPool&);
template Result<LetterVectors<double>> letterVectors(const nn::ModelConfig&, std::span<const double>, int, ThreadPool&);
template Result<LetterScores> letterScores(const nn::ModelConfig&, std::span<const float>, int, ThreadPool&);
template Result<LetterScores> letterScores(const nn::ModelConfig&, std::span<const double>, int, ThreadPool&);

}  // namespace sepx::reversal
