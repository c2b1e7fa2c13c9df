// SPDX-License-Identifier: Apache-2.0
// The output of a run for one sequence at a step: the attention of one layer, and the prediction at every position
// beside its true token. Made in a job; any thread.
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

struct SequenceProbeRequest {
  ModelRequest model;  ///< requests all parameters
  int layer = 0;
  std::string text;         ///< empty: the first validation sequence
  std::vector<int> hidden;  ///< positions that a masked model reads as [MASK]; those after the end are ignored
  bool operator==(const SequenceProbeRequest&) const = default;
};

/// The prediction at a position.
struct PlacePrediction {
  std::vector<std::pair<std::string, double>> best;  ///< words and probabilities, the largest first
  double truth = std::nan("");                       ///< probability of the true token; NaN: not known
  int rank = 0;                                      ///< of the true token, from 1; 0: not known
};
struct SequencePlace {
  std::string word;     ///< token at the position; empty: after the end
  bool hidden = false;  ///< the model reads [MASK]
  std::optional<PlacePrediction> prediction;
};

struct SequenceResult {
  static constexpr std::size_t kBest = 20;
  std::int64_t step = -1;
  ModelSource source = ModelSource::Checkpoint;
  int layer = 0, heads = 0;
  int tokens = 0;                     ///< number of positions of the sequence
  bool masks = false;                 ///< the model predicts hidden tokens; otherwise the next one
  bool eachInTurn = false;            ///< no position is hidden, so each one was hidden in turn
  bool linear = false;                ///< linear attention, with weights of both signs
  std::vector<SequencePlace> places;  ///< one per token; next-token objective: one more
  std::vector<std::shared_ptr<const std::vector<float>>> attention;  ///< [tokens, tokens] of each head
  double limit = 1;                                                  ///< limit of the colours: the largest modulus
  std::string note;                                                  ///< a remark for the user; empty: none
  int predicted() const;                                             ///< places with a prediction whose token is known
  int right() const;                                                 ///< those whose most likely word is the true token
  double loss() const;  ///< mean of -log probability of the true token, nats; NaN: none is known
};
using SequencePointer = std::shared_ptr<const SequenceResult>;

/// Fails with a one-sentence message. BadInput: the vocabulary lacks words of the text (all are named), there is no
/// token, or the parameters cannot be read. Usage: the layer does not exist.
Result<SequencePointer> makeSequence(const SequenceProbeRequest& request);

}  // namespace sepx::ui
