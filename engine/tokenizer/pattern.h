// SPDX-License-Identifier: Apache-2.0
// What a text is split at or replaced by: a string, a regular expression (Oniguruma, the engine of the reference), or a
// class of characters. A stranger's expression is bounded in length, steps, stack and time. Private to
// engine/tokenizer. Immutable; any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/tokenizer/aligned_text.h"

namespace sepx::tokenizer {

/// Bytes [begin, end) of a text: a match, or what lies between matches.
struct Span {
  std::size_t begin = 0, end = 0;
  bool match = false;
};

class Pattern {
 public:
  static Pattern text(std::string literal);         ///< this text, as it stands
  static Pattern characters(bool (*is)(char32_t));  ///< one character of a kind
  /// BadInput: too long, a call of a group of its own (\g<name>), or what Oniguruma says of it.
  static Result<Pattern> regex(const std::string& expression);

  /// The whole text as matches and what lies between, appended; `offset` is added to the places. BadInput: too many
  /// steps, or the time is spent.
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
