// SPDX-License-Identifier: Apache-2.0
// Recognises a text with values by its pieces between the values. If several texts match, the one with the most letters
// in its pieces is used. All texts are tried, because only a few sentences are shown per hour.
#include "ui/properties/translated_sentence.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/args.h>
#include <fmt/format.h>

#include "ui/properties/language_texts.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace {

constexpr std::size_t kLeastLetters = 10;  // letters in all pieces; fewer would match almost any sentence
constexpr std::size_t kLongest = 4000;     // bytes; longer sentences are not translated
constexpr int kParts = 8;                  // most separators at which a sentence is divided
constexpr std::size_t kKept = 64;          // most sentences cached per thread
constexpr int kDeepest = 2;                // deepest nesting of sentences

/// The pieces between the values, and the number of each value. piecesOf() returns an empty optional for named values
/// and doubled braces.
struct Pieces {
  std::vector<std::string_view> between;
  std::vector<std::size_t> numbers;
};

std::optional<Pieces> piecesOf(std::string_view text) {
  Pieces pieces;
  for (;;) {
    const auto open = text.find('{');
    if (open == std::string_view::npos) break;
    const auto close = text.find('}', open);
    if (close == std::string_view::npos || text.substr(open).starts_with("{{")) return std::nullopt;
    const auto first = static_cast<unsigned char>(text[open + 1]);
    if (std::isalpha(first)) return std::nullopt;
    pieces.numbers.push_back(std::isdigit(first) ? first - std::size_t{'0'} : pieces.numbers.size());
    pieces.between.push_back(text.substr(0, open));
    text.remove_prefix(close + 1);
  }
  pieces.between.push_back(text);
  return pieces;
}

std::size_t lettersOf(const std::vector<std::string_view>& pieces) {
  std::size_t letters = 0;
  for (const std::string_view piece : pieces)
    letters += static_cast<std::size_t>(
        std::ranges::count_if(piece, [](unsigned char c) { return std::isalpha(c) || c >= 0x80; }));
  return letters;
}

/// The values that make the pieces match the sentence. Each value is as short as possible, from the left; of two
/// adjacent values the first is one word.
std::optional<std::vector<std::string>> valuesIn(std::string_view sentence,
                                                 const std::vector<std::string_view>& pieces) {
  if (!sentence.starts_with(pieces.front())) return std::nullopt;
  sentence.remove_prefix(pieces.front().size());
  std::vector<std::string> values;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const std::string_view piece = pieces[i];
    const bool last = i + 1 == pieces.size();
    if (last && !sentence.ends_with(piece)) return std::nullopt;
    std::size_t at = last ? sentence.size() - piece.size() : sentence.find(piece);
    if (piece.empty() && !last) at = std::min(sentence.find_first_of(" ,;:()"), sentence.size());
    if (at == std::string_view::npos) return std::nullopt;
    values.emplace_back(sentence.substr(0, at));
    sentence.remove_prefix(at + piece.size());
  }
  return values;
}

/// Removes widths and precisions from a format, because the values are already formatted.
std::string plain(std::string_view form) {
  std::string text;
  for (std::size_t at = 0; at < form.size(); ++at) {
    text += form[at];
    if (form[at] != '{') continue;
    while (at + 1 < form.size() && std::isdigit(static_cast<unsigned char>(form[at + 1])))
      text += form[++at];
    if (at + 1 < form.size() && form[at + 1] == ':')
      while (at + 1 < form.size() && form[at + 1] != '}')
        ++at;
  }
  return text;
}

std::string whole(const Translations& into, const std::string& sentence, int depth);

std::optional<std::string> recognised(const Translations& into, const std::string& sentence, int depth) {
  std::size_t most = kLeastLetters - 1;
  std::vector<std::string> values;
  std::vector<std::size_t> numbers;
  const char* form = nullptr;
  std::string_view english;
  bool before = false, behind = false;  // whether the text was appended or prepended to another one
  for (const Catalogue::Entry& entry : into.all()) {
    auto pieces = piecesOf(entry.text);
    if (!pieces) continue;
    const bool ends = entry.text.starts_with(' ') || entry.text.starts_with(": ") || entry.text.starts_with("; ");
    const bool begins = entry.text.ends_with(' ');
    if (ends) pieces->between.insert(pieces->between.begin(), std::string_view());
    if (begins) pieces->between.emplace_back();
    if (pieces->between.size() < 2) continue;
    const std::size_t letters = lettersOf(pieces->between);
    if (letters <= most) continue;
    if (auto found = valuesIn(sentence, pieces->between)) {
      most = letters;
      values = std::move(*found);
      numbers = std::move(pieces->numbers);
      form = entry.forms.front();
      english = entry.text;
      before = ends;
      behind = begins;
    }
  }
  if (!form) return std::nullopt;
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (std::string& value : values)
    value = whole(into, value, depth + 1);
  const std::string first = before ? values.front() : "", last = behind ? values.back() : "";
  std::vector<std::string> ordered;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ordered.resize(std::max(ordered.size(), numbers[i] + 1));
    ordered[numbers[i]] = values[i + (before ? 1 : 0)];
  }
  for (const std::string& value : ordered)
    store.push_back(value);
  return first + formatted(plain(form).c_str(), plain(english).c_str(), store) + last;
}

/// The translation of a sentence without dividing it; the sentence itself if it is not recognised.
std::string whole(const Translations& into, const std::string& sentence, int depth) {
  if (sentence.empty() || depth > kDeepest) return sentence;
  if (const char* const found = into.find(sentence)) return found;
  return recognised(into, sentence, depth).value_or(sentence);
}

std::string translated(const Translations& into, const std::string& sentence) {
  if (std::string found = whole(into, sentence, 0); found != sentence) return found;
  // Divides "a.json: what is wrong" and sentences to which something was appended after a semicolon.
  for (const std::string_view between : {": ", "; "}) {
    auto at = sentence.find(between);
    for (int tries = 0; at != std::string::npos && tries < kParts; at = sentence.find(between, at + 1), ++tries) {
      const std::string rest = sentence.substr(at + between.size());
      const std::string right = whole(into, rest, 0);
      if (right == rest) continue;
      return whole(into, sentence.substr(0, at), 0) + (between == ": " ? "：" : "；") + right;
    }
  }
  return sentence;
}

}  // namespace

std::string translatedSentence(const std::string& sentence) {
  const Translations* const into = presentTranslations();
  if (!into || into->all().empty() || sentence.size() > kLongest) return sentence;
  // A page shows the same sentences in every frame, so results are cached. The cache is per thread and needs no lock,
  // because the function is pure.
  static thread_local std::unordered_map<std::string, std::string> known;
  static thread_local const Translations* of = nullptr;
  if (of != into || known.size() > kKept) known.clear();
  of = into;
  const auto found = known.find(sentence);
  return found != known.end() ? found->second : known.emplace(sentence, translated(*into, sentence)).first->second;
}

}  // namespace sepx::ui
