// SPDX-License-Identifier: Apache-2.0
// See qk_store.h.
#include "ui/race/qk_store.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/attention/histogram.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/try.h"
#include "engine/nn/parameters.h"
#include "engine/train/layer_matrices.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/run_model.h"

namespace sepx::ui {

namespace {

constexpr std::int64_t kMostWatched = 1 << 22;  // numbers in all matrices of a snapshot
constexpr std::int64_t kMostWhole = 1 << 18;    // numbers of a model whose snapshots carry all parameters
constexpr double kPercentile = 99.5;
constexpr std::int64_t kMostShown = 1 << 28;  // numbers of W_qk (d_model 16,384); the product is computed in doubles

std::string nameOf(int layer, char which) {
  return fmt::format("layers.{}.attention.W_{}.weight", layer, which);
}

const train::MatrixSnapshot* matrixOf(const Run& run, const std::string& name) {
  for (const train::MatrixSnapshot& matrix : run.live().matrices)
    if (matrix.parameter == name) return &matrix;
  return nullptr;
}

/// Transposes [out, in] as stored to [in, out]. Null if the shapes are not those of the model.
template <class Stored>
std::shared_ptr<const attention::LayerFactors> factorsOf(const nn::ModelConfig& model, const Stored& query,
                                                         const Stored& key) {
  if (query.values.empty() || key.values.empty()) return nullptr;
  if (query.rows != model.d_q() || key.rows != model.kv() * model.d_h()) return nullptr;
  if (query.columns != model.d_model || key.columns != model.d_model) return nullptr;
  const auto transposed = [](const Stored& matrix) -> attention::Matrix {
    return Eigen::Map<const attention::MatrixF>(matrix.values.data(), matrix.rows, matrix.columns)
        .template cast<double>()
        .transpose();
  };
  auto factors = std::make_shared<attention::LayerFactors>();
  factors->heads = model.heads;
  factors->d_h = model.d_h();
  factors->W_Q = transposed(query);
  factors->W_K = transposed(key);
  for (int head = 0; head < model.heads; ++head)
    factors->keyHead.push_back(head / (model.heads / model.kv()));
  return factors;
}

/// Factors from the matrices that a run stores between its checkpoints. Null if W_Q or W_K is not among them.
Result<std::shared_ptr<const attention::LayerFactors>> storedFactors(const QkRequest& request) {
  SEPX_ASSIGN(const auto reader, train::RunReader::open(request.run));
  SEPX_ASSIGN(const auto query, reader->stored(request.step, nameOf(request.layer, 'Q')));
  SEPX_ASSIGN(const auto key, reader->stored(request.step, nameOf(request.layer, 'K')));
  if (!query || !key || query->step != request.step || key->step != request.step) return nullptr;
  return factorsOf(request.model, *query, *key);
}

Result<attention::LayerFactors> savedFactors(const QkRequest& request) {
  SEPX_ASSIGN(const auto model, checkpoint::openModel(request.folder));
  if (model->map.layers.empty()) return fail(ErrorKind::BadInput, request.folder + ": " + model->map.noQkReason);
  const auto stack = model->map.layers.front().stack;
  const checkpoint::AttentionLayer* const layer = model->map.find(stack, request.layer);
  if (!layer) return fail(ErrorKind::BadInput, trFormat("{}: there is no layer {}", request.folder, request.layer));
  if (request.head >= layer->heads)
    return fail(ErrorKind::BadInput,
                trFormat("{}: layer {} has no head {}", request.folder, request.layer, request.head));
  return checkpoint::loadFactors(*model->checkpoint, *layer);
}

}  // namespace

std::shared_ptr<const attention::LayerFactors> liveFactors(const Run& run, int layer) {
  if (!run.config()) return nullptr;
  const train::MatrixSnapshot *const query = matrixOf(run, nameOf(layer, 'Q')), *const key =
                                                                                    matrixOf(run, nameOf(layer, 'K'));
  return query && key ? factorsOf(run.config()->model, *query, *key) : nullptr;
}

std::vector<std::string> watchedNames(const nn::ModelConfig& model, int layer, bool whole, std::int64_t parameters) {
  std::vector<std::string> wanted;
  if (whole && parameters > 0 && parameters <= kMostWhole) {
    const nn::ParameterLayout layout(model);
    for (const nn::Parameter& parameter : layout.all())
      wanted.push_back(parameter.name);
    return wanted;
  }
  if (whole && parameters > 0 && parameters / std::max(1, model.layers) <= kMostWatched) {
    for (const train::LayerMatrixInfo& info : train::layerMatrices())
      for (std::string& name : train::parametersOf(model, info.which, layer))
        if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(std::move(name));
    return wanted;
  }
  const std::int64_t each = std::int64_t{model.d_model} * (model.d_q() + model.kv() * model.d_h());
  const bool all = each * model.layers <= kMostWatched;
  std::vector<std::string> names;
  for (int one = all ? 0 : layer; one < (all ? model.layers : layer + 1); ++one)
    for (const char which : {'Q', 'K'})
      names.push_back(nameOf(one, which));
  return names;
}

Result<QkMatrix> makeQkMatrix(const QkRequest& request) {
  std::shared_ptr<const attention::LayerFactors> factors = request.live;
  std::int64_t step = request.step;
  if (!factors && !request.run.empty()) {
    SEPX_ASSIGN(factors, storedFactors(request));
  }
  if (!factors) {
    if (request.folder.empty()) return fail(ErrorKind::BadInput, tr("no matrices of this step are stored"));
    SEPX_ASSIGN(attention::LayerFactors saved, savedFactors(request));
    factors = std::make_shared<const attention::LayerFactors>(std::move(saved));
    step = request.saved;
  }
  if (request.head >= factors->heads) return fail(ErrorKind::BadInput, trFormat("there is no head {}", request.head));
  if (request.head >= 0) factors = std::make_shared<const attention::LayerFactors>(headOf(*factors, request.head));
  const std::int64_t rows = factors->W_Q.rows(), columns = factors->W_K.rows();
  if (rows * columns > kMostShown)
    return fail(ErrorKind::BadInput, trFormat("W_qk has {} × {} numbers, more than can be shown", rows, columns));
  const attention::MatrixF product = (factors->W_Q * keysOfHeads(*factors).transpose()).cast<float>();
  QkMatrix matrix;
  matrix.step = step;
  matrix.rows = static_cast<int>(product.rows());
  matrix.columns = static_cast<int>(product.cols());
  auto values = std::make_shared<std::vector<float>>(product.data(), product.data() + product.size());
  attention::Histogram histogram;
  histogram.add(std::span<const float>(*values));
  const double limit = histogram.percentileOfModulus(kPercentile);
  matrix.limit = limit > 0 ? limit : 0;
  matrix.values = std::move(values);
  return matrix;
}

bool QkStore::refresh(const ExhibitContext& context) {
  if (!lane_.refresh(context.jobs)) return false;
  const Result<QkMatrix>& made = *lane_.result();
  failure_ = made ? std::string() : made.error().message;
  if (made) matrix_ = std::make_shared<const QkMatrix>(*made);
  if (!made) matrix_ = nullptr;
  return true;
}

void QkStore::clear() {
  lane_.clear();
  matrix_ = nullptr;
  failure_.clear();
}

bool QkStore::update(const Run& run, const RaceState& state, std::int64_t step, bool live, ExhibitContext& context) {
  bool news = false;
  if (folder_ != run.folder()) {
    clear();
    folder_ = run.folder();
    news = true;
  }
  news = refresh(context) || news;
  // A running job for a live run finishes first, because a run may report faster than products are computed.
  if (lane_.pending() && lane_.requested()->live) return news;
  QkRequest wanted;
  wanted.step = step;
  wanted.layer = state.layer;
  wanted.head = state.head;
  if (live && run.reported()) {
    wanted.live = liveFactors(run, state.layer);
    wanted.step = run.live().step;
  }
  if (!wanted.live) {
    const std::int64_t saved = lastAtOrBefore(run.savedSteps(), step), stored = lastAtOrBefore(run.storedSteps(), step);
    if (saved < 0 && (stored < 0 || !run.config())) return news;
    wanted.step = wanted.saved = saved;
    if (saved >= 0) wanted.folder = train::checkpointFolder(run.folder(), saved);
    if (stored > saved && run.config()) {
      wanted.step = stored;
      wanted.run = run.folder();
      wanted.model = run.config()->model;
    }
  }
  lane_.request(context.jobs, std::move(wanted), "",
                [](const QkRequest& request, auto&) { return makeQkMatrix(request); });
  return news;
}

}  // namespace sepx::ui
