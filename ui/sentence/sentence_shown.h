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

/// "layer 0, head 3"
std::string headWords(const HeadPattern& head);
/// "3: ␣dog"
std::string tokenWords(const SentenceTokens& tokens, int place);

// tokens_view.cpp
/// A chip a token: a click chooses it, a double click masks it. Chips of keys are tinted by what the chosen query takes
/// from them.
PictureContent tokensRow(const SentenceShown& shown);
/// Points that it takes at a width.
double heightOfTokens(const SentenceTokens& tokens, double width, const Theme& theme);
/// What chooses the token whose prediction is read.
Changes placeChosen(const SentenceKeys& keys, const checkpoint::ModelPlan& plan, int place);
/// Document changes that put a token at a place; the text's own token: takes the change back.
Changes replaced(const SentenceKeys& keys, const SentenceTokens& tokens, const SentenceState& state, int place,
                 std::int32_t id);

// image_view.cpp
/// The image with its patches: a click chooses one. Patches are tinted by what the chosen query takes from them.
PictureContent imagePatches(const SentenceShown& shown);

// heads_view.cpp
/// A small picture of every head's pattern; a click chooses the head.
PictureContent headsWall(const SentenceShown& shown);
/// Entropy (or distance) by depth: mean over the heads of a layer, and from the least to the largest.
ChartContent depthChart(const SentenceShown& shown, double HeadPattern::*member, const std::string& name);
/// How a number by which the wall is sorted is called.
std::string orderWords(HeadOrder order);

// pattern_view.cpp
/// Rows are queries, columns keys, with the tokens at both; a click chooses the score that is taken apart.
/// `whole`: of the whole model, or of the open one, where another one is in sight.
PictureContent patternMatrix(const SentenceShown& shown, bool whole);
/// A line from every query to every key, as wide as its weight.
PictureContent patternLines(const SentenceShown& shown);

// predictions_view.cpp
/// "30 %", "< 0.1 %"
std::string shareWords(double share);
std::string predictionTitle(const SentenceShown& shown);
/// What is likely at the chosen place, ranked; beside it what it is in the changed model. A click puts the token there.
TableContent predictionsRanked(const SentenceShown& shown);
/// The likeliest token of every place, its probability and the entropy.
TableContent predictionsByPlace(const SentenceShown& shown);

// parts_view.cpp
/// "sat → cat: score 3.21, weight 0.41"
std::string scoreTitle(const SentenceShown& shown);
/// What a score is made of by kind, a bar each that begins where the one before ends; the last one is the score.
PictureContent scoreBars(const SentenceShown& shown);
/// The same by the symmetric and the skew part of W_qk.
PictureContent scoreHalves(const SentenceShown& shown);
/// Pairs of writers: rows of the query's side, columns of the key's; the sum of all is the score.
MatrixContent scorePairs(const SentenceShown& shown);
/// The pairs that add the most to the score or take the most from it.
TableContent largestPairs(const SentenceShown& shown);
/// What gain and rotation make of it, and what is assumed.
TextContent scoreNotes(const SentenceShown& shown);
std::string writerWords(const forward::Writer& writer);

// lens_view.cpp
/// The likeliest tokens of every block's stream at the chosen place, and the rank of the answer.
TableContent lensTable(const SentenceShown& shown);
ChartContent lensChart(const SentenceShown& shown);
/// Path patching: how much of the difference of two predictions a stream carries, by block (rows) and place (columns).
MatrixContent patchedMatrix(const SentenceShown& shown);
// model_view.cpp
/// How the model is computed, as boxes: its tensors in order, the block in sight unfolded.
PictureContent modelFlow(const SentenceShown& shown);
std::string patchedTitle(const SentenceShown& shown);

}  // namespace sepx::ui
