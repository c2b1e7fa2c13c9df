// SPDX-License-Identifier: Apache-2.0
// Splits a script line into words: blanks separate words, double quotes keep blanks inside a word (escapes: \" \\ \n
// \t), and a word that begins with # starts a comment. Also parses single words: numbers, points, keys, operators, file
// names. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/script.h"

namespace sepx::ui {

struct Word {
  std::string text;
  bool quoted = false;
};

/// The words of one line, or an error message without file and line.
Result<std::vector<Word>> splitWords(std::string_view line);
/// A word as it may be quoted in a message: shortened, control bytes replaced.
std::string shown(std::string_view word);

/// The lines of a text without line endings; "\r\n" is one line ending.
std::vector<std::string_view> linesOf(std::string_view text);
/// BadInput with file and line.
tl::unexpected<Error> errorAtLine(const std::string& name, int line, std::string_view sentence);

/// A whole number in [least, most].
std::optional<int> wholeNumber(std::string_view word, int least, int most);
/// A finite number.
std::optional<double> finiteNumber(std::string_view word);
/// "1,-2.5,3e-4": finite numbers.
std::optional<std::vector<double>> numberList(std::string_view word);
/// "0.3,0.2" or "@120,80".
std::optional<ScriptPoint> point(std::string_view word);
/// "flow.points[0].e": names of letters, digits, - and _, separated by dots, with indices in brackets. The first name
/// may be followed by a pane number ("flow@2.p").
bool isKey(std::string_view word);
/// == != < <= > >= ~ has
bool isOperator(std::string_view word);
/// A file name without folders that ends in one of `endings` ("" allows any) and has a character before the ending.
bool isFileName(std::string_view word, const std::vector<std::string_view>& endings);

}  // namespace sepx::ui
