// SPDX-License-Identifier: Apache-2.0
// How well a model answers the forward and the reverse query (query.h) of many pairs. A model that hides tokens answers
// at the place of [M]; its answer is the token of the largest logit, [M] excluded. One that predicts the next token
// completes the sequence greedily after the first letter and is right when the partner appears.
// Two metrics, because the choice decides what one sees: over the whole vocabulary most wrong reverse answers of an MDM
// are the placeholder "0", and among letters of the wanted case alone the same models are right. One thread calls it,
// the model's pool works inside; the same bits on any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/nn/objective.h"
#include "engine/nn/transformer.h"
#include "engine/reversal/query.h"

namespace sepx::reversal {

/// How a model reads a query.
enum class Reading {
  Masked,  ///< the whole sequence with one [M]
  Prefix,  ///< the sequence through its first letter
};
Reading readingOf(const nn::Objective& objective);

/// Means over the pairs, each from 0 to 1.
struct Answers {
  double accuracy = 0;  ///< the answer is the target; Prefix: the target appears in the greedy completion
  /// The most likely among the 26 letters of the target's case is the target. Prefix: among such letters the most
  /// likely to be the first token after the prefix that is not "0".
  double letters = 0;
  /// Of the target by the softmax over all logits. Prefix: of the completions that are drawn from the model, the share
  /// whose first token that is not "0" is the target.
  double probability = 0;
  double zero = 0;  ///< the answer is "0"; Prefix: the greedy completion has nothing but "0"
  bool operator==(const Answers&) const = default;
};

struct AccuracyReport {  ///< answers to both questions
  std::uint64_t pairs = 0;
  Answers forward, reverse;
  const Answers& of(Direction direction) const { return direction == Direction::Forward ? forward : reverse; }
  bool operator==(const AccuracyReport&) const = default;
};

/// The first `count` pairs of a length in the order of the validation split, which is without a pattern; all of them
/// where there are no more.
std::vector<Pair> samplePairs(int length, std::uint64_t count);
std::vector<Pair> allPairs(int length);

struct AccuracyRequest {  ///< what is asked, and of what
  Reading reading = Reading::Masked;
  std::span<const Pair> pairs;      ///< have passed check(), none longer than the model reads
  int batch = 256;                  ///< sequences of one forward pass
  std::function<bool()> cancelled;  ///< asked between passes; may be empty
};
/// Nothing where it was cancelled. `model` has at least the 54 tokens of pairs; others are never an answer.
std::optional<AccuracyReport> measureAccuracy(nn::Transformer<float>& model, const AccuracyRequest& request);

}  // namespace sepx::reversal
