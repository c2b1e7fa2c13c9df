// SPDX-License-Identifier: Apache-2.0
// Models that this program wrote: config.json holds the run's whole config under "separatrix", because the family whose
// names the tensors have cannot express everything ("separatrix_deviation"). The run's config overrides the family's
// conventions. Private to the plan of a model. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "engine/checkpoint/plan_names.h"

namespace sepx::checkpoint {

/// The part "model" of a run's config (nn/model_config.h), as far as it determines the computation.
struct OwnModel {
  bool causal = true, signedDistances = false, alibi = false, rope = false, positionTable = false, sinusoidal = false;
  bool norms = true, rms = false, pre = true, embeddingNorm = false, finalNorm = true;
  bool feedForward = true, headTransform = false, outputBias = false, bit = false;
  int segments = 0;
  double scale = 0, ropeBase = 10000, alibiSlope = 0, epsilon = 1e-5;  ///< scale, alibiSlope: 0 is the default
  FeedForwardActivation activation = FeedForwardActivation::GeluTanh;
  bool gated = false;
};

/// Empty if config.json has no such part. BadInput, in one sentence, for a field with an invalid value, or for a model
/// that is not computed here (attention without a softmax, branches without a sum).
Result<std::optional<OwnModel>> ownModelOf(const Checkpoint& checkpoint);

/// Sets the names of the parts as the export wrote them: the family's names where it has them, else the run's own.
/// `normGain` is the family's norm before the attention. Returns that of this model, without ".weight" (empty: none).
std::string adaptToRunConfig(const OwnModel& model, const std::string& normGain, FamilyParts& parts);

/// Sets the causality, the scale and the rotary encoding of one attention.
void applyOwn(const OwnModel& model, AttentionLayer& layer);
/// Sets the causality, the distance biases and the kind of the head.
void applyOwn(const OwnModel& model, ModelPlan& plan);

}  // namespace sepx::checkpoint
