// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_query.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <ctime>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/local_time.h"
#include "engine/core/nearest_name.h"
#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/train/config_fields.h"

namespace sepx::train {
namespace {

constexpr std::array<std::string_view, 11> kRecord{"name", "folder", "state", "step",   "steps", "created",
                                                   "used", "tags",   "notes", "parent", "build"};

constexpr std::string_view kInterrupted = "killed";  // the word in files and filters

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}
std::string lowered(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), lower);
  return made;
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all)
    text += (text.empty() ? "" : ", ") + one;
  return text;
}

RunValue ofText(std::string text) {
  return text.empty() ? RunValue() : RunValue(std::move(text));
}

RunValue ofRecord(const RunSummary& run, std::string_view key) {
  if (key == "folder") return std::string(run.place());
  if (key == "name") return ofText(run.record.name.empty() ? std::string(run.place()) : run.record.name);
  if (key == "tags") return ofText(joined(run.own.tags));
  if (key == "notes") return ofText(run.own.notes);
  if (!run.failure.empty()) return key == "state" ? RunValue(std::string("unreadable")) : RunValue();
  if (key == "state") return std::string(run.killed ? kInterrupted : toString(run.record.state));
  if (key == "step") return static_cast<double>(run.record.step);
  if (key == "steps") return static_cast<double>(run.record.steps);
  if (key == "created") return ofText(run.record.created);
  if (key == "used") return ofText(run.used);
  if (key == "parent") return ofText(run.record.parent);
  return ofText(run.record.build);
}

/// The digits at the front of a text.
std::string_view digitsOf(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && std::isdigit(static_cast<unsigned char>(text[length])) != 0)
    ++length;
  return text.substr(0, length);
}

int comparedTexts(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    std::string_view x = digitsOf(a), y = digitsOf(b);
    if (x.empty() || y.empty()) {
      const int difference = lower(a.front()) - lower(b.front());
      if (difference != 0) return difference;
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    a.remove_prefix(x.size());
    b.remove_prefix(y.size());
    x.remove_prefix(std::min(x.find_first_not_of('0'), x.size()));
    y.remove_prefix(std::min(y.find_first_not_of('0'), y.size()));
    if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    if (const int difference = x.compare(y); difference != 0) return difference;
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

constexpr std::array<std::pair<std::string_view, Comparison>, 8> kOperators{{{"==", Comparison::Equal},
                                                                             {"!=", Comparison::Unequal},
                                                                             {"<=", Comparison::AtMost},
                                                                             {">=", Comparison::AtLeast},
                                                                             {"=", Comparison::Equal},
                                                                             {"<", Comparison::Less},
                                                                             {">", Comparison::Greater},
                                                                             {"has", Comparison::Has}}};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// Splits a text into conditions at commas and at "and", but not within quotes.
std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> all;
  bool quoted = false;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"') quoted = !quoted;
    const bool comma = i < text.size() && text[i] == ',' && !quoted;
    const bool word = !quoted && text.substr(i).starts_with(" and ");
    if (i < text.size() && !comma && !word) continue;
    all.push_back(trimmed(text.substr(from, i - from)));
    if (word) i += 4;
    from = i + 1;
  }
  return all;
}

struct Written {
  std::string_view field, value;
  Comparison comparison = Comparison::Equal;
};

std::optional<Written> written(std::string_view part) {
  std::size_t end = 0;
  while (end < part.size() && std::string_view(" =!<>").find(part[end]) == std::string_view::npos)
    ++end;
  Written made{part.substr(0, end), {}, {}};
  const std::string_view rest = trimmed(part.substr(end));
  for (const auto& [sign, comparison] : kOperators) {
    if (made.field.empty() || !rest.starts_with(sign)) continue;
    if (comparison == Comparison::Has && rest.size() > sign.size() && rest[sign.size()] != ' ') continue;
    made.comparison = comparison;
    made.value = trimmed(rest.substr(sign.size()));
    if (made.value.size() >= 2 && made.value.front() == '"' && made.value.back() == '"')
      made.value = made.value.substr(1, made.value.size() - 2);
    if (made.value.empty()) return std::nullopt;
    return made;
  }
  return std::nullopt;
}

bool holds(Comparison comparison, int order) {
  switch (comparison) {
    case Comparison::Equal:
      return order == 0;
    case Comparison::Unequal:
      return order != 0;
    case Comparison::Less:
      return order < 0;
    case Comparison::AtMost:
      return order <= 0;
    case Comparison::Greater:
      return order > 0;
    case Comparison::AtLeast:
      return order >= 0;
    case Comparison::Has:
      break;
  }
  return false;
}

/// A time that a person wrote, up to where they stopped, in the form of shownTime(): "2026-11-24 06". Empty if it is
/// not a time.
std::optional<std::string> writtenTime(std::string_view text) {
  constexpr std::int64_t kDay = 24 * 3600;
  constexpr std::size_t kLengthOfDay = 10;
  const std::string word = lowered(text);
  if (word == "today" || word == "yesterday") {
    // Counted from noon, so that a day before is yesterday even if the clocks were changed.
    std::string today = localTime(std::time(nullptr)).substr(0, kLengthOfDay);
    if (word == "today") return today;
    const auto noon = secondsOf(today + "T12:00:00Z");
    return utcOf(noon.value_or(0) - kDay).substr(0, kLengthOfDay);
  }
  constexpr std::string_view kShape = "0000-00-00 00:00:00";
  if (text.size() < 4 || text.size() > kShape.size()) return std::nullopt;
  std::string made(text);
  if (made.size() > kLengthOfDay && made[kLengthOfDay] == 'T') made[kLengthOfDay] = ' ';
  for (std::size_t i = 0; i < made.size(); ++i) {
    const bool digit = made[i] >= '0' && made[i] <= '9';
    if (kShape[i] == '0' ? !digit : made[i] != kShape[i]) return std::nullopt;
  }
  const bool ends = made.size() == kShape.size() || kShape[made.size()] != '0';
  return ends ? std::optional(std::move(made)) : std::nullopt;
}

bool isTime(const RunFields& fields, std::size_t field) {
  return fields.keys()[field] == "created" || fields.keys()[field] == "used";
}

bool tagHolds(const RunSummary& run, Comparison comparison, const std::string& value) {
  const bool any =
      std::ranges::any_of(run.own.tags, [&](const std::string& tag) { return lowered(tag) == lowered(value); });
  return comparison == Comparison::Equal ? any : !any;
}

}  // namespace

RunFields::RunFields(const RunList& runs) {
  for (const std::string_view key : kRecord)
    keys_.emplace_back(key);
  config_ = keys_.size();
  for (ConfigField& field : configFields()) {
    if (field.kind == FieldKind::Whole || field.kind == FieldKind::Real) numbers_.insert(keys_.size());
    if (field.kind == FieldKind::Toggle) field.words = {"true", "false"};
    if (!field.words.empty()) words_[keys_.size()] = std::move(field.words);
    keys_.push_back(std::move(field.place));
  }
  metrics_ = keys_.size();
  std::set<std::string> names;
  for (const auto& run : runs)
    for (const auto& [name, value] : run->metrics)
      names.insert(name);
  // Metrics that nearly every run has are known even if there is no run yet.
  for (const char* const always :
       {"loss", "validation", "symmetry", "directionality", "row_column_cv", "gradient_norm", "rate"})
    names.insert(always);
  keys_.insert(keys_.end(), names.begin(), names.end());
}

bool RunFields::isNumber(std::size_t field) const {
  return isMetric(field) || numbers_.contains(field) || keys_[field] == "step" || keys_[field] == "steps";
}

const std::vector<std::string>& RunFields::words(std::size_t field) const {
  static const std::vector<std::string> kAny;
  const auto found = words_.find(field);
  return found != words_.end() ? found->second : kAny;
}

Result<std::size_t> RunFields::find(std::string_view name) const {
  const auto exact = std::ranges::find(keys_, name);
  if (exact != keys_.end()) return static_cast<std::size_t>(exact - keys_.begin());
  const std::string kind = fmt::format("{}.kind", name), end = fmt::format(".{}", name);
  std::vector<std::size_t> meant;
  for (std::size_t i = config_; i < metrics_; ++i) {
    if (keys_[i] == kind) return i;
    if (keys_[i].ends_with(end)) meant.push_back(i);
  }
  if (meant.size() == 1) return meant.front();
  if (meant.size() > 1)
    return fail(ErrorKind::Usage, fmt::format("\"{}\" is ambiguous: there are \"{}\" and \"{}\"", name, keys_[meant[0]],
                                              keys_[meant[1]]));
  std::vector<std::string> names = keys_;  // also in their short form
  for (std::size_t i = config_; i < metrics_; ++i)
    names.push_back(keys_[i].substr(keys_[i].find_last_of('.') + 1));
  std::string near = nearestName(name, names);
  for (std::size_t i = config_; i < metrics_; ++i)
    if (keys_[i].ends_with("." + near)) near = keys_[i];
  return fail(ErrorKind::Usage, fmt::format("{} is not a config field or metric of a run; the nearest is \"{}\"",
                                            inQuotes(std::string(name)), near));
}

RunValue RunFields::of(const RunSummary& run, std::size_t field) const {
  if (field < config_) return ofRecord(run, keys_[field]);
  if (field < metrics_) {
    const std::size_t at = field - config_;
    return at < run.config.size() ? run.config[at] : RunValue();
  }
  const double value = run.metric(keys_[field]);
  return std::isnan(value) ? RunValue() : RunValue(value);
}

Result<RunFilter> RunFilter::parse(std::string_view text, const RunFields& fields) {
  RunFilter filter;
  if (trimmed(text).empty()) return filter;
  if (std::ranges::count(text, '"') % 2 != 0) return fail(ErrorKind::Usage, "a closing quotation mark is missing");
  for (const std::string_view part : parts(text)) {
    const auto made = written(part);
    if (!made)
      return fail(
          ErrorKind::Usage,
          fmt::format("{} is not a condition: write a field, a comparison (= != < <= > >= has) and a value, as in "
                      "\"model.d_model >= 64\"",
                      inQuotes(std::string(part))));
    SEPX_ASSIGN(const std::size_t field, fields.find(made->field));
    const auto number = parseNumber(made->value);
    const bool asText = made->comparison == Comparison::Has || !number;
    if (fields.isNumber(field) && asText)
      return fail(ErrorKind::Usage, fmt::format("{} is not a number, and \"{}\" is compared with one",
                                                inQuotes(std::string(made->value)), fields.keys()[field]));
    if (isTime(fields, field) && made->comparison != Comparison::Has) {
      const auto time = writtenTime(made->value);
      if (!time)
        return fail(ErrorKind::Usage, fmt::format("{} is not a time: write 2026-11-24, 2026-11-24 06:13, today or "
                                                  "yesterday",
                                                  inQuotes(std::string(made->value))));
      filter.conditions_.push_back({field, made->comparison, *time});
      continue;
    }
    if (fields.keys()[field] == "state" && lowered(made->value) == "interrupted") {  // the word in lists of runs
      filter.conditions_.push_back({field, made->comparison, std::string(kInterrupted)});
      continue;
    }
    const std::vector<std::string>& words = fields.words(field);
    const bool order = made->comparison != Comparison::Has;
    if (order && !words.empty() && std::ranges::find(words, lowered(made->value)) == words.end())
      return fail(ErrorKind::Usage,
                  fmt::format("{} is not a valid {}: it must be one of {}", inQuotes(std::string(made->value)),
                              fields.keys()[field], joined(words)));
    filter.conditions_.push_back(
        {field, made->comparison, asText ? RunValue(std::string(made->value)) : RunValue(*number)});
  }
  return filter;
}

bool RunFilter::passes(const RunSummary& run, const RunFields& fields) const {
  return std::ranges::all_of(conditions_, [&](const Condition& one) {
    const RunValue value = fields.of(run, one.field);
    const auto* const text = std::get_if<std::string>(&value);
    const auto* const wanted = std::get_if<std::string>(&one.value);
    if (std::holds_alternative<std::monostate>(value)) return false;
    if (isTime(fields, one.field) && one.comparison != Comparison::Has)
      return holds(one.comparison, shownTime(*text).substr(0, wanted->size()).compare(*wanted));
    const std::string wantedText = wanted != nullptr ? *wanted : formatShortest(std::get<double>(one.value));
    const bool exact = one.comparison == Comparison::Equal || one.comparison == Comparison::Unequal;
    if (fields.keys()[one.field] == "tags" && exact) return tagHolds(run, one.comparison, wantedText);
    if (one.comparison == Comparison::Has)
      return text != nullptr && lowered(*text).find(lowered(wantedText)) != std::string::npos;
    if (text != nullptr) {
      const int order = exact ? lowered(*text).compare(lowered(wantedText)) : comparedTexts(*text, wantedText);
      return holds(one.comparison, order);
    }
    return wanted == nullptr && holds(one.comparison, compared(value, one.value));
  });
}

std::string shownTime(const std::string& utc) {
  const auto seconds = secondsOf(utc);
  return seconds ? localTime(*seconds) : utc;
}

std::string shownDay(const std::string& utc) {
  constexpr std::size_t kLengthOfDay = 10;
  const std::string day = shownTime(utc).substr(0, kLengthOfDay);
  for (const char* const word : {"today", "yesterday"})
    if (writtenTime(word) == day) return word;
  return day;
}

bool isFound(const RunSummary& run, std::string_view words) {
  const std::string all = lowered(fmt::format("{}\n{}\n{}\n{}\n{}", run.record.name, run.record.note, run.own.notes,
                                              joined(run.own.tags), run.place()));
  const std::string wanted = lowered(words);
  std::string_view rest = trimmed(wanted);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (all.find(rest.substr(0, end)) == std::string::npos) return false;
    rest = trimmed(rest.substr(end));
  }
  return true;
}

int compared(const RunValue& a, const RunValue& b) {
  if (a.index() != b.index()) {
    if (std::holds_alternative<std::monostate>(a)) return 1;
    if (std::holds_alternative<std::monostate>(b)) return -1;
    return a.index() < b.index() ? -1 : 1;
  }
  if (const auto* const number = std::get_if<double>(&a)) {
    const double other = std::get<double>(b);
    return *number < other ? -1 : *number > other ? 1 : 0;
  }
  if (const auto* const text = std::get_if<std::string>(&a)) return comparedTexts(*text, std::get<std::string>(b));
  return 0;
}

RunList sorted(RunList runs, const RunFields& fields, std::size_t field, bool descending) {
  struct Keyed {
    RunValue value;
    std::shared_ptr<const RunSummary> run;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(runs.size());
  for (auto& run : runs) {
    RunValue value = fields.of(*run, field);
    keyed.push_back({std::move(value), std::move(run)});
  }
  std::ranges::stable_sort(keyed, [descending](const Keyed& a, const Keyed& b) {
    const bool none =
        std::holds_alternative<std::monostate>(a.value) || std::holds_alternative<std::monostate>(b.value);
    const int order = compared(a.value, b.value);
    return descending && !none ? order > 0 : order < 0;
  });
  for (std::size_t i = 0; i < runs.size(); ++i)
    runs[i] = std::move(keyed[i].run);
  return runs;
}

std::vector<RunDifference> whatDiffers(const RunList& runs) {
  const RunFields fields(runs);
  std::vector<RunDifference> all;
  for (std::size_t field = 0; field < fields.keys().size(); ++field) {
    if (field < fields.configBegin() || fields.keys()[field] == "name") continue;
    RunDifference one{fields.keys()[field], fields.isMetric(field), {}};
    for (const auto& run : runs)
      one.values.push_back(fields.of(*run, field));
    const bool differs =
        std::ranges::any_of(one.values, [&](const RunValue& value) { return value != one.values.front(); });
    const bool any = std::ranges::any_of(
        one.values, [](const RunValue& value) { return !std::holds_alternative<std::monostate>(value); });
    if (one.metric ? any : differs) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace sepx::train
