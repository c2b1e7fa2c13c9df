// SPDX-License-Identifier: Apache-2.0
// A chart of Assumption 4.2 of Reversal, plane by plane. Pure.
#pragma once

#include <vector>

#include "engine/reversal/rope_planes.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// rho of each plane as a bar from 0; those that violate Assumption 4.2 are a series of their own.
LineChart planesChart(const reversal::RopePlanes& planes, const Theme& theme);

}  // namespace sepx::ui
