// SPDX-License-Identifier: Apache-2.0
// Sets a lesson's prose in an ImGui window: words of several styles flowing into lines of a width. Frame thread.
#pragma once

#include <vector>

#include "ui/canvas/theme.h"
#include "ui/document/lesson.h"

namespace sepx::ui {

/// Height that `blocks` take in lines of `width` points.
float proseHeight(const std::vector<Block>& blocks, float width, const Theme& theme);
/// Draws them at the cursor and moves it below. Answers the height.
float drawProse(const std::vector<Block>& blocks, float width, const Theme& theme);

}  // namespace sepx::ui
