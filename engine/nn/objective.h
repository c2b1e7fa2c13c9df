// SPDX-License-Identifier: Apache-2.0
// The losses of the papers as batches: turns whole sequences into inputs and weighted targets (batch.h). A loss is one
// file of engine/nn/objectives, which describes it, and one line of objectives/list.inc. The code that reads configs,
// trains, validates, bounds and reports uses the description. Pure; draws from the given stream. Any thread.
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
/// One enumerator per entry of the list.
#define OBJECTIVE(Name) Name,
enum class ObjectiveKind {  ///< one for each file of engine/nn/objectives
#include "engine/nn/objectives/list.inc"
};
#undef OBJECTIVE

struct Objective {
  ObjectiveKind kind = ObjectiveKind::NextToken;
  std::int32_t maskToken = -1;    ///< id of [MASK]; -1 where the loss needs none
  double maskProbability = 0.15;  ///< for Masked and UnmaskedContext
  bool plainMask = false;         ///< for Masked: every chosen position becomes [MASK]
  bool weighted = true;           ///< for Diffusion: weights 1/lambda
  std::int32_t firstRandom = 0;   ///< random replacements are drawn from [firstRandom, lastRandom)
  std::int32_t lastRandom = 0;
  double labelSmoothing = 0;  ///< for Classify, in training (Batch::smoothing)
  bool operator==(const Objective&) const = default;
};

/// Whole sequences, as a data source provides them.
struct Sequences {
  std::span<const std::int32_t> tokens;  ///< [count, length] row-major
  int count = 0, length = 0;
  std::span<const std::int32_t> lengths;  ///< length of the valid part of each; empty: all whole

  std::size_t start(int b) const { return static_cast<std::size_t>(b) * static_cast<std::size_t>(length); }
  std::size_t valid(int b) const;  ///< tokens of sequence b that are not padding
};

/// What the loss is averaged over, and thus the unit of the reported number.
enum class LossPer {
  Token,    ///< over predicted tokens: nats per token
  Sequence  ///< sums per sequence, over sequences: nats per sequence
};

/// Which entropies of a source bound the loss from below.
enum class LossBound {
  None,
  Context,  ///< those of a token, whatever it is predicted from
  Past,     ///< those of Context, and that of a token given all before it
  Sequence  ///< that of a whole sequence
};

struct ObjectiveInfo {        ///< description of an objective
  std::string_view word;      ///< in configs: "next_token"
  const char* sentence = "";  ///< for users: what is predicted from what
  bool masks = false;         ///< hides tokens behind [MASK], which the data must have
  bool causal = false;        ///< predicts tokens that only a causal model cannot see
  bool classifies = false;    ///< reads images, each of one class, which is the first token of its sequence
  int leastLength = 1;        ///< shortest sequence that has something to predict
  bool copies = false;        ///< reads every sequence once for each of its positions
  LossPer per = LossPer::Token;
  /// Share of the positions read by the model that are predicted; null: all. Used to estimate memory.
  double (*share)(const Objective&, int length) = nullptr;
  LossBound (*bound)(const Objective&) = nullptr;  ///< null: Context
  /// Fails with ErrorKind::Usage for options outside their range; null: there are no options to check.
  Result<void> (*check)(const Objective&, int vocabulary) = nullptr;
  /// Turns `out`, which holds the unchanged sequences and no targets, into the batch.
  void (*make)(const Objective&, const Sequences&, RandomStream&, Batch& out) = nullptr;
};
/// One summand per entry of the list.
#define OBJECTIVE(Name) +1
/// Number of entries of the list.
inline constexpr std::size_t kObjectiveCount = 0
#include "engine/nn/objectives/list.inc"
    ;
#undef OBJECTIVE

/// In the order of ObjectiveKind.
const std::array<ObjectiveInfo, kObjectiveCount>& objectives();
const ObjectiveInfo& objectiveInfo(ObjectiveKind kind);
std::array<std::string_view, kObjectiveCount> objectiveWords();
/// Quoted names of the objectives that need no [MASK], for messages.
std::string wordsWithoutMask();

/// Fails with ErrorKind::Usage and a message when a required mask token is missing or a probability is out of range.
Result<void> check(const Objective& objective, int vocabulary);

/// Makes a batch of `sequences` x `length` tokens, row-major; `lengths` (empty: all whole) gives the valid part of
/// each. A batch has at least one target if any position is valid: with Masked and UnmaskedContext at least one is
/// chosen. Only Diffusion may hide nothing by chance (loss 0: a forced mask would bias it). Reuses the memory of `out`.
void makeBatch(const Objective& objective, std::span<const std::int32_t> tokens, int sequences, int length,
               std::span<const std::int32_t> lengths, RandomStream& random, Batch& out);

}  // namespace sepx::nn
