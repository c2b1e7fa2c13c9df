// SPDX-License-Identifier: Apache-2.0
// Reads numbers and texts of a pickle, in binary form or as the Python literals of protocol 0.
#include <bit>
#include <charconv>
#include <cstring>

#include "engine/checkpoint/pickle_machine.h"
#include "engine/core/number.h"
#include "engine/core/utf8.h"

namespace sepx::checkpoint {

using Kind = PickleKind;

bool Unpickler::number(unsigned char op) {
  switch (op) {
    case 'N':
      make(Kind::None);
      return true;
    case 0x88:
      make(Kind::Bool).integer = 1;
      return true;
    case 0x89:
      make(Kind::Bool).integer = 0;
      return true;
    case 'K':
      make(Kind::Integer).integer = static_cast<std::int64_t>(little(1));
      return true;
    case 'M':
      make(Kind::Integer).integer = static_cast<std::int64_t>(little(2));
      return true;
    case 'J':
      make(Kind::Integer).integer = static_cast<std::int32_t>(little(4));
      return true;
    case 'I':
    case 'L':
      integerLine(line());
      return true;
    case 0x8A:
      longInteger(counted(1));
      return true;
    case 0x8B:
      longInteger(counted(4));
      return true;
    case 'F': {
      const auto value = parseNumber(line());
      if (!value) wrong("there should be a number here");
      make(Kind::Float).number = value.value_or(0);
      return true;
    }
    case 'G': {
      const std::uint64_t bits = little(8);
      std::uint64_t swapped = 0;
      for (int i = 0; i < 8; ++i)
        swapped |= ((bits >> (8 * i)) & 0xFF) << (8 * (7 - i));
      make(Kind::Float).number = std::bit_cast<double>(swapped);
      return true;
    }
    default:
      return false;
  }
}

/// "12", "12L" and, of protocol 0, the booleans "00" and "01".
void Unpickler::integerLine(std::string_view digits) {
  if (digits == "00" || digits == "01") {
    make(Kind::Bool).integer = digits == "01";
    return;
  }
  if (digits.ends_with('L')) digits.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::string_view unsignedDigits = digits.substr(digits.starts_with('-') ? 1 : 0);
  if (unsignedDigits.empty() || unsignedDigits.find_first_not_of("0123456789") != std::string_view::npos) {
    return wrong("there should be a whole number here");
  }
  if (failure == std::errc::result_out_of_range) return pushText(Kind::LongInteger, digits);
  make(Kind::Integer).integer = value;
}

void Unpickler::longInteger(std::string_view bytes) {
  if (bytes.size() > 8) return pushText(Kind::LongInteger, bytes);
  std::uint64_t value = 0;
  if (!bytes.empty()) std::memcpy(&value, bytes.data(), bytes.size());
  if (!bytes.empty() && bytes.size() < 8 && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0) {
    value |= ~std::uint64_t{0} << (8 * bytes.size());
  }
  make(Kind::Integer).integer = static_cast<std::int64_t>(value);
}

bool Unpickler::text(unsigned char op) {
  switch (op) {
    case 'X':
      pushText(Kind::Text, counted(4));
      return true;
    case 0x8C:
      pushText(Kind::Text, counted(1));
      return true;
    case 0x8D:
      pushText(Kind::Text, counted(8));
      return true;
    case 'T':
      pushText(Kind::Text, counted(4));
      return true;
    case 'U':
      pushText(Kind::Text, counted(1));
      return true;
    case 'B':
      pushText(Kind::Bytes, counted(4));
      return true;
    case 'C':
      pushText(Kind::Bytes, counted(1));
      return true;
    case 0x8E:
    case 0x96:
      pushText(Kind::Bytes, counted(8));
      return true;
    case 'S':
      quoted(line());
      return true;
    case 'V':
      escapedUnicode(line());
      return true;
    default:
      return false;
  }
}

/// A Python string literal in quotes, with its escape sequences.
void Unpickler::quoted(std::string_view source) {
  if (source.size() < 2 || source.front() != source.back() || (source.front() != '\'' && source.front() != '"')) {
    return wrong("there should be a text in quotes here");
  }
  source = source.substr(1, source.size() - 2);
  if (source.find('\\') == std::string_view::npos) return pushText(Kind::Text, source);
  std::string& out = graph_.owned.emplace_back();
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\\' || i + 1 == source.size()) {
      out += source[i];
      continue;
    }
    const char next = source[++i];
    static constexpr std::string_view kFrom = "ntr\\'\"0", kTo{"\n\t\r\\'\"\0", 7};
    unsigned code = 0;
    if (next == 'x' && i + 2 < source.size() &&
        std::from_chars(source.data() + i + 1, source.data() + i + 3, code, 16).ptr == source.data() + i + 3) {
      out += static_cast<char>(code);
      i += 2;
    } else if (const auto found = kFrom.find(next); found != std::string_view::npos) {
      out += kTo[found];
    } else {
      out += '\\';
      out += next;
    }
  }
  pushText(Kind::Text, out);
}

/// Latin-1 with \uXXXX and \UXXXXXXXX.
void Unpickler::escapedUnicode(std::string_view source) {
  std::string& out = graph_.owned.emplace_back();
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t digits = source[i] != '\\' || i + 1 == source.size() ? 0
                               : source[i + 1] == 'u'                      ? 4
                               : source[i + 1] == 'U'                      ? 8
                                                                           : 0;
    std::uint32_t code = 0;
    const char* const first = source.data() + i + 2;
    if (digits != 0 && i + 2 + digits <= source.size() &&
        std::from_chars(first, first + digits, code, 16).ptr == first + digits) {
      appendUtf8(out, code);
      i += 1 + digits;
    } else {
      appendUtf8(out, static_cast<unsigned char>(source[i]));
    }
  }
  pushText(Kind::Text, out);
}

}  // namespace sepx::checkpoint
