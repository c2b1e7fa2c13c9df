// SPDX-License-Identifier: Apache-2.0
// A pseudo-language for tests: English with every word lengthened by 40 %, generated at run time. Text that is not
// lengthened does not go through tr(); text that is cut off has no room for languages such as German. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "ui/properties/catalogue.h"

namespace sepx::ui {

/// `text` with its words lengthened. Values in braces, %1, formulas between dollar signs and code between grave accents
/// stay unchanged.
std::string lengthened(std::string_view text);

/// Translates every text. Each translation is made on first use and kept.
const Translations& pseudoLanguage();

}  // namespace sepx::ui
