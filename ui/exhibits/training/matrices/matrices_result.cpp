// SPDX-License-Identifier: Apache-2.0
// See matrices_result.h.
#include "ui/exhibits/training/matrices/matrices_result.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/attention/histogram.h"
#include "engine/core/try.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kPercentile = 99.5;
constexpr std::int64_t kSmallLayer = std::int64_t{1} << 17;  // parameters; larger layers: only the chosen matrix

/// The parameters of all matrices of the layer, and the embedding.
std::vector<std::string> allNames(const nn::ModelConfig& model, int layer) {
  std::vector<std::string> names;
  for (const train::LayerMatrixInfo& info : train::layerMatrices())
    for (std::string& name : train::parametersOf(model, info.which, layer))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  return names;
}

std::int64_t numbersOf(const nn::ModelConfig& model) {
  return std::int64_t{model.d_model} * (std::int64_t{3} * model.ff() + 4 * std::int64_t{model.d_q()});
}

train::EmbeddingVector embeddingOf(const nn::ModelConfig& model, const train::NamedMatrices& parameters) {
  const auto at = parameters.find(train::kEmbeddingName);
  return at == parameters.end() ? train::EmbeddingVector{} : train::embeddingVector(model, at->second);
}

MatrixPoint pointOf(const MatricesRequest& request, const train::NamedMatrices& parameters, std::int64_t step) {
  MatrixPoint point{step};
  const nn::ModelConfig& model = request.model.config.model;
  const auto matrix = train::matrixOf(model, parameters, request.which, request.layer, request.head);
  if (!matrix) return point;
  const train::MatrixReading reading =
      train::readMatrix(*matrix, train::infoOf(request.which), embeddingOf(model, parameters));
  point.ratio = reading.ratio;
  if (const train::LeadingVector* const leading = reading.main()) {
    point.cosine = leading->cosine;
    point.corner = leading->corner;
  }
  return point;
}

}  // namespace

const MatrixRow* MatricesResult::row(train::LayerMatrix one) const {
  const auto at = std::find_if(all.begin(), all.end(), [one](const MatrixRow& row) { return row.which == one; });
  return at == all.end() ? nullptr : &*at;
}

std::string shownName(train::LayerMatrix which) {
  return which == train::LayerMatrix::ValueOutput ? "W_O W_V" : train::infoOf(which).word;
}

Result<MatricesPointer> makeMatrices(const MatricesRequest& request) {
  const nn::ModelConfig& model = request.model.config.model;
  if (request.layer >= model.layers)
    return fail(ErrorKind::BadInput,
                trFormat("there is no layer {}: the model has layers 0 to {}", request.layer, model.layers - 1));
  if (request.head >= model.heads)
    return fail(ErrorKind::BadInput,
                trFormat("there is no head {}: the model has heads 0 to {}", request.head, model.heads - 1));
  const train::LayerMatrixInfo& info = train::infoOf(request.which);
  const std::vector<std::string> needed = train::parametersOf(model, request.which, request.layer);
  SEPX_ASSIGN(const SomeMatrices some, readMatrices(request.model, needed, allNames(model, request.layer)));
  auto result = std::make_shared<MatricesResult>();
  result->step = some.step;
  result->source = some.source;
  result->layer = request.layer;
  result->head = request.head;
  result->which = request.which;
  const train::EmbeddingVector e = embeddingOf(model, some.parameters);
  result->hasEmbedding = e.e.size() > 0;
  result->embedding = e.kind;
  result->embeddingCorner = train::cornerRatio(e.e);
  const bool whole = numbersOf(model) <= kSmallLayer;
  for (const train::LayerMatrixInfo& one : train::layerMatrices()) {
    if (!whole && one.which != request.which) continue;
    const auto matrix = train::matrixOf(model, some.parameters, one.which, request.layer, request.head);
    if (!matrix) continue;
    result->all.push_back({one.which, static_cast<int>(matrix->rows()), static_cast<int>(matrix->cols()),
                           train::readMatrix(*matrix, one, e)});
    if (one.which != request.which) continue;
    result->rows = static_cast<int>(matrix->rows());
    result->columns = static_cast<int>(matrix->cols());
    result->values = std::make_shared<const std::vector<float>>(matrix->data(), matrix->data() + matrix->size());
    attention::Histogram histogram;
    histogram.add(std::span<const float>(*result->values));
    if (const double limit = histogram.percentileOfModulus(kPercentile); limit > 0) result->limit = limit;
  }
  if (!result->values && needed.empty()) result->sentence = trFormat("This model has no {}.", shownName(info.which));
  if (!result->values && !needed.empty())
    result->sentence = trFormat("{} of this step was not stored.", shownName(info.which));
  return MatricesPointer(std::move(result));
}

std::vector<MatrixPoint> makeHistory(const HistoryRequest& request, const std::function<bool()>& cancelled) {
  std::vector<MatrixPoint> points;
  const nn::ModelConfig& model = request.of.model.config.model;
  std::vector<std::string> needed = train::parametersOf(model, request.of.which, request.of.layer);
  if (!model.readsImages() && std::find(needed.begin(), needed.end(), train::kEmbeddingName) == needed.end())
    needed.emplace_back(train::kEmbeddingName);
  for (std::size_t i = 0; i < request.steps.size() && !cancelled(); ++i) {
    ModelRequest at = request.of.model;
    at.live = nullptr;
    at.step = request.steps[i];
    at.saved = request.saved[i] ? request.steps[i] : -1;
    at.source = request.stored[i] ? ModelSource::Stored : ModelSource::Checkpoint;
    const Result<SomeMatrices> some = readMatrices(at, needed, {});
    points.push_back(some ? pointOf(request.of, some->parameters, request.steps[i]) : MatrixPoint{request.steps[i]});
  }
  return points;
}

}  // namespace sepx::ui
