// SPDX-License-Identifier: Apache-2.0
// Scores of the layers of a checkpoint with the bands of structureless matrices, layer by layer, so that one layer's
// factors at a time are in memory; medians and quartiles over them. Who computes the moments, the CPU or a device, is
// the caller's. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/attention/random_band.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/studies/study_result.h"

namespace sepx::studies {

using Layers = std::vector<const checkpoint::AttentionLayer*>;  ///< in the order of the model

/// Scores of one form.
struct Scored {
  attention::Scores scores;   ///< symmetry NaN where the form is not square, is zero or is not finite
  std::size_t nonfinite = 0;  ///< weights that are NaN or infinite
};

struct ScoredLayer {  ///< a layer and its heads
  const checkpoint::AttentionLayer* layer = nullptr;
  Scored all;
  std::vector<Scored> heads;                             ///< empty unless asked for
  std::optional<attention::RandomBands> band, headBand;  ///< none where the form is not square
};

struct ScoreRequest {  ///< what is scored
  attention::ScoreOptions options;
  checkpoint::HeadPairing pairing = checkpoint::HeadPairing::Grouped;
  bool heads = false;
  bool bands = true;
};

/// Whoever computes moments: the CPU's doubles or a kernel.
class MomentsComputer {
 public:
  virtual ~MomentsComputer() = default;
  virtual Result<attention::Moments> moments(const attention::LayerFactors& factors) = 0;  ///< of all heads together
  /// Of each head.
  virtual Result<std::vector<attention::Moments>> momentsOfHeads(const attention::LayerFactors& factors) = 0;
  virtual bool cancelled() const = 0;  ///< asked between layers
};

/// Interrupted when cancelled; `progress` is called before every layer with the share done.
Result<std::vector<ScoredLayer>> scoreLayers(const checkpoint::Model& model, const Layers& layers,
                                             const ScoreRequest& request, MomentsComputer& computer,
                                             const std::function<void(double share)>& progress = {});

/// Medians and quartiles over the layers of one stack.
struct Summary {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  attention::Quartiles symmetry, directionality;
};
/// In the order in which stacks first stand.
std::vector<Summary> summaries(const std::vector<ScoredLayer>& scored);
/// The same over the heads of one layer.
Summary acrossHeads(const ScoredLayer& layer);
/// {"stack", "symmetry", "directionality"}, each with its median and quartiles.
Json toJson(const Summary& summary);

}  // namespace sepx::studies
