// SPDX-License-Identifier: Apache-2.0
// The pattern of the chosen head, as a matrix and as lines. Pure.
#pragma once

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// Rows are queries, columns are keys, both labelled with their tokens. A click chooses the score that is taken apart.
/// `whole`: the pattern of the unchanged open model, also while a changed or a second model is shown.
PictureContent patternMatrix(const SentenceShown& shown, bool whole);
/// A line from every query to every key, as wide as its weight.
PictureContent patternLines(const SentenceShown& shown);

}  // namespace sepx::ui
