// SPDX-License-Identifier: Apache-2.0
// See matrices_side.h.
#include "ui/exhibits/training/matrices/matrices_side.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kMostPoints = 240;  // of a curve; if there are more steps, they are thinned evenly
constexpr std::size_t kStepsPerJob = 12;

/// The steps of a curve: all that are kept, or evenly spaced ones if there are many.
std::vector<std::int64_t> stepsOf(const Run& run) {
  std::vector<std::int64_t> all;
  std::set_union(run.savedSteps().begin(), run.savedSteps().end(), run.storedSteps().begin(), run.storedSteps().end(),
                 std::back_inserter(all));
  std::size_t stride = 1;  // a power of two, so that a growing curve keeps its points
  while (all.size() / stride > kMostPoints)
    stride *= 2;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < all.size(); i += stride)
    some.push_back(all[i]);
  if (!all.empty() && some.back() != all.back()) some.push_back(all.back());
  return some;
}

bool contains(const std::vector<std::int64_t>& ascending, std::int64_t step) {
  return std::binary_search(ascending.begin(), ascending.end(), step);
}

}  // namespace

void MatricesSide::refresh(const ExhibitContext& context) {
  matrices_.refresh(context.jobs);
  if (!history_.refresh(context.jobs)) return;
  for (const MatrixPoint& point : *history_.result())
    points_.insert_or_assign(point.step, point);
  results_.changed();
}

void MatricesSide::askForHistory(const Run& run, const RaceShared& shared, ExhibitContext& context) {
  if (history_.pending()) return;
  HistoryRequest wanted{{{run.folder(), *run.config(), ModelSource::Checkpoint, -1, -1, nullptr, data_},
                         shared.state.layer,
                         shared.state.head,
                         of_.which},
                        {},
                        {},
                        {}};
  whole_ = true;
  for (const std::int64_t step : stepsOf(run)) {
    if (points_.contains(step)) continue;
    if (wanted.steps.size() == kStepsPerJob) {
      whole_ = false;
      break;
    }
    wanted.steps.push_back(step);
    wanted.stored.push_back(contains(run.storedSteps(), step));
    wanted.saved.push_back(contains(run.savedSteps(), step));
  }
  if (wanted.steps.empty()) return;
  history_.start(context.jobs, std::move(wanted), "", [](const HistoryRequest& request, auto& output) {
    return makeHistory(request, [&output] { return output.cancelled(); });
  });
}

void MatricesSide::askForMatrices(const RacingRun& racing, const RaceShared& shared, ExhibitContext& context) {
  if (matrices_.pending() && matrices_.requested()->model.live) return;  // a run may report faster than they are read
  std::vector<std::string> names;
  if (racing.run && racing.run->config()) {
    const nn::ModelConfig& config = racing.run->config()->model;
    names = train::parametersOf(config, of_.which, shared.state.layer);
    if (!config.readsImages()) names.emplace_back(train::kEmbeddingName);
    // An empty list would request every parameter.
    if (names.empty()) names = train::parametersOf(config, train::LayerMatrix::Form, shared.state.layer);
  } else {
    names.emplace_back(train::kEmbeddingName);
  }
  std::string missing;
  std::optional<ModelRequest> model = modelRequest(
      racing, shared, names, data_, matrices_.requested() ? &matrices_.requested()->model : nullptr, missing);
  if (!model) return matrices_.clear(std::move(missing));
  matrices_.ask(context.jobs, {std::move(*model), shared.state.layer, shared.state.head, of_.which}, "",
                [](const MatricesRequest& request, auto&) { return makeMatrices(request); });
}

void MatricesSide::update(const RacingRun* racing, const RaceShared& shared, train::LayerMatrix which,
                          ExhibitContext& context) {
  const Subject subject{racing ? racing->folder : std::string(), shared.state.layer, shared.state.head, which};
  if (subject != of_) {
    if (subject.folder != of_.folder) matrices_.clear();
    history_.clear();
    points_.clear();
    whole_ = true;
    of_ = subject;
    results_.changed();
  }
  if (!racing) return;
  refresh(context);
  if (racing->run && racing->run->config()) askForHistory(*racing->run, shared, context);
  askForMatrices(*racing, shared, context);
}

}  // namespace sepx::ui
