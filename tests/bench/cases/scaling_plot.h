// SPDX-License-Identifier: Apache-2.0
// The figure of time against size: one small chart per series of sizes, with logarithmic axes and the fitted power law.
// Pure.
#pragma once

#include <span>
#include <string>

#include "tests/bench/cases/bench.h"

namespace sepx::app::cli {

/// An SVG document of charts in rows of four.
std::string scalingPlot(std::span<const Scaling> scalings);

}  // namespace sepx::app::cli
