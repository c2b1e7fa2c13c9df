// SPDX-License-Identifier: Apache-2.0
// Colours of lines as colours of words: a line needs a contrast of 3, a text 4.5. Pure.
#pragma once

#include "ui/canvas/theme.h"

namespace sepx::ui {

/// `color`, or as little of the theme's text colour in it as gives it the contrast of a text to `ground`.
render::Color readable(render::Color color, render::Color ground, const Theme& theme);

}  // namespace sepx::ui
