// SPDX-License-Identifier: Apache-2.0
// Reads the vocabulary of a model from the files beside its weights, or from GGUF. Any thread.
#pragma once

#include "engine/checkpoint/vocabulary.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// An empty vocabulary if none is found; BadInput for a file that is broken.
Result<Vocabulary> readVocabulary(const Checkpoint& checkpoint);

}  // namespace sepx::checkpoint
