// SPDX-License-Identifier: Apache-2.0
// See transfer_result.h.
#include "ui/exhibits/reversal/checkpoint/transfer_result.h"

#include <algorithm>
#include <utility>

#include "engine/core/try.h"
#include "engine/data/pairs.h"
#include "engine/reversal/accuracy.h"
#include "engine/reversal/alignment.h"
#include "engine/train/saved_model.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::uint64_t kMeasuredPairs =
    260;  // over all places and letters; as many as a step of at most a second allows

Result<train::SavedModel> ownModel(const std::string& path) {
  const Result<std::string> folder = train::findSaved(path, {});
  Result<train::RunConfig> config = folder ? train::savedConfig(*folder) : tl::unexpected(folder.error());
  if (!config || config->data.kind != data::SourceKind::Pairs)
    return fail(ErrorKind::Usage,
                tr("Gradient and probability are not computed for this checkpoint: they need the gradient of a whole "
                   "model, which the engine computes only for models that this program trained on pairs of letters. "
                   "It runs LLaDA, Dream and LLaMA forward, one block at a time, and keeps no gradient."));
  SEPX_TRY(train::resolve(*config, *data::makePairs(config->data.seed)));
  return train::readSaved(*folder, *config);
}

}  // namespace

Result<TransferPointer> measureTransfer(const TransferRequest& request, ThreadPool& pool,
                                        const std::function<bool()>& cancelled,
                                        const std::function<void(double)>& progress) {
  SEPX_ASSIGN(const train::SavedModel saved, ownModel(request.path));
  nn::ModelConfig config = saved.config.model;
  config.embeddingDropout = config.attentionDropout = config.residualDropout = 0;
  const std::vector<reversal::Pair> pairs = reversal::samplePairs(config.length, kMeasuredPairs);
  SEPX_TRY(reversal::checkPairs(config, pairs));
  nn::Transformer<float> model(config, pool);
  std::copy(saved.theta.begin(), saved.theta.end(), model.theta().begin());
  auto result = std::make_shared<TransferResult>();
  result->pairs = pairs.size();
  SEPX_ASSIGN(result->points, reversal::forwardOnly(model, {.pairs = pairs,
                                                            .steps = request.steps,
                                                            .rate = request.rate,
                                                            .cancelled = cancelled,
                                                            .progress = progress}));
  return TransferPointer(std::move(result));
}

LineChart transferChart(const TransferResult& result, const Theme& theme) {
  LineChart chart;
  chart.title = trFormat("Forward queries only: mean over {} pairs", result.pairs);
  chart.legend = true;
  double least = 0;
  for (const reversal::TransferPoint& point : result.points)
    least = std::min(least, point.cosine);  // which may be NaN
  chart.x = {.name = tr("step"), .whole = true};
  chart.y = {.name = tr("probability, cosine"), .from = least < 0 ? -1.0 : 0.0, .to = 1.05};
  const std::pair<const char*, double reversal::TransferPoint::*> curves[] = {
      {N_("p forward"), &reversal::TransferPoint::forward},
      {N_("p reverse"), &reversal::TransferPoint::reverse},
      {N_("cosine of gradients"), &reversal::TransferPoint::cosine}};
  for (const auto& [name, value] : curves) {
    ChartSeries series;
    series.name = tr(name);
    series.look = seriesLook(theme, chart.series.size());
    series.look.width = theme.strongLine;
    series.look.marker.reset();
    for (std::size_t step = 0; step < result.points.size(); ++step) {
      series.x.push_back(static_cast<double>(step));
      series.y.push_back(result.points[step].*value);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace sepx::ui
