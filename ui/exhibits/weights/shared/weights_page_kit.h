// SPDX-License-Identifier: Apache-2.0
// Helpers of several pages of the Weights exhibit, besides ui/views/page_kit.h: selection of a layer and head, looks of
// stacks, texts of scores, properties of all pages, the strip. Frame thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/attention/random_band.h"
#include "engine/checkpoint/attention_map.h"
#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/exhibits/weights/shared/weights_state.h"
#include "ui/page/number_table.h"
#include "ui/properties/declarations.h"
#include "ui/views/matrix_panes.h"
#include "ui/views/page_kit.h"
#include "ui/views/strip.h"

namespace sepx::ui {

/// The changes that select a layer and head instead of those in `inSight`. `head` -1: all heads.
Changes chooses(const WeightsState& inSight, checkpoint::Stack stack, int layer, int head);
/// For Property::applies and ReadOut::applies: whether the document shows this page and passes `also`. A document that
/// names no page shows the matrix.
Condition onPage(const char* word, Condition also = {});

/// MatrixPanes for a matrix of this shape and the rows and columns in `state.view`, still without panes.
MatrixPanes panesOf(const WeightsState& state, double rows, double columns);
/// The commands "view.reset", "view.zoom-in" and "view.zoom-out". `panesOf` returns the panes of the page in a frame.
std::vector<WeightsPage::Command> viewCommands(std::function<MatrixPanes(const PageFrame&)> panesOf);

/// Why there is no layer to show, or none yet; empty if there is one.
std::string modelSentence(const WeightsShared& shared);

/// Name and look of the attention of a stack. Colour is never the only difference.
struct StackLook {
  const char* name;  ///< N_()
  const char* mark;  ///< precedes the number of a layer if the model has several stacks
  render::Color Theme::*color;
  render::Shape shape;
};
const StackLook& lookOf(checkpoint::Stack stack);
/// "encoder", translated.
std::string stackWords(checkpoint::Stack stack);
/// "layer 3, head 5", "layer 3, all heads", with the stack if the model has several. Counted from 0.
std::string placeWords(const checkpoint::AttentionMap& map, checkpoint::Stack stack, int layer, int head);

/// "γ = 2, excess over the threshold, ddof 1".
std::string scoreOptionWords(const attention::ScoreOptions& options);
/// Text of a score: "−0.10", an en dash for NaN.
std::string scoreText(double value, int digits = 2);
/// The ends of the band of random matrices: "−0.002 … 0.005". Small ends keep their significant digits.
std::string bandText(const attention::Band& band);
/// Colour of a score's text: pale if a random matrix could have the same score, or if the score is undefined.
render::Color scoreColor(const Theme& theme, double value, const attention::RandomBands& band,
                         const attention::Band& of);

/// Declares the properties of all pages. `live` must outlive the registry. `page`: the property that selects the page.
void declareWeights(PropertyRegistry& registry, const WeightsShared& live, Property page);
/// The read-outs of declareWeights(), which calls this at its end.
void declareWeightsReadOuts(PropertyRegistry& registry, const WeightsShared& live);
/// The definition of directionality in both variants, because the user selects the variant. Its words are translated
/// when it is typeset.
std::string directionalityFormula();

/// The strip above every page: model and family, tabs, stack, layer and head, the parts of the matrix, and the scores
/// (pale if a random matrix could have the same score). `parts`: the page in sight shows the selected matrix or a part
/// of it.
Strip layoutStrip(const WeightsShared& shared, const std::vector<StripButton>& tabs, bool parts, double width,
                  double height, const Theme& theme);

/// "Weights · bert-tiny · layer 0, all heads".
std::string weightsTitle(const WeightsShared& shared);
/// Model and family. `ofMatrix`: also layer and head, the scores and their conventions.
std::string weightsCaption(const WeightsShared& shared, bool ofMatrix);
/// A layer or head whose scores are known.
struct ScoreRow {
  const LayerScores& layer;
  int head;  ///< -1: the whole layer
  PlaceScores at;
  std::string stack() const { return std::string(checkpoint::toString(layer.stack)); }
  int number() const { return layer.layer; }
  double symmetry() const { return at.scores->symmetry; }
  double directionality() const { return at.scores->directionality; }
  /// Frobenius norm; NaN: not known.
  double norm() const;
};
/// Stack, layer, head and scores of every head.
Table headTable(std::string name, const std::vector<LayerScores>& board);
/// Adds the tables "scores" (a row per layer) and "head_scores" (a row per head) of what the board has so far.
void addScoreTables(Numbers& numbers, const WeightsShared& shared);

}  // namespace sepx::ui
