// SPDX-License-Identifier: Apache-2.0
// The tokens of the page Sentence as chips, and what a click on one changes. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// "3: ␣dog"
std::string tokenWords(const SentenceTokens& tokens, int place);

/// One chip per token: a click chooses it, a double click masks it. Chips of keys are tinted by the weight that the
/// chosen query gives them.
PictureContent tokensRow(const SentenceShown& shown);
/// The height of the chips at a width, points.
double heightOfTokens(const SentenceTokens& tokens, double width, const Theme& theme);
/// The document changes that choose the token whose prediction is read.
Changes placeChosen(const SentenceKeys& keys, const checkpoint::ModelPlan& plan, int place);
/// The document changes that put a token at a place. The text's own token removes the replacement.
Changes replaced(const SentenceKeys& keys, const SentenceTokens& tokens, const SentenceState& state, int place,
                 std::int32_t id);

}  // namespace sepx::ui
