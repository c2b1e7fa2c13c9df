// SPDX-License-Identifier: Apache-2.0
// Selects what the page Library shows of the runs that were read: those that pass search and filter, sorted and grouped
// by day, the columns of the table, and the chosen runs. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/table.h"
#include "engine/train/run_query.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"
#include "ui/views/view.h"

namespace sepx::ui {

enum class LibraryMode { Cards, Table, Differences, Sweep };

/// The state of the page in the document.
struct LibraryState {
  std::string folder;  ///< empty: the folder of the window's runs
  LibraryMode look = LibraryMode::Cards;
  std::string search, filter, sort, columns;
  bool descending = true, lessons = false;
  std::vector<std::string> chosen;   ///< names of the chosen runs (LibraryRows::nameOf())
  std::vector<std::string> deleted;  ///< LibraryStore::Deleted::id of runs that were deleted and not put back
  bool operator==(const LibraryState&) const = default;
};
LibraryState readLibraryState(const Document& document, const PropertyRegistry& registry);

/// Joins names as "a, b", with a comma in a name written as "\,", and separates them again.
std::string joinedNames(const std::vector<std::string>& names);
std::vector<std::string> separateNames(std::string_view text);
/// A document in which these runs are chosen.
Document withChosen(const Document& document, const std::vector<std::string>& names);
/// Whether a filter contains a condition; and the filter with the condition removed if it contains it, otherwise added.
bool hasCondition(const std::string& filter, const std::string& condition);
std::string withConditionToggled(const std::string& filter, const std::string& condition);

/// The folders of the runs.
struct LibraryFolders {
  std::string own;      ///< of the library, absolute
  std::string lessons;  ///< runs of lessons; empty: there are none
  bool operator==(const LibraryFolders&) const = default;
};

class LibraryRows {
 public:
  /// Returns whether something changed. `today`: the day in local time, "2026-11-24".
  bool update(const train::RunList& runs, std::uint64_t revision, const LibraryFolders& folders,
              const LibraryState& state, const std::string& today);

  /// All runs; those of lessons only if LibraryState::lessons is set.
  const train::RunList& all() const { return all_; }
  const train::RunList& shown() const { return shown_; }
  /// Groups of shown(): if the runs are ordered by a time, one per day, otherwise one without a title. Runs of lessons
  /// are a group of their own at the end.
  const std::vector<CardGroup>& groups() const { return groups_; }
  /// How many runs of lessons there are.
  std::size_t ofLessons() const { return ofLessons_; }
  /// A row of the table: a run, or the heading of a group.
  struct Row {
    std::size_t group = 0;
    std::optional<std::size_t> run;  ///< index in shown(); empty: a heading
  };
  const std::vector<Row>& rows() const { return rows_; }
  const train::RunFields& fields() const { return fields_; }
  /// Why filter, order or columns are not applied as typed, one sentence each. An invalid filter is replaced by the
  /// last valid one and an invalid order by the time of creation. Invalid columns are left out.
  const std::vector<std::string>& problems() const { return problems_; }
  /// The fields that are columns of the table after the name.
  const std::vector<std::size_t>& columns() const { return columns_; }
  std::size_t sortField() const { return sort_; }
  bool filtered() const { return shown_.size() != all_.size(); }
  /// The runs that are chosen and shown, in the order in which they were chosen.
  const train::RunList& chosen() const { return chosen_; }
  /// The shown runs with these names.
  train::RunList named(const std::vector<std::string>& names) const;
  bool isChosen(const train::RunSummary& run) const;
  /// The path of a run below the folder, which is its name in the document.
  std::string nameOf(const train::RunSummary& run) const { return nameOf(run.folder); }
  std::string nameOf(const std::string& runFolder) const;
  /// The displayed name: runTitle(), after the folders above it if there are any.
  std::string titleOf(const train::RunSummary& run) const;
  std::uint64_t revision() const { return revision_; }

 private:
  bool isOfLesson(const std::string& runFolder) const;
  void take(const train::RunList& runs, bool lessons);
  void find(const LibraryState& state);
  void group();

  train::RunList all_, shown_, chosen_;
  std::vector<CardGroup> groups_;
  std::vector<Row> rows_;
  std::size_t ofLessons_ = 0;
  train::RunFields fields_{{}};
  train::RunFilter filter_;
  std::vector<std::string> problems_;
  std::vector<std::size_t> columns_;
  std::size_t sort_ = 0;
  LibraryFolders folders_;
  std::string today_;
  std::optional<LibraryState> state_;
  std::uint64_t seen_ = 0, revision_ = 1;
};

/// The tags that all of these runs have, "a, b"; and their notes if they are the same in all runs.
std::string sharedTags(const train::RunList& runs);
std::string sharedNotes(const train::RunList& runs);

/// A column of an export. Missing values are NaN or empty.
Column exportColumn(const std::string& name, bool number, const std::vector<train::RunValue>& values);
/// The displayed name of a field, in the list of orders and as the head of a column: "last used" for "used", "d_model"
/// for "model.d_model", "objective" for "objective.kind".
std::string headOf(const std::string& key);
/// The displayed value: "running", "2026-11-23 05:04", a number with four digits; a dash if there is none.
std::string valueWords(const std::string& key, const train::RunValue& value);

}  // namespace sepx::ui
