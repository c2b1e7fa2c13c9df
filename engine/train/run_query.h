// SPDX-License-Identifier: Apache-2.0
// Finds runs in a library: names of config fields and final metrics, conditions on them, search in texts, order, and
// differences between runs. Pure; any thread.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/run_summary.h"

namespace sepx::train {

/// The fields by which runs can be filtered, sorted and compared: their record ("name", "state", "used", "tags", ...),
/// every config field ("model.d_model"), every final metric of any run ("loss"; for W_qk the median over the layers).
class RunFields {
 public:
  explicit RunFields(const RunList& runs);

  const std::vector<std::string>& keys() const { return keys_; }
  /// Index of the field. A config field may be given by its last part if that is unique ("d_model"), and the kind of a
  /// section by the name of the section ("objective"). Fails with Usage and the nearest name if there is no such field.
  Result<std::size_t> find(std::string_view name) const;
  RunValue of(const RunSummary& run, std::size_t field) const;
  /// Index of the first field of the config; those of the record come before it.
  std::size_t configBegin() const { return config_; }
  bool isMetric(std::size_t field) const { return field >= metrics_; }
  bool isNumber(std::size_t field) const;
  /// The words that a config field allows, in lower case; empty: any text.
  const std::vector<std::string>& words(std::size_t field) const;

 private:
  std::vector<std::string> keys_;  ///< fields of the record, then of the config, then metrics
  std::set<std::size_t> numbers_;  ///< numeric fields of the config
  std::map<std::size_t, std::vector<std::string>> words_;
  std::size_t config_ = 0, metrics_ = 0;  ///< index of the first one of each
};

enum class Comparison { Equal, Unequal, Less, AtMost, Greater, AtLeast, Has };  ///< between a field and a value

/// Conditions that a run must all meet: "model.d_model >= 64, objective = masked". Texts are compared without regard to
/// upper and lower case. A run without a value for a field meets no condition on it. A time is a day, a minute or a
/// second in local time ("2026-11-24", "2026-11-24 06:13"), "today" or "yesterday"; = holds during all of it, > after
/// its end.
class RunFilter {
 public:
  RunFilter() = default;
  /// Syntax: FIELD OP VALUE with the operators = != < <= > >= has, joined by a comma or "and". A value that contains a
  /// comma or has blanks at its ends is in double quotes. Fails with Usage and a one-sentence message.
  static Result<RunFilter> parse(std::string_view text, const RunFields& fields);
  bool passes(const RunSummary& run, const RunFields& fields) const;
  bool empty() const { return conditions_.empty(); }

 private:
  struct Condition {
    std::size_t field = 0;
    Comparison comparison = Comparison::Equal;
    RunValue value;  ///< for a time the prefix that was given, in the form of shownTime()
  };
  std::vector<Condition> conditions_;
};

/// A UTC time in local time: "2026-11-24 06:13:12". Other text is returned unchanged.
std::string shownTime(const std::string& utc);
/// The local day of a UTC time as a filter writes it: "today", "yesterday", "2026-11-24"; empty for an empty text.
std::string shownDay(const std::string& utc);

/// Whether every word of `words` occurs in name, note, notes, tags or folder of the run.
bool isFound(const RunSummary& run, std::string_view words);

/// Negative, 0 or positive. Numbers in texts compare as numbers ("run-2" before "run-10"). A missing value is last.
int compared(const RunValue& a, const RunValue& b);
/// Sorts runs by a field, stably. Runs without a value come last in both directions.
RunList sorted(RunList runs, const RunFields& fields, std::size_t field, bool descending);

/// A field in which runs differ, with the value of each. All metrics that any of the runs has are included.
struct RunDifference {
  std::string key;
  bool metric = false;
  std::vector<RunValue> values;  ///< by run
};
std::vector<RunDifference> whatDiffers(const RunList& runs);

}  // namespace sepx::train
