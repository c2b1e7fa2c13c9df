// SPDX-License-Identifier: Apache-2.0
// The image of the page Sentence with its patches. Pure.
#pragma once

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// The image with its patches: a click chooses one. Patches with a small weight for the chosen query are faded.
PictureContent imagePatches(const SentenceShown& shown);

}  // namespace sepx::ui
