// SPDX-License-Identifier: Apache-2.0
// Finding runs in a library: every config field and final metric by its name, conditions on them, search in texts,
// order, and what differs between runs. Pure; any thread.
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

/// What runs can be filtered, sorted and compared by: their record ("name", "state", "used", "tags", ...), every config
/// field ("model.d_model"), every final metric that one of them has ("loss"; of W_qk the median over the layers).
class RunFields {
 public:
  explicit RunFields(const RunList& runs);

  const std::vector<std::string>& keys() const { return keys_; }
  /// Number of the field. A config field may be called by its last part where that is enough ("d_model"), and the kind
  /// of a section by the section ("objective"). Usage, with the nearest name, where there is none.
  Result<std::size_t> find(std::string_view name) const;
  RunValue of(const RunSummary& run, std::size_t field) const;
  /// Where the fields of the config begin, after those of the record.
  std::size_t configBegin() const { return config_; }
  bool isMetric(std::size_t field) const { return field >= metrics_; }
  bool isNumber(std::size_t field) const;
  /// The words that a config field may be, in small letters; empty: any text.
  const std::vector<std::string>& words(std::size_t field) const;

 private:
  std::vector<std::string> keys_;  ///< of the record, the config, the metrics
  std::set<std::size_t> numbers_;  ///< of the config
  std::map<std::size_t, std::vector<std::string>> words_;
  std::size_t config_ = 0, metrics_ = 0;  ///< where these begin
};

enum class Comparison { Equal, Unequal, Less, AtMost, Greater, AtLeast, Has };  ///< of a key and a value

/// Conditions that a run must all meet: "model.d_model >= 64, objective = masked". Texts are compared without regard to
/// upper and lower case. A run without the value meets none. A time is a day, a minute or a second as the person's
/// clock shows it ("2026-11-24", "2026-11-24 06:13"), "today" or "yesterday"; = holds during all of it, > after its
/// end.
class RunFilter {
 public:
  RunFilter() = default;
  /// FIELD OP VALUE, with = != < <= > >= has, joined by a comma or "and"; a value with a comma or blanks at its ends in
  /// double quotes. Usage with one sentence.
  static Result<RunFilter> parse(std::string_view text, const RunFields& fields);
  bool passes(const RunSummary& run, const RunFields& fields) const;
  bool empty() const { return conditions_.empty(); }

 private:
  struct Condition {
    std::size_t field = 0;
    Comparison comparison = Comparison::Equal;
    RunValue value;  ///< of a time its beginning, as shownTime() writes it
  };
  std::vector<Condition> conditions_;
};

/// When something was, as the person's clock showed it: "2026-11-24 06:13:12"; other text as it is.
std::string shownTime(const std::string& utc);
/// The day of it, as a filter writes it: "today", "yesterday", "2026-11-24"; empty for no time.
std::string shownDay(const std::string& utc);

/// Every word of `words` is somewhere in name, note, notes, tags or folder of the run.
bool isFound(const RunSummary& run, std::string_view words);

/// Negative, 0, positive; numbers in texts are compared as numbers ("run-2" before "run-10"); nothing is the last.
int compared(const RunValue& a, const RunValue& b);
/// Runs in the order of a field; those that have no value are last both ways. Equal ones keep their order.
RunList sorted(RunList runs, const RunFields& fields, std::size_t field, bool descending);

/// A field in which runs differ, with the value of each. Of the metrics, all that one of them has.
struct RunDifference {
  std::string key;
  bool metric = false;
  std::vector<RunValue> values;  ///< by run
};
std::vector<RunDifference> whatDiffers(const RunList& runs);

}  // namespace sepx::train
