// SPDX-License-Identifier: Apache-2.0
// How an image becomes the first stream of a model, by the names of its family. Private to the plan of a model. Reads
// headers only; any thread.
#pragma once

#include "engine/checkpoint/plan_names.h"

namespace sepx::checkpoint {

/// BadInput, one sentence: a part is not there, or the shapes make no square image of square patches.
Result<ImagePlan> imageOf(const Checkpoint& checkpoint, const PlanNames& names, const FamilyParts& parts,
                          const PlanNames::Place& place, int d_model, const NormKind& norm);

}  // namespace sepx::checkpoint
