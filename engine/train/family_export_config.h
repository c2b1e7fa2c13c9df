// SPDX-License-Identifier: Apache-2.0
// What the code of a family does, and its config.json of a model: from the family's description, the one that its
// checkpoints are read by. Private to the family export. Pure.
#pragma once

#include <string>

#include "engine/checkpoint/family_rule.h"
#include "engine/nn/model_config.h"

namespace sepx::train {

/// What the code of a family always does; the rest its config says.
struct FamilyCode {
  std::string name;  ///< "GPT-2"
  bool causal = true, rope = false, embeddingNorm = false, headTransform = false, outputBias = false, segments = false;
  bool absolutePositions = false, gated = false, anyHeadWidth = false, grouped = false, anyScale = false;
  bool anyAttentionBias = false, anyFeedForwardBias = false, bareFirstLayer = false;
  nn::Norm norm = nn::Norm::Layer;
  nn::Placement placement = nn::Placement::Pre;
  bool finalNorm = true;
};
/// Of a family with parts.
FamilyCode codeOf(const checkpoint::FamilyRule& family);
/// Its config.json of this model.
nlohmann::ordered_json familyConfig(const checkpoint::FamilyRule& family, const nn::ModelConfig& config);

}  // namespace sepx::train
