// SPDX-License-Identifier: Apache-2.0
// The losses of the papers as batches: from whole sequences to inputs and weighted targets (batch.h).
//   NextToken    -(1/(B(T-1))) sum log p(t_{n+1} | t_1..t_n)                              [Local-to-Global, (1)]
//   Masked       15 % of the places: BERT's 80 % [MASK], 10 % random, 10 % kept; or all [MASK] (plain); mean over them
//   LeaveOneOut  -(1/(BT)) sum_i log p(t_i | t_j, j != i): T copies of a sequence, each with one [MASK]  [(S8)]
//   Diffusion    lambda ~ U(0,1] per sequence, stratified over the batch; each place [MASK] with probability lambda;
//                (1/B) sum over sequences of (1/lambda or 1) sum over masked places of -log p      [Reversal, (2)]
// Pure; draws from the stream given. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/random.h"
#include "engine/core/result.h"
#include "engine/nn/batch.h"

namespace sepx::nn {

enum class ObjectiveKind { NextToken, Masked, LeaveOneOut, Diffusion };

struct Objective {
  ObjectiveKind kind = ObjectiveKind::NextToken;
  std::int32_t maskToken = -1;    ///< id of [MASK]; all but NextToken want one
  double maskProbability = 0.15;  ///< of Masked
  bool plainMask = false;         ///< of Masked: every chosen place becomes [MASK]
  bool weighted = true;           ///< of Diffusion: 1/lambda
  std::int32_t firstRandom = 0;   ///< random replacements are drawn from [firstRandom, lastRandom)
  std::int32_t lastRandom = 0;
  bool operator==(const Objective&) const = default;
};

/// Usage with a sentence when a mask token is wanted and missing, or a probability is outside its range.
Result<void> check(const Objective& objective, int vocabulary);

/// `sequences` x `length` tokens row-major, of which `lengths` (empty: all whole) say the valid part. A batch always
/// has a target, if any place is valid: with Masked at least one is chosen; only Diffusion may by chance hide nothing
/// (loss 0: a forced mask would bias it). Reuses the memory of `out`.
void makeBatch(const Objective& objective, std::span<const std::int32_t> tokens, int sequences, int length,
               std::span<const std::int32_t> lengths, RandomStream& random, Batch& out);

}  // namespace sepx::nn
