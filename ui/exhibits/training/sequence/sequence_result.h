// SPDX-License-Identifier: Apache-2.0
// What a run makes of one sequence at a step: attention of a layer, and what it predicts for every place with the token
// that really stands there. Made in a job; any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "ui/race/run_model.h"

namespace sepx::ui {

struct SequenceAsk {
  ModelRequest model;  ///< all parameters
  int layer = 0;
  std::string text;         ///< empty: the first validation sequence
  std::vector<int> hidden;  ///< places that a model that masks does not see; those behind the end count for nothing
  bool operator==(const SequenceAsk&) const = default;
};

/// What is predicted for a place.
struct PlacePrediction {
  std::vector<std::pair<std::string, double>> best;  ///< words by their shares, the largest first
  double truth = std::nan("");                       ///< share of the token that stands there; NaN: that is not known
  int rank = 0;                                      ///< of it, from 1; 0: not known
};
struct SequencePlace {
  std::string word;     ///< what stands there; empty: after the end
  bool hidden = false;  ///< the model reads [MASK]
  std::optional<PlacePrediction> prediction;
};

struct SequenceResult {
  static constexpr std::size_t kBest = 20;
  std::int64_t step = -1;
  ModelSource source = ModelSource::Checkpoint;
  int layer = 0, heads = 0;
  int tokens = 0;                     ///< places of the sequence
  bool masks = false;                 ///< it predicts hidden tokens; else the next one
  bool eachInTurn = false;            ///< nothing is hidden: each place was, by itself
  bool linear = false;                ///< attention has weights of both signs
  std::vector<SequencePlace> places;  ///< of the next-token objective one more than there are tokens
  std::vector<std::shared_ptr<const std::vector<float>>> attention;  ///< [tokens, tokens] of each head
  double limit = 1;                                                  ///< of the colours: the largest modulus
  std::string note;       ///< what a person should know of it, a sentence; empty: nothing
  int predicted() const;  ///< places with a prediction whose token is known
  int right() const;      ///< those of which the first word is right
  double loss() const;    ///< mean -log share of the true token; NaN: none is known
};
using SequencePointer = std::shared_ptr<const SequenceResult>;

/// BadInput with a sentence: a text with words that the vocabulary does not have (all are named), no token, a layer
/// that is not there, parameters that cannot be read.
Result<SequencePointer> makeSequence(const SequenceAsk& ask);

}  // namespace sepx::ui
