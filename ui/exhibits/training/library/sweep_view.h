// SPDX-License-Identifier: Apache-2.0
// The view "sweep" of the page Library: progress, chart and table of the sweep in the library's folder. The page owns
// it and acts on what it answers. Frame thread.
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
  /// What is wrong while something is shown, a sentence each.
  std::vector<std::string> problems() const;

  /// Buttons: metric and form, fields of the axes.
  ChoicesContent controls(const RaceFrame& frame) const;
  /// Progress, chart and table ("runs"); a press on the chart is on a cell of the grid.
  Arrangement addViews(Views& into, const RaceFrame& frame) const;

  /// Folders of the runs of a cell that have begun.
  std::vector<std::string> foldersOf(std::size_t cell) const;
  /// Folders of the runs of the table in their order; empty for one that has not begun.
  std::vector<std::string> folders() const;
  /// What a row of the table says of its run, as a sentence.
  std::string stateOf(std::size_t row) const;
  /// By a column of the table that is shown in `box`.
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
  std::set<std::string> chosen_;           ///< folders
  std::uint64_t chosenAt_ = 0, seen_ = 0;  ///< changes with them; revision of the picture that was looked at
  std::optional<std::size_t> chosenCell_;
};

}  // namespace sepx::ui
