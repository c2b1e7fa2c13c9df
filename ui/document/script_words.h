// SPDX-License-Identifier: Apache-2.0
// A script line as words: blanks separate them, double quotes hold blanks together (\" \\ \n \t inside), a word that
// begins with # starts a comment. And the small things that words can be. Pure; any thread.
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

/// The words of one line, or a sentence without file and line.
Result<std::vector<Word>> splitWords(std::string_view line);
/// A word as it may be quoted in a message: shortened, control bytes replaced.
std::string shown(std::string_view word);

/// Lines of a text, without their ends; "\r\n" is one end.
std::vector<std::string_view> linesOf(std::string_view text);
/// BadInput with file and line.
tl::unexpected<Error> complaint(const std::string& name, int line, std::string_view sentence);

/// A whole number in [least, most].
std::optional<int> wholeNumber(std::string_view word, int least, int most);
/// A finite number.
std::optional<double> finiteNumber(std::string_view word);
/// "1,-2.5,3e-4": finite numbers.
std::optional<std::vector<double>> numberList(std::string_view word);
/// "0.3,0.2" or "@120,80".
std::optional<ScriptPoint> point(std::string_view word);
/// "flow.points[0].e": names of letters, digits, - and _, dots between them, indices in brackets; behind the
/// first name the number of a pane ("flow@2.p").
bool isKey(std::string_view word);
/// == != < <= > >= ~ has
bool isOperator(std::string_view word);
/// A file name without folders that ends in one of `endings` ("" allows any) and is more than that.
bool isFileName(std::string_view word, const std::vector<std::string_view>& endings);

}  // namespace sepx::ui
