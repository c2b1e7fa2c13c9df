// SPDX-License-Identifier: Apache-2.0
// Where the page Sentence gets its model from, and how its keys are called: of the open checkpoint in Weights, of a run
// at a step in Training. Made anew every frame; frame thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/checkpoint/model_cache.h"
#include "ui/sentence/sentence_words.h"
#include "ui/views/page.h"

namespace sepx::ui {

/// "weights." and "sentence" make weights.sentence.text, the command weights.sentence-mask, and weights.layer.
struct SentenceKeys {
  std::string exhibit, page;
  /// Tokenizer and second checkpoint are files that a person names. Otherwise the source has both.
  bool files = true;
  /// `place` is the token that is predicted, which a model of next tokens predicts one token before; otherwise it is
  /// the token whose prediction is read.
  bool placeIsPredicted = false;
  /// A masked token is a place of the list `hidden`, whatever the words of the model are; otherwise one of `edits`.
  bool hides = false;

  std::string of(std::string_view name) const { return exhibit + page + "." + std::string(name); }
  std::string command(std::string_view name) const { return exhibit + page + "-" + std::string(name); }
  std::string shared(std::string_view name) const { return exhibit + std::string(name); }
};

struct SentenceSource {
  const SentenceKeys& keys;
  std::shared_ptr<const checkpoint::Model> model;  ///< null: it is being read, or there is none
  std::string failure;                             ///< why there is none: one sentence; empty: it is being read
  /// The same while a model takes the place of another one whose results may stay in sight until then (the next step of
  /// a run); empty: another model is another one.
  std::string identity;
  int layer = 0, head = -1;    ///< in sight; head -1: the most pointed
  std::string title;           ///< of the model, as a person calls it
  std::string about;           ///< a line above the tokens; empty: none
  SentenceWordsPointer words;  ///< that it reads; null: what lies beside its file
  /// Another model on the same tokens, and how it is called. Of a source whose keys have files the document names it.
  std::shared_ptr<const checkpoint::Model> second;
  std::string secondName;
  std::string secondFailure;
  SentenceWordsPointer secondWords;
  /// What shows W_qk of a layer, or a tensor; empty: nothing does.
  std::function<Changes(int layer)> matrix;
  std::function<Changes(const std::string& name)> tensor;
};

using SentenceFrame = FrameOf<SentenceSource>;

/// Where the page draws, with the source in place of what the pages of its exhibit share.
inline SentenceFrame sentenceFrame(const SentenceSource& source, const PageArea& area) {
  SentenceFrame frame(source, area.theme, area.area, area.pointer, area.figure, area.compact);
  frame.panels = area.panels;
  frame.audience = area.audience;
  return frame;
}

}  // namespace sepx::ui
