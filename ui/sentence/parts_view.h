// SPDX-License-Identifier: Apache-2.0
// The parts of the chosen attention score. Pure functions.
#pragma once

#include <string>

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// "sat → cat: score 3.21, weight 0.41"
std::string scoreTitle(const SentenceShown& shown);
/// The parts of a score by kind as a waterfall chart: each bar begins where the previous ends, the last is the score.
PictureContent scoreBars(const SentenceShown& shown);
/// The same for the symmetric and the skew part of W_qk.
PictureContent scoreHalves(const SentenceShown& shown);
/// Pairs of writers: rows are the query side, columns the key side. The sum of all pairs is the score.
MatrixContent scorePairs(const SentenceShown& shown);
/// The pairs that add the most to the score or take the most from it.
TableContent largestPairs(const SentenceShown& shown);
/// Notes on the effects of the norm's gain and of the rotary encoding, and on what is assumed.
TextContent scoreNotes(const SentenceShown& shown);
std::string writerWords(const forward::Writer& writer);

}  // namespace sepx::ui
