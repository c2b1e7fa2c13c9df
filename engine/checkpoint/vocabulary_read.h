// SPDX-License-Identifier: Apache-2.0
// Reads the words of a model from what lies beside its weights. Any thread.
#pragma once

#include "engine/checkpoint/vocabulary.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// An empty vocabulary when nothing lies there; BadInput for a file that is broken.
Result<Vocabulary> readVocabulary(const Checkpoint& checkpoint);

}  // namespace sepx::checkpoint
