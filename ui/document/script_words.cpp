// SPDX-License-Identifier: Apache-2.0
#include "ui/document/script_words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/core/terminal_text.h"
#include "ui/document/document.h"

namespace sepx::ui {
namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// Reads a quoted word from the opening quote at `at`, and moves `at` past the closing quote.
Result<Word> quotedWord(std::string_view line, std::size_t& at) {
  Word word{{}, true};
  for (++at; at < line.size(); ++at) {
    char c = line[at];
    if (c == '"') {
      ++at;
      if (at < line.size() && !isBlank(line[at])) {
        return fail(ErrorKind::BadInput, "a space is missing after a closing quote");
      }
      return word;
    }
    if (c == '\\') {
      if (++at == line.size()) break;
      constexpr std::string_view kNames = "\"\\nt";
      constexpr std::string_view kMeans = "\"\\\n\t";
      const std::size_t which = kNames.find(line[at]);
      if (which == std::string_view::npos) {
        return fail(
            ErrorKind::BadInput,
            fmt::format("\\{} is not an escape sequence in a quoted text; the escape sequences are \\\" \\\\ \\n \\t",
                        shown(line.substr(at, 1))));
      }
      c = kMeans[which];
    }
    word.text += c;
  }
  return fail(ErrorKind::BadInput, "a quoted text has no closing quote");
}

}  // namespace

Result<std::vector<Word>> splitWords(std::string_view line) {
  std::vector<Word> words;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && isBlank(line[at]))
      ++at;
    if (at == line.size() || line[at] == '#') return words;
    if (line[at] == '"') {
      Result<Word> word = quotedWord(line, at);
      if (!word) return tl::unexpected(word.error());
      words.push_back(*std::move(word));
      continue;
    }
    const std::size_t first = at;
    while (at < line.size() && !isBlank(line[at]) && line[at] != '"')
      ++at;
    if (at < line.size() && line[at] == '"') {
      return fail(ErrorKind::BadInput, fmt::format("a space is missing before the quote after \"{}\"",
                                                   shown(line.substr(first, at - first))));
    }
    words.push_back({std::string(line.substr(first, at - first)), false});
  }
}

std::string shown(std::string_view word) {
  constexpr std::size_t kMost = 40;
  return excerpt(word, kMost);
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

tl::unexpected<Error> errorAtLine(const std::string& name, int line, std::string_view sentence) {
  return fail(ErrorKind::BadInput, fmt::format("{}:{}: {}", name, line, sentence));
}

std::optional<int> wholeNumber(std::string_view word, int least, int most) {
  const std::optional<double> number = finiteNumber(word);
  if (!number || *number != std::floor(*number) || *number < least || *number > most) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<double> finiteNumber(std::string_view word) {
  const std::optional<double> number = parseNumber(word);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::vector<double>> numberList(std::string_view word) {
  std::vector<double> numbers;
  while (true) {
    const std::size_t comma = word.find(',');
    const std::optional<double> number = finiteNumber(word.substr(0, comma));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (comma == std::string_view::npos) return numbers;
    word.remove_prefix(comma + 1);
  }
}

std::optional<ScriptPoint> point(std::string_view word) {
  const bool pixels = !word.empty() && word.front() == '@';
  const auto numbers = numberList(pixels ? word.substr(1) : word);
  if (!numbers || numbers->size() != 2) return std::nullopt;
  return ScriptPoint{(*numbers)[0], (*numbers)[1], pixels};
}

bool isKey(std::string_view written) {
  const auto inPane = splitPaneKey(written);
  if (!inPane) return false;
  const std::vector<tree::Segment> path = tree::parsePath(inPane->key);
  bool afterIndex = false;  // a list contains no lists
  for (const tree::Segment& step : path) {
    if (step.isIndex ? afterIndex : !std::all_of(step.name.begin(), step.name.end(), isNameCharacter)) return false;
    afterIndex = step.isIndex;
  }
  return !path.empty();
}

bool isOperator(std::string_view word) {
  constexpr std::array<std::string_view, 8> kOperators = {"==", "!=", "<", "<=", ">", ">=", "~", "has"};
  return std::find(kOperators.begin(), kOperators.end(), word) != kOperators.end();
}

bool isFileName(std::string_view word, const std::vector<std::string_view>& endings) {
  if (word.empty() || word.front() == '.' ||
      word.find_first_of(std::string_view("/\\\0\n", 4)) != std::string_view::npos) {
    return false;
  }
  return std::any_of(endings.begin(), endings.end(),
                     [word](std::string_view ending) { return word.size() > ending.size() && word.ends_with(ending); });
}

}  // namespace sepx::ui
