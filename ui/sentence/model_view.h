// SPDX-License-Identifier: Apache-2.0
// A flow diagram of the computation of the model. Pure functions.
#pragma once

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// The computation of the model as boxes: its tensors in order, with the block of the shown layer unfolded.
PictureContent modelFlow(const SentenceShown& shown);

}  // namespace sepx::ui
