// SPDX-License-Identifier: Apache-2.0
// Raw deflate by zlib with a preset dictionary of keys, after four bytes with the CRC-32 of the JSON.
#include "ui/document/state_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/core/number.h"
#include "engine/core/try.h"
#include "ui/document/json_text.h"
#include "ui/document/state_dictionary.h"

namespace sepx::ui {
namespace {

constexpr std::string_view kScheme = "sepx:";
constexpr int kVersion = 1;
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kChecksum = 4, kNumber = 8;
constexpr char kPacked = '\x01';         // precedes the bytes of a number; never occurs in JSON
constexpr std::size_t kLongDigits = 11;  // least length of a number that is shorter as bytes

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// The version of a state text and what follows it; empty if it is not a state text.
std::optional<std::pair<std::uint64_t, std::string_view>> split(std::string_view text) {
  while (!text.empty() && isBlank(text.front()))
    text.remove_prefix(1);
  if (!text.starts_with(kScheme)) return std::nullopt;
  text.remove_prefix(kScheme.size());
  std::uint64_t version = 0;
  std::size_t digits = 0;
  constexpr std::size_t kMostDigits = 9;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && digits < kMostDigits; ++digits)
    version = 10 * version + static_cast<std::uint64_t>(text[digits] - '0');
  if (digits == 0 || digits == text.size() || text[digits] != ':') return std::nullopt;
  return std::pair(version, text.substr(digits + 1));
}

std::string bytesOf(std::uint64_t value, std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i)
    bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

std::uint64_t valueOf(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint32_t checksumOf(std::string_view text) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

std::string encoded(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t held = 0;
  int bits = 0;
  for (const char byte : bytes) {
    held = held << 8 | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6; bits -= 6)
      text += kDigits[held >> (bits - 6) & 63];
  }
  if (bits > 0) text += kDigits[held << (6 - bits) & 63];
  return text;
}

/// Decodes base64url. Blanks are skipped; any other character outside the 64 is an error that gives its position.
Result<std::string> decoded(std::string_view text) {
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  std::size_t place = 0;
  for (const char c : text) {
    ++place;
    if (isBlank(c)) continue;
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos)
      return fail(ErrorKind::BadInput, fmt::format("character {} after \"sepx:1:\" is not valid in a state; copy the "
                                                   "state again",
                                                   place));
    held = held << 6 | static_cast<std::uint32_t>(digit);
    if (bits += 6; bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(held >> bits & 0xFF);
    }
  }
  return bytes;
}

/// Calls visit(part, isNumber) for the parts of a JSON text in their order.
template <class Visit>
void eachPart(std::string_view json, const Visit& visit) {
  const auto ofNumber = [](char c) { return (c >= '0' && c <= '9') || std::string_view("+-.eE").find(c) < 5; };
  std::size_t from = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size();) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      ++i;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      std::size_t end = i + 1;
      while (end < json.size() && ofNumber(json[end]))
        ++end;
      visit(json.substr(from, i - from), false);
      visit(json.substr(i, end - i), true);
      from = i = end;
    } else {
      quoted = c == '"';
      ++i;
    }
  }
  visit(json.substr(from), false);
}

std::string packed(std::string_view json) {
  std::string out;
  eachPart(json, [&out](std::string_view part, bool isNumber) {
    const auto number = isNumber && part.size() >= kLongDigits ? parseNumber(part) : std::nullopt;
    if (number && Json(*number).dump() == part)
      out += kPacked + bytesOf(std::bit_cast<std::uint64_t>(*number), kNumber);
    else
      out += part;
  });
  return out;
}

Error damaged() {
  return {ErrorKind::BadInput, "this state is damaged: it is not as it was copied; copy it again"};
}
Error cut() {
  return {ErrorKind::BadInput, "this state is cut: its end is missing; copy all of it"};
}
Error tooLarge() {
  return {ErrorKind::BadInput, fmt::format("this state has more than {} bytes; a state of this size can be opened "
                                           "only as a session (.sepx)",
                                           kLargestState)};
}

Result<std::string> unpacked(std::string_view text) {
  std::string json;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t mark = std::min(text.find(kPacked, i), text.size());
    json += text.substr(i, mark - i);
    i = mark + 1;
    if (mark == text.size()) break;
    if (text.size() - i < kNumber) return tl::unexpected(damaged());
    json += Json(std::bit_cast<double>(valueOf(text.substr(i, kNumber)))).dump();
    i += kNumber;
    if (json.size() > kLargestState) return tl::unexpected(tooLarge());
  }
  return json;
}

const Bytef* dictionary() {
  return reinterpret_cast<const Bytef*>(stateDictionary().data());
}
uInt dictionarySize() {
  return static_cast<uInt>(stateDictionary().size());
}

std::string deflated(std::string_view text) {
  z_stream stream{};
  constexpr int kMostMemory = 9;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, kMostMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  deflateSetDictionary(&stream, dictionary(), dictionarySize());
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(done == Z_STREAM_END ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

/// Decompresses all of `bytes`, up to the end that the stream itself marks.
Result<std::string> inflated(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return fail(ErrorKind::Internal, "zlib cannot be initialised");
  inflateSetDictionary(&stream, dictionary(), dictionarySize());
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::array<char, std::size_t{64} << 10> piece{};
  int status = Z_OK;
  while (status == Z_OK && out.size() <= kLargestState) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  const bool more = stream.avail_in > 0;
  inflateEnd(&stream);
  if (out.size() > kLargestState) return tl::unexpected(tooLarge());
  if (status == Z_BUF_ERROR) return tl::unexpected(cut());
  if (status != Z_STREAM_END || more) return tl::unexpected(damaged());
  return out;
}

}  // namespace

bool isStateText(std::string_view text) {
  return split(text).has_value();
}

std::string shownStateText(std::string_view text) {
  constexpr std::size_t kShown = 16;
  while (!text.empty() && isBlank(text.front()))
    text.remove_prefix(1);
  std::string shown;
  for (const char c : text.substr(0, kShown))
    shown += c >= ' ' && c <= '~' ? c : ' ';
  return text.size() > kShown ? shown + "…" : shown;
}

Result<std::string> writeStateText(const Document& document) {
  Json state = document.toJson();
  state.erase("version");  // the text has its own version
  const std::string json = compactText(state);
  const auto refused = [](std::size_t size, std::size_t most, const char* what) {
    return fail(ErrorKind::CheckFailed,
                fmt::format("this state has {} {}, but as text a state can have at most {}; save it as a session "
                            "instead",
                            size, what, most));
  };
  if (json.size() > kLargestState) return refused(json.size(), kLargestState, "bytes");
  const std::string text =
      fmt::format("{}{}:{}", kScheme, kVersion, encoded(bytesOf(checksumOf(json), kChecksum) + deflated(packed(json))));
  if (text.size() > kLongestStateText) return refused(text.size(), kLongestStateText, "characters");
  return text;
}

Result<Document> readStateText(std::string_view text) {
  const auto parts = split(text);
  if (!parts) return fail(ErrorKind::BadInput, "this is not a state: a state begins with \"sepx:1:\"");
  if (parts->first != kVersion)
    return fail(ErrorKind::BadInput, fmt::format("this state has version {}, but only {} is supported here; open it "
                                                 "with a newer Separatrix",
                                                 parts->first, kVersion));
  if (text.size() > kLongestStateText)
    return fail(ErrorKind::BadInput,
                fmt::format("this state has {} characters; at most {} can be read", text.size(), kLongestStateText));
  SEPX_ASSIGN(const std::string bytes, decoded(parts->second));
  if (bytes.size() <= kChecksum) return tl::unexpected(cut());
  SEPX_ASSIGN(const std::string small, inflated(std::string_view(bytes).substr(kChecksum)));
  SEPX_ASSIGN(const std::string json, unpacked(small));
  if (checksumOf(json) != valueOf(std::string_view(bytes).substr(0, kChecksum))) return tl::unexpected(damaged());
  SEPX_ASSIGN(Json state, parseJson(json));
  if (!state.is_object()) return tl::unexpected(damaged());
  state["version"] = Document::kVersion;
  return Document::fromJson(state);
}

}  // namespace sepx::ui
