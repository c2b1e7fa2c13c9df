// SPDX-License-Identifier: Apache-2.0
// Attention scores that [M] gives to the capitals in the first layer of a trained model, for every place of both
// [Reversal, 4.2, 5]. The forward-reverse correlation (correlation.h) and the planes of RoPE (rope_planes.h) are
// computed from them. The first layer reads only embeddings, so a score depends on no other token of the sequence. Any
// thread; uses the pool inside a call.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/data/pairs.h"
#include "engine/nn/model_config.h"

namespace sepx::reversal {

/// A Usage error with a message if a model has no such scores: it is causal, so that [M] does not read both ways, or it
/// does not read the tokens of data/pairs.h.
Result<void> checkReadsPairs(const nn::ModelConfig& config);

/// The scores of one head.
struct LetterScores {
  int length = 0;         ///< places 0 ... length - 1
  bool relative = false;  ///< a score depends only on the difference of the places
  /// S = scale q . k + bias, [length (place of [M]), length (place of the capital), kPairLetters].
  std::vector<double> values;

  std::span<const double> at(int mask, int capital) const {  ///< scores of one mask and one capital
    const auto size = static_cast<std::size_t>(length), letters = static_cast<std::size_t>(data::kPairLetters);
    return {values.data() + (static_cast<std::size_t>(mask) * size + static_cast<std::size_t>(capital)) * letters,
            letters};
  }
};

/// Queries of [M] and keys of the capitals of one head, at every place.
template <class T>
struct LetterVectors {
  int length = 0, headDim = 0;
  std::vector<T> queries;  ///< [length, headDim] of [M], after the rotary encoding
  std::vector<T> keys;     ///< [kPairLetters, length, headDim], likewise
};

/// `theta` has the model's layout; `head` is one of the first layer. A Usage error as in checkReadsPairs(), or if there
/// is no such head or `theta` has another size.
template <class T>
Result<LetterVectors<T>> letterVectors(const nn::ModelConfig& config, std::span<const T> theta, int head,
                                       ThreadPool& pool);
template <class T>
Result<LetterScores> letterScores(const nn::ModelConfig& config, std::span<const T> theta, int head, ThreadPool& pool);

extern template Result<LetterVectors<float>> letterVectors(const nn::ModelConfig&, std::span<const float>, int,
                                                           ThreadPool&);
extern template Result<LetterVectors<double>> letterVectors(const nn::ModelConfig&, std::span<const double>, int,
                                                            ThreadPool&);
extern template Result<LetterScores> letterScores(const nn::ModelConfig&, std::span<const float>, int, ThreadPool&);
extern template Result<LetterScores> letterScores(const nn::ModelConfig&, std::span<const double>, int, ThreadPool&);

}  // namespace sepx::reversal
