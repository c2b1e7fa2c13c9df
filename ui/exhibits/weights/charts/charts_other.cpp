// SPDX-License-Identifier: Apache-2.0
// The job behind the second checkpoint's dots.
#include "ui/exhibits/weights/charts/charts_other.h"

#include "ui/properties/tr.h"

namespace sepx::ui {

OtherScores::Made OtherScores::make(const Request& request, ThreadPool& pool, const LaneWork& work) {
  Made result;
  const Result<std::shared_ptr<const checkpoint::Model>> opened =
      checkpoint::openModel(request.path, request.rules, work.whileReading());
  if (!opened) {
    result.failure = opened.error().sentence;
    return result;
  }
  result.model = *opened;
  const std::vector<checkpoint::AttentionLayer>& layers = (*opened)->map.layers;
  for (std::size_t i = 0; i < layers.size() && !work.cancelled(); ++i) {
    const auto factors =
        checkpoint::loadFactors(*(*opened)->checkpoint, layers[i], request.options, work.whileReading());
    if (!factors) {
      result.failure = factors.error().sentence;
      return result;
    }
    auto moments = attention::momentsOf(*factors, &pool, [&work] { return work.cancelled(); });
    if (moments) result.moments.push_back(std::make_shared<const attention::Moments>(std::move(*moments)));
    work.progress(static_cast<double>(i + 1) / static_cast<double>(layers.size()));
  }
  return result;
}

void OtherScores::score(const attention::ScoreOptions& options) {
  scored_ = options;
  scoredOf_ = lane_.revision();
  board_.clear();
  const std::vector<std::shared_ptr<const attention::Moments>>& moments = made().moments;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    LayerScores entry;
    entry.stack = model()->map.layers[i].stack;
    entry.layer = model()->map.layers[i].layer;
    entry.moments = moments[i];
    entry.scores = attention::scoresOf(*moments[i], options);
    board_.push_back(std::move(entry));
  }
  ++revision_;
}

void OtherScores::update(const std::string& path, const WeightsState& state, ExhibitContext& context) {
  lane_.refresh(context.jobs);
  Request wanted{path, context.rules, {state.pairing, -1, state.foldNorm}};
  if (path.empty()) {
    lane_.clear();
  } else if (!lane_.isFor(wanted)) {
    lane_.clear();
    lane_.start(context.jobs, std::move(wanted), tr("scores of the second checkpoint"),
                [&pool = context.pool](const Request& request, auto& output) { return make(request, pool, output); });
  }
  if (!(scored_ == state.score) || scoredOf_ != lane_.revision()) score(state.score);
}

}  // namespace sepx::ui
