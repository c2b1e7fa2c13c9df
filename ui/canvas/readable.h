// SPDX-License-Identifier: Apache-2.0
// Makes colours of lines usable as colours of text: a line needs a contrast of 3, a text 4.5. Pure.
#pragma once

#include "ui/canvas/theme.h"

namespace sepx::ui {

/// `color`, mixed with the smallest share of the theme's text colour that gives it the contrast of text against
/// `ground`.
render::Color readable(render::Color color, render::Color ground, const Theme& theme);

}  // namespace sepx::ui
