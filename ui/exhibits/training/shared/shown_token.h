// SPDX-License-Identifier: Apache-2.0
// Tokens of training data as people read them. Pure; any thread.
#pragma once

#include <string>
#include <vector>

namespace sepx::ui {

/// A word of data::Source, which text sources write as GPT-2 stores it: "Ġthe" is "␣the", "Ċ" is "\n", "Ã©" is "é".
std::string shownToken(const std::string& word);

/// The sentence that names what a text has and the vocabulary of a run has not.
std::string notInVocabulary(const std::vector<std::string>& unknown);

}  // namespace sepx::ui
