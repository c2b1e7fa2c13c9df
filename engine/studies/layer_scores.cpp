// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/layer_scores.h"

#include <algorithm>

#include "engine/core/try.h"
#include "engine/studies/study.h"

namespace sepx::studies {

using attention::Moments;

namespace {

Scored scored(const Moments& moments, const attention::ScoreOptions& options) {
  return {attention::scoresOf(moments, options), moments.nonfinite};
}

/// Empty if bands are not requested, or if the form is not square and therefore has no symmetry.
std::optional<attention::RandomBands> bandFor(const checkpoint::AttentionLayer& layer, int rank,
                                              const ScoreRequest& request) {
  if (!request.bands || layer.d_model != layer.d_key) return std::nullopt;
  return attention::randomBands(layer.d_model, rank, request.options);
}

Result<ScoredLayer> scoreLayer(const checkpoint::Model& model, const checkpoint::AttentionLayer& layer,
                               const ScoreRequest& request, MomentsComputer& computer) {
  SEPX_ASSIGN(const auto factors, checkpoint::loadFactors(*model.checkpoint, layer, {.pairing = request.pairing}));
  ScoredLayer row;
  row.layer = &layer;
  SEPX_ASSIGN(const auto all, computer.moments(factors));
  row.all = scored(all, request.options);
  row.band = bandFor(layer, attention::rankOf(factors), request);
  if (!request.heads) return row;
  SEPX_ASSIGN(const auto heads, computer.momentsOfHeads(factors));
  for (const Moments& head : heads)
    row.heads.push_back(scored(head, request.options));
  row.headBand = bandFor(layer, attention::rankOf(attention::headOf(factors, 0)), request);
  return row;
}

}  // namespace

Result<std::vector<ScoredLayer>> scoreLayers(const checkpoint::Model& model, const Layers& layers,
                                             const ScoreRequest& request, MomentsComputer& computer,
                                             const std::function<void(double share)>& progress) {
  std::vector<ScoredLayer> rows;
  for (const checkpoint::AttentionLayer* layer : layers) {
    if (progress) progress(static_cast<double>(rows.size()) / static_cast<double>(layers.size()));
    if (computer.cancelled()) return interrupted();
    SEPX_ASSIGN(auto row, scoreLayer(model, *layer, request, computer));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Summary> summaries(const std::vector<ScoredLayer>& scoredRows) {
  std::vector<Summary> all;
  for (const ScoredLayer& row : scoredRows) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Summary& one) { return one.stack == row.layer->stack; });
    if (known) continue;
    std::vector<double> symmetry, directionality;
    for (const ScoredLayer& other : scoredRows) {
      if (other.layer->stack != row.layer->stack) continue;
      symmetry.push_back(other.all.scores.symmetry);
      directionality.push_back(other.all.scores.directionality);
    }
    all.push_back(
        {row.layer->stack, attention::quartiles(std::move(symmetry)), attention::quartiles(std::move(directionality))});
  }
  return all;
}

Summary acrossHeads(const ScoredLayer& layer) {
  std::vector<double> symmetry, directionality;
  for (const Scored& head : layer.heads) {
    symmetry.push_back(head.scores.symmetry);
    directionality.push_back(head.scores.directionality);
  }
  return {layer.layer->stack, attention::quartiles(std::move(symmetry)),
          attention::quartiles(std::move(directionality))};
}

Json toJson(const Summary& summary) {
  const auto quartiles = [](const attention::Quartiles& of) {
    return Json{{"median", of.median}, {"q1", of.q1}, {"q3", of.q3}};
  };
  return {{"stack", checkpoint::toString(summary.stack)},
          {"symmetry", quartiles(summary.symmetry)},
          {"directionality", quartiles(summary.directionality)}};
}

}  // namespace sepx::studies
