// SPDX-License-Identifier: Apache-2.0
// The view "sweep" of the page Library: progress, chart and table of the sweep in the library's folder. The page owns
// it and handles its presses. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ui/exhibits/training/library/library_rows.h"
#include "ui/exhibits/training/library/library_store.h"
#include "ui/exhibits/training/library/sweep_chart.h"
#include "ui/exhibits/training/library/sweep_picture.h"
#include "ui/exhibits/training/library/sweep_store.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"
#include "ui/race/race_page_kit.h"
#include "ui/views/board.h"

namespace sepx::ui {

class SweepView {
 public:
  /// `library` outlives the registry.
  void declare(PropertyRegistry& registry, const LibraryRows& library);
  void read(const Document& document, const PropertyRegistry& registry) {
    choice_ = readSweepChoice(document, registry);
  }
  void update(ExhibitContext& context, const LibraryStore& store, const LibraryRows& library,
              const LibraryState& state);
  void readAgain() { store_.readAgain(); }
  bool complete() const { return store_.complete(); }
  std::uint64_t revision() const { return store_.revision(); }
  /// Why there is nothing to show; empty: there is something.
  std::string sentence() const;
  /// Problems while something is shown, one sentence each.
  std::vector<std::string> problems() const;

  /// Buttons for the metric, the form of the chart and the fields of the axes.
  ChoicesContent controls(const RaceFrame& frame) const;
  /// Adds progress, chart and table ("runs"). A press on the chart gives the index of a cell of the grid.
  Arrangement addViews(Views& into, const RaceFrame& frame) const;

  /// Folders of the runs of a cell that have started.
  std::vector<std::string> foldersOf(std::size_t cell) const;
  /// Folders of the runs by row of the table; empty for a run that has not started.
  std::vector<std::string> folders() const;
  /// The state of the run in a row of the table, as a sentence.
  std::string stateOf(std::size_t row) const;
  /// Sorts the table by a column, or reverses its order. `shown`: index of the column in the table displayed in `box`.
  void sortBy(ExhibitContext& context, std::size_t shown, const Theme& theme,
              const std::optional<render::Rect>& box) const;
  void panel(ExhibitContext& context, PagePanel& panel) const;
  Numbers numbers() const;
  /// `box`: of the chart.
  std::string caption(const std::optional<render::Rect>& box) const;

 private:
  ChoiceGroup choices(const std::string& key, const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& values, const std::string& present) const;
  std::shared_ptr<const SweepPicture> picture() const { return store_.picture(); }
  std::optional<std::size_t> findChosen() const;

  // sweep_declare.cpp
  void declareReadOuts(PropertyRegistry& registry);
  void declareCells(PropertyRegistry& registry);
  void declareRows(PropertyRegistry& registry);

  SweepStore store_;
  SweepChoice choice_;
  const LibraryRows* library_ = nullptr;
  std::set<std::string> chosen_;           ///< folders of the chosen runs
  std::uint64_t chosenAt_ = 0, seen_ = 0;  ///< changes with chosen_; last revision of store_ taken over
  std::optional<std::size_t> chosenCell_;
};

}  // namespace sepx::ui
