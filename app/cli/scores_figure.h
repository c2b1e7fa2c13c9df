// SPDX-License-Identifier: Apache-2.0
// Figure 2 of Attention-Structure: both scores of published and measured models against the number of parameters, with
// the same plots as the charts of the Weights exhibit. Main thread.
#pragma once

#include "engine/render/scene.h"
#include "engine/studies/score_study.h"
#include "ui/canvas/theme.h"

namespace sepx::app::cli {

/// Two plots side by side, with the legend and a line of text below.
render::Scene scoresFigure(const studies::ScoreTables& tables, double width, double height, const ui::Theme& theme);

}  // namespace sepx::app::cli
