// SPDX-License-Identifier: Apache-2.0
// The theme tokens of ui/canvas/theme.h as a Qt palette, so that widgets and viewport are one picture. GUI thread.
#pragma once

#include "ui/canvas/theme.h"

#include <QPalette>

namespace sepx::app {

QPalette paletteOf(const ui::Theme& theme);
/// What a palette cannot say (borders of docks and menus), from the same tokens.
/// `type`: points of ordinary text; a widget with a rule of its own would keep the size it had before.
QString styleSheetOf(const ui::Theme& theme, double type);

}  // namespace sepx::app
