// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/qr_code.h"

#include <array>
#include <memory>

#include <qrencode.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

Result<QrCode> qrCode(std::string_view text) {
  // Short texts have room for enough error correction to survive the loss of a quarter of the code, the longest ones
  // for very little.
  constexpr std::array<std::pair<std::size_t, QRecLevel>, 3> kLevels{
      {{300, QR_ECLEVEL_Q}, {1000, QR_ECLEVEL_M}, {kLongestQrText, QR_ECLEVEL_L}}};
  for (const auto& [most, level] : kLevels) {
    if (text.size() > most) continue;
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> made(
        QRcode_encodeData(static_cast<int>(text.size()), reinterpret_cast<const unsigned char*>(text.data()), 0, level),
        &QRcode_free);
    if (!made) break;
    QrCode code;
    code.side = made->width;
    const auto modules = static_cast<std::size_t>(made->width) * static_cast<std::size_t>(made->width);
    code.dark.reserve(modules);
    for (std::size_t i = 0; i < modules; ++i)
      code.dark.push_back((made->data[i] & 1) != 0);
    return code;
  }
  return fail(ErrorKind::CheckFailed,
              trFormat("a QR code holds at most {} characters, and this state has {}; copy it as text, or save it",
                       kLongestQrText, text.size()));
}

}  // namespace sepx::ui
