// SPDX-License-Identifier: Apache-2.0
// How large what can be pressed in a picture is at least (WCAG 2.2, target size). Pure.
#pragma once

#include <algorithm>

namespace sepx::ui {

inline constexpr double kLeastControl = 24;  ///< points, of either side

/// Of a button whose words are as wide as this.
inline double controlWidth(double words, double padding) {
  return std::max(kLeastControl, words + 2 * padding);
}

}  // namespace sepx::ui
