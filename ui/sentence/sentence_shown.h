// SPDX-License-Identifier: Apache-2.0
// The input of the views of the page Sentence. Valid during the call that receives it; views keep the shared results.
#pragma once

#include <string>
#include <vector>

#include "ui/page/number_table.h"
#include "ui/sentence/sentence_results.h"
#include "ui/sentence/sentence_source.h"
#include "ui/views/page_kit.h"
#include "ui/views/view.h"

namespace sepx::ui {

inline constexpr double kTallSentence = 46, kRoomySentence = 58;  ///< in sizes of small text

struct SentenceShown {
  const SentenceFrame& frame;
  const SentenceState& state;
  const SentenceResults& results;

  const SentencePass& pass() const { return *results.pass(); }
  const Theme& theme() const { return frame.theme; }
  const SentenceSource& source() const { return frame.shared; }
  const SentenceKeys& keys() const { return frame.shared.keys; }
  /// The shown patterns: those of the changed model if something is changed.
  const std::vector<HeadPattern>& heads() const;
  /// The shown head in heads(); null: there is none, or the changed pass has no such head.
  const HeadPattern* head() const;
  /// The model of heads(): the name of the second checkpoint, or that something is changed; empty: the open one
  /// unchanged.
  std::string changedName() const;
  const std::vector<PlacePredictions>& places() const;
  /// Whether there is room for all heads beside the rest.
  bool roomy() const {
    return !frame.compact && frame.area.width() >= kRoomySentence * static_cast<double>(theme().smallSize);
  }
  /// Whether there is room for the parts of the score below the rest.
  bool tall() const {
    return !frame.compact && frame.area.height() >= kTallSentence * static_cast<double>(theme().smallSize);
  }
};

}  // namespace sepx::ui
