// SPDX-License-Identifier: Apache-2.0
// Models that this program wrote: config.json holds the run's whole config under "separatrix", because the family under
// whose names the tensors stand cannot say everything ("separatrix_deviation"). What it says goes before the family's
// ways. Private to the plan of a model. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "engine/checkpoint/plan_names.h"

namespace sepx::checkpoint {

/// The part "model" of a run's config (nn/model_config.h), as far as it decides what is computed.
struct OwnModel {
  bool causal = true, signedDistances = false, alibi = false, rope = false, positionTable = false, sinusoidal = false;
  bool norms = true, rms = false, pre = true, embeddingNorm = false, finalNorm = true;
  bool feedForward = true, headTransform = false, outputBias = false, bit = false;
  int segments = 0;
  double scale = 0, ropeBase = 10000, alibiSlope = 0, epsilon = 1e-5;  ///< scale, alibiSlope 0: as usual
  FeedForwardActivation activation = FeedForwardActivation::GeluTanh;
  bool gated = false;
};

/// Nothing where config.json has none. BadInput, one sentence: a field that is no such value, or a model that is not
/// computed here (attention without a softmax, branches without a sum).
Result<std::optional<OwnModel>> ownModelOf(const Checkpoint& checkpoint);

/// Names of the parts as the export wrote them: the family's where it has them, else the run's own. `normGain` is the
/// family's norm before the attention; the answer is that of this model, without ".weight" (empty: none).
std::string adaptToOwn(const OwnModel& model, const std::string& normGain, FamilyParts& parts);

/// Causal or not, scale, rotation of one attention.
void applyOwn(const OwnModel& model, AttentionLayer& layer);
/// Biases of distance, and the head's kind.
void applyOwn(const OwnModel& model, ModelPlan& plan);

}  // namespace sepx::checkpoint
