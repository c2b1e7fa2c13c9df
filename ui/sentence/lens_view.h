// SPDX-License-Identifier: Apache-2.0
// Predictions from the stream after every block, and path patching. Pure functions.
#pragma once

#include <string>

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// The likeliest tokens from the stream after every block at the chosen place, and the rank of the answer.
TableContent lensTable(const SentenceShown& shown);
ChartContent lensChart(const SentenceShown& shown);
/// Path patching: how much of the difference of two predictions a stream carries, by block (rows) and place (columns).
MatrixContent patchedMatrix(const SentenceShown& shown);

std::string patchedTitle(const SentenceShown& shown);

}  // namespace sepx::ui
