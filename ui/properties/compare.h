// SPDX-License-Identifier: Apache-2.0
// Evaluates KEY OP VALUE in scripts and in the questions of lessons: compares a value with an expected value in text
// form. OP: == != < <= > >= ~ has. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// Numbers are compared as numbers: == and != within `tolerance`, ~ within `tolerance` or, when that is 0, within one
/// part in a million. `has`: the text of the value contains `expected`. A missing value equals only "none". NaN equals
/// nothing. Usage if the pair cannot be ordered (a text with <).
Result<bool> holds(const Value& found, std::string_view op, std::string_view expected, double tolerance = 0);

}  // namespace sepx::ui
