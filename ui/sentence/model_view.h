// SPDX-License-Identifier: Apache-2.0
// How the model is computed, as boxes. Pure.
#pragma once

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// How the model is computed, as boxes: its tensors in order, the block in sight unfolded.
PictureContent modelFlow(const SentenceShown& shown);

}  // namespace sepx::ui
