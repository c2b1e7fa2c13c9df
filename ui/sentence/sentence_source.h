// SPDX-License-Identifier: Apache-2.0
// The source of the model on the page Sentence, and the names of its keys: the open checkpoint in Weights, or a run at
// a step in Training. Made again in every frame; frame thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/checkpoint/model_cache.h"
#include "ui/sentence/sentence_words.h"
#include "ui/views/page.h"

namespace sepx::ui {

/// "weights." and "sentence" give the keys weights.sentence.text and weights.layer and the command
/// weights.sentence-mask.
struct SentenceKeys {
  std::string exhibit, page;
  /// The tokenizer and the second checkpoint are files that the user names. Otherwise the source provides both.
  bool files = true;
  /// `place` is the predicted token, which a next-token model predicts at the token before. Otherwise it is the token
  /// whose prediction is read.
  bool placeIsPredicted = false;
  /// A masked token is a place in the list `hidden`, whatever the words of the model are; otherwise one of `edits`.
  bool hides = false;

  std::string of(std::string_view name) const { return exhibit + page + "." + std::string(name); }
  std::string command(std::string_view name) const { return exhibit + page + "-" + std::string(name); }
  std::string shared(std::string_view name) const { return exhibit + std::string(name); }
};

struct SentenceSource {
  const SentenceKeys& keys;
  std::shared_ptr<const checkpoint::Model> model;  ///< null: it is being read, or there is none
  std::string failure;                             ///< why there is none: one sentence; empty: it is being read
  /// Stays the same if a model replaces another one whose results may be shown until the new ones are ready (the next
  /// step of a run). Empty: every other model is a different one.
  std::string identity;
  int layer = 0, head = -1;    ///< shown; head -1: the one with the least entropy
  std::string title;           ///< name of the model for the user
  std::string about;           ///< a line above the tokens; empty: none
  SentenceWordsPointer words;  ///< words that the model reads; null: those beside its file
  /// Another model for the same tokens, and its name. If the keys have files, the document names it instead.
  std::shared_ptr<const checkpoint::Model> second;
  std::string secondName;
  std::string secondFailure;
  SentenceWordsPointer secondWords;
  /// The changes that show W_qk of a layer, or a tensor; empty: nothing shows it.
  std::function<Changes(int layer)> matrix;
  std::function<Changes(const std::string& name)> tensor;
};

using SentenceFrame = FrameOf<SentenceSource>;

/// The frame of the page, with the source instead of the state that the pages of its exhibit share.
inline SentenceFrame sentenceFrame(const SentenceSource& source, const PageArea& area) {
  SentenceFrame frame(source, area.theme, area.area, area.pointer, area.figure, area.compact);
  frame.panels = area.panels;
  frame.audience = area.audience;
  return frame;
}

}  // namespace sepx::ui
