// SPDX-License-Identifier: Apache-2.0
// Reads the wire format of protocol buffers: a sequence of fields, each with a key (number and kind) and a value.
// Nothing is copied; the bytes of a field stay in the message. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sepx::checkpoint {

struct ProtoField {                                                                    ///< one field of a message
  enum class Kind : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };  ///< wire types
  std::uint32_t number = 0;
  Kind kind = Kind::Varint;
  std::uint64_t value = 0;           ///< of a Varint
  std::span<const std::byte> bytes;  ///< of the other kinds: 8 bytes, the stated length, or 4 bytes

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  bool is(std::uint32_t wanted, Kind of) const { return number == wanted && kind == of; }
};

class ProtoReader {  ///< walks through the fields of a message
 public:
  explicit ProtoReader(std::span<const std::byte> message) : message_(message) {}
  /// The next field; empty at the end, or if the message is broken.
  std::optional<ProtoField> next();
  bool broken() const { return broken_; }
  /// Position of the reader; after a failure, that of the broken field.
  std::size_t at() const { return at_; }

 private:
  std::optional<std::uint64_t> varint();

  std::span<const std::byte> message_;
  std::size_t at_ = 0;
  bool broken_ = false;
};

/// Calls `take` for the values of a packed field of varints in order; false if a value is cut off.
template <class Take>
bool forEachVarint(std::span<const std::byte> packed, Take take) {
  std::size_t at = 0;
  while (at < packed.size()) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      if (at == packed.size() || shift > 63) return false;
      const auto byte = std::to_integer<std::uint64_t>(packed[at++]);
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    take(value);
  }
  return true;
}

}  // namespace sepx::checkpoint
