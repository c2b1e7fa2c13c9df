// SPDX-License-Identifier: Apache-2.0
// Reads the files of vocabularies: tokenizer.json of the tokenizers library ({"model": {"vocab": {token: index} or
// [[token, score], …]}, "added_tokens": [{"id", "content"}]}), vocab.json ({token: index}), vocab.txt (one token per
// line), tok*.bin of llama2.c (the longest token's length, then a score, a length and the bytes of each),
// SentencePiece's model (a protocol buffer, pieces 1 {piece 1}). JSON is read while it is parsed: merges and rules of a
// tokeniser, which are most of such a file, are never held in memory.
#include "engine/checkpoint/vocabulary_read.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/protobuf.h"
#include "engine/core/folder.h"
#include "engine/core/try.h"

namespace fs = std::filesystem;

namespace sepx::checkpoint {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLongestFile = std::uint64_t{256} << 20;
constexpr std::size_t kMostTokens = 2'000'000, kLongestToken = 65'536;
constexpr std::size_t kDeepest = 64;

/// Parses tokenizer.json, or vocab.json (`flat`), and keeps tokens with their indices.
class TokenizerJson {
 public:
  explicit TokenizerJson(bool flat) : flat_(flat) {}

  std::vector<std::string> tokens;
  std::string refusal;
  std::size_t wrongAt = 0;

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool binary(json::binary_t&) { return true; }
  bool number_float(double, const std::string&) { return true; }
  bool number_integer(std::int64_t) { return inVocabulary() ? refuse("has a negative index") : true; }
  bool number_unsigned(std::uint64_t value) {
    if (inVocabulary()) return put(value, key_);
    if (inAdded() && key_ == "id") added_ = value;
    return true;
  }
  bool string(std::string& value) {
    if (inAdded() && key_ == "content") content_ = std::move(value);
    // [[token, score], …] of Unigram
    if (depth_ == 4 && first_ == "model" && second_ == "vocab" && !flat_ && listed_) return put(tokens.size(), value);
    return true;
  }
  bool key(std::string& key) {
    if (depth_ == 1) first_ = key;
    if (depth_ == 2) second_ = key;
    key_ = std::move(key);
    return true;
  }
  bool start_object(std::size_t) { return enter(false); }
  bool start_array(std::size_t) { return enter(true); }
  bool end_object() {
    if (inAdded() && added_ && !content_.empty() && !put(*added_, content_)) return false;
    if (depth_ == 3) {
      added_.reset();
      content_.clear();
    }
    --depth_;
    return true;
  }
  bool end_array() {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
    wrongAt = position > 0 ? position - 1 : 0;
    return false;
  }

 private:
  bool inVocabulary() const {
    return flat_ ? depth_ == 1 : depth_ == 3 && first_ == "model" && second_ == "vocab" && !listed_;
  }
  bool inAdded() const { return !flat_ && depth_ == 3 && first_ == "added_tokens"; }
  bool enter(bool array) {
    if (depth_ == 2 && first_ == "model" && second_ == "vocab") listed_ = array;
    if (++depth_ > kDeepest) return refuse(fmt::format("is nested more than {} deep", kDeepest));
    return true;
  }
  bool refuse(std::string why) {
    refusal = std::move(why);
    return false;
  }
  bool put(std::uint64_t index, const std::string& token) {
    if (index >= kMostTokens)
      return refuse(fmt::format("gives the token {} the index {}, which is too large", inQuotes(token), index));
    if (token.size() > kLongestToken)
      return refuse(fmt::format("has the token {}, which is too long", inQuotes(token)));
    if (index >= tokens.size()) tokens.resize(static_cast<std::size_t>(index) + 1);
    tokens[static_cast<std::size_t>(index)] = token;
    return true;
  }

  bool flat_, listed_ = false;
  std::size_t depth_ = 0;
  std::string first_, second_, key_, content_;
  std::optional<std::uint64_t> added_;
};

Result<std::string_view> textOf(const MappedFile& file) {
  if (file.size() > kLongestFile) {
    return broken(file.path(), fmt::format("has {} bytes, which is too large for a vocabulary", file.size()));
  }
  SEPX_TRY(file.checkNotTruncated());
  return std::string_view(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
}

Result<std::vector<std::string>> readJson(const MappedFile& file, bool flat) {
  SEPX_ASSIGN(const auto text, textOf(file));
  TokenizerJson reader(flat);
  if (json::sax_parse(text, &reader)) return std::move(reader.tokens);
  if (!reader.refusal.empty()) return broken(file.path(), reader.refusal);
  return broken(file.path(), fmt::format("byte {}: is not JSON from here on", reader.wrongAt));
}

Result<std::vector<std::string>> readLines(const MappedFile& file) {
  SEPX_ASSIGN(const auto text, textOf(file));
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (tokens.size() == kMostTokens || line.size() > kLongestToken) {
      return broken(file.path(),
                    fmt::format("line {}: too many tokens, or a token that is too long", tokens.size() + 1));
    }
    tokens.emplace_back(line);
    at = end + 1;
  }
  return tokens;
}

Result<std::vector<std::string>> readLlama2c(const MappedFile& file) {
  SEPX_ASSIGN(const auto text, textOf(file));
  std::vector<std::string> tokens;
  for (std::size_t at = 4; at < text.size();) {
    std::int32_t length = 0;
    if (text.size() - at >= 8) std::memcpy(&length, text.data() + at + 4, 4);
    if (text.size() - at < 8 || length < 0 || static_cast<std::size_t>(length) > text.size() - at - 8 ||
        tokens.size() == kMostTokens) {
      return broken(file.path(), fmt::format("byte {}: token {} is cut off", at, tokens.size()));
    }
    if (static_cast<std::size_t>(length) > kLongestToken)
      return broken(file.path(), fmt::format("byte {}: token {} is too long", at, tokens.size()));
    tokens.emplace_back(text.substr(at + 8, static_cast<std::size_t>(length)));
    at += 8 + static_cast<std::size_t>(length);
  }
  return tokens;
}

Result<std::vector<std::string>> readSentencePiece(const MappedFile& file) {
  const auto text = textOf(file);
  if (!text) return tl::unexpected(text.error());
  std::vector<std::string> tokens;
  // A file of this name may be that of another tokeniser (tiktoken: lines of text), which is not read here.
  if (!text->starts_with('\n')) return tokens;
  ProtoReader reader(file.bytes());
  while (const auto field = reader.next()) {
    if (!field->is(1, ProtoField::Kind::Bytes)) continue;
    if (tokens.size() == kMostTokens) return broken(file.path(), "has more pieces than any vocabulary");
    std::string& token = tokens.emplace_back();
    ProtoReader piece(field->bytes);
    while (const auto part = piece.next())
      if (part->is(1, ProtoField::Kind::Bytes)) token = part->text().substr(0, kLongestToken);
  }
  if (reader.broken())
    return broken(file.path(), fmt::format("byte {}: is not a valid SentencePiece model", reader.at()));
  return tokens;
}

std::vector<std::string> fromGguf(const json& config) {
  std::vector<std::string> tokens;
  if (!config.is_object()) return tokens;
  const auto list = config.find("tokenizer.ggml.tokens");
  if (list == config.end() || !list->is_array()) return tokens;
  for (const json& token : *list)
    tokens.push_back(token.is_string() && token.get_ref<const std::string&>().size() <= kLongestToken
                         ? token.get<std::string>()
                         : std::string());
  return tokens;
}

/// The vocabulary beside a model of llama2.c: tok512.bin, tokenizer.bin.
std::string llama2cFile(const fs::path& folder) {
  for (const std::string& name : folderNames(folder.string(), 10'000))
    if (name.starts_with("tok") && name.ends_with(".bin")) return name;
  return {};
}

}  // namespace

Result<Vocabulary> readVocabulary(const Checkpoint& checkpoint) {
  Vocabulary vocabulary;
  vocabulary.tokens = fromGguf(checkpoint.config());
  if (!vocabulary.tokens.empty()) {
    vocabulary.from = "GGUF";
    vocabulary.marks = marksOf(vocabulary.tokens);
    return vocabulary;
  }
  const fs::path folder = checkpoint.folder().empty() ? fs::path(".") : fs::path(checkpoint.folder());
  for (const std::string& name : {std::string("tokenizer.json"), std::string("vocab.json"), std::string("vocab.txt"),
                                  std::string("tokenizer.model"), std::string("spiece.model"), llama2cFile(folder)}) {
    std::error_code error;
    if (name.empty() || !fs::is_regular_file(folder / name, error)) continue;
    SEPX_ASSIGN(const auto file, MappedFile::open((folder / name).string()));
    SEPX_ASSIGN(auto tokens, name.ends_with(".json")    ? readJson(*file, name == "vocab.json")
                             : name == "vocab.txt"      ? readLines(*file)
                             : name.ends_with(".model") ? readSentencePiece(*file)
                                                        : readLlama2c(*file));
    if (tokens.empty()) continue;
    vocabulary.from = name;
    vocabulary.tokens = std::move(tokens);
    vocabulary.marks = marksOf(vocabulary.tokens);
    return vocabulary;
  }
  return vocabulary;
}

}  // namespace sepx::checkpoint
