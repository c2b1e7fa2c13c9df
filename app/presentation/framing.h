// SPDX-License-Identifier: Apache-2.0
// Frames of messages on a byte stream: the four bytes "sepx", the length of the text as four bytes (little-endian), and
// that many bytes of JSON text. A stream that violates this format is refused with one sentence. No message longer than
// kMostMessageBytes is stored. Any thread; one object per stream.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::app {

inline constexpr std::size_t kMostMessageBytes = std::size_t{32} << 20;

/// `text` with the frame header. `text`: at most kMostMessageBytes.
std::string framed(std::string_view text);

class FrameReader {
 public:
  /// The messages that `bytes` completes, in order. BadInput if the stream does not consist of messages or a message is
  /// too large; the object must not be used afterwards.
  Result<std::vector<std::string>> take(std::string_view bytes);
  /// Whether an incomplete message is stored. If the stream ends now, that message was cut short.
  bool withinMessage() const { return !rest_.empty(); }

 private:
  std::string rest_;
};

}  // namespace sepx::app
