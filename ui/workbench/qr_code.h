// SPDX-License-Identifier: Apache-2.0
// A text as a QR picture, by libqrencode. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::ui {

/// Bytes of the largest picture.
inline constexpr std::size_t kLongestQrText = 2953;

struct QrCode {
  int side = 0;            ///< modules
  std::vector<bool> dark;  ///< [side, side], row-major, without the blank border of four modules
  bool at(int row, int column) const {
    return dark[static_cast<std::size_t>(row) * static_cast<std::size_t>(side) + static_cast<std::size_t>(column)];
  }
};

/// The strongest protection against errors that costs no larger picture than it must. CheckFailed for a text that has
/// no room.
Result<QrCode> qrCode(std::string_view text);

}  // namespace sepx::ui
