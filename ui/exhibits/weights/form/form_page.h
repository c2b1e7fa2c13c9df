// SPDX-License-Identifier: Apache-2.0
// The bilinear form, explained: x_i^T W_qk x_j of two tokens built up head by head, what the form leaves out until the
// score that the model computes, and that a softmax keeps the order of keys [Attention-Structure, (1)-(5), (S13),
// (S14)]. Frame thread.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ui/exhibits/weights/form/form_data.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

/// A step of a sum that is built up: from where the steps before end.
struct FormBar {
  std::string name;
  double from = 0, to = 0;
  bool total = false;  ///< stands on 0
  bool chosen = false;
  int head = -1;  ///< of the first plot
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
  /// Steps of x_i^T W_qk x_j = sum over heads, and from there to the model's own score.
  std::vector<FormBar> headBars(const WeightsShared& shared) const;
  std::vector<FormBar> restBars(const WeightsShared& shared) const;
  /// A script is refused a word that is not a token; a person keeps what was typed, and is told.
  bool refuses() const { return scripted_; }
  /// What was typed and is not a token, in sentences; empty: everything is one.
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
  std::array<std::string, 2> typed_, unknown_;  ///< words of query and key; those of them that are no token
};

/// "no token reads “kin”; tokens that begin like it: king, kind"
std::string noTokenReads(const checkpoint::Vocabulary& words, const std::string& text);

}  // namespace sepx::ui
