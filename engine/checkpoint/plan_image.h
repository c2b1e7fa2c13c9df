// SPDX-License-Identifier: Apache-2.0
// Plans how an image becomes the input of the first block, by the names of the family. Private to the plan of a model.
// Reads headers only; any thread.
#pragma once

#include "engine/checkpoint/plan_names.h"

namespace sepx::checkpoint {

/// BadInput, in one sentence, if a part is missing or the shapes do not give a square image of square patches.
Result<ImagePlan> imageOf(const Checkpoint& checkpoint, const PlanNames& names, const FamilyParts& parts,
                          const PlanNames::Place& place, int d_model, const NormKind& norm);

}  // namespace sepx::checkpoint
