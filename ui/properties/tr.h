// SPDX-License-Identifier: Apache-2.0
// Every text a person reads goes through tr() (gettext, domain "separatrix"), in all hosts.
#pragma once

#include <string>

#include "engine/core/sentence.h"  // N_()

namespace sepx::ui {

/// The translation, or the text itself. Cheap; any thread.
const char* tr(const char* text);
std::string tr(const std::string& text);

/// Called once by main() after setlocale: binds the domain; numbers stay in the "C" locale.
void setUpTranslations();

}  // namespace sepx::ui
