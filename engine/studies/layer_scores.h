// SPDX-License-Identifier: Apache-2.0
// Scores of the layers of a checkpoint, with the bands of random matrices without structure, and medians and quartiles
// over the layers. Layers are read one by one, so that only one layer's factors are in memory. The caller chooses
// whether the CPU or a GPU computes the moments. Any thread.
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
  std::vector<Scored> heads;                             ///< empty unless requested
  std::optional<attention::RandomBands> band, headBand;  ///< empty if not requested or not square
};

struct ScoreRequest {  ///< what is scored
  attention::ScoreOptions options;
  checkpoint::HeadPairing pairing = checkpoint::HeadPairing::Grouped;
  bool heads = false;
  bool bands = true;
};

/// Computes moments, either on the CPU in double precision or with a GPU kernel.
class MomentsComputer {
 public:
  virtual ~MomentsComputer() = default;
  virtual Result<attention::Moments> moments(const attention::LayerFactors& factors) = 0;  ///< of all heads together
  /// Of each head separately.
  virtual Result<std::vector<attention::Moments>> momentsOfHeads(const attention::LayerFactors& factors) = 0;
  virtual bool cancelled() const = 0;  ///< called between layers
};

/// Fails with Interrupted if cancelled. `progress` is called before every layer with the share done.
Result<std::vector<ScoredLayer>> scoreLayers(const checkpoint::Model& model, const Layers& layers,
                                             const ScoreRequest& request, MomentsComputer& computer,
                                             const std::function<void(double share)>& progress = {});

/// Medians and quartiles over the layers of one stack.
struct Summary {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  attention::Quartiles symmetry, directionality;
};
/// One summary per stack, in the order in which the stacks first appear.
std::vector<Summary> summaries(const std::vector<ScoredLayer>& scored);
/// The same over the heads of one layer.
Summary acrossHeads(const ScoredLayer& layer);
/// {"stack", "symmetry", "directionality"}, each with its median and quartiles.
Json toJson(const Summary& summary);

}  // namespace sepx::studies
