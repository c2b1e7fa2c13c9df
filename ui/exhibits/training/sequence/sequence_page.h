// SPDX-License-Identifier: Apache-2.0
// A sequence that a person types, as the runs of the race read it side by side: the attention of a layer, one head or
// all of them, and what is predicted for every place with the token that really stands there. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibits/training/sequence/sequence_side.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class SequencePage final : public RacePage {
 public:
  SequencePage();
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = complete();
    now.caption = [this, &shared] { return caption(shared); };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  std::string caption(const RaceShared& shared) const;
  bool complete() const;
  std::size_t shown(const RaceShared& shared) const { return std::min(kMostRuns, shared.runs.size()); }
  /// A column of the page: one run.
  Arrangement addRun(Views& into, const RaceFrame& frame, std::size_t run) const;
  MatrixContent attention(const SequencePointer& view, int head) const;
  TableContent predictions(const RaceFrame& frame, const SequencePointer& view) const;
  /// "3, 7": the whole numbers of it, rising, each once.
  static std::vector<int> placesOf(const std::string& text);
  /// With the place hidden, or shown where it was hidden.
  Changes toggled(int place) const;
  Numbers exported(const RaceShared& shared) const;

  std::vector<std::unique_ptr<SequenceSide>> sides_;  ///< kMostRuns
  std::string text_;
  std::vector<int> hidden_;
  int place_ = -1, top_ = 5;
};

}  // namespace sepx::ui
