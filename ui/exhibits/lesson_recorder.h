// SPDX-License-Identifier: Apache-2.0
// What a person did, as lines of a lesson: the difference of two documents in the language of scripts
// (ui/document/script.h). Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Lines that make `after` of `before`, of what a lesson may set (lesson_list.h): the exhibit, points that were added,
/// parameters that have another value, those of one section together on a line. What lines cannot do (a point that was
/// removed) is a comment that says so.
std::vector<std::string> recordedLines(const Document& before, const Document& after, const PropertyRegistry& registry);
/// "expect KEY ~ VALUE", a text with ==; empty: there is no value.
std::string expectationLine(const std::string& key, const Value& value);
/// A word of a script that reads back as this text.
std::string scriptWord(const std::string& text);

}  // namespace sepx::ui
