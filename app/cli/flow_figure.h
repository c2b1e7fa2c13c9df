// SPDX-License-Identifier: Apache-2.0
// The pictures of figures 1, 2 and 5 of Local-to-Global, which show planes and spaces instead of charts. Main thread.
#pragma once

#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/render/scene.h"
#include "engine/studies/flow_study.h"
#include "ui/canvas/theme.h"

namespace sepx::app::cli {

render::Scene flowFigure(const studies::FlowFigure& figure, double width, double height, const ui::Theme& theme,
                         ThreadPool& pool);
/// Adds a legend of the marks in a figure, in one row from `at`, with as many entries as fit.
void addKindLegend(std::vector<render::Item>& items, render::Point at, double width, const ui::Theme& theme,
                   int figure);

}  // namespace sepx::app::cli
