// SPDX-License-Identifier: Apache-2.0
// Typesets the symbols in the texts of a picture (ui/properties/symbols.h) as separate labels for letter and script.
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/render/scene.h"

namespace sepx::ui {

/// Replaces every label that contains symbols by its pieces, one label each, at the place of the original. All pieces
/// share its `at` and differ in `offset`.
void typesetSymbols(std::vector<render::Item>& items);
/// Width of a line as typeset by typesetSymbols(), points.
double typesetWidth(std::string_view text, double size, bool bold = false);
/// slantedName() if a font has the slanted letters, otherwise `name`.
std::string symbolName(const std::string& name);

}  // namespace sepx::ui
