// SPDX-License-Identifier: Apache-2.0
// How times grow with sizes, as a figure: one small chart a ladder of sizes, both axes logarithmic, with the fitted
// power. Pure.
#pragma once

#include <span>
#include <string>

#include "tests/bench/cases/bench.h"

namespace sepx::app::cli {

/// An SVG document of charts in rows of four.
std::string scalingPlot(std::span<const Scaling> scalings);

}  // namespace sepx::app::cli
