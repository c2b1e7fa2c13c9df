// SPDX-License-Identifier: Apache-2.0
// Encodes a text as a QR code, with libqrencode. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::ui {

/// Bytes that the largest QR code can hold.
inline constexpr std::size_t kLongestQrText = 2953;

struct QrCode {
  int side = 0;            ///< modules
  std::vector<bool> dark;  ///< [side, side], row-major, without the blank border of four modules
  bool at(int row, int column) const {
    return dark[static_cast<std::size_t>(row) * static_cast<std::size_t>(side) + static_cast<std::size_t>(column)];
  }
};

/// The shorter the text, the stronger the error correction. CheckFailed for a text that is too long.
Result<QrCode> qrCode(std::string_view text);

}  // namespace sepx::ui
