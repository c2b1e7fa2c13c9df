// SPDX-License-Identifier: Apache-2.0
// The charts of the page Correlation. Pure.
#pragma once

#include <string>
#include <vector>

#include "ui/canvas/theme.h"
#include "ui/exhibits/reversal/correlation/correlation_result.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// Over Delta1 + Delta2: measured correlation with its range over pairs of distances, and bounds. Each may be null.
LineChart sumChart(const CorrelationResult* result, const RopeBounds* bounds, const Theme& theme);
/// Correlation over Delta1 = Delta2: the trace bound, the model's vectors, and their value under Assumption 4.2.
LineChart farChart(const CorrelationResult* result, const RopeBounds* bounds, const Theme& theme);
LineChart cantelliChart(const RopeBounds& bounds, const Theme& theme);
}  // namespace sepx::ui
