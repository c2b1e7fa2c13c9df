// SPDX-License-Identifier: Apache-2.0
// The library of runs: cards with the curve of the loss, or a table, of all runs below a folder; search, filter and
// order; tags and notes; what differs between runs; runs opened side by side, in Weights, moved to the trash and back.
// Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/exhibits/training/library/library_store.h"
#include "ui/exhibits/training/library/library_view.h"
#include "ui/exhibits/training/library/sweep_view.h"
#include "ui/plots/table.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

class LibraryPage final : public TimedPage {
 public:
  PageLabel label() const override { return {"library", N_("Library")}; }
  RaceTraits traits() const override { return {.runs = false}; }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;
  bool complete() const override {
    return store_.complete() && edits_.empty() && (state_.look != LibraryLook::Sweep || sweep_.complete());
  }
  Numbers numbers(const RaceShared& shared) const override;
  std::string caption(const RaceShared& shared) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;

 protected:
  void updateContent(const RaceFrame& frame, ExhibitContext& context) override;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  bool showsRuns() const override { return false; }
  Strip controls(const RaceFrame& frame) const override { return strip(frame); }

 private:
  /// Tags or notes that a person typed, until the next frame.
  struct Edit {
    std::vector<std::string> names;  ///< of the runs
    bool tags = false;
    std::string text;
  };

  /// Where cards stand.
  struct CardGrid {
    render::Rect box;
    std::size_t perRow = 1;
    double width = 0, height = 0, gap = 0;
    double scroll = 0;
    render::Rect card(std::size_t index) const;
    /// The card at a place, if there were so many.
    std::optional<std::size_t> at(render::Point page) const;
  };

  // library_declare.cpp
  void declareReadOuts(PropertyRegistry& registry);
  Result<Document> edited(const Document& before, const Document& with, bool tags);

  // library_page.cpp: what is done.
  void takeEdits();
  void take(ExhibitContext& context, const LibraryDone& done);
  void sayDeleted(ExhibitContext& context);
  void open(ExhibitContext& context);
  void openWeights(ExhibitContext& context, const std::string& checkpoint);
  void moveChoice(const RaceFrame& frame, ExhibitContext& context, int by);
  void chooseRow(ExhibitContext& context, const std::vector<std::string>& names, std::size_t row,
                 const Modifiers& modifiers);
  void pressedSweep(const RaceFrame& frame, ExhibitContext& context, const PointerPressed& press);
  void openPressed(ExhibitContext& context, const std::string& what, const Modifiers& modifiers);
  /// Names of the runs in the order in which they are shown; empty for a run that cannot be chosen.
  std::vector<std::string> shownNames() const;
  void pressed(const RaceFrame& frame, ExhibitContext& context, const PointerPressed& press);
  void sortBy(ExhibitContext& context, std::size_t field) const;
  void openNewest(ExhibitContext& context);
  void deleteChosen(ExhibitContext& context);
  void showDifferences(ExhibitContext& context);

  // library_scene.cpp: where things are and how they look.
  render::Rect body(const RaceFrame& frame) const;
  Strip strip(const RaceFrame& frame) const;
  void addOrder(Strip& strip, const RaceFrame& frame) const;
  std::string emptySentence() const;
  std::optional<std::size_t> rowAt(const RaceFrame& frame, render::Point at) const;
  double mostScroll(const RaceFrame& frame) const;
  void reveal(const RaceFrame& frame, std::size_t row);
  std::vector<std::string> notices(const RaceFrame& frame) const;
  std::vector<render::Item> head(const RaceFrame& frame) const;
  std::vector<render::Item> content(const RaceFrame& frame) const;
  void addCard(std::vector<render::Item>& items, const RaceFrame& frame, const train::RunSummary& run,
               const render::Rect& box, bool over) const;
  CardGrid grid(const RaceFrame& frame) const;

  // library_table.cpp
  static constexpr double kSparkWidth = 48;  // points, of a curve in a row
  TableView table(const Theme& theme, double width) const;
  void layColumns(const TableView& table, const Theme& theme, double width) const;
  TableView differences() const;
  TableView::Look look(const RaceFrame& frame) const;
  std::optional<std::string> cutText(const RaceFrame& frame) const;

  LibraryStore store_;
  LibraryView view_;
  SweepView sweep_;
  LibraryState state_;
  std::vector<Edit> edits_;
  std::vector<std::string> deleted_;  ///< names of runs that were deleted and not yet said
  std::vector<std::string> racing_;   ///< folders of the runs of the race
  double scroll_ = 0;
  std::optional<std::pair<std::string, double>> pressed_;  ///< what was pressed last, and its host time
  std::size_t anchor_ = 0;                                 ///< row of the last press
  mutable std::size_t perRow_ = 1;                         ///< of the last layout
  mutable std::vector<double> shares_;                     ///< of the columns of the table
  mutable LayerKey sharesOf_;
  PageLayers layers_;
};

}  // namespace sepx::ui
