// SPDX-License-Identifier: Apache-2.0
// Titles, captions and tables that all pages of the Weights exhibit share. Pure.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibit/number_table.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

/// "Weights · bert-tiny · layer 0, all heads".
std::string weightsTitle(const WeightsShared& shared);
/// Model, family and, of one matrix, layer, head, scores and conventions.
std::string weightsCaption(const WeightsShared& shared, bool ofMatrix);
/// A layer or head whose scores are known.
struct ScoreRow {
  const LayerScores& layer;
  int head;  ///< -1: the whole layer
  PlaceScores at;
  std::string stack() const { return std::string(checkpoint::word(layer.stack)); }
  int number() const { return layer.layer; }
  double symmetry() const { return at.scores->symmetry; }
  double directionality() const { return at.scores->directionality; }
  /// Frobenius norm; NaN: not known.
  double norm() const;
};
std::vector<ScoreRow> layerRows(const std::vector<LayerScores>& board);
std::vector<ScoreRow> headRows(const std::vector<LayerScores>& board);
/// Stack, layer, head and scores of every head.
Table headTable(std::string name, const std::vector<LayerScores>& board);
/// "scores" (a row a layer) and "head_scores" (a row a head) of what the board has by now.
void addScoreTables(Numbers& numbers, const WeightsShared& shared);

}  // namespace sepx::ui
