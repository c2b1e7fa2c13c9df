// SPDX-License-Identifier: Apache-2.0
// Causal tests of a trained masked diffusion model: how its answers change when one part of it is replaced. A query can
// use the attention of the other direction, the encoding can use the places in a random order, and another positional
// encoding can replace the one of the training. (The effect of freezing storage or routing in training is measured with
// optimisation.frozen and a branch of the run.) These tests are ours; the paper compares encodings by retraining. Any
// thread; the same bits each time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "engine/reversal/accuracy.h"
#include "engine/reversal/one_layer.h"

namespace sepx::reversal {

struct Switches {
  /// Each query attends as the query of the other direction does, token by token: [M] to [M], the capital to the
  /// capital, the n-th "0" to the n-th "0".
  bool transplant = false;
  /// The encoding uses the places of each sequence in a random order, drawn from `seed` and the sequence's number.
  bool shuffle = false;
  std::uint64_t seed = 0;
  std::optional<nn::Positions> positions;  ///< positional encoding to use; no value: as trained
  bool operator==(const Switches&) const = default;
};

/// The places that the encoding uses for the tokens of sequence `number`; empty: their actual places.
std::vector<int> placesOf(const Switches& switches, int length, std::uint64_t number);
/// Attention of the query of a pair with these switches; `places` is the result of placesOf().
Vector attentionOf(const OneLayer& model, const Pair& pair, Direction direction, const Switches& switches,
                   std::span<const int> places);
/// `alpha` of the query of a pair in the direction `from`, moved to the corresponding tokens of the other query.
Vector transplanted(const Pair& pair, Direction from, const Vector& alpha);

/// Answers of the model with these switches; empty optional if cancelled. `cancelled` is called between groups of pairs
/// and may be empty. A Usage error if the model fails checkOneLayer() or cannot have these positions.
Result<std::optional<AccuracyReport>> measureSwitched(const nn::ModelConfig& config, std::span<const float> theta,
                                                      std::span<const Pair> pairs, const Switches& switches,
                                                      const std::function<bool()>& cancelled = {});

}  // namespace sepx::reversal
