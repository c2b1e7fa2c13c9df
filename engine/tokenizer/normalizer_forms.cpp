// SPDX-License-Identifier: Apache-2.0
// NFC, NFD, NFKC and NFKD by utf8proc, run by run: a run is a character and those that normalisation may combine with
// it, so that places stay exact. Also Precompiled: SentencePiece's own map of characters.
#include <cstdlib>
#include <cstring>

#include <utf8proc.h>

#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/normalizer.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

constexpr std::size_t kLongestRun = 1024;  // bytes; the time of a run may be quadratic

class Form final : public Normalizer {
 public:
  Form(bool compose, bool compatible)
      : options_(static_cast<utf8proc_option_t>(UTF8PROC_STABLE | (compose ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) |
                                                (compatible ? UTF8PROC_COMPAT : 0))) {}

  Result<void> apply(AlignedText& text, const Budget& budget) const override {
    if (std::all_of(text.bytes.begin(), text.bytes.end(), [](char c) { return static_cast<signed char>(c) >= 0; }))
      return {};
    AlignedText out;
    std::size_t steps = 0;
    for (std::size_t at = 0; at < text.bytes.size();) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      if (out.bytes.size() > budget.most()) return tooLongInside(budget.most());
      const Character first = characterAt(text.bytes, at);
      std::size_t end = at + first.length;
      while (end < text.bytes.size() && end - at < kLongestRun) {
        const Character next = characterAt(text.bytes, end);
        if (!mayJoinPrevious(next.code)) break;
        end += next.length;
      }
      if (first.code < 0x80 && end == at + 1)
        out.append(text, at, end);
      else if (!appendRun(text, at, end, out))
        return fail(ErrorKind::Internal, "no memory is left for the normal form of the text");
      at = end;
    }
    text = std::move(out);
    return {};
  }

 private:
  bool appendRun(const AlignedText& text, std::size_t begin, std::size_t end, AlignedText& out) const {
    utf8proc_uint8_t* made = nullptr;
    const auto* from = reinterpret_cast<const utf8proc_uint8_t*>(text.bytes.data() + begin);
    const utf8proc_ssize_t length = utf8proc_map(from, static_cast<utf8proc_ssize_t>(end - begin), &made, options_);
    if (length < 0) return false;
    const std::string_view run(reinterpret_cast<const char*>(made), static_cast<std::size_t>(length));
    if (run == std::string_view(text.bytes).substr(begin, end - begin))
      out.append(text, begin, end);
    else
      out.append(run, text.place(begin, end));
    std::free(made);
    return true;
  }

  utf8proc_option_t options_;
};

constexpr std::size_t kShortGrapheme = 6;  // bytes; from this size on, the reference maps character by character

class Charsmap final : public Normalizer {
 public:
  Charsmap(std::vector<std::uint32_t> units, std::string texts) : units_(std::move(units)), texts_(std::move(texts)) {}

  Result<void> apply(AlignedText& text, const Budget& budget) const override {
    AlignedText out;
    const std::string_view bytes = text.bytes;
    std::size_t steps = 0;
    for (std::size_t at = 0, end = 0; at < bytes.size();) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      if (out.bytes.size() > budget.most()) return tooLongInside(budget.most());
      const bool whole = at == end;  // a grapheme begins here
      if (whole) end = endOfGrapheme(bytes, at);
      std::size_t next = end;
      auto made = whole && end - at < kShortGrapheme ? mapped(bytes.substr(at, end - at)) : std::nullopt;
      if (!made) {
        next = at + characterAt(bytes, at).length;
        made = mapped(bytes.substr(at, next - at));
      }
      if (made)
        out.append(*made, text.place(at, next));
      else
        out.append(text, at, next);
      at = next;
    }
    text = std::move(out);
    return {};
  }

 private:
  static std::size_t endOfGrapheme(std::string_view text, std::size_t at) {
    std::int32_t state = 0;
    Character before = characterAt(text, at);
    for (at += before.length; at < text.size();) {
      const Character after = characterAt(text, at);
      if (breaksGrapheme(before.code, after.code, state)) break;
      before = after;
      at += after.length;
    }
    return at;
  }

  /// The replacement of the shortest prefix of `key` in the array, as in the reference. No step leaves the array.
  std::optional<std::string_view> mapped(std::string_view key) const {
    const auto offset = [](std::uint32_t unit) { return (unit >> 10) << ((unit & (1u << 9)) >> 6); };
    std::size_t node = offset(units_[0]);
    for (const char c : key) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte == 0) return std::nullopt;
      node ^= byte;
      if (node >= units_.size()) return std::nullopt;
      const std::uint32_t unit = units_[node];
      if ((unit & (1u << 31 | 0xFF)) != byte) return std::nullopt;
      node ^= offset(unit);
      if (node >= units_.size()) return std::nullopt;
      if ((unit >> 8 & 1) == 0) continue;
      const std::size_t at = units_[node] & ((1u << 31) - 1);
      if (at >= texts_.size()) return std::nullopt;
      std::string_view text = std::string_view(texts_).substr(at, kLongestAdded + 1);
      text = text.substr(0, text.find('\0'));
      // Patterns and normalizers after this one rely on UTF-8.
      if (text.size() > kLongestAdded || findInvalidUtf8(text)) return std::nullopt;
      return text;
    }
    return std::nullopt;
  }

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

int valueOfBase64(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

NormalizerOf makeForm(bool compose, bool compatible) {
  return std::make_unique<Form>(compose, compatible);
}

Result<NormalizerOf> makeCharsmap(std::string charsmap) {
  std::uint32_t length = 0;
  if (charsmap.size() >= 4) std::memcpy(&length, charsmap.data(), 4);
  if (length < 4 || length % 4 != 0 || length > charsmap.size() - 4)
    return fail(ErrorKind::BadInput, "the map of characters of Precompiled is shorter than it says");
  std::vector<std::uint32_t> units(length / 4);
  std::memcpy(units.data(), charsmap.data() + 4, length);
  return std::make_unique<Charsmap>(std::move(units), charsmap.substr(4 + length));
}

std::optional<std::string> fromBase64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  while (text.ends_with('='))
    text.remove_suffix(1);
  for (const char c : text) {
    const int value = valueOfBase64(c);
    if (value < 0) return std::nullopt;
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xFFFFFF;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

}  // namespace sepx::tokenizer
