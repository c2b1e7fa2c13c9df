// SPDX-License-Identifier: Apache-2.0
// Reads safetensors: 8 bytes little-endian length N, N bytes of JSON {"name": {"dtype", "shape", "data_offsets"}, …,
// "__metadata__": {text: text}}, then the values. Offsets count from the end of the header, and every byte belongs to
// exactly one tensor. Tensors are read while the header is parsed, without building a JSON tree.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_check.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

using nlohmann::json;

constexpr std::uint64_t kPrefix = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;
constexpr std::size_t kMostMetadataBytes = 100'000;

/// Names of unknown formats are shown to the user, so only letters, digits and underscores are allowed.
bool isFormatName(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  });
}

/// Parses the header as a state machine of its four levels and refuses everything else; `refusal` says what.
class HeaderReader {
 public:
  HeaderReader(std::uint64_t dataBegin, std::uint64_t fileSize) : dataBegin_(dataBegin), fileSize_(fileSize) {}

  std::vector<TensorInfo> tensors;
  std::map<std::string, std::string> metadata;
  std::string refusal;
  std::size_t wrongAt = 0;

  bool null() { return misplaced("null"); }
  bool boolean(bool) { return misplaced("a truth value"); }
  bool number_float(double, const std::string&) { return misplaced("a number that is not whole"); }
  bool number_integer(std::int64_t) { return misplaced("a negative number"); }
  bool binary(json::binary_t&) { return misplaced("binary data"); }

  bool number_unsigned(std::uint64_t value) {
    if (place_ == Place::Shape) {
      if (value > INT64_MAX) return refuse("has a length in its shape that is too large");
      if (tensors.back().shape.size() == kMostDimensions)
        return refuse(fmt::format("has more than {} dimensions", kMostDimensions));
      tensors.back().shape.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (place_ == Place::Offsets) {
      if (offsets_ == 2) return refuse("has more than two data_offsets");
      range_[offsets_++] = value;
      return true;
    }
    return misplaced("a number");
  }

  bool string(std::string& value) {
    if (place_ == Place::Metadata) {
      metadata[name_] = std::move(value);
      return true;
    }
    if (place_ != Place::Tensor || field_ != Field::Dtype) return misplaced("a text");
    if (!isFormatName(value)) return refuse(fmt::format("has the dtype {}, which is not a name", inQuotes(value)));
    tensors.back().dtypeName = std::move(value);
    return true;
  }

  bool start_object(std::size_t) {
    if (place_ == Place::Before) {
      place_ = Place::Names;
      return true;
    }
    if (place_ != Place::Names) return misplaced("an object");
    if (name_ == "__metadata__") {
      place_ = Place::Metadata;
      return true;
    }
    if (tensors.size() == kMostTensors) return refuse(fmt::format("is one of more than {} tensors", kMostTensors));
    place_ = Place::Tensor;
    tensors.emplace_back().name = name_;
    seen_ = 0;
    offsets_ = 0;
    return true;
  }

  bool end_object() {
    if (place_ == Place::Tensor && !finish()) return false;
    place_ = place_ == Place::Names ? Place::After : Place::Names;
    return true;
  }

  bool start_array(std::size_t) {
    if (place_ != Place::Tensor || field_ == Field::Dtype) return misplaced("a list");
    place_ = field_ == Field::Shape ? Place::Shape : Place::Offsets;
    return true;
  }

  bool end_array() {
    place_ = Place::Tensor;
    return true;
  }

  bool key(std::string& key) {
    if (place_ == Place::Names) {
      name_ = std::move(key);
      if (names_.insert(name_).second) return true;
      refusal = fmt::format("the header has two entries called {}", inQuotes(name_));
      return false;
    }
    if (place_ == Place::Metadata) {
      name_ = std::move(key);
      if (metadata.size() == kMostMetadataBytes) return refuse("has too many entries");
      if (metadata.count(name_) == 0) return true;
      refusal = fmt::format("__metadata__ has two entries called {}", inQuotes(name_));
      return false;
    }
    return field(key);
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
    wrongAt = position > 0 ? position - 1 : 0;
    return false;
  }

 private:
  enum class Place { Before, Names, Metadata, Tensor, Shape, Offsets, After };
  enum class Field { Dtype = 1, Shape = 2, Offsets = 4 };
  static constexpr unsigned kAllFields = 7;

  bool refuse(std::string_view why) {
    refusal = fmt::format("tensor {} {}", inQuotes(name_), why);
    return false;
  }
  bool misplaced(std::string_view what) {
    refusal = place_ == Place::Before
                  ? "the header is not a JSON object"
                  : fmt::format("header entry {} holds {} where none belongs", inQuotes(name_), what);
    return false;
  }

  bool field(const std::string& key) {
    if (key == "dtype") {
      field_ = Field::Dtype;
    } else if (key == "shape") {
      field_ = Field::Shape;
    } else if (key == "data_offsets") {
      field_ = Field::Offsets;
    } else {
      return refuse(fmt::format("has a field {} that is not dtype, shape or data_offsets", inQuotes(key)));
    }
    const auto bit = static_cast<unsigned>(field_);
    if ((seen_ & bit) != 0) return refuse(fmt::format("has two fields {}", key));
    seen_ |= bit;
    return true;
  }

  bool finish() {
    TensorInfo& tensor = tensors.back();
    if (seen_ != kAllFields) return refuse("lacks dtype, shape or data_offsets");
    if (offsets_ != 2) return refuse("has data_offsets that are not two numbers");
    if (range_[1] < range_[0]) {
      return refuse(fmt::format("has data_offsets [{}, {}] with the end before the beginning", range_[0], range_[1]));
    }
    if (range_[1] > fileSize_ - dataBegin_) {
      return refuse(
          fmt::format("lies in bytes {} to {} of the data, and the file holds {} bytes of data: it is cut off "
                      "or its header is wrong",
                      range_[0], range_[1], fileSize_ - dataBegin_));
    }
    tensor.offset = dataBegin_ + range_[0];
    tensor.bytes = range_[1] - range_[0];
    const auto values = valuesOf(tensor.shape);
    if (!values) return refuse("has a shape whose product overflows");
    const auto dtype = dtypeNamed(tensor.dtypeName);
    tensor.dtype = dtype.value_or(Dtype::Unreadable);
    if (!dtype) return true;
    const auto bytes = bytesOf(*dtype, *values);
    if (bytes == tensor.bytes) return true;
    return refuse(fmt::format("has {} values of {}, which do not fill the {} bytes of its data_offsets", *values,
                              tensor.dtypeName, tensor.bytes));
  }

  std::uint64_t dataBegin_, fileSize_;
  Place place_ = Place::Before;
  Field field_ = Field::Dtype;
  unsigned seen_ = 0;
  std::size_t offsets_ = 0;
  std::uint64_t range_[2] = {0, 0};
  std::string name_;
  std::set<std::string> names_;  ///< not a hash set: names could be chosen to collide
};

/// Programs that drop a second name of shared weights write it into the metadata: {"dropped": "kept"}.
std::size_t addDroppedNames(Contents& contents) {
  std::map<std::string_view, std::size_t> byName;
  for (std::size_t i = 0; i < contents.tensors.size(); ++i)
    byName.emplace(contents.tensors[i].name, i);
  std::vector<TensorInfo> dropped;
  for (const auto& [name, kept] : contents.metadata) {
    const auto found = byName.find(kept);
    if (name.empty() || found == byName.end() || byName.count(name) != 0) continue;
    dropped.push_back(contents.tensors[found->second]);
    dropped.back().name = name;
    dropped.back().aliasOf = kept;
  }
  contents.tensors.insert(contents.tensors.end(), dropped.begin(), dropped.end());
  return dropped.size();
}

}  // namespace

Result<Contents> readSafetensors(std::shared_ptr<const MappedFile> file) {
  const std::string& path = file->path();
  const std::uint64_t size = file->size();
  if (size < kPrefix)
    return broken(path, fmt::format("is not a safetensors file: {} bytes are too few for a header", size));
  std::uint64_t length = 0;
  std::memcpy(&length, file->bytes().data(), sizeof length);
  if (length > kLongestHeader) {
    return broken(
        path, fmt::format("is not a safetensors file: byte 0 asks for a header of {} bytes, and the limit is {} bytes",
                          length, kLongestHeader));
  }
  if (length > size - kPrefix) {
    return broken(path, fmt::format("byte 0: a header of {} bytes in a file of {}: the file is cut off", length, size));
  }
  const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()) + kPrefix,
                              static_cast<std::size_t>(length));
  if (text.empty() || text.front() != '{')
    return broken(path, "is not a safetensors file: the header at byte 8 does not begin with {");
  HeaderReader reader(kPrefix + length, size);
  if (!json::sax_parse(text, &reader)) {
    if (!reader.refusal.empty()) return broken(path, reader.refusal);
    return broken(path, fmt::format("byte {}: the header is not JSON from here on", kPrefix + reader.wrongAt));
  }
  SEPX_TRY(checkPlaces(path, reader.tensors, kPrefix + length, size, Gaps::Refused));
  Contents contents;
  contents.format = Format::Safetensors;
  contents.tensors = std::move(reader.tensors);
  contents.metadata = std::move(reader.metadata);
  if (const std::size_t dropped = addDroppedNames(contents); dropped > 0) {
    contents.notes.push_back(
        fmt::format("{} additional tensor {} from __metadata__", dropped, dropped == 1 ? "name" : "names"));
  }
  contents.files.push_back(std::move(file));
  return contents;
}

}  // namespace sepx::checkpoint
