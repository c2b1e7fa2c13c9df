// SPDX-License-Identifier: Apache-2.0
// The page Sentence: a text goes through the open model. Its tokens, what the model predicts, what every head looks at,
// what any attention score is made of, and what happens where a part of the model is taken out. Frame thread.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/weights/sentence/sentence_results.h"
#include "ui/exhibits/weights/sentence/sentence_shown.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

class SentencePage final : public WeightsPage {
 public:
  SentencePage() : WeightsPage({"sentence", N_("Sentence"), "sentence.", {{"sentence", N_("Sentence")}}}) {}
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const WeightsShared& shared) const override {
    PageFacts now = WeightsPage::facts(shared);
    now.complete = made_.complete();
    now.moving = made_.continues() || made_.effectsPending();
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this] { return numbers(); };
    return now;
  }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const SentenceResults& results() const { return made_; }
  const SentenceState& state() const { return state_; }

 protected:
  void read(const Document& document, const PropertyRegistry& registry, const WeightsShared& shared) override;
  void ask(const PageFrame& frame, ExhibitContext& context) override;
  Views views(const PageFrame& frame) const override;

 private:
  void declareChoices(PropertyRegistry& registry);
  void declareChanges(PropertyRegistry& registry);
  void declareReadings(PropertyRegistry& registry);
  void declareScore(PropertyRegistry& registry);
  std::string caption(const WeightsShared& shared) const;
  Numbers numbers() const;
  /// What a text typed for the chosen token makes of the document.
  Result<Document> withReplacement(const Document& before, const Document& with) const;
  void openPair(const PageFrame& frame, ExhibitContext& context) const;
  void toggleMask(ExhibitContext& context) const;

  SentenceState state_;
  std::vector<FieldRow> fields_;  ///< the text, set where it stands
  SentenceResults made_{results_};
};

/// Why the page shows nothing, or not yet; empty: it shows something.
std::string emptySentence(const WeightsShared& shared, const SentenceResults& results);
/// What the file lacks, what was assumed of the tokenizer, what is wrong with the text: a line each.
std::vector<NoteLine> sentenceNotes(const SentenceResults& results);

}  // namespace sepx::ui
