// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pattern.h"

#include <algorithm>

#include <fmt/format.h>
#include <oniguruma.h>

#include "engine/core/json.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

constexpr unsigned long kMostRetries = 10'000'000;  // Oniguruma's default
constexpr unsigned int kMostStack = 4'000'000;      // entries
/// Bytes that a regular expression may read, and positions at which a literal is searched for, between two checks of
/// the clock.
constexpr std::size_t kBytesBetween = 67'108'864, kPlacesBetween = 65'536;

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

/// Data of the callout that runs wherever a match is tried.
struct Clock {
  const Budget& budget;
  std::size_t bytes;  ///< of the text: one attempt may read all of them
  std::size_t passed = 0;
};

int checkDeadline(OnigCalloutArgs*, void* data) {
  Clock& clock = *static_cast<Clock*>(data);
  clock.passed += clock.bytes;
  if (clock.passed < kBytesBetween) return ONIG_CALLOUT_SUCCESS;
  clock.passed = 0;
  return clock.budget.spent() ? ONIG_ABORT : ONIG_CALLOUT_SUCCESS;
}

/// Whether the expression calls one of its own groups by \g<name>. Oniguruma needs exponential time to compile a few
/// such calls that are nested.
bool callsGroup(std::string_view expression) {
  for (std::size_t at = 0; at + 2 < expression.size(); ++at) {
    if (expression[at] != '\\') continue;
    ++at;  // skips the escaped character
    if (expression[at] == 'g' && (expression[at + 1] == '<' || expression[at + 1] == '\'')) return true;
  }
  return false;
}

struct ParameterOfMatch {
  OnigMatchParam* value = onig_new_match_param();
  ParameterOfMatch() {
    onig_initialize_match_param(value);
    onig_set_retry_limit_in_match_of_match_param(value, kMostRetries);
    onig_set_retry_limit_in_search_of_match_param(value, kMostRetries);
    onig_set_match_stack_limit_size_of_match_param(value, kMostStack);
    onig_set_progress_callout_of_match_param(value, checkDeadline);
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
  std::string expression;  ///< as in the file
  Compiled() = default;
  /// Returns null where Oniguruma rejects `text`, and the reason in `why`.
  static std::shared_ptr<Compiled> of(const std::string& text, std::string& why);
  ~Compiled() {
    if (regex) onig_free(regex);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
};

std::shared_ptr<Pattern::Compiled> Pattern::Compiled::of(const std::string& text, std::string& why) {
  auto compiled = std::make_shared<Compiled>();
  OnigErrorInfo info;
  const int code = onig_new(&compiled->regex, onigText(text.data()), onigText(text.data() + text.size()),
                            ONIG_OPTION_NONE, ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &info);
  if (code == ONIG_NORMAL) return compiled;
  compiled->regex = nullptr;
  OnigUChar words[ONIG_MAX_ERROR_MESSAGE_LEN] = {};
  const int length = onig_error_code_to_str(words, code, &info);
  // The message quotes the expression, and may cut it at any byte.
  why = excerpt({reinterpret_cast<const char*>(words), static_cast<std::size_t>(std::max(length, 0))}, 160);
  return nullptr;
}

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
  if (callsGroup(expression))
    return fail(
        ErrorKind::BadInput,
        fmt::format("the pattern {} calls one of its own groups (\\g), which is not supported", inQuotes(expression)));
  startOniguruma();
  std::string why;
  std::shared_ptr<Compiled> compiled;
  if (Compiled::of(expression, why)) {
    // A callout before the expression checks the clock, because Oniguruma has no time limit and one search of a long
    // text may take hours. It changes no match. The newline is for an expression that ends with a comment, which would
    // otherwise include the bracket.
    for (const char* const end : {")", "\n)"})
      if (!compiled) compiled = Compiled::of("(?{clock})(?:" + expression + end, why);
  }
  if (!compiled)
    return fail(ErrorKind::BadInput, fmt::format("the pattern {} is refused: {}", inQuotes(expression), why));
  compiled->expression = expression;
  Pattern pattern;
  pattern.compiled_ = std::move(compiled);
  return pattern;
}

Result<void> Pattern::findRegex(std::string_view text, std::size_t offset, const Budget& budget,
                                std::vector<Span>& into) const {
  // Kept by each thread for its next search: a pattern is shared by threads, and a match writes into both.
  static thread_local ParameterOfMatch parameter;
  static thread_local RegionOfMatch region;
  const OnigUChar* const begin = onigText(text.data());
  const OnigUChar* const end = begin + text.size();
  Clock clock{budget, text.size()};
  onig_set_callout_user_data_of_match_param(parameter.value, &clock);
  std::size_t last = 0;
  for (std::size_t from = 0; from <= text.size();) {
    if (budget.spent()) return budget.check();
    const int found = onig_search_with_param(compiled_->regex, begin, end, begin + from, end, region.value,
                                             ONIG_OPTION_NONE, parameter.value);
    if (found == ONIG_MISMATCH) break;
    if (found < 0) {
      SEPX_TRY(budget.check());
      return fail(ErrorKind::BadInput, fmt::format("the pattern {} needs too many steps at byte {} of the text",
                                                   inQuotes(compiled_->expression), offset + from));
    }
    // A character that is cut off at the end counts as a whole one, and \K lets a match begin before the end of the
    // previous match or after its own end.
    const auto past = std::clamp(static_cast<std::size_t>(region.value->end[0]), from, text.size());
    const auto first = std::clamp(static_cast<std::size_t>(region.value->beg[0]), last, past);
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
    std::size_t steps = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      const Character character = characterAt(text, at);
      if (is_(character.code)) add(at, at + character.length);
      at += character.length;
    }
  } else if (!literal_.empty()) {
    std::size_t checked = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (at >= checked + kPlacesBetween) {
        SEPX_TRY(budget.check());
        checked = at;
      }
      const std::size_t found =
          std::min(text.substr(at, kPlacesBetween + literal_.size() - 1).find(literal_), kPlacesBetween);
      if (found < kPlacesBetween) add(at + found, at + found + literal_.size());
      at += found < kPlacesBetween ? found + literal_.size() : kPlacesBetween;
    }
  }
  if (last < text.size()) into.push_back({offset + last, offset + text.size(), false});
  return {};
}

}  // namespace sepx::tokenizer
