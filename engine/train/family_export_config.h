// SPDX-License-Identifier: Apache-2.0
// What the code of a family does, and the family's config.json for a model. Both come from the family's description,
// which is also used to read its checkpoints. Private to the family export. Pure.
#pragma once

#include <string>

#include "engine/checkpoint/family_rule.h"
#include "engine/nn/model_config.h"

namespace sepx::train {

/// What the code of a family always does; its config determines the rest.
struct FamilyCode {
  std::string name;  ///< "GPT-2"
  bool causal = true, rope = false, embeddingNorm = false, headTransform = false, outputBias = false, segments = false;
  bool absolutePositions = false, gated = false, anyHeadWidth = false, grouped = false, anyScale = false;
  bool anyAttentionBias = false, anyFeedForwardBias = false, bareFirstLayer = false;
  nn::Norm norm = nn::Norm::Layer;
  nn::Placement placement = nn::Placement::Pre;
  bool finalNorm = true;
};
/// `family` must have parts.
FamilyCode codeOf(const checkpoint::FamilyRule& family);
/// The family's config.json for this model.
nlohmann::ordered_json familyConfig(const checkpoint::FamilyRule& family, const nn::ModelConfig& config);

}  // namespace sepx::train
