// SPDX-License-Identifier: Apache-2.0
// Field numbers of onnx.proto: TensorProto {dims 1, data_type 2, float_data 4, int32_data 5, int64_data 7, name 8,
// raw_data 9, double_data 10, uint64_data 11, external_data 13, data_location 14}; StringStringEntryProto {key 1,
// value 2}. int32_data holds every type of up to 32 bits, also the bits of float16.
#include "engine/checkpoint/onnx_tensor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/protobuf.h"
#include "engine/core/json.h"
#include "engine/core/try.h"

namespace fs = std::filesystem;

namespace sepx::checkpoint {

namespace {

constexpr std::uint64_t kMostCopied = std::uint64_t{512} << 20;
constexpr std::size_t kMostFiles = 1000;

struct Type {
  Dtype dtype;
  std::string_view name;
};
/// Indexed by data_type.
constexpr std::array<Type, 24> kTypes = {{{Dtype::Unreadable, "undefined"},
                                          {Dtype::F32, "F32"},
                                          {Dtype::U8, "U8"},
                                          {Dtype::I8, "I8"},
                                          {Dtype::U16, "U16"},
                                          {Dtype::I16, "I16"},
                                          {Dtype::I32, "I32"},
                                          {Dtype::I64, "I64"},
                                          {Dtype::Unreadable, "texts"},
                                          {Dtype::Bool, "BOOL"},
                                          {Dtype::F16, "F16"},
                                          {Dtype::F64, "F64"},
                                          {Dtype::U32, "U32"},
                                          {Dtype::U64, "U64"},
                                          {Dtype::Unreadable, "complex64"},
                                          {Dtype::Unreadable, "complex128"},
                                          {Dtype::BF16, "BF16"},
                                          {Dtype::F8_E4M3, "F8_E4M3"},
                                          {Dtype::Unreadable, "float8e4m3fnuz"},
                                          {Dtype::F8_E5M2, "F8_E5M2"},
                                          {Dtype::Unreadable, "float8e5m2fnuz"},
                                          {Dtype::Unreadable, "uint4"},
                                          {Dtype::Unreadable, "int4"},
                                          {Dtype::Unreadable, "float4e2m1"}}};

std::optional<std::uint64_t> numberOf(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

struct OnnxTensors::Parts {
  std::span<const std::byte> message;
  std::optional<std::span<const std::byte>> raw;
  std::vector<std::span<const std::byte>> numbers;  ///< packed pieces of float_data and the other lists
  std::vector<std::uint64_t> loose;                 ///< varints that are not packed
  std::uint64_t type = 0;
  bool varints = false, external = false;
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

tl::unexpected<Error> OnnxTensors::bad(std::span<const std::byte> at, std::string_view tensor,
                                       std::string_view what) const {
  return fail(ErrorKind::BadInput,
              fmt::format("{}: byte {}: initialiser {} {}", file_->path(), offsetOf(at), inQuotes(tensor), what));
}

/// Reads one key of external_data and its value.
Result<void> OnnxTensors::readExternal(std::span<const std::byte> message, const TensorInfo& info, Parts& parts) const {
  std::string_view key, value;
  ProtoReader entry(message);
  while (const auto part = entry.next()) {
    if (part->is(1, ProtoField::Kind::Bytes)) key = part->text();
    if (part->is(2, ProtoField::Kind::Bytes)) value = part->text();
  }
  if (key == "location") parts.location = value;
  if (key != "offset" && key != "length") return {};
  const auto number = numberOf(value);
  if (!number) return bad(message, info.name, fmt::format("has the invalid external {} {}", key, inQuotes(value)));
  if (key == "length") parts.length = number;
  if (key == "offset") parts.offset = *number;
  return {};
}

Result<void> OnnxTensors::readParts(bool named, TensorInfo& info, Parts& parts) const {
  using Kind = ProtoField::Kind;
  bool tooMany = false;
  const auto dimension = [&](std::uint64_t length) {
    if (info.shape.size() == kMostDimensions) tooMany = true;
    if (!tooMany) info.shape.push_back(static_cast<std::int64_t>(length));
  };
  ProtoReader reader(parts.message);
  while (const auto field = reader.next()) {
    if (field->is(1, Kind::Varint)) dimension(field->value);
    if (field->is(1, Kind::Bytes) && !forEachVarint(field->bytes, dimension)) {
      return bad(field->bytes, info.name, "has broken dims");
    }
    if (field->is(2, Kind::Varint)) parts.type = field->value;
    if (field->is(8, Kind::Bytes) && !named) info.name = field->text();
    if (field->is(9, Kind::Bytes)) parts.raw = field->bytes;
    const bool floats = field->number == 4 || field->number == 10;
    const bool whole = field->number == 5 || field->number == 7 || field->number == 11;
    if (((floats && field->kind != Kind::Varint) || (whole && field->kind == Kind::Bytes)) && !field->bytes.empty())
      parts.numbers.push_back(field->bytes);
    if (whole && field->kind == Kind::Varint) parts.loose.push_back(field->value);
    parts.varints |= whole;
    if (field->is(14, Kind::Varint)) parts.external = field->value == 1;
    if (!field->is(13, Kind::Bytes)) continue;
    SEPX_TRY(readExternal(field->bytes, info, parts));
  }
  if (reader.broken()) return bad(parts.message.subspan(reader.at()), info.name, "is broken here");
  if (tooMany) return bad(parts.message, info.name, fmt::format("has more than {} dimensions", kMostDimensions));
  return {};
}

Result<void> OnnxTensors::add(std::span<const std::byte> message, std::string_view name) {
  TensorInfo info;
  info.name = name;
  Parts parts;
  parts.message = message;
  SEPX_TRY(readParts(!name.empty(), info, parts));
  if (info.name.empty()) return bad(message, info.name, "has no name");
  if (!valuesOf(info.shape)) return bad(message, info.name, "has a shape that is negative or whose product overflows");
  const Type known =
      parts.type < kTypes.size() ? kTypes[static_cast<std::size_t>(parts.type)] : Type{Dtype::Unreadable, {}};
  info.dtype = known.dtype;
  info.dtypeName = known.name.empty() ? fmt::format("type {}", parts.type) : std::string(known.name);
  if (contents_.tensors.size() >= kMostTensors) return bad(message, info.name, "is one of too many");
  if (known.dtype != Dtype::Unreadable) SEPX_TRY(place(parts, info));
  contents_.tensors.push_back(std::move(info));
  return {};
}

Result<void> OnnxTensors::place(const Parts& parts, TensorInfo& info) {
  const auto wanted = bytesOf(info.dtype, info.values());
  if (!wanted) return bad(parts.message, info.name, "has more values than any file holds");
  info.bytes = *wanted;
  if (parts.external) return placeExternal(parts, info);
  if (parts.raw) {
    if (parts.raw->size() != *wanted) {
      return bad(*parts.raw, info.name,
                 fmt::format("has {} bytes for {} values of {}", parts.raw->size(), info.values(), info.dtypeName));
    }
    info.offset = offsetOf(*parts.raw);
    return {};
  }
  if (!parts.varints && parts.numbers.size() == 1 && parts.numbers.front().size() == *wanted) {
    info.offset = offsetOf(parts.numbers.front());
    return {};
  }
  return placeNumbers(parts, info);
}

/// Gathers the values of lists of varints, and of packed lists in pieces.
Result<void> OnnxTensors::placeNumbers(const Parts& parts, TensorInfo& info) {
  std::uint64_t said = parts.loose.size();
  for (const auto piece : parts.numbers)
    said += piece.size();
  // Each value takes at least one byte of the file; memory for more values is never allocated.
  if (info.values() > said) return bad(parts.message, info.name, fmt::format("lacks its {} values", info.values()));
  copied_ += info.bytes;
  if (copied_ > kMostCopied) return bad(parts.message, info.name, "is one of too many that are not stored as raw_data");
  std::vector<std::byte> values;
  values.reserve(static_cast<std::size_t>(info.bytes));
  const std::size_t item = blockOf(info.dtype).bytes;
  const auto takeInteger = [&](std::uint64_t value) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    if (values.size() < info.bytes) values.insert(values.end(), bytes, bytes + item);
  };
  for (const auto piece : parts.numbers) {
    if (!parts.varints) {
      const std::size_t count =
          std::min<std::size_t>(piece.size(), static_cast<std::size_t>(info.bytes) - values.size());
      values.insert(values.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
    } else if (!forEachVarint(piece, takeInteger)) {
      return bad(piece, info.name, "has a broken list of numbers");
    }
  }
  for (const std::uint64_t value : parts.loose)
    takeInteger(value);
  if (values.size() != info.bytes)
    return bad(parts.message, info.name, fmt::format("lacks its {} values", info.values()));
  info.stored = std::make_shared<const std::vector<std::byte>>(std::move(values));
  return {};
}

Result<std::size_t> OnnxTensors::fileBeside(const std::string& location, const std::string& tensor) {
  if (const auto known = beside_.find(location); known != beside_.end()) return known->second;
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorKind::BadInput, fmt::format("{}: initialiser {} lies in the file {}, {}", file_->path(),
                                                 inQuotes(tensor), inQuotes(location), why));
  };
  const fs::path relative(location);
  const bool climbs = std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
  if (location.empty() || location.find('\0') != std::string::npos || relative.is_absolute() || climbs) {
    return refuse("which is not in the model's folder; it is not opened");
  }
  const fs::path folder = fs::path(file_->path()).parent_path();
  std::error_code error;
  const fs::path real = fs::weakly_canonical(folder / relative, error),
                 home = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error || std::mismatch(home.begin(), home.end(), real.begin(), real.end()).first != home.end()) {
    return refuse("which is not in the model's folder; it is not opened");
  }
  // A path can be spelt in many ways, and each open file takes a descriptor.
  if (const auto known = beside_.find(real.string()); known != beside_.end())
    return beside_.emplace(location, known->second).first->second;
  if (contents_.files.size() > kMostFiles) return refuse("which is one of too many files");
  auto file = MappedFile::open((folder / relative).string());
  if (!file) return refuse("which is missing or cannot be read");
  contents_.files.push_back(std::move(*file));
  beside_.emplace(real.string(), contents_.files.size() - 1);
  return beside_.emplace(location, contents_.files.size() - 1).first->second;
}

Result<void> OnnxTensors::placeExternal(const Parts& parts, TensorInfo& info) {
  SEPX_ASSIGN(const auto index, fileBeside(parts.location, info.name));
  const std::uint64_t size = contents_.files[index]->size();
  if (parts.length && *parts.length < info.bytes) {
    return bad(parts.message, info.name,
               fmt::format("has a stated length of {} bytes but needs {}", *parts.length, info.bytes));
  }
  if (parts.offset > size || info.bytes > size - parts.offset) {
    return bad(parts.message, info.name,
               fmt::format("reaches to byte {} + {} of {}, which has {}", parts.offset, info.bytes,
                           inQuotes(parts.location), size));
  }
  info.file = index;
  info.offset = parts.offset;
  return {};
}

}  // namespace sepx::checkpoint
