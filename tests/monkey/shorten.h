// SPDX-License-Identifier: Apache-2.0
// Shortens a failing script: delta debugging (Zeller and Hildebrandt 2002, ddmin) over its lines. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sepx::monkey {

using Lines = std::vector<std::string>;

/// The shortest lines found for which `fails` still holds, in their order. `fails(lines)` must hold at the start. No
/// single line of the result can be removed, unless the limit of `trials` calls of `fails` was reached before.
Lines shortened(Lines lines, const std::function<bool(const Lines&)>& fails, int trials);

}  // namespace sepx::monkey
