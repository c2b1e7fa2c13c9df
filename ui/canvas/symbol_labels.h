// SPDX-License-Identifier: Apache-2.0
// Symbols in the texts of a picture (ui/properties/symbols.h), set as labels of their own: letter, script. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/render/scene.h"

namespace sepx::ui {

/// In place of every label that holds symbols: its pieces, one label each, at the place of the whole. The first one
/// has its `at`, the others differ in `offset`.
void setSymbols(std::vector<render::Item>& items);
/// Width of a line as setSymbols() sets it, points.
double setWidth(std::string_view text, double size, bool bold = false);
/// slantedName() where a font has its letters.
std::string symbolName(const std::string& name);

}  // namespace sepx::ui
