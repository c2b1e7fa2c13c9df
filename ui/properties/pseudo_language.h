// SPDX-License-Identifier: Apache-2.0
// A language for tests: English with every word longer by 40 %, made while the program runs. What is not lengthened
// does not go through tr(); what is cut off has no room for German. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "ui/properties/catalogue.h"

namespace sepx::ui {

/// Values in braces, %1, formulas between dollar signs and code between grave accents stay as they are.
std::string lengthened(std::string_view text);

/// Every text has a translation, which is kept.
const Translations& pseudoLanguage();

}  // namespace sepx::ui
