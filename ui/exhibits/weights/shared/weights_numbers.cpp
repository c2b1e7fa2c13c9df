// SPDX-License-Identifier: Apache-2.0
// Columns are named as in `sepx scores --json`.
#include "ui/exhibits/weights/shared/weights_numbers.h"

#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

std::string conventions(const WeightsShared& shared) {
  const WeightsState& state = shared.state;
  const bool excess = state.score.variant == attention::Directionality::Excess;
  std::string text = fmt::format("γ = {}, {}, ddof {}", shownFixed(state.score.gamma, 2),
                                 excess ? tr("excess over the threshold") : tr("sum of norms"), state.score.ddof);
  if (state.pairing == checkpoint::HeadPairing::Published && shared.layer->kvHeads < shared.layer->heads)
    text += std::string(", ") + tr("heads paired as published");
  if (state.foldNorm) text += std::string(", ") + tr("gain of the norm folded in");
  return text;
}

}  // namespace

std::string weightsTitle(const WeightsShared& shared) {
  std::string title = tr("Weights");
  if (!shared.model) return title;
  title += " · " + shared.title();
  if (shared.layer)
    title += " · " + placeWords(shared.model->map, shared.layer->stack, shared.layer->layer, shared.state.head);
  return title;
}

std::string weightsCaption(const WeightsShared& shared, bool ofMatrix) {
  if (!shared.model) return shared.failure;
  std::string text = shared.title();
  if (!shared.model->map.familyName.empty()) text += " (" + shared.model->map.familyName + ")";
  if (!ofMatrix || !shared.layer) return text + ".";
  text += ", " + placeWords(shared.model->map, shared.layer->stack, shared.layer->layer, shared.state.head) + ".";
  if (!shared.moments) return text;
  return text + " " +
         trFormat("Symmetry s = {}, directionality d = {} ({}).", scoreText(shared.scores.symmetry, 3),
                  scoreText(shared.scores.directionality, 3), conventions(shared));
}

double ScoreRow::norm() const {
  return at.moments ? std::sqrt(at.moments->frobenius2) : std::nan("");
}

std::vector<ScoreRow> layerRows(const std::vector<LayerScores>& board) {
  std::vector<ScoreRow> rows;
  for (const LayerScores& layer : board)
    if (layer.moments) rows.push_back({layer, -1, layer.of(-1)});
  return rows;
}

std::vector<ScoreRow> headRows(const std::vector<LayerScores>& board) {
  std::vector<ScoreRow> rows;
  for (const LayerScores& layer : board)
    for (int head = 0; layer.moments && layer.of(head).scores; ++head)
      rows.push_back({layer, head, layer.of(head)});
  return rows;
}

Table headTable(std::string name, const std::vector<LayerScores>& board) {
  return numberTable(std::move(name), headRows(board), NumberColumn{"stack", &ScoreRow::stack},
                     NumberColumn{"layer", &ScoreRow::number}, NumberColumn{"head", &ScoreRow::head},
                     NumberColumn{"symmetry", &ScoreRow::symmetry},
                     NumberColumn{"directionality", &ScoreRow::directionality});
}

void addScoreTables(Numbers& numbers, const WeightsShared& shared) {
  const std::vector<ScoreRow> layers = layerRows(*shared.board);
  if (layers.empty()) return;
  numbers.tables.push_back(numberTable(
      "scores", layers, NumberColumn{"stack", &ScoreRow::stack}, NumberColumn{"layer", &ScoreRow::number},
      NumberColumn{"symmetry", &ScoreRow::symmetry}, NumberColumn{"directionality", &ScoreRow::directionality}));
  numbers.tables.push_back(headTable("head_scores", *shared.board));
}

}  // namespace sepx::ui
