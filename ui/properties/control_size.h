// SPDX-License-Identifier: Apache-2.0
// The minimum size of controls in a picture (WCAG 2.2, target size). Pure.
#pragma once

#include <algorithm>

namespace sepx::ui {

inline constexpr double kLeastControl = 24;  ///< points, width and height

/// The width of a button whose text has the width `words`.
inline double controlWidth(double words, double padding) {
  return std::max(kLeastControl, words + 2 * padding);
}

}  // namespace sepx::ui
