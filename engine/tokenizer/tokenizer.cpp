// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/tokenizer.h"

#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/json.h"
#include "engine/core/replace_all.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/parts.h"
#include "engine/tokenizer/readers.h"

namespace fs = std::filesystem;

namespace sepx::tokenizer {

namespace {

constexpr std::size_t kLongestRemembered = 64;  // bytes of a word whose tokens are cached while a text is encoded
constexpr std::size_t kMostRemembered = 65'536;

/// Encodes words. A cache avoids encoding the same word, or the same independent part of one, twice in a text.
class Words {
 public:
  Words(const Model& model, const Budget& budget) : model_(model), budget_(budget) {}

  /// Calls take(part, offset) for each token: bytes [offset + part.begin, offset + part.end) of the word.
  template <class Take>
  Result<void> encode(std::string_view word, const Take& take) {
    for (std::size_t begin = 0; begin < word.size();) {
      if (++steps_ % kStepsBetween == 0) SEPX_TRY(budget_.check());
      const std::size_t end = model_.partEnd(word, begin);
      SEPX_ASSIGN(const std::vector<Part>* parts, tokensOf(word.substr(begin, end - begin)));
      for (const Part& part : *parts)
        take(part, begin);
      begin = end;
    }
    return {};
  }

 private:
  Result<const std::vector<Part>*> tokensOf(std::string_view word) {
    if (word.size() > kLongestRemembered) {
      parts_.clear();
      SEPX_TRY(model_.encode(word, budget_, parts_));
      return &parts_;
    }
    const auto known = remembered_.find(word);
    if (known != remembered_.end()) return &known->second;
    if (remembered_.size() == kMostRemembered) {
      remembered_.clear();
      SEPX_TRY(budget_.check());
    }
    std::vector<Part> parts;
    SEPX_TRY(model_.encode(word, budget_, parts));
    return &remembered_.emplace(word, std::move(parts)).first->second;
  }

  const Model& model_;
  const Budget& budget_;
  std::size_t steps_ = 0;
  std::vector<Part> parts_;
  std::unordered_map<std::string_view, std::vector<Part>> remembered_;  ///< keys are views into the text
};

Result<Pieces> normalise(const Parts& parts, Pieces given, const Budget& budget) {
  if (!parts.normalizer) return given;
  Pieces out;
  for (const Piece& piece : given.pieces) {
    const std::size_t begin = out.text.bytes.size();
    if (piece.token >= 0) {
      out.text.append(given.text, piece.begin, piece.end);
    } else {
      AlignedText text;
      text.append(given.text, piece.begin, piece.end);
      SEPX_TRY(parts.normalizer->apply(text, budget));
      if (out.text.bytes.size() + text.bytes.size() > budget.most()) return tooLongInside(budget.most());
      out.text.append(text, 0, text.bytes.size());
    }
    if (out.text.bytes.size() > begin) out.pieces.push_back({begin, out.text.bytes.size(), piece.token});
  }
  return out;
}

Result<Pieces> wordsOf(const Parts& parts, std::string_view text, const Budget& budget) {
  Pieces pieces{AlignedText::of(text), {}};
  if (!text.empty()) pieces.pieces.push_back({0, text.size(), -1});
  SEPX_TRY(parts.added.split(pieces, false, budget));
  SEPX_ASSIGN(pieces, normalise(parts, std::move(pieces), budget));
  SEPX_TRY(parts.added.split(pieces, true, budget));
  if (parts.preTokenizer) SEPX_TRY(parts.preTokenizer->apply(pieces, budget));
  return pieces;
}

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Tokenizer::~Tokenizer() = default;

Result<std::vector<Token>> Tokenizer::encode(std::string_view text, bool addSpecial) const {
  if (text.size() > kLongestText)
    return fail(ErrorKind::Usage, fmt::format("the text has {} bytes, more than {}", text.size(), kLongestText));
  if (const auto broken = findInvalidUtf8(text))
    return fail(ErrorKind::Usage, fmt::format("the text is not UTF-8 at byte {}", *broken));
  const Budget budget(kMostSeconds, text.size());
  SEPX_ASSIGN(const Pieces pieces, wordsOf(*parts_, text, budget));
  std::vector<Token> tokens;
  tokens.reserve(pieces.pieces.size() + 2);
  if (addSpecial)
    for (const std::uint32_t id : parts_->around.before)
      tokens.push_back({id, 0, 0, true});
  Words words(*parts_->model, budget);
  for (const Piece& piece : pieces.pieces) {
    if (piece.token >= 0) {
      const Place place = pieces.text.place(piece.begin, piece.end);
      tokens.push_back({static_cast<std::uint32_t>(piece.token), place.begin, place.end, false});
      continue;
    }
    SEPX_TRY(budget.check());
    const std::string_view word = std::string_view(pieces.text.bytes).substr(piece.begin, piece.end - piece.begin);
    SEPX_TRY(words.encode(word, [&](const Part& part, std::size_t offset) {
      const Place place = pieces.text.place(piece.begin + offset + part.begin, piece.begin + offset + part.end);
      tokens.push_back({part.id, place.begin, place.end, false});
    }));
  }
  if (addSpecial)
    for (const std::uint32_t id : parts_->around.after)
      tokens.push_back({id, text.size(), text.size(), true});
  return tokens;
}

Result<std::string> Tokenizer::decode(std::span<const std::uint32_t> ids) const {
  std::vector<std::string> tokens;
  std::size_t length = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto name = token(ids[i]);
    if (!name) return fail(ErrorKind::Usage, fmt::format("no token of {} has the id {}", from(), ids[i]));
    const bool first = i > 0 && parts_->hiddenFirstToken && ids[i - 1] == *parts_->hiddenFirstToken;
    if (parts_->hiddenFirstToken && ids[i] == *parts_->hiddenFirstToken) continue;
    const std::string* written = parts_->added.written(ids[i]);
    tokens.push_back(written ? *written : first && name->starts_with(' ') ? name->substr(1) : *name);
    length += tokens.back().size();
    if (length > kLongestWork) return tooLongInside(kLongestWork);
  }
  const Budget budget(kMostSeconds, length);
  if (parts_->decoder) SEPX_TRY(parts_->decoder->apply(tokens, budget));
  std::string text;
  for (const std::string& one : tokens) {
    if (!parts_->decoder && !text.empty()) text += ' ';
    text += one;
  }
  return text;
}

std::optional<std::string> Tokenizer::token(std::uint32_t id) const {
  if (const AddedToken* added = parts_->added.byId(id)) return added->content;
  const Vocab& vocab = parts_->model->vocab();
  if (!vocab.has(id)) return std::nullopt;
  return vocab.tokens()[id];
}

std::optional<std::string> Tokenizer::bytes(std::uint32_t id) const {
  auto text = token(id);
  if (!text || parts_->added.byId(id)) return text;
  const Marks& marks = parts_->marks;
  if (marks.byteLevel) return bytesOfCharacters(*text).value_or(*text);
  if (marks.byteNames)
    if (const auto byte = byteOfName(*text)) return std::string(1, *byte);
  replaceAll(*text, marks.blank, " ");
  return text;
}

std::optional<std::uint32_t> Tokenizer::id(std::string_view token) const {
  if (const AddedToken* added = parts_->added.byContent(token)) return added->id;
  return parts_->model->vocab().find(token);
}

std::size_t Tokenizer::size() const {
  std::size_t size = parts_->model->vocab().tokens().size();
  for (const AddedToken& added : parts_->added.all())
    size = std::max(size, std::size_t{added.id} + 1);
  return size;
}

bool Tokenizer::special(std::uint32_t id) const {
  const AddedToken* added = parts_->added.byId(id);
  return (added && added->special) || parts_->controls.count(id) > 0;
}

const std::string& Tokenizer::from() const {
  return parts_->from;
}

const std::vector<std::string>& Tokenizer::notes() const {
  return parts_->notes;
}

namespace {

/// Totals over the components of a file.
struct Size {
  std::size_t components = 0;
  std::size_t patterns = 0;  ///< bytes of regular expressions, which take a thousand times as much memory

  /// Adds a component and its nested components, at every depth.
  void add(const Json& json) {
    if (!json.is_object()) return;
    ++components;
    const auto pattern = json.find("pattern");
    if (pattern != json.end() && pattern->is_object() && pattern->contains("Regex") && (*pattern)["Regex"].is_string())
      patterns += (*pattern)["Regex"].get_ref<const std::string&>().size();
    for (const char* const list : {"normalizers", "pretokenizers", "processors", "decoders"})
      if (const auto at = json.find(list); at != json.end() && at->is_array())
        for (const Json& one : *at)
          add(one);
  }
};

Result<void> checkSize(const Components& given) {
  Size size;
  for (const Json* const one : {&given.normalizer, &given.preTokenizer, &given.postProcessor, &given.decoder})
    size.add(*one);
  if (size.components > kMostComponents)
    return fail(ErrorKind::BadInput,
                fmt::format("it has {} components, more than {}", size.components, kMostComponents));
  if (size.patterns > kLongestPatterns)
    return fail(ErrorKind::BadInput,
                fmt::format("its patterns have {} bytes together, more than {}", size.patterns, kLongestPatterns));
  return {};
}

}  // namespace

Result<std::unique_ptr<Parts>> assemble(std::string from, ModelOf model, Components components) {
  SEPX_TRY(checkSize(components));
  auto parts = std::make_unique<Parts>();
  parts->from = std::move(from);
  parts->model = std::move(model);
  SEPX_ASSIGN(parts->normalizer, makeNormalizer(components.normalizer));
  SEPX_ASSIGN(parts->preTokenizer, makePreTokenizer(components.preTokenizer));
  SEPX_ASSIGN(parts->around, readPostProcessor(components.postProcessor));
  SEPX_ASSIGN(parts->decoder, makeDecoder(components.decoder, parts->marks));
  // A token of the model keeps the model's id.
  for (AddedToken& added : components.added)
    if (const auto id = parts->model->vocab().find(added.content)) added.id = *id;
  SEPX_ASSIGN(parts->added, AddedTokens::of(std::move(components.added), parts->normalizer.get()));
  SEPX_TRY(checkParts(*parts));
  return parts;
}

Result<void> checkParts(const Parts& parts) {
  for (const auto* ids : {&parts.around.before, &parts.around.after})
    for (const std::uint32_t id : *ids)
      if (!parts.added.byId(id) && !parts.model->vocab().has(id))
        return fail(ErrorKind::BadInput,
                    fmt::format("it puts a token with the id {} around a text, and there is none", id));
  return {};
}

// Finds the tokenizer for a path that a user gives: a folder, a weight file or a tokenizer's own file.

namespace {

using Reader = Result<Opened> (*)(const std::string& path);

struct NamedFile {
  const char* name;
  Reader read;
};

Result<Opened> readJsonFile(const std::string& path) {
  SEPX_ASSIGN(const std::string text, readFile(path, kLongestFile));
  return readTokenizerJson(text, path);
}

/// Reads a SentencePiece model or tiktoken's ranks, which may have the same file name.
Result<Opened> readModelFile(const std::string& path) {
  SEPX_ASSIGN(const std::string head, readHead(path, 1));
  return head.starts_with('\n') ? readSentencePiece(path) : readTiktoken(path);
}

/// In the order in which a folder is searched for them.
constexpr NamedFile kKinds[] = {{"tokenizer.json", readJsonFile},
                                {"tekken.json", readTekken},
                                {"vocab.json", readVocabJson},
                                {"vocab.txt", readVocabTxt},
                                {"tokenizer.model", readModelFile},
                                {"spiece.model", readModelFile},
                                {"sentencepiece.bpe.model", readModelFile},
                                {"tiktoken.model", readTiktoken}};

bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool isLlama2c(const std::string& name) {
  return name.starts_with("tok") && name.ends_with(".bin");
}

bool isTiktoken(const std::string& name) {
  return name.ends_with(".tiktoken");
}

/// The name may contain a date: "tekken_240911.json".
bool isTekken(const std::string& name) {
  return name.starts_with("tekken") && name.ends_with(".json");
}

bool isGguf(const std::string& name) {
  return name.ends_with(".gguf");
}

/// The index of a sharded checkpoint counts as a weight file.
bool isJson(const std::string& name) {
  return name.ends_with(".json") && !name.ends_with(".index.json");
}

/// The path of the first file by name in `folder` that `is` accepts; empty: there is none.
std::string firstIn(const fs::path& folder, bool (*is)(const std::string&)) {
  for (const std::string& name : folderNames(folder.string(), 10'000))
    if (is(name) && isFile(folder / name)) return (folder / name).string();
  return {};
}

}  // namespace

Result<Opened> openTokenizer(const std::string& path) {
  std::error_code error;
  const fs::path given(path);
  if (!fs::exists(given, error))
    return fail(ErrorKind::BadInput, fmt::format("{}: there is no file or folder of this name", path));
  const bool folder = fs::is_directory(given, error);
  const std::string name = given.filename().string();
  if (!folder) {
    for (const NamedFile& kind : kKinds)
      if (name == kind.name) return kind.read(path);
    if (isLlama2c(name)) return readLlama2cTokens(path);
    if (isTiktoken(name)) return readTiktoken(path);
    if (isGguf(name)) return readGgufTokens(path);
    if (isTekken(name)) return readTekken(path);
    if (isJson(name)) return readJsonFile(path);
    if (name.ends_with(".model")) return readModelFile(path);
  }
  const fs::path beside = folder ? given : given.has_parent_path() ? given.parent_path() : fs::path(".");
  for (const NamedFile& kind : kKinds)
    if (isFile(beside / kind.name)) return kind.read((beside / kind.name).string());
  if (const std::string first = firstIn(beside, isLlama2c); !first.empty()) return readLlama2cTokens(first);
  if (const std::string first = firstIn(beside, isTekken); !first.empty()) return readTekken(first);
  if (const std::string first = firstIn(beside, isTiktoken); !first.empty()) return readTiktoken(first);
  if (const std::string first = firstIn(beside, isGguf); !first.empty()) return readGgufTokens(first);
  return fail(ErrorKind::BadInput, fmt::format("{}: there is no tokenizer in this folder", beside.string()));
}

}  // namespace sepx::tokenizer
