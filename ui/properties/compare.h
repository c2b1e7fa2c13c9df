// SPDX-License-Identifier: Apache-2.0
// KEY OP VALUE of scripts and of lessons' questions, in one place: does a value stand in the relation to a text as
// written? OP: == != < <= > >= ~ has. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Numbers are compared as numbers: == and != within `tolerance`, ~ within `tolerance` or, when that is 0, within one
/// part in a million. `has`: the text of the value contains `expected`. A value that is not there equals only "none".
/// NaN equals nothing. Usage when the pair cannot be ordered (a text with <).
Result<bool> holds(const Value& found, std::string_view op, std::string_view expected, double tolerance = 0);

}  // namespace sepx::ui
