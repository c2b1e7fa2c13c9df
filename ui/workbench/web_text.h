// SPDX-License-Identifier: Apache-2.0
// Writes texts of an HTML page. Whatever they contain, they stay text. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/document/document.h"
#include "ui/document/lesson.h"

namespace sepx::ui {

/// Escapes a text for content and for attributes in double quotes.
std::string htmlText(std::string_view text);
/// JSON for a data block <script type="application/json">. It contains no "<", so that nothing ends the block early.
std::string htmlJson(const Json& json);

/// Text with formulas between dollar signs.
std::string htmlMixed(std::string_view text);
/// A formula as MathML, or its markup as code where it is not a formula.
std::string htmlFormula(const std::string& markup, bool display);
/// The prose of a lesson. Headings begin at <h3>.
std::string htmlProse(const std::vector<Block>& blocks);

}  // namespace sepx::ui
