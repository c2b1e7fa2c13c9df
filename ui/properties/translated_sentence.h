// SPDX-License-Identifier: Apache-2.0
// Translates sentences that the engine has already formatted in English, mostly errors. They are recognised by the
// texts from which they were formatted, and translated where they are shown. A sentence that is not recognised stays
// English. Any thread.
#pragma once

#include <string>

namespace sepx::ui {

/// "out.npy: has 3 bytes now and had 7 when it was opened; open it again" is translated with the translation of "{}:
/// has {} bytes now and had {} when it was opened; open it again". In English the sentence is returned unchanged.
std::string translatedSentence(const std::string& sentence);

}  // namespace sepx::ui
