// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pattern.h"

#include <fmt/format.h>
#include <oniguruma.h>

#include "engine/core/json.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

constexpr unsigned long kMostRetries = 10'000'000;  // Oniguruma's own
constexpr unsigned int kMostStack = 4'000'000;      // entries

const OnigUChar* onigText(const char* text) {
  return reinterpret_cast<const OnigUChar*>(text);
}

void startOniguruma() {
  static const int kStarted = [] {
    OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
    return onig_initialize(encodings, 1);
  }();
  (void)kStarted;
}

struct ParameterOfMatch {
  OnigMatchParam* value = onig_new_match_param();
  ParameterOfMatch() {
    onig_initialize_match_param(value);
    onig_set_retry_limit_in_match_of_match_param(value, kMostRetries);
    onig_set_retry_limit_in_search_of_match_param(value, kMostRetries);
    onig_set_match_stack_limit_size_of_match_param(value, kMostStack);
  }
  ~ParameterOfMatch() { onig_free_match_param(value); }
  ParameterOfMatch(const ParameterOfMatch&) = delete;
  ParameterOfMatch& operator=(const ParameterOfMatch&) = delete;
};

struct RegionOfMatch {
  OnigRegion* value = onig_region_new();
  ~RegionOfMatch() { onig_region_free(value, 1); }
  RegionOfMatch() = default;
  RegionOfMatch(const RegionOfMatch&) = delete;
  RegionOfMatch& operator=(const RegionOfMatch&) = delete;
};

}  // namespace

struct Pattern::Compiled {
  regex_t* regex = nullptr;
  std::string expression;
  Compiled() = default;
  ~Compiled() {
    if (regex) onig_free(regex);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
};

Pattern Pattern::text(std::string literal) {
  Pattern pattern;
  pattern.literal_ = std::move(literal);
  return pattern;
}

Pattern Pattern::characters(bool (*is)(char32_t)) {
  Pattern pattern;
  pattern.is_ = is;
  return pattern;
}

Result<Pattern> Pattern::regex(const std::string& expression) {
  if (expression.size() > kLongestPattern) {
    return fail(ErrorKind::BadInput, fmt::format("the pattern {} has {} bytes, more than {}", inQuotes(expression),
                                                 expression.size(), kLongestPattern));
  }
  startOniguruma();
  auto compiled = std::make_shared<Compiled>();
  compiled->expression = expression;
  OnigErrorInfo info;
  const int code =
      onig_new(&compiled->regex, onigText(expression.data()), onigText(expression.data() + expression.size()),
               ONIG_OPTION_NONE, ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &info);
  if (code != ONIG_NORMAL) {
    compiled->regex = nullptr;
    OnigUChar words[ONIG_MAX_ERROR_MESSAGE_LEN] = {};
    const int length = onig_error_code_to_str(words, code, &info);
    const std::string why(reinterpret_cast<const char*>(words), static_cast<std::size_t>(std::max(length, 0)));
    return fail(ErrorKind::BadInput, fmt::format("the pattern {} is refused: {}", inQuotes(expression), why));
  }
  Pattern pattern;
  pattern.compiled_ = std::move(compiled);
  return pattern;
}

Result<void> Pattern::findRegex(std::string_view text, std::size_t offset, const Budget& budget,
                                std::vector<Span>& into) const {
  // Memory of the thread for its next search: a pattern is shared by threads, and a match writes into both.
  static thread_local ParameterOfMatch parameter;
  static thread_local RegionOfMatch region;
  const OnigUChar* const begin = onigText(text.data());
  const OnigUChar* const end = begin + text.size();
  std::size_t last = 0;
  for (std::size_t from = 0; from <= text.size();) {
    if (budget.spent()) return budget.check();
    const int found = onig_search_with_param(compiled_->regex, begin, end, begin + from, end, region.value,
                                             ONIG_OPTION_NONE, parameter.value);
    if (found == ONIG_MISMATCH) break;
    if (found < 0) {
      return fail(ErrorKind::BadInput, fmt::format("the pattern {} needs too many steps at byte {} of the text",
                                                   inQuotes(compiled_->expression), offset + from));
    }
    const auto first = static_cast<std::size_t>(region.value->beg[0]);
    const auto past = static_cast<std::size_t>(region.value->end[0]);
    if (first > last) into.push_back({offset + last, offset + first, false});
    if (past > first) into.push_back({offset + first, offset + past, true});
    last = past;
    if (past > first) {
      from = past;
    } else {
      if (past >= text.size()) break;
      from = past + characterAt(text, past).length;
    }
  }
  if (last < text.size()) into.push_back({offset + last, offset + text.size(), false});
  return {};
}

Result<void> Pattern::find(std::string_view text, std::size_t offset, const Budget& budget,
                           std::vector<Span>& into) const {
  if (compiled_) return findRegex(text, offset, budget, into);
  std::size_t last = 0;
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (begin > last) into.push_back({offset + last, offset + begin, false});
    into.push_back({offset + begin, offset + end, true});
    last = end;
  };
  if (is_) {
    for (std::size_t at = 0; at < text.size();) {
      const Character character = characterAt(text, at);
      if (is_(character.code)) add(at, at + character.length);
      at += character.length;
    }
  } else if (!literal_.empty()) {
    for (std::size_t at = text.find(literal_); at != std::string_view::npos;
         at = text.find(literal_, at + literal_.size()))
      add(at, at + literal_.size());
  }
  if (last < text.size()) into.push_back({offset + last, offset + text.size(), false});
  return {};
}

}  // namespace sepx::tokenizer
