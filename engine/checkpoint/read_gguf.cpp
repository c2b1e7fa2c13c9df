// SPDX-License-Identifier: Apache-2.0
// Reads GGUF 2 and 3, little-endian: "GGUF", version, counts of tensors and of key-values; the key-values; for every
// tensor name, dimensions (fastest first, reversed here), type and offset; then the values, from the next multiple of
// general.alignment. A count is accepted only if the remaining bytes could hold that many items.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/gguf_split.h"
#include "engine/checkpoint/gguf_types.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"

namespace sepx::checkpoint {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostKeys = 100'000;
constexpr std::uint64_t kLongestKey = 65'535;
constexpr std::uint64_t kLongestText = std::uint64_t{16} << 20;
constexpr std::uint64_t kKeptValues = 4096;                    ///< of a list; of longer ones only the length is kept
constexpr std::uint64_t kMostTokens = 1'000'000;               ///< of the vocabulary, which is kept whole
constexpr std::uint64_t kMostKeptLists = 10'000;               ///< lists within lists
constexpr std::uint64_t kMostListed = 32'000'000;              ///< values of all lists of texts and lists together
constexpr std::uint64_t kMostText = std::uint64_t{128} << 20;  ///< bytes of all texts that are kept
constexpr int kDeepestList = 4;
constexpr const char* kVocabulary = "tokenizer.ggml.";  ///< keys of the vocabulary, its scores and merges

enum ValueType : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, List, U64, I64, F64 };

/// Minimum number of bytes of a value of a type; 0 for an unknown type.
std::uint64_t leastBytes(std::uint32_t type) {
  constexpr std::uint64_t kBytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};
  return type < std::size(kBytes) ? kBytes[type] : 0;
}

const char* typeName(std::uint32_t type) {
  constexpr const char* kNames[] = {"U8",   "I8",    "U16",   "I16", "U32", "I32", "F32",
                                    "Bool", "texts", "lists", "U64", "I64", "F64"};
  return type < std::size(kNames) ? kNames[type] : "?";
}

/// Reads the header. The first error sets `wrong`; everything read after it is zero.
class Reader {
 public:
  explicit Reader(const MappedFile& file) : bytes_(file.bytes()) {}

  std::string wrong;
  std::uint64_t at = 0;
  std::uint64_t listed = 0;     ///< values of lists that were read one by one
  std::uint64_t keptLists = 0;  ///< lists within lists

  std::uint64_t left() const { return bytes_.size() - at; }
  bool fine() const { return wrong.empty(); }
  void refuse(const std::string& why) {
    if (fine()) wrong = fmt::format("byte {}: {}", at, why);
  }

  template <class Number>
  Number number(const char* what) {
    Number value{};
    if (!fine()) return value;
    if (left() < sizeof value) {
      refuse(fmt::format("the file ends in the middle of {}", what));
      return value;
    }
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    at += sizeof value;
    return value;
  }

  std::string_view text(const char* what, std::uint64_t longest) {
    const std::uint64_t begin = at;
    const auto length = number<std::uint64_t>(what);
    if (!fine()) return {};
    if (length > longest || length > left()) {
      at = begin;
      refuse(length > longest ? fmt::format("{} of {} bytes, more than {}", what, length, longest)
                              : fmt::format("the file ends in the middle of {} of {} bytes", what, length));
      return {};
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + at, static_cast<std::size_t>(length));
    at += length;
    return text;
  }

  /// A text that is kept; the total size of these is limited.
  std::string_view keptText(const char* what, std::uint64_t longest) {
    const std::string_view kept = text(what, longest);
    kept_ += kept.size();
    if (kept_ > kMostText) refuse(fmt::format("more than {} bytes of text before the weights", kMostText));
    return fine() ? kept : std::string_view();
  }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t kept_ = 0;
};

/// Tokens of a vocabulary may be any bytes. Invalid UTF-8 becomes U+FFFD, so that the config stays text.
std::string asUtf8(std::string_view text) {
  if (!findInvalidUtf8(text)) return std::string(text);
  std::string clean;
  for (const char32_t code : decodeUtf8(text))
    appendUtf8(clean, code);
  return clean;
}

json readValue(Reader& reader, std::uint32_t type, bool vocabulary, int depth);

json readList(Reader& reader, bool vocabulary, int depth) {
  const auto type = reader.number<std::uint32_t>("a list's type");
  const auto count = reader.number<std::uint64_t>("a list's length");
  const std::uint64_t least = leastBytes(type);
  if (reader.fine() && least == 0) reader.refuse(fmt::format("a list of values of the unknown type {}", type));
  if (reader.fine() && depth >= kDeepestList) reader.refuse(fmt::format("lists nested deeper than {}", kDeepestList));
  if (reader.fine() && count > reader.left() / std::max<std::uint64_t>(least, 1))
    reader.refuse(fmt::format("a list of {} values in a file with {} more bytes", count, reader.left()));
  if (!reader.fine()) return {};
  bool kept = count <= (vocabulary ? kMostTokens : kKeptValues) && depth == 0;
  if (kept && type == List) {  // each takes many times as much memory as space in the file
    reader.keptLists += count;
    kept = reader.keptLists <= kMostKeptLists;
  }
  if (!kept && type != Text && type != List) {
    reader.at += count * least;
    return {{"list_of", typeName(type)}, {"length", count}};
  }
  reader.listed += count;
  if (reader.listed > kMostListed) reader.refuse(fmt::format("lists of more than {} values", kMostListed));
  json list = json::array();
  for (std::uint64_t i = 0; i < count && reader.fine(); ++i) {
    if (kept) {
      list.push_back(readValue(reader, type, false, depth + 1));
    } else if (type == Text) {
      reader.text("a text", kLongestText);
    } else {
      readList(reader, false, depth + 1);
    }
  }
  if (!kept) return {{"list_of", typeName(type)}, {"length", count}};
  return list;
}

json readValue(Reader& reader, std::uint32_t type, bool vocabulary, int depth) {
  switch (type) {
    case U8:
      return reader.number<std::uint8_t>("a value");
    case I8:
      return reader.number<std::int8_t>("a value");
    case U16:
      return reader.number<std::uint16_t>("a value");
    case I16:
      return reader.number<std::int16_t>("a value");
    case U32:
      return reader.number<std::uint32_t>("a value");
    case I32:
      return reader.number<std::int32_t>("a value");
    case F32:
      return static_cast<double>(reader.number<float>("a value"));
    case Bool:
      return reader.number<std::uint8_t>("a value") != 0;
    case Text:
      return asUtf8(reader.keptText("a text", kLongestText));
    case List:
      return readList(reader, vocabulary, depth);
    case U64:
      return reader.number<std::uint64_t>("a value");
    case I64:
      return reader.number<std::int64_t>("a value");
    case F64:
      return reader.number<double>("a value");
    default:
      reader.refuse(fmt::format("a value of the unknown type {}", type));
      return {};
  }
}

struct Counts {
  std::uint64_t tensors = 0, keys = 0;
};

Counts readPrefix(Reader& reader) {
  const auto magic = reader.number<std::uint32_t>("the magic number");
  if (reader.fine() && magic == 0x47475546U) reader.refuse("is a big-endian GGUF file, which is not supported");
  if (reader.fine() && magic != 0x46554747U) reader.refuse("does not begin with GGUF");
  const auto version = reader.number<std::uint32_t>("the version");
  if (reader.fine() && version != 0 && (version & 0xFFFFU) == 0)
    reader.refuse("is a big-endian GGUF file, which is not supported");
  if (reader.fine() && version != 2 && version != 3)
    reader.refuse(fmt::format("is GGUF version {}; only versions 2 and 3 are supported", version));
  Counts counts;
  counts.tensors = reader.number<std::uint64_t>("the number of tensors");
  counts.keys = reader.number<std::uint64_t>("the number of key-values");
  constexpr std::uint64_t kLeastTensor = 8 + 4 + 4 + 8, kLeastKey = 8 + 4 + 1;
  if (reader.fine() && (counts.tensors > kMostTensors || counts.tensors > reader.left() / kLeastTensor))
    reader.refuse(fmt::format("{} tensors in a file with {} more bytes", counts.tensors, reader.left()));
  if (reader.fine() && (counts.keys > kMostKeys || counts.keys > reader.left() / kLeastKey))
    reader.refuse(fmt::format("{} key-values in a file with {} more bytes", counts.keys, reader.left()));
  return counts;
}

void readKeys(Reader& reader, std::uint64_t count, Contents& contents) {
  contents.config = json::object();
  for (std::uint64_t i = 0; i < count && reader.fine(); ++i) {
    const std::string key = asUtf8(reader.keptText("a key", kLongestKey));
    const auto type = reader.number<std::uint32_t>("a value's type");
    json value = readValue(reader, type, key.starts_with(kVocabulary), 0);
    if (!reader.fine()) break;
    if (contents.config.contains(key)) return reader.refuse(fmt::format("two values have the key {}", inQuotes(key)));
    if (key.rfind("general.", 0) == 0 && value.is_string()) contents.metadata[key] = value.get<std::string>();
    contents.config[key] = std::move(value);
  }
}

void readTensor(Reader& reader, TensorInfo& tensor) {
  tensor.name = std::string(reader.keptText("a tensor's name", kLongestKey));
  const auto dimensions = reader.number<std::uint32_t>("a tensor's dimensions");
  if (reader.fine() && dimensions > kMostDimensions)
    return reader.refuse(fmt::format("tensor {} has {} dimensions", inQuotes(tensor.name), dimensions));
  for (std::uint32_t i = 0; i < dimensions && reader.fine(); ++i) {
    const auto length = reader.number<std::uint64_t>("a tensor's shape");
    if (length > INT64_MAX)
      reader.refuse(fmt::format("tensor {} has a dimension that is too large", inQuotes(tensor.name)));
    tensor.shape.push_back(static_cast<std::int64_t>(length));
  }
  const auto number = reader.number<std::uint32_t>("a tensor's type");
  tensor.offset = reader.number<std::uint64_t>("a tensor's offset");
  if (!reader.fine()) return;
  const auto type = ggufType(number);
  if (!type) return reader.refuse(fmt::format("tensor {} has the unknown type {}", inQuotes(tensor.name), number));
  const auto values = valuesOf(tensor.shape);
  if (!values)
    return reader.refuse(fmt::format("tensor {} has a shape whose product overflows", inQuotes(tensor.name)));
  const auto row = static_cast<std::uint64_t>(tensor.shape.empty() ? 1 : tensor.shape.front());
  if (row % type->block.values != 0) {
    return reader.refuse(fmt::format("tensor {} has rows of {} values, which is not a multiple of the {} of {}",
                                     inQuotes(tensor.name), row, type->block.values, type->name));
  }
  if (__builtin_mul_overflow(*values / type->block.values, std::uint64_t{type->block.bytes}, &tensor.bytes))
    return reader.refuse(fmt::format("tensor {} has a size that overflows", inQuotes(tensor.name)));
  tensor.dtype = type->dtype;
  tensor.dtypeName = type->name;
  std::reverse(tensor.shape.begin(), tensor.shape.end());
}

std::uint64_t alignmentOf(const Contents& contents, Reader& reader) {
  const auto found = contents.config.find("general.alignment");
  if (found == contents.config.end()) return 32;
  const std::uint64_t alignment = found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  if (alignment >= 1 && alignment <= (1U << 20) && (alignment & (alignment - 1)) == 0) return alignment;
  reader.refuse("general.alignment is not a power of two");
  return 32;
}

}  // namespace

Result<Contents> readGguf(std::shared_ptr<const MappedFile> file) {
  const std::string& path = file->path();
  Reader reader(*file);
  Contents contents;
  contents.format = Format::Gguf;
  contents.configFrom = "GGUF metadata";
  const Counts counts = readPrefix(reader);
  readKeys(reader, counts.keys, contents);
  const std::uint64_t alignment = reader.fine() ? alignmentOf(contents, reader) : 32;
  for (std::uint64_t i = 0; i < counts.tensors && reader.fine(); ++i)
    readTensor(reader, contents.tensors.emplace_back());
  if (!reader.fine()) return broken(path, reader.wrong);
  const std::uint64_t dataBegin = (reader.at + alignment - 1) / alignment * alignment;
  for (TensorInfo& tensor : contents.tensors) {
    if (tensor.offset % alignment != 0) {
      return broken(path,
                    fmt::format("tensor {} starts at byte {} of the data, which is not a multiple of the alignment {}",
                                inQuotes(tensor.name), tensor.offset, alignment));
    }
    if (__builtin_add_overflow(tensor.offset, dataBegin, &tensor.offset))
      return broken(path, fmt::format("tensor {} has an offset that is too large", inQuotes(tensor.name)));
  }
  SEPX_TRY(checkPlaces(path, contents.tensors, dataBegin, file->size(), Gaps::Allowed));
  contents.files.push_back(std::move(file));
  return contents;
}

}  // namespace sepx::checkpoint
