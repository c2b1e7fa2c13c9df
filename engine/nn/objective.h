// SPDX-License-Identifier: Apache-2.0
// The losses of the papers as batches: from whole sequences to inputs and weighted targets (batch.h). A loss is one
// file of engine/nn/objectives, which describes it, and one line of objectives/list.inc; what reads configs, trains,
// validates, bounds and reports reads the description. Pure; draws from the stream given. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/random.h"
#include "engine/core/result.h"
#include "engine/nn/batch.h"

namespace sepx::nn {
/// An enumerator each.
#define OBJECTIVE(Name) Name,
enum class ObjectiveKind {  ///< one for each file of engine/nn/objectives
#include "engine/nn/objectives/list.inc"
};
#undef OBJECTIVE

struct Objective {
  ObjectiveKind kind = ObjectiveKind::NextToken;
  std::int32_t maskToken = -1;    ///< id of [MASK]; -1 where the loss wants none
  double maskProbability = 0.15;  ///< of Masked and UnmaskedContext
  bool plainMask = false;         ///< of Masked: every chosen place becomes [MASK]
  bool weighted = true;           ///< of Diffusion: 1/lambda
  std::int32_t firstRandom = 0;   ///< random replacements are drawn from [firstRandom, lastRandom)
  std::int32_t lastRandom = 0;
  double labelSmoothing = 0;  ///< of Classify, in training (Batch::smoothing)
  bool operator==(const Objective&) const = default;
};

/// Whole sequences, as a source gives them.
struct Sequences {
  std::span<const std::int32_t> tokens;  ///< [count, length] row-major
  int count = 0, length = 0;
  std::span<const std::int32_t> lengths;  ///< the valid part of each; empty: all whole

  std::size_t start(int b) const { return static_cast<std::size_t>(b) * static_cast<std::size_t>(length); }
  std::size_t valid(int b) const;  ///< tokens of sequence b that are no padding
};

/// What the loss is the mean of, and so the unit of the number that is reported.
enum class LossPer {
  Token,    ///< of what is predicted: nats a token
  Sequence  ///< of sums over sequences: nats a sequence
};

/// Which entropies of a source the loss cannot fall below.
enum class LossBound {
  None,
  Context,  ///< those of a token, whatever it is predicted from
  Past,     ///< those, and that of a token given all before it
  Sequence  ///< that of a whole sequence
};

struct ObjectiveInfo {        ///< what is known of an objective
  std::string_view word;      ///< in configs: "next_token"
  const char* sentence = "";  ///< what is predicted from what, for people
  bool masks = false;         ///< hides tokens behind [MASK], which the data must have
  bool causal = false;        ///< predicts what only a causal model does not see
  bool classifies = false;    ///< reads images, each of one class, which is the first token of its sequence
  int leastLength = 1;        ///< of a sequence, to have something to predict
  bool copies = false;        ///< reads every sequence once for each of its places
  LossPer per = LossPer::Token;
  /// Of the places that the model reads, those that are predicted; null: all. For the estimate of memory.
  double (*share)(const Objective&, int length) = nullptr;
  LossBound (*bound)(const Objective&) = nullptr;  ///< null: Context
  /// Usage for options outside their range; null: has none.
  Result<void> (*check)(const Objective&, int vocabulary) = nullptr;
  /// Changes `out`, which holds the sequences as they are and no targets, into the batch.
  void (*make)(const Objective&, const Sequences&, RandomStream&, Batch& out) = nullptr;
};
/// Counts the list.
#define OBJECTIVE(Name) +1
/// Of the list.
inline constexpr std::size_t kObjectiveCount = 0
#include "engine/nn/objectives/list.inc"
    ;
#undef OBJECTIVE

/// In the order of ObjectiveKind.
const std::array<ObjectiveInfo, kObjectiveCount>& objectives();
const ObjectiveInfo& objectiveInfo(ObjectiveKind kind);
std::array<std::string_view, kObjectiveCount> objectiveWords();
/// In quotes, for sentences: those that want no [MASK].
std::string wordsWithoutMask();

/// Usage with a sentence when a mask token is wanted and missing, or a probability is outside its range.
Result<void> check(const Objective& objective, int vocabulary);

/// `sequences` x `length` tokens row-major, of which `lengths` (empty: all whole) say the valid part. A batch always
/// has a target, if any place is valid: with Masked and UnmaskedContext at least one is chosen; only Diffusion may by
/// chance hide nothing (loss 0: a forced mask would bias it). Reuses the memory of `out`.
void makeBatch(const Objective& objective, std::span<const std::int32_t> tokens, int sequences, int length,
               std::span<const std::int32_t> lengths, RandomStream& random, Batch& out);

}  // namespace sepx::nn
