// SPDX-License-Identifier: Apache-2.0
// What several pages of the Weights exhibit need beyond ui/views/page_kit.h: choosing a layer and head, colours and
// glyphs of stacks, texts of scores, what is declared once for all, the strip. Frame thread.
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

/// What chooses a layer and head instead of those in sight; −1: all heads.
Changes chooses(const WeightsState& inSight, checkpoint::Stack stack, int layer, int head);
/// For Property::applies and ReadOut::applies of what belongs to one page, and to a document that passes `also`. The
/// matrix is the page of a document that says nothing.
Condition onPage(const char* word, Condition also = {});

/// Panes that show the rows and columns that the state says, of a matrix of this shape.
MatrixPanes panesOf(const WeightsState& state, double rows, double columns);
/// "view.reset", "view.zoom-in", "view.zoom-out" of a page whose panes in a frame are these.
std::vector<WeightsPage::Command> viewCommands(std::function<MatrixPanes(const PageFrame&)> panesOf);

/// Why there is no layer to show, or not yet; empty where there is one.
std::string modelSentence(const WeightsShared& shared);

/// How the attention of a stack is called and drawn; the colour never stands alone.
struct StackLook {
  const char* name;  ///< N_()
  const char* mark;  ///< before a layer's number where a model has several
  render::Color Theme::*color;
  render::Shape shape;
};
const StackLook& lookOf(checkpoint::Stack stack);
/// "encoder", translated.
std::string stackWords(checkpoint::Stack stack);
/// "layer 3, head 5", "layer 3, all heads"; with the stack where the model has several. Counted from 0.
std::string placeWords(const checkpoint::AttentionMap& map, checkpoint::Stack stack, int layer, int head);

/// "γ = 2, excess over the threshold, ddof 1".
std::string scoreOptionWords(const attention::ScoreOptions& options);
/// Text of a score: "−0.10", an en dash for NaN.
std::string scoreText(double value, int digits = 2);
/// Ends of the band of random matrices: "−0.002 … 0.005", small ones with their digits.
std::string bandText(const attention::Band& band);
/// Colour of a score's text: pale where a random matrix would score the same.
render::Color scoreColor(const Theme& theme, double value, const attention::RandomBands& band,
                         const attention::Band& of);

/// Parameters and read-outs that all pages share. The referents outlive the registry. `page`: the choice of the page.
void declareWeights(PropertyRegistry& registry, const WeightsShared& live, Property page);
/// Called by declareWeights() last.
void declareWeightsReadOuts(PropertyRegistry& registry, const WeightsShared& live);
/// The definition in both variants: which one is meant is a choice. Translated.
std::string directionalityFormula();

/// The strip above every page: model and family, tabs, stack, layer and head, the parts of the matrix, the scores (pale
/// where a random matrix would score the same). `parts`: the page in sight shows the chosen matrix or a part of it.
Strip layoutStrip(const WeightsShared& shared, const std::vector<StripButton>& tabs, bool parts, double width,
                  double height, const Theme& theme);

/// "Weights · bert-tiny · layer 0, all heads".
std::string weightsTitle(const WeightsShared& shared);
/// Model, family and, of one matrix, layer, head, scores and conventions.
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
/// "scores" (a row a layer) and "head_scores" (a row a head) of what the board has by now.
void addScoreTables(Numbers& numbers, const WeightsShared& shared);

}  // namespace sepx::ui
