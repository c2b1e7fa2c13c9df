// SPDX-License-Identifier: Apache-2.0
// The page Sentence of the runs of a race. It has two looks: one run taken apart (ui/sentence), alone or beside another
// step or run, and all runs side by side, with the attention of one or all heads of a layer, and the prediction at each
// position beside its true token. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibits/training/sequence/run_sentence.h"
#include "ui/exhibits/training/sequence/sequence_side.h"
#include "ui/race/race_page.h"
#include "ui/sentence/sentence_core.h"

namespace sepx::ui {

enum class SequenceMode { Sentence, Runs };
enum class SequenceComparison { None, Step, Run };

class SequencePage final : public RacePage {
 public:
  SequencePage();
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = complete();
    now.moving = now.moving || core_.moving();
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return exported(shared); };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

  const SentenceCore& sentence() const { return core_; }

 private:
  void declareSides(PropertyRegistry& registry, const Condition& here);
  void askForModels(const RaceFrame& frame, ExhibitContext& context);
  SentenceSource sourceOf(const RaceShared& shared) const;
  Views sentenceViews(const RaceFrame& frame) const;
  Views runViews(const RaceFrame& frame) const;
  /// Why the selected run cannot be taken apart, in which case the runs are shown side by side. Empty: it can, or this
  /// is not known yet.
  std::string refused() const;
  ChoiceGroup lookChoice() const;
  std::string caption(const RaceShared& shared) const;
  bool complete() const;
  std::size_t shown(const RaceShared& shared) const { return std::min(kMostRuns, shared.runs.size()); }
  /// Adds the views of one run and returns their column.
  Arrangement addRun(Views& into, const RaceFrame& frame, std::size_t run) const;
  MatrixContent attention(const SequencePointer& result, int head) const;
  TableContent predictions(const RaceFrame& frame, const SequencePointer& result) const;
  /// The whole numbers in a text such as "3, 7", ascending and without duplicates.
  static std::vector<int> placesOf(const std::string& text);
  /// The change that hides a position, or shows it if it is hidden.
  Changes toggled(int place) const;
  /// All numbers of the runs, and those of the page.
  Numbers exported(const RaceShared& shared) const;

  std::vector<std::unique_ptr<SequenceSide>> sides_;  ///< kMostRuns
  std::string text_;
  std::vector<int> hidden_;
  int place_ = -1, top_ = 5;
  SequenceMode look_ = SequenceMode::Sentence;
  SequenceComparison beside_ = SequenceComparison::None;
  LaneResult<RunSentenceRequest, RunSentencePointer> model_{results_, "training.sequence.run"};
  LaneResult<RunSentenceRequest, RunSentencePointer> second_{results_, "training.sequence.beside"};
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>(), secondData_ = std::make_shared<RunData>();
  std::string missing_, secondMissing_;  ///< why model_ or second_ has no model: one sentence
  SentenceCore core_;
};

}  // namespace sepx::ui
