// SPDX-License-Identifier: Apache-2.0
// Writes a model as the tensors of a family with one stack. Private to the family export. One thread.
#pragma once

#include <span>

#include "engine/checkpoint/family_rule.h"
#include "engine/nn/model_config.h"
#include "engine/train/family_export.h"

namespace sepx::train {

/// Exports the model under the names of `family`, which must have parts.
FamilyExport exportAs(const checkpoint::FamilyRule& family, const nn::ModelConfig& config,
                      const nn::ParameterLayout& layout, std::span<const float> theta);

}  // namespace sepx::train
