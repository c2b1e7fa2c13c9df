// SPDX-License-Identifier: Apache-2.0
// Messages on a stream: the four bytes "sepx", the length of what follows as four bytes (lowest first), and that many
// bytes of JSON text. A stream that breaks this is refused with one sentence; nothing is kept that is longer than the
// bound. Any thread; one object a stream.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::app {

inline constexpr std::size_t kMostMessageBytes = std::size_t{32} << 20;

/// The message with its head. `text`: at most kMostMessageBytes.
std::string framed(std::string_view text);

class FrameReader {
 public:
  /// The messages that are complete with `bytes`, in their order. BadInput: the stream is not of messages, or one is
  /// too large; the object must not be used further.
  Result<std::vector<std::string>> take(std::string_view bytes);
  /// Bytes of a message that is not complete: when the stream ends now, it was cut short.
  bool withinMessage() const { return !rest_.empty(); }

 private:
  std::string rest_;
};

}  // namespace sepx::app
