// SPDX-License-Identifier: Apache-2.0
// The page Sentence of the open checkpoint (ui/sentence), with a command that shows a pair of tokens on the page Token
// pair. Frame thread.
#pragma once

#include <string>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/sentence/sentence_core.h"

namespace sepx::ui {

class SentencePage final : public WeightsPage {
 public:
  SentencePage();
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const WeightsShared& shared) const override {
    PageFacts now = WeightsPage::facts(shared);
    now.complete = core_.complete();
    now.moving = core_.moving();
    now.caption = [this, &shared] { return shared.model ? core_.caption(shared.title()) : std::string(); };
    now.numbers = [this] { return core_.numbers(); };
    return now;
  }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const SentenceResults& results() const { return core_.results(); }
  const SentenceState& state() const { return core_.state(); }
  SentenceSource sourceOf(const WeightsShared& shared) const;

 protected:
  void read(const Document& document, const PropertyRegistry& registry, const WeightsShared& shared) override;
  void ask(const PageFrame& frame, ExhibitContext& context) override;
  Views views(const PageFrame& frame) const override;

 private:
  void openPair(const PageFrame& frame, ExhibitContext& context) const;

  SentenceCore core_;
};

}  // namespace sepx::ui
