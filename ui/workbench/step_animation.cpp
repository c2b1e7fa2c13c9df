// SPDX-License-Identifier: Apache-2.0
// Parameters that a step sets, at once or on their way in the seconds that it names.
#include <cmath>

#include "engine/core/try.h"
#include "ui/document/script_words.h"
#include "ui/workbench/step_machine.h"

namespace sepx::ui {
namespace {

constexpr const char* kGroup = "script animation";  ///< one undo step

std::optional<double> number(const Value& value) {
  const auto* const real = std::get_if<double>(&value);
  return real ? std::optional(*real) : std::nullopt;
}

/// Slow at both ends, t in [0, 1].
double smooth(double t) {
  return t * t * (3 - 2 * t);
}

}  // namespace

/// A number on its way; the value as it is written, at the end.
struct StepMachine::Travel {
  std::string key;
  double from = 0, to = 0;
  bool whole = false, logarithmic = false;
  std::string end;

  std::string at(double t) const {
    const double s = smooth(t);
    const double value = logarithmic ? from * std::pow(to / from, s) : from + s * (to - from);
    return toString(Value(whole ? std::round(value) : value));
  }
};

std::optional<StepMachine::Travel> StepMachine::travel(const std::string& key, const std::string& value) const {
  const auto declared = around_.workbench.find(key);
  if (!declared || !declared->property) return std::nullopt;
  const Property& property = *declared->property;
  if (property.kind != Kind::Real && property.kind != Kind::Integer) return std::nullopt;
  const auto now = around_.workbench.get(key);
  const auto from = now ? number(*now) : std::nullopt;
  const auto to = finiteNumber(value);
  if (!from || !to || !std::isfinite(*from)) return std::nullopt;
  const bool logarithmic = property.scale == Scale::Logarithmic && *from > 0 && *to > 0;
  return Travel{key, *from, *to, property.kind == Kind::Integer, logarithmic, value};
}

Result<void> StepMachine::set(const ScriptStep& step) {
  Workbench& workbench = around_.workbench;
  std::vector<std::pair<std::string, std::string>> pairs{{step.text, step.value}};
  for (std::size_t i = 0; i + 1 < step.words.size(); i += 2)
    pairs.emplace_back(step.words[i], step.words[i + 1]);
  std::vector<Travel> travels;
  for (const auto& [key, value] : pairs) {
    auto moves = step.seconds > 0 && !hurried_ ? travel(key, value) : std::nullopt;
    if (moves) {
      travels.push_back(*std::move(moves));
    } else {
      std::string held = value;
      if (namesFile(key)) {
        SEPX_ASSIGN(held, inputPath(value));
      }
      SEPX_TRY(workbench.set(key, held));
    }
  }
  if (travels.empty()) return {};
  workbench.seal();
  waiting_ = [this, travels = std::move(travels), began = now_, seconds = step.seconds]() -> Result<bool> {
    const double t = hurried_ ? 1 : (now_ - began) / seconds;
    const bool over = t + 1e-9 >= 1;
    for (const Travel& one : travels)
      SEPX_TRY(around_.workbench.set(one.key, over ? one.end : one.at(t), kGroup));
    if (over) around_.workbench.seal();
    return over;
  };
  return {};
}

}  // namespace sepx::ui
