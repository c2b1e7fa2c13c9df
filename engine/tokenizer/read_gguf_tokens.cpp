// SPDX-License-Identifier: Apache-2.0
// The tokenizer inside a GGUF file: tokenizer.ggml.model (llama, t5, gpt2, bert), tokens, scores, token_type, merges,
// pre (which names an expression), and flags.
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/patterns_known.h"
#include "engine/tokenizer/pieces.h"
#include "engine/tokenizer/readers.h"

namespace sepx::tokenizer {

namespace {

/// The keys "tokenizer.ggml.…".
class GgufKeys {
 public:
  explicit GgufKeys(const Json& config) : config_(config) {}

  const Json* find(const char* name) const {
    const auto at = config_.find(std::string("tokenizer.ggml.") + name);
    return at == config_.end() ? nullptr : &*at;
  }
  std::string text(const char* name) const {
    const Json* value = find(name);
    return value && value->is_string() ? value->get<std::string>() : std::string();
  }
  bool flag(const char* name, bool otherwise) const {
    const Json* value = find(name);
    return value && value->is_boolean() ? value->get<bool>() : otherwise;
  }
  std::int64_t id(const char* name, std::int64_t otherwise) const {
    const Json* value = find(name);
    return value && value->is_number_unsigned() && value->get<std::uint64_t>() < kMostTokens
               ? value->get<std::int64_t>()
               : otherwise;
  }
  /// The list of this name; empty where there is none.
  const Json& list(const char* name) const {
    static const Json kNone = Json::array();
    const Json* value = find(name);
    return value && value->is_array() ? *value : kNone;
  }

 private:
  const Json& config_;
};

Result<PieceList> piecesOfGguf(const GgufKeys& keys) {
  const Json &tokens = keys.list("tokens"), &scores = keys.list("scores"), &kinds = keys.list("token_type");
  if (tokens.empty()) return fail(ErrorKind::BadInput, "it holds no tokens");
  PieceList list;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is_string()) return fail(ErrorKind::BadInput, fmt::format("token {} is not a text", i));
    const double score = i < scores.size() && scores[i].is_number() ? scores[i].get<double>() : 0;
    const std::int64_t kind = i < kinds.size() && kinds[i].is_number_integer() ? kinds[i].get<std::int64_t>() : 1;
    if (kind < 1 || kind > 6)
      return fail(ErrorKind::BadInput, fmt::format("token {} has the invalid kind {}", i, kind));
    SEPX_TRY(list.add(tokens[i].get<std::string>(), score, static_cast<PieceKind>(kind)));
  }
  return list;
}

std::string charsmapOfGguf(const GgufKeys& keys) {
  std::string bytes;
  for (const Json& value : keys.list("precompiled_charsmap"))
    if (value.is_number_integer()) bytes += static_cast<char>(value.get<std::int64_t>());
  return bytes;
}

Result<std::unique_ptr<Parts>> scoredPartsOfGguf(const GgufKeys& keys, bool unigram) {
  SEPX_ASSIGN(PieceList list, piecesOfGguf(keys));
  PieceRules rules;
  rules.model = unigram ? 1 : 2;
  rules.prefix = keys.flag("add_space_prefix", true);
  rules.collapse = keys.flag("remove_extra_whitespaces", unigram);
  rules.byteFallback = !unigram;
  rules.charsmap = charsmapOfGguf(keys);
  rules.unknown = keys.id("unknown_token_id", 0);
  rules.first = keys.id("bos_token_id", 1);
  rules.last = keys.id("eos_token_id", unigram ? 1 : 2);
  rules.addFirst = keys.flag("add_bos_token", !unigram);
  rules.addLast = keys.flag("add_eos_token", unigram);
  return partsOfPieces("GGUF", std::move(list), std::move(rules));
}

struct KnownPre {
  const char* name;
  const char* expression;
};
constexpr std::array<KnownPre, 9> kKnownPres = {{{"gpt-2", kGpt2Words},
                                                 {"gpt2", kGpt2Words},
                                                 {"olmo", kGpt2Words},
                                                 {"phi-2", kGpt2Words},
                                                 {"llama-bpe", kLlama3Words},
                                                 {"llama3", kLlama3Words},
                                                 {"qwen2", kQwen2Words},
                                                 {"gpt-4o", kO200kWords},
                                                 {"smollm", nullptr}}};

/// llama.cpp's default, used where a file names no expression.
Json defaultWordsOfGguf() {
  Json all = Json::array();
  const auto split = [&](const char* expression) {
    all.push_back(Json{{"type", "Split"}, {"pattern", {{"Regex", expression}}}, {"behavior", "Isolated"}});
  };
  split(R"([\p{P}\$\+<=>\^~\|]+)");
  split(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))");
  split(R"(\p{N}+)");
  split("[0-9][0-9][0-9]");
  all.push_back(Json{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}});
  return {{"type", "Sequence"}, {"pretokenizers", all}};
}

Result<Json> wordsOfGguf(const std::string& pre, std::vector<std::string>& notes) {
  for (const KnownPre& known : kKnownPres) {
    if (pre != known.name) continue;
    if (known.expression) return splitIntoBytes(known.expression);
    const Json digits{{"type", "Digits"}, {"individual_digits", true}};
    return Json{{"type", "Sequence"}, {"pretokenizers", Json::array({digits, splitIntoBytes(kGpt2Words)})}};
  }
  if (!pre.empty() && pre != "default")
    return fail(ErrorKind::BadInput,
                fmt::format("the expression {} of tokenizer.ggml.pre is not supported", inQuotes(pre)));
  notes.emplace_back("the file names no expression for words (tokenizer.ggml.pre): llama.cpp's default was used");
  return defaultWordsOfGguf();
}

/// The merges are views of strings in `keys`.
Result<std::vector<NamedMerge>> mergesOfGguf(const GgufKeys& keys) {
  std::vector<NamedMerge> merges;
  for (const Json& one : keys.list("merges")) {
    const std::string_view text = one.is_string() ? one.get_ref<const std::string&>() : std::string_view();
    const std::size_t blank = text.find(' ', 1);
    if (blank == std::string_view::npos)
      return fail(ErrorKind::BadInput, fmt::format("merge {} is broken", merges.size()));
    merges.push_back({text.substr(0, blank), text.substr(blank + 1)});
  }
  return merges;
}

Result<Components> componentsOfGguf(const GgufKeys& keys, PieceList& list, bool bos, bool eos, const char* first,
                                    const char* last) {
  SEPX_TRY(list.vocab.finish());
  Components components;
  for (std::uint32_t id = 0; id < list.kinds.size(); ++id) {
    const bool control = list.kinds[id] == PieceKind::Control;
    if (!control && list.kinds[id] != PieceKind::UserDefined) continue;
    components.added.push_back({list.vocab.tokens()[id], id, control, false});
  }
  const auto named = [&](bool wanted, const char* key) {
    const std::int64_t id = keys.id(key, -1);
    return wanted && id >= 0 && list.vocab.has(static_cast<std::uint32_t>(id))
               ? list.vocab.tokens()[static_cast<std::size_t>(id)]
               : std::string();
  };
  components.postProcessor = postProcessorJson(list.vocab, named(bos, first), named(eos, last));
  return components;
}

Result<std::unique_ptr<Parts>> byteLevelPartsOfGguf(const GgufKeys& keys) {
  SEPX_ASSIGN(PieceList list, piecesOfGguf(keys));
  SEPX_ASSIGN(const auto merges, mergesOfGguf(keys));
  const std::string pre = keys.text("pre");
  const bool llama3 = pre == "llama-bpe" || pre == "llama3";
  SEPX_ASSIGN(Components components,
              componentsOfGguf(keys, list, keys.flag("add_bos_token", llama3), keys.flag("add_eos_token", false),
                               "bos_token_id", "eos_token_id"));
  std::vector<std::string> notes;
  SEPX_ASSIGN(components.preTokenizer, wordsOfGguf(pre, notes));
  components.decoder = {{"type", "ByteLevel"}};
  BpeRules rules;
  rules.wholeFirst = llama3;
  SEPX_ASSIGN(ModelOf model, makeBpe(std::move(list.vocab), merges, std::move(rules)));
  SEPX_ASSIGN(auto parts, assemble("GGUF", std::move(model), std::move(components)));
  parts->notes = std::move(notes);
  return parts;
}

/// GGUF stores BERT's "word" as "▁word" and its "##part" as "part".
Result<std::unique_ptr<Parts>> wordPiecePartsOfGguf(const GgufKeys& keys) {
  SEPX_ASSIGN(PieceList stored, piecesOfGguf(keys));
  constexpr std::string_view kMark = "\xE2\x96\x81";
  PieceList list;
  for (std::uint32_t id = 0; id < stored.kinds.size(); ++id) {
    std::string token = stored.vocab.tokens()[id];
    const bool special = stored.kinds[id] != PieceKind::Normal || (token.starts_with('[') && token.ends_with(']'));
    if (token.starts_with(kMark))
      token.erase(0, kMark.size());
    else if (!special)
      token.insert(0, "##");
    SEPX_TRY(list.add(std::move(token), 0, stored.kinds[id]));
  }
  SEPX_ASSIGN(Components components,
              componentsOfGguf(keys, list, keys.flag("add_bos_token", true), keys.flag("add_eos_token", true),
                               keys.find("cls_token_id") ? "cls_token_id" : "bos_token_id",
                               keys.find("seperator_token_id") ? "seperator_token_id" : "eos_token_id"));
  components.normalizer = {{"type", "BertNormalizer"}, {"lowercase", true}};
  components.preTokenizer = {{"type", "BertPreTokenizer"}};
  components.decoder = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
  const std::int64_t unknown = keys.id("unknown_token_id", -1);
  const std::string name = unknown >= 0 && list.vocab.has(static_cast<std::uint32_t>(unknown))
                               ? list.vocab.tokens()[static_cast<std::size_t>(unknown)]
                               : std::string("[UNK]");
  SEPX_ASSIGN(ModelOf model, makeWordPiece(std::move(list.vocab), "##", name, 100));
  SEPX_ASSIGN(auto parts, assemble("GGUF", std::move(model), std::move(components)));
  parts->notes.emplace_back("the file does not say whether letters are made small: taken as yes, as in llama.cpp");
  return parts;
}

Result<std::unique_ptr<Parts>> partsOfGguf(const Json& config) {
  const GgufKeys keys(config);
  const std::string model = keys.text("model");
  if (model == "llama" || model == "t5") return scoredPartsOfGguf(keys, model == "t5");
  if (model == "gpt2") return byteLevelPartsOfGguf(keys);
  if (model == "bert") return wordPiecePartsOfGguf(keys);
  if (model.empty()) return fail(ErrorKind::BadInput, "it holds no tokenizer (tokenizer.ggml.model)");
  return fail(ErrorKind::BadInput, fmt::format("the tokenizer {} of a GGUF file is not supported", inQuotes(model)));
}

}  // namespace

Result<Opened> readGgufTokens(const std::string& path) {
  SEPX_ASSIGN(const auto opened, checkpoint::Checkpoint::open(path));
  return openedFrom(path, partsOfGguf(opened->config()));
}

}  // namespace sepx::tokenizer
