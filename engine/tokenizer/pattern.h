// SPDX-License-Identifier: Apache-2.0
// What a text is split at, or what is replaced in it: a string, a regular expression (Oniguruma, the engine of the
// reference), or a class of characters. Expressions are untrusted: length, steps, stack and time are bounded. Private
// to engine/tokenizer. Immutable; any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/tokenizer/aligned_text.h"

namespace sepx::tokenizer {

/// Bytes [begin, end) of a text: a match, or the text between two matches.
struct Span {
  std::size_t begin = 0, end = 0;
  bool match = false;
};

class Pattern {
 public:
  static Pattern text(std::string literal);         ///< exactly this text
  static Pattern characters(bool (*is)(char32_t));  ///< one character for which `is` is true
  /// BadInput: it is too long, calls one of its own groups (\g<name>), or is rejected by Oniguruma.
  static Result<Pattern> regex(const std::string& expression);

  /// Appends the whole text as matches and the parts between them; `offset` is added to all positions. BadInput: too
  /// many steps, or the time limit is reached.
  Result<void> find(std::string_view text, std::size_t offset, const Budget& budget, std::vector<Span>& into) const;

 private:
  struct Compiled;
  Result<void> findRegex(std::string_view text, std::size_t offset, const Budget& budget,
                         std::vector<Span>& into) const;
  std::string literal_;
  bool (*is_)(char32_t) = nullptr;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace sepx::tokenizer
