// SPDX-License-Identifier: Apache-2.0
// The pattern of the chosen head, as a matrix and as lines. Pure.
#pragma once

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// Rows are queries, columns keys, with the tokens at both; a click chooses the score that is taken apart.
/// `whole`: of the whole model, or of the open one, where another one is in sight.
PictureContent patternMatrix(const SentenceShown& shown, bool whole);
/// A line from every query to every key, as wide as its weight.
PictureContent patternLines(const SentenceShown& shown);

}  // namespace sepx::ui
