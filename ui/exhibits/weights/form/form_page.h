// SPDX-License-Identifier: Apache-2.0
// The page Token pair, which explains the bilinear form: x_i^T W_qk x_j of two tokens summed head by head, the terms
// that the form leaves out of the score that the model computes, and the order of keys, which the softmax preserves
// [Attention-Structure, (1)-(5), (S13), (S14)]. Frame thread.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ui/exhibits/weights/form/form_data.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

/// A bar of a sum that is shown step by step. It begins where the previous bar ends.
struct FormBar {
  std::string name;
  double from = 0, to = 0;
  bool total = false;  ///< begins at 0
  bool chosen = false;
  int head = -1;  ///< of a bar in the first plot; -1: the sum, or another plot
};

class FormPage final : public WeightsPage {
 public:
  FormPage() : WeightsPage({"form", N_("Token pair"), "form.", {{"form", N_("Bilinear form")}}}) {}
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const WeightsShared& shared) const override {
    PageFacts now = WeightsPage::facts(shared);
    now.complete = data_.complete();
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const FormData& data() const { return data_; }
  /// The bars of x_i^T W_qk x_j as a sum over heads, and those from there to the model's own score.
  std::vector<FormBar> headBars(const WeightsShared& shared) const;
  std::vector<FormBar> restBars(const WeightsShared& shared) const;
  /// Whether a word that is not a token is refused. In a script it is. A user keeps the typed text and sees a message.
  bool refuses() const { return scripted_; }
  /// Sentences about the typed words that are not tokens; empty: there are none.
  std::string unknownWords() const;

 protected:
  void ask(const PageFrame& frame, ExhibitContext& context) override;
  Views views(const PageFrame& frame) const override;

 private:
  Numbers numbers(const WeightsShared& shared) const;
  std::string caption(const WeightsShared& shared) const;
  std::string sentenceOf(const PageFrame& frame) const;
  TextContent head(const PageFrame& frame) const;
  TableContent ranking(const PageFrame& frame, double width) const;
  TextContent rankingNotes() const;
  TextContent reading() const;
  void takeWords(ExhibitContext& context);
  void completions(ExhibitContext& context, bool query);

  FormData data_;
  std::string others_;
  bool scripted_ = true;
  std::array<std::string, 2> typed_, unknown_;  ///< words of query and key; those that are not tokens
};

/// "no token reads “kin”; tokens that begin like it: king, kind"
std::string noSuchTokenSentence(const checkpoint::Vocabulary& words, const std::string& text);

}  // namespace sepx::ui
