// SPDX-License-Identifier: Apache-2.0
// A failing script made short: delta debugging (Zeller and Hildebrandt 2002, ddmin) over its lines. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sepx::monkey {

using Lines = std::vector<std::string>;

/// The shortest lines found of which `fails` still holds, in their order; `fails(lines)` holds at the start. No single
/// line of the answer can be left out, unless `trials` calls of `fails` were made before.
Lines shortened(Lines lines, const std::function<bool(const Lines&)>& fails, int trials);

}  // namespace sepx::monkey
