// SPDX-License-Identifier: Apache-2.0
// The core of the page Sentence, for every exhibit that has it: a text goes through a model. The page shows the tokens,
// the predictions of the model, the pattern of every head, the parts of any attention score, and the effect of taking a
// part of the model out. A page of an exhibit holds one core and says where the model comes from (SentenceSource).
// Frame thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/page/exhibit_context.h"
#include "ui/page/page_panel.h"
#include "ui/properties/declarations.h"
#include "ui/sentence/sentence_results.h"
#include "ui/sentence/sentence_shown.h"

namespace sepx::ui {

class SentenceCore {
 public:
  /// `results` outlives this.
  SentenceCore(SentenceKeys keys, ResultSet& results)
      : keys_(std::move(keys)), results_(results), made_(results, keys_.of("")) {}

  /// `here`: whether a document shows the page. `text`: the input of the model if the document has none. `help`: help
  /// of the text, N_().
  void declare(PropertyRegistry& registry, const Condition& here, const char* text, const char* help);
  void read(const Document& document, const PropertyRegistry& registry) {
    registry.read(document, state_, keys_.of(""));
  }
  /// Call once per frame. `state`: as from read(), or with values that the page replaces.
  void ask(const SentenceSource& source, const SentenceState& state, ExhibitContext& context);
  /// `press`: runs a command of the page.
  void panel(ExhibitContext& context, PagePanel& panel, const std::function<void(const std::string&)>& press);
  std::vector<ExhibitCommand> commands();
  Views views(const SentenceFrame& frame) const;
  /// "A sentence of 5 tokens through X …"; empty: there is no pass.
  std::string caption(const std::string& title) const;
  Numbers numbers() const;
  bool complete() const { return made_.complete(); }
  bool moving() const { return made_.continues() || made_.effectsPending(); }
  /// Commands of the page that are shown as buttons after those of the views, "weights.sentence-pair" and a label.
  std::vector<ChoiceGroup> further;

  const SentenceKeys& keys() const { return keys_; }
  const SentenceResults& results() const { return made_; }
  const SentenceState& state() const { return state_; }

 private:
  void declareChoices(PropertyRegistry& registry, const Condition& here, const char* text, const char* help);
  void declareFiles(PropertyRegistry& registry, const Condition& here);
  void declareChanges(PropertyRegistry& registry, const Condition& here);
  void declareReadings(PropertyRegistry& registry, const Condition& here);
  void declareScore(PropertyRegistry& registry, const Condition& here);
  /// The document after a text was typed to replace the chosen token.
  Result<Document> withReplacement(const Document& before, const Document& with) const;
  void toggleMask(ExhibitContext& context) const;

  const SentenceKeys keys_;
  ResultSet& results_;
  SentenceState state_, requestedState_;
  std::vector<FieldRow> fields_;  ///< the input field of the text, ids or image
  SentenceResults made_;
};

/// What the file lacks, what was assumed about the tokenizer, and what is wrong with the text; one line each.
std::vector<NoteLine> sentenceNotes(const SentenceResults& results);

}  // namespace sepx::ui
