// SPDX-License-Identifier: Apache-2.0
// What the views of the page Sentence are made of. Valid for the call that gets it; views keep the shared results.
#pragma once

#include <string>
#include <vector>

#include "ui/page/number_table.h"
#include "ui/sentence/sentence_results.h"
#include "ui/sentence/sentence_source.h"
#include "ui/views/page_kit.h"
#include "ui/views/view.h"

namespace sepx::ui {

inline constexpr double kTallSentence = 46, kRoomySentence = 58;  ///< of the small type

struct SentenceShown {
  const SentenceFrame& frame;
  const SentenceState& state;
  const SentenceResults& results;

  const SentencePass& pass() const { return *results.pass(); }
  const Theme& theme() const { return frame.theme; }
  const SentenceSource& source() const { return frame.shared; }
  const SentenceKeys& keys() const { return frame.shared.keys; }
  /// Patterns as they are in sight: of the changed model where something is changed.
  const std::vector<HeadPattern>& heads() const;
  /// The head in sight in them; null: there is none, or the changed pass has no such head.
  const HeadPattern* head() const;
  /// Of which model they are: the second checkpoint's name, or that something is changed; empty: the open one as it is.
  std::string changedName() const;
  const std::vector<PlacePredictions>& places() const;
  /// Whether all heads have room beside the rest.
  bool roomy() const {
    return !frame.compact && frame.area.width() >= kRoomySentence * static_cast<double>(theme().smallSize);
  }
  /// Whether what a score is made of has room below the rest.
  bool tall() const {
    return !frame.compact && frame.area.height() >= kTallSentence * static_cast<double>(theme().smallSize);
  }
};

}  // namespace sepx::ui
