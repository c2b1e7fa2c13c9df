// SPDX-License-Identifier: Apache-2.0
// Draws the small picture of a study on its card. Pure.
#pragma once

#include <functional>
#include <vector>

#include "engine/render/scene.h"
#include "engine/studies/study.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

/// Draws the first chart of the study, the ends of a flow's starts, its numbers as bars, or which of its checks hold,
/// from the computed result or else from the numbers that the paper prints. If there is neither, draws a muted sketch
/// of the expected result from formulas, which is not data. `made`: null before the study is computed. The objects that
/// it refers to must outlive the picture.
void addThumbnail(std::vector<render::Item>& items, const render::Rect& box, const studies::Study& study,
                  const studies::StudyResult* made, const Theme& theme);

}  // namespace sepx::ui
