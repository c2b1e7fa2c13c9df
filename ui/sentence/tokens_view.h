// SPDX-License-Identifier: Apache-2.0
// The tokens of the page Sentence as chips, and what a click on one changes. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// "3: ␣dog"
std::string tokenWords(const SentenceTokens& tokens, int place);

/// A chip a token: a click chooses it, a double click masks it. Chips of keys are tinted by what the chosen query takes
/// from them.
PictureContent tokensRow(const SentenceShown& shown);
/// Points that it takes at a width.
double heightOfTokens(const SentenceTokens& tokens, double width, const Theme& theme);
/// What chooses the token whose prediction is read.
Changes placeChosen(const SentenceKeys& keys, const checkpoint::ModelPlan& plan, int place);
/// Document changes that put a token at a place; the text's own token: takes the change back.
Changes replaced(const SentenceKeys& keys, const SentenceTokens& tokens, const SentenceState& state, int place,
                 std::int32_t id);

}  // namespace sepx::ui
