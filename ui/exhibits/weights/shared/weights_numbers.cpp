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
  title += " · " + shared.model->checkpoint->title();
  if (shared.layer)
    title += " · " + placeWords(shared.model->map, shared.layer->stack, shared.layer->layer, shared.state.head);
  return title;
}

std::string weightsCaption(const WeightsShared& shared, bool ofMatrix) {
  if (!shared.model) return shared.failure;
  std::string text = shared.model->checkpoint->title();
  if (!shared.model->map.familyName.empty()) text += " (" + shared.model->map.familyName + ")";
  if (!ofMatrix || !shared.layer) return text + ".";
  text += ", " + placeWords(shared.model->map, shared.layer->stack, shared.layer->layer, shared.state.head) + ".";
  if (!shared.moments) return text;
  return text + " " +
         fmt::format(fmt::runtime(tr("Symmetry s = {}, directionality d = {} ({}).")),
                     scoreText(shared.scores.symmetry, 3), scoreText(shared.scores.directionality, 3),
                     conventions(shared));
}

void addScoreTables(Numbers& numbers, const WeightsShared& shared) {
  std::vector<std::string> stacks, headStacks;
  std::vector<double> layers, symmetry, directionality, headLayers, heads, headSymmetry, headDirectionality;
  for (const LayerScores& layer : *shared.board) {
    if (!layer.moments) continue;
    stacks.emplace_back(checkpoint::word(layer.stack));
    layers.push_back(layer.layer);
    symmetry.push_back(layer.scores.symmetry);
    directionality.push_back(layer.scores.directionality);
    for (std::size_t h = 0; h < layer.headScores.size(); ++h) {
      headStacks.emplace_back(checkpoint::word(layer.stack));
      headLayers.push_back(layer.layer);
      heads.push_back(static_cast<double>(h));
      headSymmetry.push_back(layer.headScores[h].symmetry);
      headDirectionality.push_back(layer.headScores[h].directionality);
    }
  }
  if (layers.empty()) return;
  numbers.tables.push_back({"scores",
                            {{"stack", "", stacks},
                             {"layer", "", layers},
                             {"symmetry", "", symmetry},
                             {"directionality", "", directionality}}});
  numbers.tables.push_back({"head_scores",
                            {{"stack", "", headStacks},
                             {"layer", "", headLayers},
                             {"head", "", heads},
                             {"symmetry", "", headSymmetry},
                             {"directionality", "", headDirectionality}}});
}

}  // namespace sepx::ui
