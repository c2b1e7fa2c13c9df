// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/numpy_header.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/torch_storage.h"
#include "engine/core/json.h"

namespace sepx::checkpoint {

namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::uint64_t kLongestHeader = 1 << 20;

/// Parses the dictionary; every step returns whether it succeeded.
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  std::string descr;  ///< "<f4", or the text of a list if it is structured
  bool structured = false, fortran = false;
  std::vector<std::int64_t> shape;

  std::size_t at() const { return at_; }

  bool read() {
    if (!symbol('{')) return false;
    int seen = 0;
    while (!symbol('}')) {
      std::string key;
      if (!quoted(key) || !symbol(':')) return false;
      const int bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
      if (bit == 0 || (seen & bit) != 0) return false;
      if (!(bit == 1 ? readDescr() : bit == 2 ? readOrder() : readShape())) return false;
      seen |= bit;
      if (!symbol(',') && !ahead('}')) return false;
    }
    blanks();
    return seen == 7 && at_ == text_.size();
  }

 private:
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  bool ahead(char c) {
    blanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool symbol(char c) {
    if (!ahead(c)) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view word) {
    blanks();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool quoted(std::string& out) {
    blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return false;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return false;
    out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }
  bool readDescr() {
    if (!ahead('[')) return quoted(descr);
    structured = true;
    const std::size_t begin = at_;
    int depth = 0;
    do {
      const char c = text_[at_++];
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    } while (depth > 0 && at_ < text_.size());
    descr = text_.substr(begin, at_ - begin);
    return depth == 0;
  }
  bool readOrder() {
    if (word("True")) return fortran = true;
    return word("False");
  }
  bool readShape() {
    if (!symbol('(')) return false;
    while (!symbol(')')) {
      blanks();
      std::int64_t length = 0;
      const char* const begin = text_.data() + at_;
      const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), length);
      if (failure != std::errc() || length < 0 || shape.size() == 64) return false;
      at_ += static_cast<std::size_t>(end - begin);
      shape.push_back(length);
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote long numbers
      if (!symbol(',') && !ahead(')')) return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Strides of a column-major array: the first index varies fastest.
std::vector<std::int64_t> fortranStrides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides;
  std::int64_t stride = 1;
  for (const std::int64_t length : shape) {
    strides.push_back(stride);
    stride *= std::max<std::int64_t>(length, 1);
  }
  return strides;
}

}  // namespace

Result<TensorInfo> readNumpyHeader(std::span<const std::byte> bytes, const std::string& place) {
  const auto bad = [&](std::uint64_t at, std::string_view what) {
    return fail(ErrorKind::BadInput, fmt::format("{}: byte {}: {}", place, at, what));
  };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) return bad(0, "no NumPy array begins here");
  if (text.size() < 12) return bad(text.size(), "the NumPy array is cut off in its header");
  const int version = static_cast<unsigned char>(text[6]);
  if (version < 1 || version > 3) return bad(6, fmt::format("version {} of NumPy's format is not supported", version));
  std::uint64_t length = 0;
  const std::size_t lengthBytes = version == 1 ? 2 : 4, begin = 8 + lengthBytes;
  std::memcpy(&length, text.data() + 8, lengthBytes);
  if (length > kLongestHeader) return bad(8, fmt::format("a header of {} bytes is too large", length));
  if (length > text.size() - begin) return bad(text.size(), "the NumPy array is cut off in its header");
  Literal header(text.substr(begin, static_cast<std::size_t>(length)));
  if (!header.read()) return bad(begin + header.at(), "the header is not the dictionary of a NumPy array from here on");
  TensorInfo info;
  info.offset = begin + length;
  info.shape = header.shape;
  const auto values = valuesOf(info.shape);
  if (!values) return bad(begin, "the shape's product overflows");
  if (info.shape.size() > kMostDimensions) return bad(begin, fmt::format("has {} dimensions", info.shape.size()));
  if (header.descr.starts_with('>')) {
    return bad(begin,
               fmt::format("the array is big-endian ({}); only little-endian ones are read", inQuotes(header.descr)));
  }
  const NumberFormat format = header.structured ? NumberFormat{} : numpyFormat(header.descr);
  info.dtype = format.dtype;
  info.dtypeName = header.structured                   ? "structured " + plainWord(header.descr)
                   : format.dtype != Dtype::Unreadable ? name(format.dtype)
                                                       : format.name;
  if (header.descr.starts_with("|O") || header.descr.starts_with('O')) info.dtypeName = "Python objects";
  const std::uint64_t left = bytes.size() - info.offset;
  if (format.bytes == 0) return info;
  if (*values > left / format.bytes) {
    return bad(bytes.size(),
               fmt::format("the array ends here and should have {} values of {}", *values, info.dtypeName));
  }
  info.bytes = *values * format.bytes;
  if (header.fortran && info.shape.size() > 1) info.strides = fortranStrides(info.shape);
  return info;
}

}  // namespace sepx::checkpoint
