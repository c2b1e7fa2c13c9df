// SPDX-License-Identifier: Apache-2.0
// What a change of the model does to its predictions: KL to the whole model, one pass a head (a wall of effects),
// activations of one prompt put into another (path patching), the lens, a continuation token by
// token. Passes on the given pool, one after the other; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/forward/forward_pass.h"
#include "engine/forward/predictions.h"

namespace sepx::forward {

/// Effect of every head (and feed-forward part) taken out: KL(whole || without) at `position` of the logits.
struct Effects {
  int layers = 0, heads = 0;        ///< heads: the most of any layer
  std::vector<double> head;         ///< [layers, heads]; NaN: not computed yet, or no such head
  std::vector<double> feedForward;  ///< [layers]
  int done = 0, all = 0;
};
/// Publishes after every pass. Interrupted when cancelled.
Result<Effects> effectsOfHeads(const ForwardModel& model, const Input& input, int position, Intervention::How how,
                               ThreadPool& pool, const checkpoint::Cancelled& cancelled,
                               const std::function<void(const Effects&)>& publish);

/// Path patching: the stream of `from` put into `to` at block `layer` and a position, for all layers and positions;
/// effect: change of logit(answer) - logit(other) at the last position, 0: as `to`, 1: as `from`.
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
  std::vector<std::vector<Prediction>> predictions;  ///< [layers * positions], each the likeliest
  std::vector<double> entropy;                       ///< [layers, positions]
  std::vector<std::int64_t> rankOfAnswer;            ///< [layers, positions]: of the model's own last prediction there
};
Result<Lens> lens(const ForwardModel& model, const Activations<float>& pass, std::size_t most, ThreadPool& pool,
                  const checkpoint::Cancelled& cancelled = {});

struct Continuation {      ///< how a text goes on
  double temperature = 0;  ///< 0: greedy
  std::uint64_t seed = 0;
  int tokens = 1;
  std::int32_t end = -1;  ///< stop after this id
};
/// Ids that follow; `publish` after each. Decoders only (Usage otherwise); stops at the model's longest input.
Result<std::vector<std::int32_t>> continueText(const ForwardModel& model, std::vector<std::int32_t> ids,
                                               const Continuation& how, ThreadPool& pool,
                                               const checkpoint::Cancelled& cancelled,
                                               const std::function<void(std::int32_t)>& publish);

}  // namespace sepx::forward
