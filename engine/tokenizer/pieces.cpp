// SPDX-License-Identifier: Apache-2.0
// Tokenizers of pieces with scores: SentencePiece's model (a protocol buffer: pieces 1 {piece 1, score 2, type 3},
// trainer 2 {model_type 3, treat_whitespace_as_suffix 24, byte_fallback 35, ids of unknown, first and last 40-42},
// normalizer 3 {precompiled_charsmap 2, add_dummy_prefix 3, remove_extra_whitespaces 4, escape_whitespaces 5}), and
// llama2.c's tok*.bin (the longest token's length, then for each token a score, a length and the bytes).
#include "engine/tokenizer/pieces.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "engine/checkpoint/protobuf.h"
#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/readers.h"

namespace sepx::tokenizer {

namespace {

using checkpoint::ProtoField;
using checkpoint::ProtoReader;
using Kind = ProtoField::Kind;

float floatOf(const ProtoField& field) {
  float value = 0;
  if (field.bytes.size() == sizeof value) std::memcpy(&value, field.bytes.data(), sizeof value);
  return value;
}

Result<void> addPieceOf(std::span<const std::byte> message, PieceList& list) {
  PieceKind kind = PieceKind::Normal;
  std::string text;
  float score = 0;
  ProtoReader reader(message);
  while (const auto field = reader.next()) {
    if (field->is(1, Kind::Bytes)) text = field->text();
    if (field->is(2, Kind::Fixed32)) score = floatOf(*field);
    if (field->is(3, Kind::Varint)) kind = static_cast<PieceKind>(std::min<std::uint64_t>(field->value, 7));
  }
  if (reader.broken() || kind < PieceKind::Normal || kind > PieceKind::Byte)
    return fail(ErrorKind::BadInput, fmt::format("piece {} is broken", list.scores.size()));
  return list.add(std::move(text), score, kind);
}

void readTrainer(std::span<const std::byte> message, PieceRules& rules) {
  ProtoReader reader(message);
  while (const auto field = reader.next()) {
    if (field->kind != Kind::Varint) continue;
    if (field->number == 3) rules.model = static_cast<int>(std::min<std::uint64_t>(field->value, 100));
    if (field->number == 24) rules.suffix = field->value != 0;
    if (field->number == 35) rules.byteFallback = field->value != 0;
    const auto id = static_cast<std::int32_t>(field->value);
    if (field->number == 40) rules.unknown = id;
    if (field->number == 41) rules.first = id;
    if (field->number == 42) rules.last = id;
  }
}

void readNormalizer(std::span<const std::byte> message, PieceRules& rules) {
  ProtoReader reader(message);
  while (const auto field = reader.next()) {
    if (field->is(2, Kind::Bytes)) rules.charsmap = field->text();
    if (field->is(3, Kind::Varint)) rules.prefix = field->value != 0;
    if (field->is(4, Kind::Varint)) rules.collapse = field->value != 0;
    if (field->is(5, Kind::Varint)) rules.escape = field->value != 0;
  }
}

Result<std::unique_ptr<Parts>> partsOfSentencePiece(const std::string& path) {
  SEPX_ASSIGN(const std::string bytes, readFile(path, kLongestFile));
  SEPX_ASSIGN(const SiblingFiles beside, readSiblingFiles(path));
  PieceList list;
  PieceRules rules;
  ProtoReader reader(std::as_bytes(std::span(bytes)));
  while (const auto field = reader.next()) {
    if (field->is(1, Kind::Bytes)) SEPX_TRY(addPieceOf(field->bytes, list));
    if (field->is(2, Kind::Bytes)) readTrainer(field->bytes, rules);
    if (field->is(3, Kind::Bytes)) readNormalizer(field->bytes, rules);
  }
  if (reader.broken())
    return fail(ErrorKind::BadInput, fmt::format("byte {}: is not a valid SentencePiece model", reader.at()));
  // The file does not say whether its first and last tokens are put around a text.
  const bool unigram = rules.model == 1;
  rules.addFirst = beside.flag("add_bos_token", !unigram);
  rules.addLast = beside.flag("add_eos_token", unigram);
  SEPX_ASSIGN(auto parts, partsOfPieces("SentencePiece", std::move(list), std::move(rules)));
  if (!beside.config.contains("add_bos_token") && !beside.config.contains("add_eos_token"))
    parts->notes.emplace_back(
        unigram ? "no tokenizer_config.json says what stands around a text: the last token, as in T5"
                : "no tokenizer_config.json says what stands around a text: the first token, as in LLaMA");
  return parts;
}

Result<std::unique_ptr<Parts>> partsOfLlama2c(const std::string& path) {
  SEPX_ASSIGN(const std::string bytes, readFile(path, kLongestFile));
  Vocab vocab;
  std::vector<double> scores;
  for (std::size_t at = 4; at < bytes.size();) {
    float score = 0;
    std::int32_t length = -1;
    if (bytes.size() - at >= 8) {
      std::memcpy(&score, bytes.data() + at, 4);
      std::memcpy(&length, bytes.data() + at + 4, 4);
    }
    if (length < 0 || static_cast<std::size_t>(length) > bytes.size() - at - 8)
      return fail(ErrorKind::BadInput, fmt::format("byte {}: token {} is cut off", at, scores.size()));
    SEPX_TRY(vocab.add(bytes.substr(at + 8, static_cast<std::size_t>(length)), scores.size()));
    scores.push_back(score);
    at += 8 + static_cast<std::size_t>(length);
  }
  if (scores.size() < 259) return fail(ErrorKind::BadInput, "it has fewer than the 259 tokens of llama2.c");
  SEPX_TRY(vocab.finish());
  const std::string first = vocab.tokens()[1];
  BpeRules rules;
  rules.bytesFrom = 3;
  Components components;
  components.normalizer = {{"type", "Prepend"}, {"prepend", " "}};
  components.postProcessor = postProcessorJson(vocab, first, {});
  const Json bytesOf{{"type", "ByteFallback"}}, fuse{{"type", "Fuse"}};
  components.decoder = {{"type", "Sequence"}, {"decoders", Json::array({bytesOf, fuse})}};
  SEPX_ASSIGN(ModelOf model, makeScoredBpe(std::move(vocab), std::move(scores), std::move(rules), {}));
  SEPX_ASSIGN(auto parts, assemble("llama2.c", std::move(model), std::move(components)));
  parts->hiddenFirstToken = 1;
  parts->controls = {0, 1, 2};
  return parts;
}

}  // namespace

Result<void> PieceList::add(std::string text, double score, PieceKind kind) {
  if (!std::isfinite(score))
    return fail(ErrorKind::BadInput, fmt::format("the score of the piece {} is not finite", inQuotes(text)));
  if (findInvalidUtf8(text)) return fail(ErrorKind::BadInput, fmt::format("piece {} is not UTF-8", scores.size()));
  SEPX_TRY(vocab.add(std::move(text), scores.size()));
  scores.push_back(score);
  kinds.push_back(kind);
  return {};
}

Json normalizerOf(const PieceRules& rules) {
  Json all = Json::array();
  const auto replace = [&](const char* kind, const char* pattern, const char* content) {
    all.push_back(Json{{"type", "Replace"}, {"pattern", {{kind, pattern}}}, {"content", content}});
  };
  if (rules.collapse) {
    replace("Regex", R"(\A +| +\z)", "");
    replace("Regex", " {2,}", " ");
  }
  if (rules.prefix) all.push_back(Json{{"type", "Prepend"}, {"prepend", " "}});
  if (rules.escape) replace("String", " ", "\xE2\x96\x81");
  return {{"type", "Sequence"}, {"normalizers", all}};
}

Result<std::unique_ptr<Parts>> partsOfPieces(std::string from, PieceList list, PieceRules rules) {
  if (rules.suffix)
    return fail(ErrorKind::BadInput, "spaces after words (treat_whitespace_as_suffix) are not supported");
  if (rules.model != 1 && rules.model != 2)
    return fail(ErrorKind::BadInput,
                fmt::format("SentencePiece's model type {} is neither Unigram (1) nor BPE (2)", rules.model));
  if (list.vocab.count() == 0) return fail(ErrorKind::BadInput, "it has no pieces");
  SEPX_TRY(list.vocab.finish());
  Components components;
  std::set<std::uint32_t> controls;
  std::vector<bool> outside(list.kinds.size());
  std::optional<std::uint32_t> unknown;
  for (std::uint32_t id = 0; id < list.kinds.size(); ++id) {
    const PieceKind kind = list.kinds[id];
    outside[id] = kind != PieceKind::Normal;
    if (kind == PieceKind::Control || kind == PieceKind::Unknown) controls.insert(id);
    if (kind == PieceKind::Unknown && !unknown) unknown = id;
    if (kind != PieceKind::UserDefined) continue;
    AddedToken token{list.vocab.tokens()[id], id};
    token.exact = true;
    components.added.push_back(std::move(token));
  }
  const auto named = [&](bool wanted, std::int64_t id) {
    return wanted && id >= 0 && list.vocab.has(static_cast<std::uint32_t>(id))
               ? list.vocab.tokens()[static_cast<std::size_t>(id)]
               : std::string();
  };
  components.postProcessor =
      postProcessorJson(list.vocab, named(rules.addFirst, rules.first), named(rules.addLast, rules.last));
  components.normalizer = normalizerOf(rules);
  Json decoders = Json::array({Json{{"type", "Replace"}, {"pattern", {{"String", "\xE2\x96\x81"}}}, {"content", " "}},
                               Json{{"type", "ByteFallback"}}, Json{{"type", "Fuse"}}});
  if (rules.prefix) decoders.push_back(Json{{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  components.decoder = {{"type", "Sequence"}, {"decoders", decoders}};
  ModelOf model;
  if (rules.model == 1) {
    SEPX_ASSIGN(model, makeUnigram(std::move(list.vocab), std::move(list.scores),
                                   {unknown, rules.byteFallback, std::move(outside)}));
  } else {
    BpeRules bpe;
    if (unknown) bpe.unknown = list.vocab.tokens()[*unknown];
    bpe.fuseUnknown = true;
    bpe.byteFallback = rules.byteFallback;
    SEPX_ASSIGN(model,
                makeScoredBpe(std::move(list.vocab), std::move(list.scores), std::move(bpe), std::move(outside)));
  }
  SEPX_ASSIGN(auto parts, assemble(std::move(from), std::move(model), std::move(components)));
  parts->controls = std::move(controls);
  if (!rules.charsmap.empty()) {
    SEPX_ASSIGN(NormalizerOf charsmap, makeCharsmap(std::move(rules.charsmap)));
    parts->normalizer = bothNormalizers(std::move(charsmap), std::move(parts->normalizer));
  }
  return parts;
}

Result<Opened> readSentencePiece(const std::string& path) {
  return openedFrom(path, partsOfSentencePiece(path));
}

Result<Opened> readLlama2cTokens(const std::string& path) {
  return openedFrom(path, partsOfLlama2c(path));
}

}  // namespace sepx::tokenizer
