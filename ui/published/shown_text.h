// SPDX-License-Identifier: Apache-2.0
// Converts a sentence of engine/studies for the screen. Such sentences also go to terminals and JSON, so the names of
// Greek letters are spelled out in them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace sepx::ui {

/// Converts "sigma1/sigma2 above -1/2" to "σ₁/σ₂ above −1/2": names of Greek letters become letters, with a following
/// digit as a subscript, "^2" becomes "²", and numbers are formatted by withShownNumbers(). Names within words, paths
/// and keys are unchanged.
std::string shownText(std::string_view text);

}  // namespace sepx::ui
