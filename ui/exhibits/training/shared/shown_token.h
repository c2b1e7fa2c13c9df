// SPDX-License-Identifier: Apache-2.0
// Tokens of training data in a readable form. Pure; any thread.
#pragma once

#include <string>
#include <vector>

namespace sepx::ui {

/// The readable form of a word of data::Source. Text sources write words as GPT-2 stores them: "Ġthe" becomes "␣the",
/// "Ċ" becomes "\n", and "Ã©" becomes "é".
std::string shownToken(const std::string& word);

/// A sentence that names the parts of a text that are not in the vocabulary of a run.
std::string notInVocabulary(const std::vector<std::string>& unknown);

}  // namespace sepx::ui
