// SPDX-License-Identifier: Apache-2.0
// Converts the theme tokens of ui/canvas/theme.h to a Qt palette, so that widgets and viewport match. GUI thread.
#pragma once

#include "ui/canvas/theme.h"

#include <QPalette>

namespace sepx::app {

QPalette paletteOf(const ui::Theme& theme);
/// Style rules for what a palette cannot express (borders of docks and menus), from the same tokens.
/// `type`: points of ordinary text. It is part of the rules because a widget with its own rule would keep its previous
/// size.
QString styleSheetOf(const ui::Theme& theme, double type);

}  // namespace sepx::app
