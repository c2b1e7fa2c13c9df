// SPDX-License-Identifier: Apache-2.0
// The small picture of a study on its card. Pure.
#pragma once

#include <functional>
#include <vector>

#include "engine/render/scene.h"
#include "engine/studies/study.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

/// Its first chart, where the starts of a flow end, its numbers as bars, or which of its checks hold, from what was
/// computed or else from what the paper prints. Where there is neither: what will be seen, by formula and muted, which
/// is not data. `made`: null before the study was computed. What it refers to outlives the picture.
void addThumbnail(std::vector<render::Item>& items, const render::Rect& box, const studies::Study& study,
                  const studies::StudyResult* made, const Theme& theme);

}  // namespace sepx::ui
