// SPDX-License-Identifier: Apache-2.0
// What becomes of a trained masked diffusion model's answers when one part of it is replaced: a cause is shown by what
// its removal changes. The attention of the other direction in place of its own; places told to the encoding in a
// random order; another encoding of positions than the one it was trained with. (What freezing storage or routing in
// training changes is a matter of optimisation.frozen and a branch of the run.) Ours; the paper exchanges encodings by
// training anew. Any thread; the same bits each time.
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
  /// The encoding takes the tokens of each sequence to stand in a random order, drawn by `seed` and the sequence's
  /// number.
  bool shuffle = false;
  std::uint64_t seed = 0;
  std::optional<nn::Positions> positions;  ///< encodes places so; nothing: as trained
  bool operator==(const Switches&) const = default;
};

/// Where the encoding takes the tokens of sequence `number` to stand; empty: where they stand.
std::vector<int> placesOf(const Switches& switches, int length, std::uint64_t number);
/// Attention of the query of a pair with these switches, `places` as placesOf() says.
Vector attentionOf(const OneLayer& model, const Pair& pair, Direction direction, const Switches& switches,
                   std::span<const int> places);
/// `alpha` of one query of a pair put on the tokens of the other.
Vector transplanted(const Pair& pair, Direction from, const Vector& alpha);

/// Answers of the model with these switches; nothing where it was cancelled (asked between groups of pairs; may be
/// empty). Usage: no model of one layer, or positions that it cannot have.
Result<std::optional<AccuracyReport>> measureSwitched(const nn::ModelConfig& config, std::span<const float> theta,
                                                      std::span<const Pair> pairs, const Switches& switches,
                                                      const std::function<bool()>& cancelled = {});

}  // namespace sepx::reversal
