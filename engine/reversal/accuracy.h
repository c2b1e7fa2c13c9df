// SPDX-License-Identifier: Apache-2.0
// Measures how well a model answers the forward and the reverse query (query.h) of many pairs. A masked model answers
// at the place of [M]; its answer is the token with the largest logit, [M] excluded. A next-token model completes the
// sequence greedily after the first letter and is right if the partner appears.
// There are two metrics because they differ: over the whole vocabulary most wrong reverse answers of an MDM are the
// placeholder "0", but restricted to the letters of the target's case the same models are right. Call from one thread;
// the model's thread pool works inside. The results have the same bits on any number of threads.
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
  /// The most likely of the 26 letters of the target's case is the target. Prefix: the most likely of these letters to
  /// be the first token after the prefix that is not "0".
  double letters = 0;
  /// Probability of the target by the softmax over all logits. Prefix: the share of completions sampled from the model
  /// whose first token that is not "0" is the target.
  double probability = 0;
  double zero = 0;  ///< the answer is "0"; Prefix: the greedy completion has nothing but "0"
  bool operator==(const Answers&) const = default;
};

struct AccuracyReport {  ///< results for both queries
  std::uint64_t pairs = 0;
  Answers forward, reverse;
  const Answers& of(Direction direction) const { return direction == Direction::Forward ? forward : reverse; }
  bool operator==(const AccuracyReport&) const = default;
};

/// The first `count` pairs of a length in the order of the validation split, which has no pattern; all pairs if there
/// are no more.
std::vector<Pair> samplePairs(int length, std::uint64_t count);
std::vector<Pair> allPairs(int length);

struct AccuracyRequest {  ///< the queries and how to run them
  Reading reading = Reading::Masked;
  std::span<const Pair> pairs;      ///< must have passed check(); none longer than the model reads
  int batch = 256;                  ///< sequences per forward pass
  std::function<bool()> cancelled;  ///< called between passes; may be empty
};
/// Empty optional if cancelled. `model` must have at least the 54 tokens of pairs; other tokens never count as an
/// answer.
std::optional<AccuracyReport> measureAccuracy(nn::Transformer<float>& model, const AccuracyRequest& request);

}  // namespace sepx::reversal
