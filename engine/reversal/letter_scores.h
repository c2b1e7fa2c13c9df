// SPDX-License-Identifier: Apache-2.0
// Scores that [M] gives to the capitals in the first layer of a trained model, for every place of either
// [Reversal, 4.2, 5]: what the forward-reverse correlation (correlation.h) and the planes of RoPE (rope_planes.h) are
// taken of. The first layer reads embeddings alone, so that a score depends on no other token of the sequence.
// Any thread; uses the pool inside a call.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/data/pairs.h"
#include "engine/nn/model_config.h"

namespace sepx::reversal {

/// Usage with one sentence where a model has no such scores: it is causal, so that no [M] reads both ways, or it does
/// not read the tokens of data/pairs.h.
Result<void> checkReadsPairs(const nn::ModelConfig& config);

/// Of one head.
struct LetterScores {
  int length = 0;         ///< places 0 ... length - 1
  bool relative = false;  ///< a score depends on the difference of the places alone
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

/// `theta` of the model's layout; `head` of the first layer. Usage as checkReadsPairs(), and where there is no such
/// head.
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
