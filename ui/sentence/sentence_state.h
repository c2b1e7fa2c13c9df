// SPDX-License-Identifier: Apache-2.0
// The settings of the page Sentence in the document, as typed values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/forward/activations.h"

namespace sepx::ui {

enum class HeadOrder { Layer, Entropy, Distance, First, Symmetry, Effect };
enum class PatternMode { Matrix, Lines, Difference };
/// What is shown beside the pattern if there is no room for everything.
enum class SmallPanel { Predictions, Heads, Why };
enum class ChangedPart { Head, Symmetric, Skew, FeedForward };
enum class ChangedHow { Scale, Zero, Mean };
enum class ChangedWhere { One, Layer, All };

struct SentenceState {
  std::string text, ids, edits, tokenizer;
  std::string image;        ///< path of an image, for models that read images
  std::string second;       ///< path of another checkpoint that reads the same tokens; empty: none
  std::string other;        ///< text whose stream is put into that of this text; empty: none
  std::string replacement;  ///< the token that the chosen one is replaced by, as it was typed
  std::vector<int> hidden;  ///< places that a model of masked tokens does not see, ascending
  bool special = true;
  int place = -1;            ///< of predictions; -1: the last, or the one that is masked
  int query = -1, key = -1;  ///< of the score; -1: the strongest
  HeadOrder order = HeadOrder::Layer;
  PatternMode look = PatternMode::Matrix;
  ChangedPart part = ChangedPart::Head;
  ChangedHow how = ChangedHow::Scale;
  ChangedWhere where = ChangedWhere::One;
  double scale = 1;
  bool effects = false;
  bool lens = true;
  int scroll = -1;  ///< first row of the wall of heads if it scrolls; -1: the chosen head is shown
  SmallPanel panel = SmallPanel::Predictions;
  bool model = false;  ///< a diagram of the model is shown instead of the small pictures
  int more = 1;        ///< tokens of a continuation
  double temperature = 0;
  std::int64_t seed = -1;  ///< seed of the draws; -1: a new one at each press

  /// Whether anything is changed in the model.
  bool changes() const { return how != ChangedHow::Scale || scale != 1; }
  /// Whether another pass is shown beside that of the whole model.
  bool compares() const { return changes() || !second.empty(); }
};

/// The changes of the state for a head of a block; empty: nothing is changed. Feed-forward parts have no heads.
std::vector<forward::Intervention> changesOf(const SentenceState& state, int block, int head);

}  // namespace sepx::ui
