// SPDX-License-Identifier: Apache-2.0
// See checkpoint_result.h.
#include "ui/exhibits/reversal/checkpoint/checkpoint_result.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "engine/checkpoint/model_cache.h"
#include "engine/core/try.h"
#include "engine/data/pairs.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

/// "5, 17": ids of tokens.
Result<std::vector<std::int32_t>> idsOf(const std::string& text) {
  std::vector<std::int32_t> ids;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::int32_t id = -1;
    const auto [next, error] = std::from_chars(at, end, id);
    if (error != std::errc() || id < 0)
      return fail(ErrorKind::Usage, tr("Tokens are ids, whole numbers from 0 separated by commas: 5, 17, 230."));
    ids.push_back(id);
    at = next;
  }
  return ids;
}

Result<std::vector<std::int32_t>> sampleOf(const HeadsRequest& request, const checkpoint::Model& model, int mask) {
  if (!request.tokens.empty()) return idsOf(request.tokens);
  if (!request.ships)
    return studies::sampleTokens(studies::vocabularyOf(*model.checkpoint, model.map), request.sample, mask);
  std::vector<std::int32_t> capitals;
  for (std::int32_t letter = 0; letter < data::kPairLetters; ++letter)
    capitals.push_back(data::kPairLetters + letter);
  return capitals;
}

void takeScores(HeadsResult& result, std::vector<studies::PromptLayer> layers) {
  std::vector<float> correlations;
  for (const studies::PromptLayer& layer : layers)
    for (const studies::PromptHead& head : layer.heads)
      correlations.push_back(static_cast<float>(head.correlation));
  result.layers = std::move(layers);
  result.correlations = std::make_shared<const std::vector<float>>(std::move(correlations));
}

ChartSeries seriesNamed(std::string name, const ChartLook& look) {
  ChartSeries series;
  series.name = std::move(name);
  series.look = look;
  return series;
}

}  // namespace

double traceOfPlanes(const reversal::RopePlanes& planes, double distance) {
  double sum = 0;
  for (const reversal::RopePlane& plane : planes.planes)
    sum += std::cos(2 * distance * plane.angle);
  return sum / static_cast<double>(planes.planes.size());
}

Result<HeadsPointer> measureHeads(const HeadsRequest& request, ThreadPool& pool, const std::function<bool()>& cancelled,
                                  const std::function<void(double)>& progress) {
  const auto stopped = [&](double) { return cancelled(); };
  SEPX_ASSIGN(const auto model, checkpoint::openModel(request.path, {}, stopped));
  const checkpoint::Checkpoint& file = *model->checkpoint;
  auto result = std::make_shared<HeadsResult>();
  result->request = request;
  result->title = file.title() + (model->map.familyName.empty() ? "" : " (" + model->map.familyName + ")");
  studies::Prompts prompts;
  if (!request.prompts.empty()) {
    // Not fatal: the heads of layer 0 need no prompts.
    if (auto read = studies::readPrompts(request.prompts); read)
      prompts = *std::move(read);
    else
      result->promptFailure = read.error().message;
  }
  result->mask = request.mask >= 0 ? request.mask : prompts.mask >= 0 ? prompts.mask : studies::maskTokenOf(file);
  SEPX_ASSIGN(const std::vector<std::int32_t> tokens, sampleOf(request, *model, result->mask));
  result->sampled = tokens.size();
  SEPX_ASSIGN(result->heads, studies::headPlanes(file, model->map, result->mask, tokens, stopped));
  if (prompts.pairs.empty()) return HeadsPointer(std::move(result));
  prompts.mask = result->mask;
  result->pairs = prompts.pairs.size();
  auto scores = studies::promptScores(file, model->map, prompts, request.layers, {pool, cancelled, progress});
  if (scores)
    takeScores(*result, *std::move(scores));
  else if (scores.error().kind == ErrorKind::Interrupted)
    return tl::unexpected(scores.error());
  else
    result->promptFailure = scores.error().message;
  return HeadsPointer(std::move(result));
}

LineChart headsChart(const HeadsResult& result, int distance, const Theme& theme) {
  LineChart chart;
  chart.title = trFormat("Layer 0: correlation by head, Δ1 = Δ2 = {}", distance);
  chart.legend = true;
  chart.x = {.name = tr("head"), .whole = true, .from = -0.5, .to = static_cast<double>(result.heads.size()) - 0.5};
  chart.y = {.name = tr("correlation"), .from = -1, .to = 1.05};
  ChartLook dots = seriesLook(theme, 0), rings = seriesLook(theme, 2);  // as in headDistances()
  for (ChartLook* const look : {&dots, &rings})
    look->width = 0;
  dots.marker = render::Shape::Circle;
  rings.marker = render::Shape::Diamond;
  rings.hollow = true;
  ChartSeries measured = seriesNamed(tr("measured"), dots), assumed = seriesNamed(tr("by Assumption 4.2"), rings);
  for (std::size_t head = 0; head < result.heads.size(); ++head) {
    measured.x.push_back(static_cast<double>(head));
    assumed.x.push_back(static_cast<double>(head));
    measured.y.push_back(result.heads[head].correlationAt(distance, distance));
    assumed.y.push_back(result.heads[head].assumedCorrelation(distance, distance));
  }
  chart.series = {std::move(assumed), std::move(measured)};
  ChartReference zero;
  zero.look = {.color = theme.textMuted, .dash = render::Dash::Dotted, .width = 1.25f};
  chart.references.push_back(zero);
  if (result.heads.empty()) return chart;
  ChartReference trace;  // one for all heads of a layer, which rotate by the same angles
  trace.value = traceOfPlanes(result.heads.front(), distance);
  trace.name = "Tr R(2Δ)/D";
  trace.look = seriesLook(theme, 1);
  trace.look.marker.reset();
  chart.references.push_back(trace);
  return chart;
}

LineChart headDistances(const reversal::RopePlanes& planes, int head, const Theme& theme) {
  LineChart chart;
  chart.title = trFormat("Head {} of layer 0: Δ1 = Δ2 = Δ", head);
  chart.legend = true;
  chart.x = {.name = "Δ", .logarithmic = true, .from = 1, .to = kFarthestHeads};
  chart.y = {.name = tr("correlation"), .from = -1, .to = 1.05};
  ChartSeries measured = seriesNamed(tr("measured"), seriesLook(theme, 0)),
              assumed = seriesNamed(tr("by Assumption 4.2"), seriesLook(theme, 2)),
              trace = seriesNamed("Tr R(2Δ)/D", seriesLook(theme, 1));
  measured.look.width = theme.strongLine;
  int last = 0;
  for (double x = 1; x <= kFarthestHeads; x *= 1.01) {  // whole distances, sparser as they grow
    const int delta = static_cast<int>(std::lround(x));
    if (delta == last) continue;
    last = delta;
    for (ChartSeries* const one : {&measured, &assumed, &trace})
      one->x.push_back(delta);
    measured.y.push_back(planes.correlationAt(delta, delta));
    assumed.y.push_back(planes.assumedCorrelation(delta, delta));
    trace.y.push_back(traceOfPlanes(planes, delta));
  }
  for (ChartSeries* const one : {&trace, &assumed, &measured}) {
    one->look.marker.reset();
    chart.series.push_back(std::move(*one));
  }
  ChartReference zero;
  zero.look = {.color = theme.textMuted, .dash = render::Dash::Dotted, .width = 1.25f};
  chart.references.push_back(zero);
  return chart;
}

MatrixContent promptMap(const HeadsResult& result, int layer, int head) {
  MatrixContent map;
  map.title = trFormat("Correlation of forward and reverse scores over {} prompts", result.pairs);
  map.rows = static_cast<int>(result.layers.size());
  map.columns = static_cast<int>(result.layers.front().heads.size());
  map.values = result.correlations;
  map.longest = 0;
  map.entries = true;
  map.rowAxis = map.rowName = tr("layer");
  map.columnAxis = map.columnName = tr("head");
  map.chosen = {{std::min(layer, map.rows - 1), std::min(head, map.columns - 1)}};
  map.pick = [](MatrixCell cell) {
    return Changes{{"reversal.checkpoint.layer", static_cast<double>(cell.row)},
                   {"reversal.checkpoint.head", static_cast<double>(cell.column)}};
  };
  return map;
}

}  // namespace sepx::ui
