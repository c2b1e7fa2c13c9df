// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_check.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "engine/core/utf8.h"

namespace sepx::checkpoint {

namespace {

bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Number of values from the first to the last that shape and strides reach; empty on overflow or a negative stride.
std::optional<std::uint64_t> spanOf(const TensorInfo& tensor) {
  const auto values = valuesOf(tensor.shape);
  if (!values || tensor.strides.empty() || *values == 0) return values;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.strides[i] < 0) return std::nullopt;
    std::uint64_t reach = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(tensor.shape[i] - 1),
                               static_cast<std::uint64_t>(tensor.strides[i]), &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return std::nullopt;
  }
  if (last == UINT64_MAX) return std::nullopt;
  return last + 1;
}

/// What is wrong with one tensor; empty when nothing is.
std::string wrongWith(const TensorInfo& tensor, const Contents& contents) {
  if (tensor.shape.size() > kMostDimensions)
    return fmt::format("has {} dimensions, more than {}", tensor.shape.size(), kMostDimensions);
  if (!tensor.strides.empty() && tensor.strides.size() != tensor.shape.size())
    return fmt::format("has {} dimensions and {} strides", tensor.shape.size(), tensor.strides.size());
  if (!valuesOf(tensor.shape)) return "has a shape whose product overflows";
  const auto span = spanOf(tensor);
  if (!span) return "has strides that lead out of the file";
  if (tensor.dtype != Dtype::Unreadable) {
    if (!tensor.strides.empty() && blockOf(tensor.dtype).values > 1) return "has strides in a block format";
    const auto bytes = bytesOf(tensor.dtype, *span);
    if (!bytes) return fmt::format("has {} values, which {} cannot hold", *span, tensor.dtypeName);
    if (*bytes > tensor.bytes) return fmt::format("needs {} bytes and has {}", *bytes, tensor.bytes);
  }
  if (tensor.stored) {
    if (tensor.bytes > tensor.stored->size())
      return fmt::format("needs {} bytes and {} were unpacked", tensor.bytes, tensor.stored->size());
    return {};
  }
  std::uint64_t end = 0;
  const std::uint64_t size = contents.files[tensor.file]->size();
  if (__builtin_add_overflow(tensor.offset, tensor.bytes, &end) || end > size)
    return fmt::format("starts at byte {} and has {} bytes, but the file has only {}", tensor.offset, tensor.bytes,
                       size);
  return {};
}

std::string_view numberAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9')
    ++end;
  return text.substr(at, end - at);
}

/// Natural order; equal only for equal texts.
bool before(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    std::string_view x = numberAt(a, i), y = numberAt(b, j);
    if (x.empty() || y.empty()) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
      continue;
    }
    i += x.size(), j += y.size();
    x.remove_prefix(std::min(x.find_first_not_of('0'), x.size() - 1));
    y.remove_prefix(std::min(y.find_first_not_of('0'), y.size() - 1));
    if (x != y) return std::tuple(x.size(), x) < std::tuple(y.size(), y);
  }
  if (i < a.size() || j < b.size()) return i == a.size();
  return a < b;  // "01" and "1"
}

}  // namespace

tl::unexpected<Error> broken(const std::string& path, std::string_view what) {
  return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, what));
}

std::string readable(std::string_view text) {
  constexpr char32_t kReplacement = 0xFFFD;
  std::string clean;
  for (const char32_t code : decodeUtf8(text))
    appendUtf8(clean, code < 0x20 || code == 0x7F ? kReplacement : code);
  return clean;
}

std::optional<std::uint64_t> valuesOf(const std::vector<std::int64_t>& shape) {
  std::uint64_t values = 1;
  bool none = false;
  for (const std::int64_t length : shape) {
    if (length < 0) return std::nullopt;
    none = none || length == 0;
    // Lengths beside a zero are multiplied too, because they are used as row counts later.
    if (length > 0 && __builtin_mul_overflow(values, static_cast<std::uint64_t>(length), &values)) return std::nullopt;
  }
  if (values > INT64_MAX) return std::nullopt;
  return none ? 0 : values;
}

Result<void> check(const Contents& contents, const std::string& nameless) {
  const std::string& path = contents.files.empty() ? nameless : contents.files.front()->path();
  if (contents.tensors.size() > kMostTensors) {
    return broken(path, fmt::format("has {} tensors; at most {} are supported", contents.tensors.size(), kMostTensors));
  }
  std::set<std::string_view> names;  // not a hash set: names could be chosen to collide
  for (const TensorInfo& tensor : contents.tensors) {
    const bool inFile = tensor.file < contents.files.size();
    if (!inFile && !tensor.stored) return broken(path, "a tensor lies in no file");
    const std::string& file = inFile ? contents.files[tensor.file]->path() : path;
    if (tensor.name.empty()) return broken(file, "a tensor has no name");
    if (tensor.name.size() > kLongestName) {
      return broken(file, fmt::format("the name {}… is {} bytes long, more than {}", inQuotes(tensor.name),
                                      tensor.name.size(), kLongestName));
    }
    if (findInvalidUtf8(tensor.name))
      return broken(file, fmt::format("the name {} is not UTF-8", inQuotes(tensor.name)));
    // Control characters would reach terminals and tables, and no program writes them.
    if (std::any_of(tensor.name.begin(), tensor.name.end(), isControl))
      return broken(file, fmt::format("the name {} has a control character in it", inQuotes(tensor.name)));
    if (!names.insert(tensor.name).second)
      return broken(file, fmt::format("two tensors are called {}", inQuotes(tensor.name)));
    if (const std::string wrong = wrongWith(tensor, contents); !wrong.empty())
      return broken(file, fmt::format("tensor {} {}", inQuotes(tensor.name), wrong));
  }
  return {};
}

Result<void> checkPlaces(const std::string& path, const std::vector<TensorInfo>& tensors, std::uint64_t begin,
                         std::uint64_t end, Gaps gaps) {
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&tensors](std::size_t i) { return std::tuple(tensors[i].offset, tensors[i].bytes, i); };
  std::sort(order.begin(), order.end(), [&place](std::size_t a, std::size_t b) { return place(a) < place(b); });
  std::uint64_t reached = begin;
  const TensorInfo* last = nullptr;
  for (const std::size_t i : order) {
    const TensorInfo& tensor = tensors[i];
    if (tensor.bytes == 0 && tensor.offset <= end && tensor.offset >= begin) continue;
    if (tensor.offset < reached) {
      return broken(path, fmt::format("byte {}: tensor {} overlaps {}", tensor.offset, inQuotes(tensor.name),
                                      last ? inQuotes(last->name) : "the header"));
    }
    if (gaps == Gaps::Refused && tensor.offset > reached) {
      return broken(path, fmt::format("byte {}: the {} bytes before tensor {} belong to none", reached,
                                      tensor.offset - reached, inQuotes(tensor.name)));
    }
    if (tensor.bytes > end - std::min(end, tensor.offset)) {
      return broken(path, fmt::format("tensor {} starts at byte {} and has {} bytes, but the file has only {}: the "
                                      "file is cut off or its header is wrong",
                                      inQuotes(tensor.name), tensor.offset, tensor.bytes, end));
    }
    reached = tensor.offset + tensor.bytes;
    last = &tensor;
  }
  if (gaps == Gaps::Refused && reached < end)
    return broken(path, fmt::format("byte {}: the last {} bytes belong to no tensor", reached, end - reached));
  return {};
}

void sortByName(std::vector<TensorInfo>& tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](const TensorInfo& a, const TensorInfo& b) { return before(a.name, b.name); });
}

std::size_t markAliases(std::vector<TensorInfo>& tensors) {
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [](const TensorInfo& one) {
    return std::tuple(one.stored.get(), one.file, one.stored ? 0 : one.offset, one.bytes, one.dtype);
  };
  // -1, 0 or 1; 0 for the same bytes with the same dtype, shape and strides.
  const auto compare = [&place](const TensorInfo& a, const TensorInfo& b) {
    const auto x = place(a), y = place(b);
    if (x != y) return x < y ? -1 : 1;
    const auto p = std::tie(a.shape, a.strides), q = std::tie(b.shape, b.strides);
    return p == q ? 0 : p < q ? -1 : 1;
  };
  // A tensor that its reader marked as an alias is never the first among equals.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const int ordered = compare(tensors[a], tensors[b]);
    return ordered != 0 ? ordered < 0
                        : std::tuple(!tensors[a].aliasOf.empty(), a) < std::tuple(!tensors[b].aliasOf.empty(), b);
  });
  std::size_t aliases = 0;
  const std::string* first = nullptr;
  for (std::size_t i = 0; i < order.size(); ++i) {
    TensorInfo& tensor = tensors[order[i]];
    if (i == 0 || tensor.bytes == 0 || compare(tensors[order[i - 1]], tensor) != 0) {
      first = &tensor.name;
      continue;
    }
    tensor.aliasOf = *first;
    ++aliases;
  }
  return aliases;
}

}  // namespace sepx::checkpoint
