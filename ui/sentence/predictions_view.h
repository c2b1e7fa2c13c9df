// SPDX-License-Identifier: Apache-2.0
// Tables of the predictions at the chosen place and at every place. Pure functions.
#pragma once

#include <string>

#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

/// "30 %", "< 0.1 %"
std::string shareWords(double share);
std::string predictionTitle(const SentenceShown& shown);
/// The ranked tokens at the chosen place, with their probabilities in the changed model. A click puts the token there.
TableContent predictionsRanked(const SentenceShown& shown);
/// The likeliest token of every place, its probability and the entropy.
TableContent predictionsByPlace(const SentenceShown& shown);

}  // namespace sepx::ui
