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

#include "ui/exhibits/training/library/sweep_chart.h"
#include "ui/exhibits/training/library/sweep_rows.h"
#include "ui/exhibits/training/library/sweep_store.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

/// What lies under the pointer.
struct SweepHit {
  std::optional<std::size_t> cell;  ///< of the grid
  std::optional<std::size_t> row;   ///< of the table
  std::optional<std::size_t> head;  ///< of SweepPicture::columns
};

class SweepView {
 public:
  /// `library` outlives the registry.
  void declare(PropertyRegistry& registry, const LibraryView& library);
  void read(const Document& document, const PropertyRegistry& registry) {
    choice_ = readSweepChoice(document, registry);
  }
  void update(ExhibitContext& context, const LibraryStore& store, const LibraryView& library,
              const LibraryState& state);
  void readAgain() { store_.readAgain(); }
  bool complete() const { return store_.complete(); }
  std::uint64_t revision() const { return store_.revision(); }
  /// Why there is nothing to show; empty: there is something.
  std::string sentence() const;
  /// What is wrong while something is shown, a sentence each.
  std::vector<std::string> problems() const;

  /// Two lines of buttons: metric and form, fields of the axes. Answers their height.
  double addControls(Strip& strip, const RaceFrame& frame, double top) const;
  void draw(const RaceFrame& frame, const render::Rect& box, PageLayers& layers, std::vector<render::Layer>& into,
            const LayerKey& key);
  SweepHit at(const RaceFrame& frame, const render::Rect& box, render::Point pointer) const;
  /// Over the table: lines of the wheel.
  void scroll(const RaceFrame& frame, const render::Rect& box, double lines);
  void reveal(const RaceFrame& frame, const render::Rect& box, const std::string& folder);

  /// Folders of the runs of a cell that have begun.
  std::vector<std::string> foldersOf(std::size_t cell) const;
  /// Folders of the runs of the table in their order; empty for one that has not begun.
  std::vector<std::string> folders() const;
  /// What a row of the table says of its run, as a sentence.
  std::string stateOf(std::size_t row) const;
  void sortBy(ExhibitContext& context, std::size_t column) const;
  void panel(ExhibitContext& context, PagePanel& panel) const;
  Numbers numbers() const;
  std::string caption() const;

 private:
  struct Places {
    render::Rect progress, chart, table;  ///< one without height is not shown
  };
  Places places(const RaceFrame& frame, const render::Rect& box) const;
  /// A button that chooses `value` for a parameter of the sweep.
  StripButton choice(const std::string& key, const std::string& value, std::string label, bool on) const;
  const SweepChart& chart(const RaceFrame& frame, const render::Rect& box) const;
  const SweepRows& rows(const RaceFrame& frame, double width) const;
  TableView::Look look(const RaceFrame& frame, const Places& places) const;
  std::vector<std::string> tip(const RaceFrame& frame, const Places& places, render::Point pointer) const;
  std::shared_ptr<const SweepPicture> picture() const { return store_.picture(); }
  void addTipLayer(const RaceFrame& frame, const Places& where, PageLayers& layers, std::vector<render::Layer>& into,
                   const LayerKey& key) const;
  std::optional<std::size_t> findChosen() const;

  // sweep_declare.cpp
  void declareReadOuts(PropertyRegistry& registry);
  void declareCells(PropertyRegistry& registry);
  void declareRows(PropertyRegistry& registry);

  SweepStore store_;
  SweepChoice choice_;
  const LibraryView* library_ = nullptr;
  std::set<std::string> chosen_;           ///< folders
  std::uint64_t chosenAt_ = 0, seen_ = 0;  ///< changes with them; revision of the picture that was looked at
  std::optional<std::size_t> chosenCell_;
  double scroll_ = 0;
  mutable std::unique_ptr<SweepChart> chart_;
  mutable SweepRows rows_;
  mutable LayerKey chartKey_, rowsKey_;
};

}  // namespace sepx::ui
