// SPDX-License-Identifier: Apache-2.0
// Recursive-descent parser for the C operators that catalogues use.
#include "ui/properties/plural_rule.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "engine/core/try.h"

namespace sepx::ui {

class PluralRule::Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::vector<Part>> whole() {
    SEPX_TRY(choice());
    blank();
    if (!text_.empty()) return unclear();
    return std::move(parts_);
  }

 private:
  static constexpr std::size_t kMost = 200;
  struct Sign {
    std::string_view text;
    Operation operation;
  };
  /// From the lowest precedence to the highest. A longer operator precedes a shorter one that is its prefix.
  static constexpr std::array<std::array<Sign, 4>, 6> kLevels{{
      {{{"||", Operation::Or}}},
      {{{"&&", Operation::And}}},
      {{{"==", Operation::Equal}, {"!=", Operation::Unequal}}},
      {{{"<=", Operation::LessEqual}, {">=", Operation::MoreEqual}, {"<", Operation::Less}, {">", Operation::More}}},
      {{{"+", Operation::Plus}, {"-", Operation::Minus}}},
      {{{"*", Operation::Times}, {"/", Operation::Divided}, {"%", Operation::Rest}}},
  }};

  void blank() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\t'))
      text_.remove_prefix(1);
  }
  bool take(std::string_view sign) {
    blank();
    if (!text_.starts_with(sign)) return false;
    text_.remove_prefix(sign.size());
    return true;
  }
  tl::unexpected<Error> unclear() const {
    return fail(ErrorKind::BadInput,
                "the rule of plurals is not understood at \"" + std::string(text_.substr(0, 20)) + "\"");
  }
  /// Appends a part and returns its index in parts_.
  Result<std::size_t> add(Part part) {
    if (parts_.size() >= kMost) return unclear();
    parts_.push_back(part);
    return parts_.size() - 1;
  }

  Result<std::size_t> choice() {
    if (++depth_ > kMost) return unclear();
    SEPX_ASSIGN(const std::size_t test, level(0));
    if (take("?")) {
      SEPX_ASSIGN(const std::size_t yes, choice());
      if (!take(":")) return unclear();
      SEPX_ASSIGN(const std::size_t no, choice());
      --depth_;
      return add({Operation::Choice, 0, test, yes, no});
    }
    --depth_;
    return test;
  }
  Result<std::size_t> level(std::size_t at) {
    if (at == kLevels.size()) return one();
    SEPX_ASSIGN(std::size_t left, level(at + 1));
    while (const std::optional<Operation> sign = signOf(at)) {
      SEPX_ASSIGN(const std::size_t right, level(at + 1));
      SEPX_ASSIGN(left, add({*sign, 0, left, right, 0}));
    }
    return left;
  }
  std::optional<Operation> signOf(std::size_t at) {
    for (const Sign& sign : kLevels[at])
      if (!sign.text.empty() && take(sign.text)) return sign.operation;
    return std::nullopt;
  }
  Result<std::size_t> one() {
    if (++depth_ > kMost) return unclear();
    const auto done = [this](Result<std::size_t> place) { return --depth_, place; };
    if (take("!")) {
      SEPX_ASSIGN(const std::size_t of, one());
      return done(add({Operation::Not, 0, of, 0, 0}));
    }
    if (take("(")) {
      SEPX_ASSIGN(const std::size_t inside, choice());
      if (!take(")")) return unclear();
      return done(inside);
    }
    if (take("n")) return done(add({Operation::N}));
    std::uint64_t number = 0;
    const auto read = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    if (read.ec != std::errc()) return unclear();
    text_.remove_prefix(static_cast<std::size_t>(read.ptr - text_.data()));
    return done(add({Operation::Number, number}));
  }

  std::string_view text_;
  std::vector<Part> parts_;
  std::size_t depth_ = 0;
};

Result<PluralRule> PluralRule::parse(std::string_view line) {
  constexpr std::string_view kForms = "nplurals=", kRule = "plural=";
  constexpr std::size_t kMostForms = 6;
  const auto forms = line.find(kForms);
  const auto end = forms == std::string_view::npos ? forms : line.find(';', forms);
  const auto rule = end == std::string_view::npos ? end : line.find(kRule, end);
  if (rule == std::string_view::npos) return fail(ErrorKind::BadInput, "the rule of plurals has not both its parts");
  PluralRule made;
  const auto read = std::from_chars(line.data() + forms + kForms.size(), line.data() + end, made.forms_);
  if (read.ec != std::errc() || made.forms_ < 1 || made.forms_ > kMostForms)
    return fail(ErrorKind::BadInput, "the number of plural forms is not 1 to 6");
  std::string_view expression = line.substr(rule + kRule.size());
  expression = expression.substr(0, expression.find(';'));
  SEPX_ASSIGN(made.parts_, Reader(expression).whole());
  return made;
}

std::uint64_t PluralRule::value(std::size_t place, std::uint64_t n) const {
  const Part& part = parts_[place];
  const auto a = [&] { return value(part.a, n); };
  const auto b = [&] { return value(part.b, n); };
  switch (part.operation) {
    case Operation::Number:
      return part.number;
    case Operation::N:
      return n;
    case Operation::Not:
      return a() == 0 ? 1 : 0;
    case Operation::Or:
      return a() != 0 || b() != 0 ? 1 : 0;
    case Operation::And:
      return a() != 0 && b() != 0 ? 1 : 0;
    case Operation::Equal:
      return a() == b() ? 1 : 0;
    case Operation::Unequal:
      return a() != b() ? 1 : 0;
    case Operation::Less:
      return a() < b() ? 1 : 0;
    case Operation::LessEqual:
      return a() <= b() ? 1 : 0;
    case Operation::More:
      return a() > b() ? 1 : 0;
    case Operation::MoreEqual:
      return a() >= b() ? 1 : 0;
    case Operation::Plus:
      return a() + b();
    case Operation::Minus:
      return a() - b();
    case Operation::Times:
      return a() * b();
    case Operation::Divided:
      return b() == 0 ? 0 : a() / b();
    case Operation::Rest:
      return b() == 0 ? 0 : a() % b();
    case Operation::Choice:
      return a() != 0 ? b() : value(part.c, n);
  }
  return 0;
}

std::size_t PluralRule::formOf(std::uint64_t n) const {
  if (parts_.empty()) return n == 1 ? 0 : 1;
  const std::uint64_t form = value(parts_.size() - 1, n);
  return form < forms_ ? static_cast<std::size_t>(form) : 0;
}

}  // namespace sepx::ui
