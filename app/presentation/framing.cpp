// SPDX-License-Identifier: Apache-2.0
// See framing.h.
#include "app/presentation/framing.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace {

constexpr std::string_view kFrameMark = "sepx";
constexpr std::size_t kFrameHead = 8;

std::size_t lengthIn(std::string_view head) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length |= std::size_t{static_cast<unsigned char>(head[kFrameMark.size() + i])} << (8 * i);
  return length;
}

}  // namespace

std::string framed(std::string_view text) {
  assert(text.size() <= kMostMessageBytes);
  std::string message(kFrameMark);
  for (std::size_t i = 0; i < 4; ++i)
    message += static_cast<char>(text.size() >> (8 * i) & 0xFF);
  message += text;
  return message;
}

Result<std::vector<std::string>> FrameReader::take(std::string_view bytes) {
  rest_ += bytes;
  std::vector<std::string> messages;
  std::size_t at = 0;
  for (;;) {
    const std::string_view left = std::string_view(rest_).substr(at);
    const std::size_t known = std::min(left.size(), kFrameMark.size());
    if (left.substr(0, known) != kFrameMark.substr(0, known))
      return fail(ErrorKind::BadInput, ui::tr("the other program does not use the protocol of Separatrix"));
    if (left.size() < kFrameHead) break;
    const std::size_t length = lengthIn(left);
    if (length > kMostMessageBytes)
      return fail(ErrorKind::BadInput,
                  ui::trFormat("a message of {} bytes; the limit is {}", length, kMostMessageBytes));
    if (left.size() < kFrameHead + length) break;
    messages.emplace_back(left.substr(kFrameHead, length));
    at += kFrameHead + length;
  }
  rest_.erase(0, at);
  return messages;
}

}  // namespace sepx::app
