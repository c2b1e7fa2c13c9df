// SPDX-License-Identifier: Apache-2.0
// Reads vocabularies without a tokenizer.json, and the files beside them: tokenizer_config.json and added_tokens.json.
#include "engine/tokenizer/readers.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/patterns_known.h"

namespace fs = std::filesystem;

namespace sepx::tokenizer {

namespace {

Result<Json> readSiblingJson(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return Json::object();
  SEPX_ASSIGN(const std::string text, readFile(file.string(), kLongestFile));
  auto json = parseJson<Json>(text, {.members = kMostAdded});
  if (!json) return fail(json.error().kind, fmt::format("{}: {}", file.string(), json.error().message));
  if (!json->is_object()) return fail(ErrorKind::BadInput, fmt::format("{}: it is not an object", file.string()));
  return json;
}

bool flagOf(const Json& json, const char* name, bool otherwise) {
  const auto at = json.find(name);
  return at != json.end() && at->is_boolean() ? at->get<bool>() : otherwise;
}

}  // namespace

std::string SiblingFiles::tokenizerClass() const {
  const auto at = config.find("tokenizer_class");
  return at != config.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool SiblingFiles::flag(const char* name, bool otherwise) const {
  return flagOf(config, name, otherwise);
}

std::string SiblingFiles::tokenOf(const char* name, const char* otherwise) const {
  const auto at = config.find(name);
  if (at == config.end() || at->is_null()) return otherwise;
  if (at->is_string()) return at->get<std::string>();
  const auto content = at->is_object() ? at->find("content") : at->end();
  return at->is_object() && content != at->end() && content->is_string() ? content->get<std::string>() : otherwise;
}

Result<SiblingFiles> readSiblingFiles(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  SiblingFiles beside;
  SEPX_ASSIGN(beside.config, readSiblingJson(folder / "tokenizer_config.json"));
  SEPX_ASSIGN(const Json added, readSiblingJson(folder / "added_tokens.json"));
  const auto put = [&](AddedToken token, const Json& id) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= kMostTokens) return false;
    token.id = id.get<std::uint32_t>();
    beside.added.push_back(std::move(token));
    return true;
  };
  for (const auto& [content, id] : added.items()) {
    AddedToken token;
    token.content = content;
    token.normalized = false;
    if (!put(std::move(token), id))
      return fail(ErrorKind::BadInput, fmt::format("{}: added_tokens.json: the id of {} is not a whole number",
                                                   folder.string(), inQuotes(content)));
  }
  const auto decoder = beside.config.find("added_tokens_decoder");
  if (decoder == beside.config.end() || !decoder->is_object()) return beside;
  for (const auto& [number, one] : decoder->items()) {
    std::uint32_t id = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), id);
    const auto content = one.is_object() ? one.find("content") : one.end();
    if (parsed.ec != std::errc() || !one.is_object() || content == one.end() || !content->is_string()) continue;
    AddedToken token{content->get<std::string>(),      id,
                     flagOf(one, "special", false),    flagOf(one, "normalized", false),
                     flagOf(one, "lstrip", false),     flagOf(one, "rstrip", false),
                     flagOf(one, "single_word", false)};
    put(std::move(token), Json(std::uint64_t{id}));
  }
  return beside;
}

void addSpecial(const Vocab& vocab, const std::string& content, std::vector<AddedToken>& into) {
  const auto id = vocab.find(content);
  if (!id || content.empty()) return;
  for (const AddedToken& token : into)
    if (token.content == content) return;
  AddedToken token{content, *id, true, false};
  token.leftStrip = content == "<mask>";
  into.push_back(std::move(token));
}

Json postProcessorJson(const Vocab& vocab, const std::string& before, const std::string& after) {
  Json single = Json::array(), special = Json::object();
  const auto put = [&](const std::string& content) {
    const auto id = vocab.find(content);
    if (content.empty() || !id) return;
    single.push_back(Json{{"SpecialToken", {{"id", content}}}});
    special[content] = Json{{"ids", {*id}}};
  };
  put(before);
  single.push_back(Json{{"Sequence", {{"id", "A"}}}});
  put(after);
  return Json{{"type", "TemplateProcessing"}, {"single", single}, {"special_tokens", special}};
}

Result<Opened> openedFrom(const std::string& path, Result<std::unique_ptr<Parts>> parts) {
  if (!parts) return fail(parts.error().kind, fmt::format("{}: {}", path, parts.error().message));
  return std::make_shared<const Tokenizer>(*std::move(parts));
}

// vocab.json with merges.txt, and vocab.txt: the files of BERT and GPT-2 before tokenizer.json. What they do not say
// follows from the class that tokenizer_config.json names.

namespace {

constexpr const char* kRemedy =
    "put it beside this file; without it, sepx forward takes --ids, or splits --text into the longest words that fit";

/// Calls take(line, number) for each line, without its end.
template <class Take>
Result<void> eachLine(std::string_view text, Take take) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    SEPX_TRY(take(line, number));
    at = end + 1;
  }
  return {};
}

/// The merges are views of `text`.
Result<std::vector<NamedMerge>> mergesOf(std::string_view text) {
  std::vector<NamedMerge> merges;
  SEPX_TRY(eachLine(text, [&](std::string_view line, std::size_t number) -> Result<void> {
    if (line.empty() || (number == 0 && line.starts_with("#version"))) return {};
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos)
      return fail(ErrorKind::BadInput,
                  fmt::format("line {}: {} is not two parts with a space between them", number + 1, inQuotes(line)));
    if (merges.size() == kMostMerges) return fail(ErrorKind::BadInput, fmt::format("more than {} merges", kMostMerges));
    merges.push_back({line.substr(0, blank), line.substr(blank + 1)});
    return {};
  }));
  return merges;
}

Result<Vocab> vocabOfJson(const std::string& path) {
  SEPX_ASSIGN(const std::string text, readFile(path, kLongestFile));
  SEPX_ASSIGN(const Json json, parseJson<Json>(text, {.members = kMostTokens}));
  if (!json.is_object()) return fail(ErrorKind::BadInput, "it is not an object");
  Vocab vocab;
  for (const auto& [token, id] : json.items()) {
    if (!id.is_number_unsigned())
      return fail(ErrorKind::BadInput, fmt::format("the id of {} is not a whole number", inQuotes(token)));
    SEPX_TRY(vocab.add(token, id.get<std::uint64_t>()));
  }
  SEPX_TRY(vocab.finish());
  return vocab;
}

Json byteLevelOf(const SiblingFiles& beside) {
  const bool prefix = beside.flag("add_prefix_space", false);
  if (!beside.tokenizerClass().starts_with("Qwen2"))
    return {{"type", "ByteLevel"}, {"add_prefix_space", prefix}, {"use_regex", true}};
  return splitIntoBytes(kQwen2Words);
}

/// CLIP: lower case, words that end in "</w>", one special token before and one after the text.
void makeClip(const Vocab& vocab, const SiblingFiles& beside, Components& components, BpeRules& rules) {
  const Json blanks{{"type", "Replace"}, {"pattern", {{"Regex", "\\s+"}}}, {"content", " "}};
  components.normalizer = {{"type", "Sequence"},
                           {"normalizers", Json::array({Json{{"type", "NFC"}}, blanks, Json{{"type", "Lowercase"}}})}};
  const Json split{{"type", "Split"}, {"pattern", {{"Regex", kClipWords}}}, {"behavior", "Removed"}, {"invert", true}};
  components.preTokenizer = {
      {"type", "Sequence"},
      {"pretokenizers", Json::array({split, Json{{"type", "ByteLevel"}, {"add_prefix_space", false}}})}};
  const std::string first = beside.tokenOf("bos_token", "<|startoftext|>");
  const std::string last = beside.tokenOf("eos_token", "<|endoftext|>");
  for (const std::string& special : {first, last})
    addSpecial(vocab, special, components.added);
  for (AddedToken& token : components.added)
    token.normalized = token.normalized || token.content == first;
  components.postProcessor = postProcessorJson(vocab, first, last);
  rules.suffix = "</w>";
  rules.unknown = beside.tokenOf("unk_token", "<|endoftext|>");
}

Result<std::unique_ptr<Parts>> partsOfVocabJson(const std::string& path) {
  SEPX_ASSIGN(SiblingFiles beside, readSiblingFiles(path));
  const std::string name = beside.tokenizerClass();
  if (name.starts_with("OpenAIGPT") || name.starts_with("CTRL"))
    return fail(ErrorKind::BadInput,
                fmt::format("vocab.json and merges.txt of {} are not supported: convert them to a tokenizer.json",
                            inQuotes(name)));
  SEPX_ASSIGN(Vocab vocab, vocabOfJson(path));
  const std::string mergesPath = (fs::path(path).parent_path() / "merges.txt").string();
  std::error_code error;
  if (!fs::exists(mergesPath, error))
    return fail(ErrorKind::BadInput,
                fmt::format("it is a list of words, and the rule for splitting a text into them is missing "
                            "(merges.txt, or a tokenizer.json): {}",
                            kRemedy));
  SEPX_ASSIGN(const std::string text, readFile(mergesPath, kLongestFile));
  SEPX_ASSIGN(const auto merges, mergesOf(text));
  const bool roberta = name.starts_with("Roberta") || name.starts_with("Bart") || name.starts_with("Longformer") ||
                       (name.empty() && vocab.find("<s>") && vocab.find("</s>") && vocab.find("<mask>"));
  const bool clip = name.starts_with("CLIP") || (name.empty() && vocab.find("<|startoftext|>") && vocab.find("a</w>"));
  Components components;
  components.added = std::move(beside.added);
  for (const char* special : {"<|endoftext|>", "<s>", "</s>", "<unk>", "<pad>", "<mask>"})
    addSpecial(vocab, special, components.added);
  components.decoder = {{"type", "ByteLevel"}};
  BpeRules rules;
  if (clip) {
    makeClip(vocab, beside, components, rules);
  } else {
    if (name.starts_with("Qwen2")) components.normalizer = {{"type", "NFC"}};
    components.preTokenizer = byteLevelOf(beside);
    if (roberta)
      components.postProcessor =
          postProcessorJson(vocab, beside.tokenOf("cls_token", "<s>"), beside.tokenOf("sep_token", "</s>"));
    if (vocab.find("<unk>")) rules.unknown = "<unk>";
  }
  SEPX_ASSIGN(ModelOf model, makeBpe(std::move(vocab), merges, std::move(rules)));
  SEPX_ASSIGN(auto parts, assemble("vocab.json", std::move(model), std::move(components)));
  if (name.empty())
    parts->notes.push_back(fmt::format("no tokenizer_config.json names the class: assumed to be {}", clip ? "CLIP's"
                                                                                                     : roberta
                                                                                                         ? "RoBERTa's"
                                                                                                         : "GPT-2's"));
  return parts;
}

Result<Vocab> vocabOfLines(std::string_view text) {
  Vocab vocab;
  std::size_t count = 0;
  SEPX_TRY(eachLine(
      text, [&](std::string_view line, std::size_t) -> Result<void> { return vocab.add(std::string(line), count++); }));
  if (vocab.count() == 0) return fail(ErrorKind::BadInput, "it has no tokens");
  SEPX_TRY(vocab.finish(true));
  return vocab;
}

Result<std::unique_ptr<Parts>> partsOfVocabTxt(const std::string& path) {
  SEPX_ASSIGN(SiblingFiles beside, readSiblingFiles(path));
  SEPX_ASSIGN(const std::string text, readFile(path, kLongestFile));
  SEPX_ASSIGN(Vocab vocab, vocabOfLines(text));
  const std::string unknown = beside.tokenOf("unk_token", "[UNK]");
  if (!vocab.find(unknown) &&
      std::ranges::none_of(vocab.tokens(), [](const std::string& token) { return token.starts_with("##"); }))
    return fail(ErrorKind::BadInput,
                fmt::format("it is a list of words without {} and without parts such as \"##ing\", and the rule for "
                            "splitting a text into them is missing (a tokenizer.json): {}",
                            inQuotes(unknown), kRemedy));
  const std::string first = beside.tokenOf("cls_token", "[CLS]"), last = beside.tokenOf("sep_token", "[SEP]");
  Components components;
  components.added = std::move(beside.added);
  for (const std::string& special :
       {std::string("[PAD]"), unknown, first, last, beside.tokenOf("mask_token", "[MASK]")})
    addSpecial(vocab, special, components.added);
  components.normalizer = {{"type", "BertNormalizer"},
                           {"lowercase", beside.flag("do_lower_case", true)},
                           {"handle_chinese_chars", beside.flag("tokenize_chinese_chars", true)}};
  const auto accents = beside.config.find("strip_accents");
  if (accents != beside.config.end() && accents->is_boolean()) components.normalizer["strip_accents"] = *accents;
  components.preTokenizer = {{"type", "BertPreTokenizer"}};
  components.postProcessor = postProcessorJson(vocab, first, last);
  components.decoder = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
  SEPX_ASSIGN(ModelOf model, makeWordPiece(std::move(vocab), "##", unknown, 100));
  SEPX_ASSIGN(auto parts, assemble("vocab.txt", std::move(model), std::move(components)));
  if (!beside.config.contains("do_lower_case"))
    parts->notes.emplace_back("nothing beside vocab.txt says whether letters are made small: taken as yes");
  return parts;
}

}  // namespace

Result<Opened> readVocabJson(const std::string& path) {
  return openedFrom(path, partsOfVocabJson(path));
}

Result<Opened> readVocabTxt(const std::string& path) {
  return openedFrom(path, partsOfVocabTxt(path));
}

}  // namespace sepx::tokenizer
