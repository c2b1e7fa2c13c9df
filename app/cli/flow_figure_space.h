// SPDX-License-Identifier: Apache-2.0
// Figures 2 and 5 of Local-to-Global. Main thread.
#pragma once

#include "engine/core/thread_pool.h"
#include "engine/render/scene.h"
#include "engine/studies/flow_study.h"
#include "ui/canvas/theme.h"

namespace sepx::app::cli {

render::Scene spaceFigure(const studies::FlowFigure& figure, double width, double height, const ui::Theme& theme,
                          ThreadPool& pool);

}  // namespace sepx::app::cli
