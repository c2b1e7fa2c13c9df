// SPDX-License-Identifier: Apache-2.0
// Effects of changes of a model on its predictions: KL to the unchanged model, with one pass per head (a wall of
// effects), activations of one prompt inserted into another (path patching), the lens, and a continuation token by
// token. Passes run on the given thread pool, one after the other; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/forward/forward_pass.h"
#include "engine/forward/predictions.h"

namespace sepx::forward {

/// Effect of removing each head (and each feed-forward part): KL(whole || without) of the logits at `position`.
struct Effects {
  int layers = 0, heads = 0;        ///< heads: the largest number in a layer
  std::vector<double> head;         ///< [layers, heads]; NaN: not computed yet, or no such head
  std::vector<double> feedForward;  ///< [layers]
  int done = 0, all = 0;
};
/// Calls `publish` after every pass. Interrupted if cancelled.
Result<Effects> effectsOfHeads(const ForwardModel& model, const Input& input, int position, Intervention::How how,
                               ThreadPool& pool, const checkpoint::Cancelled& cancelled,
                               const std::function<void(const Effects&)>& publish);

/// Path patching: the stream of `from` is inserted into `to` at block `layer` and one position, for all layers and
/// positions. Effect: change of logit(answer) - logit(other) at the last position, 0: as in `to`, 1: as in `from`.
struct Patching {
  int layers = 0, positions = 0;  ///< layers: blocks + 1
  std::vector<double> effect;     ///< [layers, positions]; NaN: not computed yet
  double whole = 0, other = 0;    ///< the difference of logits in `to` and in `from`
  int done = 0, all = 0;
};
Result<Patching> patchStream(const ForwardModel& model, const Input& from, const Input& to, std::int32_t answer,
                             std::int32_t other, ThreadPool& pool, const checkpoint::Cancelled& cancelled,
                             const std::function<void(const Patching&)>& publish);

/// Predictions from the stream after the embedding and after each block, at every position.
struct Lens {
  int layers = 0, positions = 0;                     ///< layers: blocks + 1
  std::vector<std::vector<Prediction>> predictions;  ///< [layers * positions], each the most likely tokens
  std::vector<double> entropy;                       ///< [layers, positions]
  std::vector<std::int64_t> rankOfAnswer;  ///< [layers, positions]: rank of the final prediction of the model there
};
Result<Lens> lens(const ForwardModel& model, const Activations<float>& pass, std::size_t most, ThreadPool& pool,
                  const checkpoint::Cancelled& cancelled = {});

struct Continuation {      ///< how to continue a text
  double temperature = 0;  ///< 0: greedy
  std::uint64_t seed = 0;
  int tokens = 1;
  std::int32_t end = -1;  ///< stop after this id
};
/// The ids that follow; calls `publish` after each. Usage if the model is no decoder; stops at the longest input of the
/// model.
Result<std::vector<std::int32_t>> continueText(const ForwardModel& model, std::vector<std::int32_t> ids,
                                               const Continuation& how, ThreadPool& pool,
                                               const checkpoint::Cancelled& cancelled,
                                               const std::function<void(std::int32_t)>& publish);

}  // namespace sepx::forward
