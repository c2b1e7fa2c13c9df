// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/compare.h"

#include <cmath>
#include <optional>

#include "engine/core/number.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace {

constexpr double kAboutTheSame = 1e-6;  ///< for `~` without a tolerance, relative

bool equalTexts(const Value& found, std::string_view expected) {
  if (std::holds_alternative<std::monostate>(found)) return expected == "none";
  if (const bool* flag = std::get_if<bool>(&found)) {
    return *flag ? expected == "true" || expected == "on" : expected == "false" || expected == "off";
  }
  return toString(found) == expected;
}

bool holdsForNumbers(double a, std::string_view op, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return op == "!=";
  const bool same = a == b || std::fabs(a - b) <= tolerance;
  if (op == "==") return same;
  if (op == "!=") return !same;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  return same || (tolerance == 0 && std::fabs(a - b) <= kAboutTheSame * std::fmax(std::fabs(a), std::fabs(b)));
}

}  // namespace

Result<bool> holds(const Value& found, std::string_view op, std::string_view expected, double tolerance) {
  if (op == "has") return toString(found).find(expected) != std::string::npos;
  const double* const number = std::get_if<double>(&found);
  const std::optional<double> wanted = parseNumber(expected);
  if (number && wanted) return holdsForNumbers(*number, op, *wanted, tolerance);
  if (op == "==") return equalTexts(found, expected);
  if (op == "!=") return !equalTexts(found, expected);
  if (number || wanted) {
    // A missing number is neither below nor above another.
    if (std::holds_alternative<std::monostate>(found)) return false;
  }
  return fail(ErrorKind::Usage, trFormat("\"{}\" and \"{}\" are not both numbers, so {} cannot compare them",
                                         toString(found), expected, op));
}

}  // namespace sepx::ui
