// SPDX-License-Identifier: Apache-2.0
// A translated sentence with values in it. Any thread.
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"

namespace sepx::ui {

/// The translation of `text` with its {} replaced.
template <class... Values>
std::string trFormat(const char* text, Values&&... values) {
  return fmt::format(fmt::runtime(tr(text)), std::forward<Values>(values)...);
}

}  // namespace sepx::ui
