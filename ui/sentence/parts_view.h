// SPDX-License-Identifier: Apache-2.0
// What the chosen score is made of. Pure.
#pragma once

#include <string>

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// "sat → cat: score 3.21, weight 0.41"
std::string scoreTitle(const SentenceShown& shown);
/// What a score is made of by kind, a bar each that begins where the one before ends; the last one is the score.
PictureContent scoreBars(const SentenceShown& shown);
/// The same by the symmetric and the skew part of W_qk.
PictureContent scoreHalves(const SentenceShown& shown);
/// Pairs of writers: rows of the query's side, columns of the key's; the sum of all is the score.
MatrixContent scorePairs(const SentenceShown& shown);
/// The pairs that add the most to the score or take the most from it.
TableContent largestPairs(const SentenceShown& shown);
/// What gain and rotation make of it, and what is assumed.
TextContent scoreNotes(const SentenceShown& shown);
std::string writerWords(const forward::Writer& writer);

}  // namespace sepx::ui
