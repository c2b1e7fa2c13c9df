// SPDX-License-Identifier: Apache-2.0
// Sentences that the engine has finished in English, mostly errors: recognised by the text that they were made of, and
// translated where they are shown. What is not recognised stays English. Any thread.
#pragma once

#include <string>

namespace sepx::ui {

/// "out.npy: has 3 bytes now and had 7 when it was opened; open it again" by the translation of "{}: has {} bytes now
/// and had {} when it was opened; open it again". In English the sentence itself.
std::string translatedSentence(const std::string& sentence);

}  // namespace sepx::ui
