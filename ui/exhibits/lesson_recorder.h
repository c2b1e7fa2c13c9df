// SPDX-License-Identifier: Apache-2.0
// Records what the user did as lines of a lesson: the difference of two documents in the script language
// (ui/document/script.h). Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Lines that change `before` into `after`, limited to what a lesson may set (lesson_list.h): the exhibit, added
/// points, and parameters with another value, up to six on a line. A change that lines cannot make (a removed point)
/// becomes a comment that says so.
std::vector<std::string> recordedLines(const Document& before, const Document& after, const PropertyRegistry& registry);
/// "expect KEY ~ VALUE"; with == for a text or a whole number; empty if there is no finite value.
std::string expectationLine(const std::string& key, const Value& value);
/// The text as a word of a script, quoted if necessary.
std::string scriptWord(const std::string& text);

}  // namespace sepx::ui
