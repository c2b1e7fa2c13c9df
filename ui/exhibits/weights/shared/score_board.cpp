// SPDX-License-Identifier: Apache-2.0
// The job that computes the board.
#include "ui/exhibits/weights/shared/score_board.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sepx::ui {

namespace {

constexpr attention::Scores kNoScores{std::numeric_limits<double>::quiet_NaN(),
                                      std::numeric_limits<double>::quiet_NaN()};

/// Reads the factors of one layer, computes the moments and drops the factors. If the factors cannot be read, the
/// moments are empty, and the matrix page shows the reason when the layer is selected. False: cancelled.
bool measure(const checkpoint::Model& model, const checkpoint::AttentionLayer& layer,
             const checkpoint::FactorOptions& options, bool heads, ThreadPool& pool, const LaneWork& work,
             LayerScores& into) {
  const auto cancelled = [&work] { return work.cancelled(); };
  const auto factors = checkpoint::loadFactors(*model.checkpoint, layer, options, work.whileReading());
  auto whole = factors ? attention::momentsOf(*factors, &pool, cancelled) : attention::Moments{};
  auto ofHeads = factors && heads ? attention::momentsOfHeads(*factors, &pool, cancelled)
                                  : std::optional(std::vector<attention::Moments>());
  if (!whole || !ofHeads) return false;
  into.moments = std::make_shared<attention::Moments>(std::move(*whole));
  into.headMoments = std::make_shared<std::vector<attention::Moments>>(std::move(*ofHeads));
  return true;
}

void score(LayerScores& layer, const attention::ScoreOptions& options) {
  const auto of = [&options](const attention::Moments& moments) {
    return moments.rowNorms.size() == 0 ? kNoScores : attention::scoresOf(moments, options);
  };
  layer.scores = of(*layer.moments);
  layer.headScores.clear();
  for (const attention::Moments& head : *layer.headMoments)
    layer.headScores.push_back(of(head));
}

/// Adds the bands for the shape of a layer and for that of one of its heads.
void addBands(LayerScores& into, const checkpoint::AttentionLayer& layer, const attention::ScoreOptions& options) {
  if (layer.d_model != layer.d_key) return;
  into.band = attention::randomBands(layer.d_model, std::min(layer.d_model, layer.kvHeads * layer.d_h), options);
  into.headBand = attention::randomBands(layer.d_model, std::min(layer.d_model, layer.d_h), options);
}

std::vector<LayerScores> blanks(const checkpoint::AttentionMap& map, bool heads) {
  std::vector<LayerScores> layers;
  for (const checkpoint::AttentionLayer& layer : map.layers) {
    LayerScores& blank = layers.emplace_back();
    blank.stack = layer.stack;
    blank.layer = layer.layer;
    blank.scores = kNoScores;
    if (heads) blank.headScores.assign(static_cast<std::size_t>(std::max(0, layer.heads)), kNoScores);
  }
  return layers;
}

}  // namespace

bool ScoreBoard::refresh(ExhibitContext& context) {
  if (!lane_.refresh(context.jobs)) return false;
  layers_ = *lane_.result();
  return true;
}

void ScoreBoard::clear() {
  lane_.clear();
  layers_.clear();
}

bool ScoreBoard::update(const std::shared_ptr<const checkpoint::Model>& model, const WeightsState& state,
                        const char* jobName, ExhibitContext& context) {
  Request wanted{model, {state.pairing, -1, state.foldNorm}, state.score};
  if (lane_.isFor(wanted)) return false;
  const bool others = !lane_.requested() || !lane_.requested()->sameMoments(wanted);
  if (others) layers_ = blanks(model->map, heads_);
  lane_.start(context.jobs, std::move(wanted), jobName,
              [layers = layers_, heads = heads_, &pool = context.pool](const Request& request, auto& output) mutable {
                const std::vector<checkpoint::AttentionLayer>& map = request.model->map.layers;
                for (LayerScores& layer : layers)
                  if (layer.moments) score(layer, request.score);
                for (std::size_t i = 0; i < layers.size(); ++i) {
                  output.progress(0.9 * static_cast<double>(i) / static_cast<double>(layers.size()));
                  if (layers[i].moments) continue;
                  if (!measure(*request.model, map[i], request.options, heads, pool, output, layers[i])) return;
                  score(layers[i], request.score);
                  if (!output.publish(layers)) return;
                }
                for (std::size_t i = 0; i < layers.size() && heads && !output.cancelled(); ++i)
                  addBands(layers[i], map[i], request.score);
                output.finish(std::move(layers));
              });
  return others;
}

}  // namespace sepx::ui
