// SPDX-License-Identifier: Apache-2.0
// Small tokenizers that tests create.
#pragma once

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/core/utf8.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tests {

using Json = nlohmann::json;

/// GPT-2's character for a byte, by its definition: printable bytes of Latin-1 map to themselves, the others to
/// characters from U+0100 on.
inline std::string gpt2Character(unsigned wanted) {
  char32_t next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool printable = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
    const char32_t code = printable ? byte : next++;
    if (byte != wanted) continue;
    std::string text;
    appendUtf8(text, code);
    return text;
  }
  return {};
}

inline std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += at + i <= bytes.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

/// A tokenizer with all bytes, id = byte, and merges given as pairs of token names.
inline Json byteLevelJson(const std::vector<std::pair<std::string, std::string>>& merges) {
  Json vocab = Json::object(), list = Json::array();
  for (unsigned byte = 0; byte < 256; ++byte)
    vocab[gpt2Character(byte)] = byte;
  for (const auto& [left, right] : merges) {
    list.push_back(left + " " + right);
    if (!vocab.contains(left + right)) vocab[left + right] = vocab.size();
  }
  return Json{{"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
              {"decoder", {{"type", "ByteLevel"}}},
              {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", list}}}};
}

inline tokenizer::Opened readJson(const Json& json) {
  const auto opened = tokenizer::readTokenizerJson(json.dump(), "small");
  INFO((opened ? "" : opened.error().message));
  REQUIRE(opened);
  return *opened;
}

inline std::vector<std::uint32_t> idsOf(const tokenizer::Tokenizer& tokenizer, std::string_view text,
                                        bool addSpecial = true) {
  const auto tokens = tokenizer.encode(text, addSpecial);
  INFO((tokens ? "" : tokens.error().message));
  REQUIRE(tokens);
  std::vector<std::uint32_t> ids;
  for (const tokenizer::Token& token : *tokens)
    ids.push_back(token.id);
  return ids;
}

inline std::string refusalOf(const std::string& json) {
  const auto opened = tokenizer::readTokenizerJson(json, "small");
  return opened ? std::string() : opened.error().message;
}

/// A character map of Precompiled, as bytes: "a" becomes `text`.
inline std::string charsmapOfA(const std::string& text) {
  std::vector<std::uint32_t> units(256);
  units['a'] = 0x80 << 10 | 1 << 8 | 'a';  // a leaf, 'a' ^ 0x80, with the offset 0 of the text
  std::string bytes{'\0', '\4', '\0', '\0'};
  bytes.append(reinterpret_cast<const char*>(units.data()), 4 * units.size());
  return bytes + text + '\0';
}

}  // namespace sepx::tests
