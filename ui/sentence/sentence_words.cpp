// SPDX-License-Identifier: Apache-2.0
#include "ui/sentence/sentence_words.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/checkpoint/vocabulary_read.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kExampleIds = 8;     // number of ids for a model without words
constexpr std::size_t kLongestShown = 28;  // bytes of a token on the screen
constexpr std::size_t kMostIds = 100'000, kMostEdits = 4096;
constexpr const char* kMasks[] = {"[MASK]", "<mask>", "[M]", "<|mask|>", "<|mdm_mask|>"};
constexpr const char* kUnknowns[] = {"[UNK]", "<unk>"};

bool isSeparator(char c) {
  return c == ' ' || c == ',' || c == ';' || c == '\t' || c == '\n' || c == '\r';
}

/// The next word from `at` on, after blanks and commas, as in "a b". Moves `at` to its end. Empty at the end of the
/// text.
std::string_view nextWord(std::string_view text, std::size_t& at) {
  while (at < text.size() && isSeparator(text[at]))
    ++at;
  const std::size_t begin = at;
  while (at < text.size() && !isSeparator(text[at]))
    ++at;
  return text.substr(begin, at - begin);
}

std::optional<std::int32_t> wholeNumber(std::string_view text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// One line, with its blanks visible.
std::string visible(std::string bytes) {
  std::string out;
  for (const char c : bytes) {
    if (c == ' ' && out.size() < 3)
      out += "\xE2\x90\xA3";  // ␣
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else
      out += c;
  }
  if (out.empty()) return "\xE2\x88\x85";  // ∅
  return excerpt(out, kLongestShown);
}

/// Bytes that are only a part of a character, in hexadecimal.
std::string partOfCharacter(const std::string& bytes) {
  std::string out;
  for (const char c : bytes)
    out += fmt::format("<{:02X}>", static_cast<unsigned char>(c));
  return excerpt(out, kLongestShown);
}

/// Whether there are these words and no rule for splitting a text into them. A list with BERT's file name that has
/// byte-level marks, or that has neither parts of words nor a token for unknown ones, is not WordPiece.
bool wordsAlone(const checkpoint::Checkpoint& checkpoint, const checkpoint::Vocabulary& words) {
  if (words.from == "GGUF") return !checkpoint.config().contains("tokenizer.ggml.model");
  if (words.from == "vocab.json") {
    std::error_code error;
    return !std::filesystem::exists(std::filesystem::path(checkpoint.folder()) / "merges.txt", error);
  }
  if (words.from != "vocab.txt") return false;
  return words.marks == checkpoint::Vocabulary::Marks::ByteLevel ||
         std::ranges::none_of(words.tokens, [](const std::string& token) {
           return token.starts_with("##") || std::ranges::find(kUnknowns, token) != std::end(kUnknowns);
         });
}

}  // namespace

std::string shownId(std::int32_t id) {
  return fmt::format("#{}", id);
}

void SentenceWords::useWords(checkpoint::Vocabulary words) {
  words_ = std::move(words);
  from_ = words_.from;
  for (std::size_t i = 0; i < words_.tokens.size(); ++i) {
    if (words_.tokens[i].empty()) continue;
    std::string key = bytesOf(static_cast<std::int32_t>(i));
    longest_ = std::max(longest_, key.size());
    idOf_.emplace(std::move(key), static_cast<std::int32_t>(i));
  }
  for (const char* const one : kUnknowns)
    if (const auto found = idOf_.find(one); found != idOf_.end()) unknown_ = found->second;
}

/// From the config, otherwise by the names that model families give it.
void SentenceWords::findMask(const checkpoint::Checkpoint& checkpoint) {
  const auto& config = checkpoint.config();
  if (config.is_object()) {
    const auto at = config.find("mask_token_id");
    if (at != config.end() && at->is_number_unsigned() && at->get<std::uint64_t>() < size())
      mask_ = at->get<std::int32_t>();
  }
  for (const char* const one : kMasks) {
    if (mask_) return;
    if (tokenizer_) {
      if (const auto id = tokenizer_->id(one)) mask_ = static_cast<std::int32_t>(*id);
    } else if (const auto found = idOf_.find(one); found != idOf_.end()) {
      mask_ = found->second;
    }
  }
}

Result<SentenceWordsPointer> SentenceWords::open(const checkpoint::Checkpoint& checkpoint, const std::string& chosen) {
  auto made = std::make_shared<SentenceWords>();
  Result<tokenizer::Opened> opened = tokenizer::openTokenizer(chosen.empty() ? checkpoint.path() : chosen);
  // A weight file may have an insufficient list of its own beside a file that is sufficient.
  std::error_code error;
  const std::filesystem::path path = checkpoint.path();
  if (!opened && chosen.empty() && path.has_parent_path() && std::filesystem::is_regular_file(path, error))
    if (Result<tokenizer::Opened> beside = tokenizer::openTokenizer((path.parent_path() / "tokenizer.json").string()))
      opened = std::move(beside);
  if (chosen.empty()) {
    Result<checkpoint::Vocabulary> words = checkpoint::readVocabulary(checkpoint);
    const bool alone = words && !words->tokens.empty() && wordsAlone(checkpoint, *words);
    if (alone || (!opened && words && !words->tokens.empty())) {
      if (!alone) made->refusal_ = opened.error();
      made->useWords(*std::move(words));
      made->note_ = alone ? trFormat(
                                "The word list of {} has no rule for splitting a text: the longest words that fit are "
                                "taken.",
                                made->from_)
                          : trFormat("Only the names of the tokens are known, and no text can be split into them: {}.",
                                     made->refusal_->message);
      made->findMask(checkpoint);
      return made;
    }
  }
  if (!opened) return fail(opened.error().kind, opened.error().message);
  made->tokenizer_ = *std::move(opened);
  made->from_ = made->tokenizer_->from();
  if (!made->tokenizer_->notes().empty()) made->note_ = made->tokenizer_->notes().front();
  made->findMask(checkpoint);
  return made;
}

SentenceWordsPointer SentenceWords::of(Given given) {
  auto made = std::make_shared<SentenceWords>();
  made->useWords(given.words);
  made->mask_ = given.mask;
  made->given_ = std::move(given);
  return made;
}

SentenceWordsPointer SentenceWords::ofClasses(std::vector<std::string> names) {
  auto made = std::make_shared<SentenceWords>();
  made->words_.tokens = std::move(names);
  made->from_ = "id2label";
  made->classes_ = true;
  return made;
}

std::string SentenceWords::beyond(std::int64_t rows) const {
  if (rows <= 0 || static_cast<std::int64_t>(size()) <= rows) return {};
  return trFormat("The tokenizer has {} tokens and the model's table {} rows: they may not belong together.", size(),
                  rows);
}

std::size_t SentenceWords::size() const {
  return tokenizer_ ? tokenizer_->size() : words_.tokens.size();
}

bool SentenceWords::special(std::int32_t id) const {
  return id >= 0 && (tokenizer_ ? tokenizer_->special(static_cast<std::uint32_t>(id)) : mask_ == id);
}

/// The text that a token stands for. The escape of Vocabulary::shown() for a line end is reversed.
std::string SentenceWords::bytesOf(std::int32_t id) const {
  if (id < 0) return {};
  if (tokenizer_) {
    const auto number = static_cast<std::uint32_t>(id);
    const std::optional<std::string> stored = tokenizer_->token(number);
    // "##ing" and "[CLS]" are returned as they are stored.
    if (stored && (stored->starts_with("##") || tokenizer_->special(number))) return *stored;
    return tokenizer_->bytes(number).value_or(stored.value_or(std::string()));
  }
  std::string shown = words_.shown(id);
  return shown == "\\n" ? "\n" : shown;
}

std::string SentenceWords::shown(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= size()) return shownId(id);
  if (classes_) return excerpt(words_.tokens[static_cast<std::size_t>(id)], kLongestShown);
  const std::string bytes = bytesOf(id);
  return findInvalidUtf8(bytes) ? partOfCharacter(bytes) : visible(bytes);
}

std::optional<std::int32_t> SentenceWords::find(std::string_view text) const {
  if (text.empty() || text.size() > kLongestSentence) return std::nullopt;
  const auto same = [this](std::string_view wanted) -> std::optional<std::int32_t> {
    if (tokenizer_) {
      if (const auto id = tokenizer_->id(wanted)) return static_cast<std::int32_t>(*id);
      const auto one = tokenizer_->encode(wanted, false);
      return one && one->size() == 1 ? std::optional(static_cast<std::int32_t>(one->front().id)) : std::nullopt;
    }
    const auto found = idOf_.find(std::string(wanted));
    return found == idOf_.end() ? std::nullopt : std::optional(found->second);
  };
  std::string plain(text);
  if (plain.starts_with("\xE2\x90\xA3")) plain = " " + plain.substr(3);
  if (const auto id = same(plain)) return id;
  if (const auto id = same(" " + plain)) return id;
  return wholeNumber(plain.starts_with('#') ? std::string_view(plain).substr(1) : std::string_view());
}

Result<std::vector<tokenizer::Token>> SentenceWords::encodeByWords(std::string_view text) const {
  std::vector<tokenizer::Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = std::min(longest_, text.size() - at);
    auto found = idOf_.end();
    for (; length > 0; --length)
      if (found = idOf_.find(std::string(text.substr(at, length))); found != idOf_.end()) break;
    if (found != idOf_.end()) {
      tokens.push_back({static_cast<std::uint32_t>(found->second), at, at + length, false});
      at += length;
      continue;
    }
    const std::size_t end = std::min(text.size(), std::max(at + 1, characterBoundary(text, at + 4)));
    if (text[at] == ' ') {  // a space between words, for a list without spaces
      ++at;
      continue;
    }
    if (!unknown_)
      return fail(ErrorKind::BadInput, trFormat("{}: no word of this list matches the beginning of “{}”", from_,
                                                excerpt(text.substr(at), kLongestShown)));
    tokens.push_back({static_cast<std::uint32_t>(*unknown_), at, end, false});
    at = end;
  }
  return tokens;
}

Result<std::vector<tokenizer::Token>> SentenceWords::encode(std::string_view text, bool addSpecial) const {
  if (text.size() > kLongestSentence)
    return fail(ErrorKind::Usage,
                trFormat("the text has {} bytes; a sentence has {} at most", text.size(), kLongestSentence));
  if (findInvalidUtf8(text)) return fail(ErrorKind::Usage, tr("the text is not UTF-8"));
  if (refusal_) return fail(refusal_->kind, refusal_->message);
  if (given_) return given_->encode(text);
  return tokenizer_ ? tokenizer_->encode(text, addSpecial) : encodeByWords(text);
}

Result<std::string> SentenceWords::decode(const std::vector<std::int32_t>& ids) const {
  if (tokenizer_) {
    const std::vector<std::uint32_t> numbers(ids.begin(), ids.end());
    return tokenizer_->decode(numbers);
  }
  std::string text;
  for (const std::int32_t id : ids)
    text += bytesOf(id);
  return text;
}

SentenceEdits editsOf(std::string_view text) {
  SentenceEdits edits;
  for (std::size_t at = 0; at < text.size() && edits.size() < kMostEdits;) {
    const std::string_view word = nextWord(text, at);
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) continue;
    const auto place = wholeNumber(word.substr(0, colon)), id = wholeNumber(word.substr(colon + 1));
    if (place && id) edits.emplace_back(*place, *id);
  }
  std::stable_sort(edits.begin(), edits.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  edits.erase(std::unique(edits.begin(), edits.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
              edits.end());
  return edits;
}

std::string textOf(const SentenceEdits& edits) {
  std::string text;
  for (const auto& [place, id] : edits)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", place, id);
  return text;
}

Result<std::vector<std::int32_t>> idsOf(std::string_view text) {
  std::vector<std::int32_t> ids;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    const std::string_view word = nextWord(text, at);
    const std::string_view between = text.substr(before, at - word.size() - before);
    const auto commas = std::ranges::count_if(between, [](char c) { return c == ',' || c == ';'; });
    // At most one comma may follow an id. After the last one, the next id may not have been typed yet.
    if (commas > 1 || (commas == 1 && ids.empty()))
      return fail(ErrorKind::Usage, trFormat("an id is missing between commas after {} ids", ids.size()));
    if (word.empty()) break;
    const auto id = wholeNumber(word);
    if (!id)
      return fail(ErrorKind::Usage, trFormat("“{}” is not a token id: ids are whole numbers from 0, separated by "
                                             "commas",
                                             excerpt(word, kLongestShown)));
    ids.push_back(*id);
    if (ids.size() > kMostIds) return fail(ErrorKind::Usage, trFormat("more than {} ids", kMostIds));
  }
  return ids;
}

std::string textOf(const std::vector<std::int32_t>& ids) {
  return fmt::format("{}", fmt::join(ids, ", "));
}

std::vector<std::int32_t> SentenceTokens::ids() const {
  std::vector<std::int32_t> all;
  all.reserve(tokens.size());
  for (const SentenceToken& token : tokens)
    all.push_back(token.id);
  return all;
}

forward::Input SentenceTokens::input() const {
  if (image) return {.ids = {}, .pixels = image->pixels};
  return {.ids = ids(), .pixels = {}};
}

namespace {

/// One token per patch, by row and column, after the tokens before the first patch.
SentenceTokensPointer tokensOf(const SentenceImagePointer& image, SentenceWordsPointer words) {
  auto made = std::make_shared<SentenceTokens>();
  made->words = std::move(words);
  made->image = image;
  made->note = image->note;
  for (int i = 0; i < image->before; ++i)
    made->tokens.push_back({-1, -1, i == 0 ? tr("class") : tr("distilled"), true, false, false});
  for (int row = 0; row < image->across; ++row)
    for (int column = 0; column < image->across; ++column)
      made->tokens.push_back({-1, -1, fmt::format("{},{}", row, column), false, false, false});
  return made;
}

void put(SentenceTokens& into, std::int32_t id, bool added) {
  const std::string shown = into.words ? into.words->shown(id) : shownId(id);
  into.tokens.push_back({id, id, shown, added, false, into.words && into.words->mask() == id});
}

/// Example ids for a model whose words are not known, spread over its table.
void putExampleIds(SentenceTokens& into, std::int64_t vocabulary) {
  const auto rows = static_cast<std::size_t>(std::max<std::int64_t>(vocabulary, 0));
  const std::size_t count = std::min(kExampleIds, rows);
  for (std::size_t k = 0; k < count; ++k)
    put(into, static_cast<std::int32_t>(rows * (2 * k + 1) / (2 * count)), false);
}

Result<void> putText(SentenceTokens& into, const std::string& text, bool special) {
  SEPX_ASSIGN(std::vector<tokenizer::Token> tokens, into.words->encode(text, special));
  if (const SentenceWords::Given* const given = into.words->given();
      given && given->longest > 0 && tokens.size() > given->longest) {
    into.note = trFormat("The text has {} tokens and the context {}: the last {} are left out.", tokens.size(),
                         given->longest, tokens.size() - given->longest);
    tokens.resize(given->longest);
  }
  into.text = text;
  for (const tokenizer::Token& token : tokens)
    put(into, static_cast<std::int32_t>(token.id), token.added);
  return {};
}

}  // namespace

Result<SentenceTokensPointer> tokensOf(const SentenceRequest& request) {
  if (request.image) return tokensOf(request.image, request.words);
  auto made = std::make_shared<SentenceTokens>();
  made->words = request.words;
  SEPX_ASSIGN(const std::vector<std::int32_t> ids, idsOf(request.ids));
  for (const std::int32_t id : ids)
    put(*made, id, false);
  const SentenceWords::Given* const given = request.words ? request.words->given() : nullptr;
  if (ids.empty() && request.text.empty()) {
    if (!given || given->example.empty()) return fail(ErrorKind::Usage, tr("the text is empty: type a text above"));
    made->example = true;
    for (const std::int32_t id : given->example)
      put(*made, id, false);
  } else if (ids.empty() && (given || request.text != kExampleText)) {
    if (!request.words)
      return fail(ErrorKind::Usage, tr("there is no tokenizer beside these weights: type ids, or choose a tokenizer"));
    SEPX_TRY(putText(*made, request.text, request.special));
  } else if (ids.empty()) {
    made->example = true;
    const Result<void> example =
        request.words ? putText(*made, kExampleText, request.special) : fail(ErrorKind::Usage, std::string());
    if (!example || made->size() > 40) {
      made->tokens.clear();
      made->text.clear();
      putExampleIds(*made, request.vocabulary);
    }
  }
  for (const auto& [place, id] : editsOf(request.edits)) {
    if (place >= made->size()) continue;
    SentenceToken& token = made->tokens[static_cast<std::size_t>(place)];
    token.edited = token.id != id;
    token.id = id;
    token.shown = made->words ? made->words->shown(id) : shownId(id);
    token.masked = made->words && made->words->mask() == id;
  }
  if (const auto mask = made->words ? made->words->mask() : std::nullopt)
    for (const int place : request.hidden) {
      if (place < 0 || place >= made->size()) continue;
      SentenceToken& token = made->tokens[static_cast<std::size_t>(place)];
      token.edited = token.edited || token.id != *mask;
      token.id = *mask;
      token.shown = made->words->shown(*mask);
      token.masked = true;
    }
  if (made->tokens.empty()) return fail(ErrorKind::Usage, tr("the text has no tokens: type a text"));
  return made;
}

}  // namespace sepx::ui
