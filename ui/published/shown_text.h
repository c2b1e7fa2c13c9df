// SPDX-License-Identifier: Apache-2.0
// A sentence of engine/studies as the screen shows it. Such sentences go to terminals and JSON too, where the names of
// Greek letters are spelled out. Pure.
#pragma once

#include <string>
#include <string_view>

namespace sepx::ui {

/// "sigma1/sigma2 above -1/2" as "σ₁/σ₂ above −1/2": names of Greek letters as letters, with an index behind them as
/// such, "^2" as "²", and numbers as of withShownNumbers(). Names within words, paths and keys stay.
std::string shownText(std::string_view text);

}  // namespace sepx::ui
