// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/protobuf.h"

namespace sepx::checkpoint {

std::optional<std::uint64_t> ProtoReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift <= 63; shift += 7) {
    if (at_ == message_.size()) return std::nullopt;
    const auto byte = std::to_integer<std::uint64_t>(message_[at_++]);
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<ProtoField> ProtoReader::next() {
  if (broken_ || at_ == message_.size()) return std::nullopt;
  const std::size_t begin = at_;
  const auto fail = [&]() -> std::optional<ProtoField> {
    broken_ = true;
    at_ = begin;
    return std::nullopt;
  };
  const auto key = varint();
  if (!key || *key >> 3 == 0 || *key >> 3 > 0x1FFFFFFF) return fail();
  ProtoField field;
  field.number = static_cast<std::uint32_t>(*key >> 3);
  field.kind = static_cast<ProtoField::Kind>(*key & 7);
  std::uint64_t length = 0;
  switch (field.kind) {
    case ProtoField::Kind::Varint: {
      const auto value = varint();
      if (!value) return fail();
      field.value = *value;
      return field;
    }
    case ProtoField::Kind::Fixed64:
      length = 8;
      break;
    case ProtoField::Kind::Fixed32:
      length = 4;
      break;
    case ProtoField::Kind::Bytes: {
      const auto said = varint();
      if (!said) return fail();
      length = *said;
      break;
    }
    default:
      return fail();
  }
  if (length > message_.size() - at_) return fail();
  field.bytes = message_.subspan(at_, static_cast<std::size_t>(length));
  at_ += static_cast<std::size_t>(length);
  return field;
}

}  // namespace sepx::checkpoint
