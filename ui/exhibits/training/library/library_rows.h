// SPDX-License-Identifier: Apache-2.0
// What the page Library shows of the runs that were read: those that pass search and filter, in order and by day, with
// the columns of its table, and which of them are chosen. Pure.
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

/// What the document says.
struct LibraryState {
  std::string folder;  ///< empty: that of the window's runs
  LibraryMode look = LibraryMode::Cards;
  std::string search, filter, sort, columns;
  bool descending = true, lessons = false;
  std::vector<std::string> chosen;   ///< places of runs below the folder
  std::vector<std::string> deleted;  ///< LibraryStore::Deleted::id of what was deleted and not put back
  bool operator==(const LibraryState&) const = default;
};
LibraryState readLibraryState(const Document& document, const PropertyRegistry& registry);

/// "a, b": a comma in a name is written as "\,".
std::string joinedNames(const std::vector<std::string>& names);
std::vector<std::string> separateNames(std::string_view text);
/// A document in which these runs are chosen.
Document withChosen(const Document& document, const std::vector<std::string>& names);
/// Whether a condition is one of those of a filter, and the filter without it or with it.
bool hasCondition(const std::string& filter, const std::string& condition);
std::string withTurned(const std::string& filter, const std::string& condition);

/// Where runs lie.
struct LibraryFolders {
  std::string own;      ///< of the library, absolute
  std::string lessons;  ///< runs of lessons; empty: there are none
  bool operator==(const LibraryFolders&) const = default;
};

class LibraryRows {
 public:
  /// `today`: the day as the person's clock has it. True: something is another.
  bool update(const train::RunList& runs, std::uint64_t revision, const LibraryFolders& folders,
              const LibraryState& state, const std::string& today);

  /// Without those of lessons, unless they are asked for.
  const train::RunList& all() const { return all_; }
  const train::RunList& shown() const { return shown_; }
  /// By the day of the time that they are ordered by, those of lessons last; empty: one group without a name.
  const std::vector<CardGroup>& groups() const { return groups_; }
  /// How many runs of lessons there are.
  std::size_t ofLessons() const { return ofLessons_; }
  /// A row of the table: a run, or the heading of a group.
  struct Row {
    std::size_t group = 0;
    std::optional<std::size_t> run;  ///< among those shown
  };
  const std::vector<Row>& rows() const { return rows_; }
  const train::RunFields& fields() const { return fields_; }
  /// Why search, order or columns are not as they were typed: a sentence each; the list is as before then.
  const std::vector<std::string>& problems() const { return problems_; }
  /// Fields of the table beside the name.
  const std::vector<std::size_t>& columns() const { return columns_; }
  std::size_t sortField() const { return sort_; }
  bool filtered() const { return shown_.size() != all_.size(); }
  /// Those that are chosen and shown, in the order of the choice.
  const train::RunList& chosen() const { return chosen_; }
  /// Those of the runs shown that have these names.
  train::RunList named(const std::vector<std::string>& names) const;
  bool isChosen(const train::RunSummary& run) const;
  /// Where a run lies below the folder: how the document calls it.
  std::string nameOf(const train::RunSummary& run) const { return nameOf(run.folder); }
  std::string nameOf(const std::string& runFolder) const;
  /// How people call it: runTitle().
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

/// Tags that all of these runs have, "a, b"; the notes where they have the same.
std::string sharedTags(const train::RunList& runs);
std::string sharedNotes(const train::RunList& runs);

/// A column of an export; what is not there is NaN or empty.
Column exportColumn(const std::string& name, bool number, const std::vector<train::RunValue>& values);
/// Of an order and of the head of a column: "last used"; "model.d_model" is "d_model", "objective.kind" "objective".
std::string headOf(const std::string& key);
/// As a person reads it: "running", "2026-11-23 05:04", four digits of a number; a dash for nothing.
std::string valueWords(const std::string& key, const train::RunValue& value);

}  // namespace sepx::ui
