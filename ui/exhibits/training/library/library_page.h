// SPDX-License-Identifier: Apache-2.0
// The page Library shows all runs below a folder by day, as cards with the loss curve or as a table, with search,
// filter, order and columns above them, or the sweep of the folder. The user can edit tags and notes, see what differs
// between runs, open runs side by side or in Weights, and move them to the trash and back. Frame thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/exhibits/training/library/library_rows.h"
#include "ui/exhibits/training/library/library_store.h"
#include "ui/exhibits/training/library/sweep_view.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class LibraryPage final : public RacePage {
 public:
  LibraryPage()
      : RacePage({"library", N_("Library"), "training.library."},
                 {.runs = false,
                  .failures = false,
                  .menu = {"training.library-open", "training.library-branch", "training.library-weights",
                           "training.library-differences", "training.library-delete"}}) {
    pressed_ = [this](const RaceFrame& frame, ExhibitContext& context, const ViewPress& press) {
      take(frame, context, press);
    };
  }
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = store_.complete() && edits_.empty() && (state_.look != LibraryMode::Sweep || sweep_.complete());
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    now.gestures = [this] { return gestures(); };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  std::vector<std::pair<std::string, std::string>> gestures() const;
  Numbers numbers(const RaceShared& shared) const;
  std::string caption(const RaceShared& shared) const;
  /// Tags or notes that the user typed; the next frame writes them.
  struct Edit {
    std::vector<std::string> names;  ///< of the runs
    bool tags = false;
    std::string text;
  };

  // library_declare.cpp
  void declareReadOuts(PropertyRegistry& registry);
  Result<Document> edited(const Document& before, const Document& with, bool tags);

  // library_page.cpp: the actions.
  void takeEdits();
  void take(ExhibitContext& context, const LibraryActionResult& done);
  void sayDeleted(ExhibitContext& context);
  void putBack(ExhibitContext& context);
  void noteUse(const ExhibitContext& context);
  void open(ExhibitContext& context);
  void openWeights(ExhibitContext& context, const std::string& checkpoint);
  static void editBranch(ExhibitContext& context, const LibraryActionResult& of);
  void moveChoice(ExhibitContext& context, int by);
  void chooseRow(ExhibitContext& context, const std::vector<std::string>& names, std::size_t row,
                 const Modifiers& modifiers);
  void take(const RaceFrame& frame, ExhibitContext& context, const ViewPress& press);
  void pressCell(ExhibitContext& context, const ViewPress& press);
  void openChosen(ExhibitContext& context);
  /// The name of the run of each card or row. Empty if it cannot be chosen, because it is the heading of a group or a
  /// run of a sweep that has not started.
  std::vector<std::string> shownNames() const;
  void sortBy(ExhibitContext& context, std::size_t field) const;
  void openNewest(ExhibitContext& context);
  void branchNewest(ExhibitContext& context);
  void deleteChosen(ExhibitContext& context);
  void showDifferences(ExhibitContext& context);

  // library_views.cpp: the views.
  ChoicesContent head(const RaceFrame& frame) const;
  ChoicesContent order() const;
  Arrangement narrowing(const RaceFrame& frame, Views& made) const;
  ChoicesContent columns() const;
  std::vector<ChoiceGroup::Choice> conditions() const;
  std::string countText() const;
  std::string emptySentence() const;
  std::vector<std::string> problems() const;
  CardsContent cards() const;
  Card card(const train::RunSummary& run, const ViewPlace& place) const;
  TableContent runs() const;
  TableView table(const ViewPlace& place) const;
  TableContent differences() const;

  LibraryStore store_;
  LibraryRows view_;
  SweepView sweep_;
  LibraryState state_;
  std::vector<FieldRow> found_;  ///< the fields for search and filter above the runs
  std::vector<Edit> edits_;
  std::vector<std::string> deleted_;  ///< folders of deleted runs, not reported to the user yet
  bool columnsShown_ = false;         ///< whether the row of check boxes is visible
  std::vector<std::string> racing_;   ///< folders of the runs of the race
  std::size_t anchor_ = 0;            ///< row from which Shift extends the choice
};

}  // namespace sepx::ui
