// SPDX-License-Identifier: Apache-2.0
// Translation of texts. Every text that a user reads goes through tr() in all hosts (gettext catalogues, domain
// "separatrix").
#pragma once

#include <string>

#include "engine/core/sentence.h"  // N_()

namespace sepx::ui {

/// The translation, or the text itself. Cheap; any thread.
const char* tr(const char* text);
std::string tr(const std::string& text);

/// Called once by main() after setlocale(). Selects the language of the system and keeps numbers in the "C" locale.
void setUpTranslations();

}  // namespace sepx::ui
