// SPDX-License-Identifier: Apache-2.0
// See run_model.h.
#include "ui/race/run_model.h"

#include <algorithm>
#include <iterator>

#include "engine/core/try.h"
#include "engine/data/source_config.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/update_probe.h"
#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/allowed_data.h"
#include "ui/runs/state_words.h"

namespace sepx::ui {

namespace {

constexpr int kCounted = 512;  // number of training sequences over which the frequencies of a token are counted

const train::MatrixSnapshot* snapshotOf(const std::vector<train::MatrixSnapshot>& all, const std::string& name) {
  const auto at = std::find_if(all.begin(), all.end(), [&name](const auto& one) { return one.parameter == name; });
  return at == all.end() || at->values.empty() ? nullptr : &*at;
}

/// Whether the matrices include all of `names`; without names, all `parameters` numbers of the model.
bool carries(const std::vector<train::MatrixSnapshot>& matrices, std::int64_t parameters,
             const std::vector<std::string>& names) {
  if (!names.empty())
    return std::all_of(names.begin(), names.end(), [&](const auto& name) { return snapshotOf(matrices, name); });
  std::int64_t numbers = 0;
  for (const train::MatrixSnapshot& one : matrices)
    numbers += static_cast<std::int64_t>(one.values.size());
  return parameters > 0 && numbers == parameters;
}

/// The parameters of the live run, or those of the previous request if they are the same. Null if some are missing.
LiveParameters liveOf(const Run& run, const std::vector<std::string>& names, const ModelRequest* before) {
  const train::Snapshot& now = run.live();
  if (!run.reported() || !carries(now.matrices, now.parameters, names)) return nullptr;
  const bool same = before && before->live && before->folder == run.folder() && before->step == now.step;
  if (same && carries(*before->live, now.parameters, names)) return before->live;
  return std::make_shared<const std::vector<train::MatrixSnapshot>>(now.matrices);
}

attention::MatrixF matrixFrom(int rows, int columns, const std::vector<float>& values) {
  return Eigen::Map<const attention::MatrixF>(values.data(), rows, columns);
}

std::vector<std::string> joined(std::vector<std::string> some, const std::vector<std::string>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

/// The config with the values that only the data determine (train::resolve).
Result<train::RunConfig> resolved(const ModelRequest& request) {
  return request.data->with(request.config.data, request.dataFolders,
                            [&request](const data::Source& source) -> Result<train::RunConfig> {
                              train::RunConfig config = request.config;
                              SEPX_TRY(train::resolve(config, source));
                              return config;
                            });
}

Result<SomeMatrices> storedMatrices(const ModelRequest& request, const std::vector<std::string>& needed,
                                    const std::vector<std::string>& wanted) {
  SomeMatrices some{request.step, ModelSource::Stored, {}};
  SEPX_ASSIGN(const auto reader, train::RunReader::open(request.folder));
  for (const std::string& name : joined(needed, wanted)) {
    if (some.parameters.contains(name)) continue;
    SEPX_ASSIGN(const auto matrix, reader->stored(request.step, name));
    if (matrix && matrix->step == request.step)
      some.parameters.emplace(name, matrixFrom(matrix->rows, matrix->columns, matrix->values));
  }
  return some;
}

Result<SomeMatrices> savedMatrices(const ModelRequest& request, std::int64_t step,
                                   const std::vector<std::string>& needed, const std::vector<std::string>& wanted) {
  SomeMatrices some{step, ModelSource::Checkpoint, {}};
  SEPX_ASSIGN(const train::RunConfig config, resolved(request));
  const nn::ParameterLayout layout(config.model);
  SEPX_ASSIGN(const train::TrainState state,
              train::readCheckpoint(train::checkpointFolder(request.folder, step), layout));
  for (const std::string& name : joined(needed, wanted))
    if (const nn::Parameter* const at = layout.find(name))
      some.parameters.emplace(
          name, Eigen::Map<const attention::MatrixF>(state.theta.data() + at->offset, at->rows, at->columns));
  return some;
}

}  // namespace

std::int64_t lastAtOrBefore(const std::vector<std::int64_t>& steps, std::int64_t step) {
  const auto after = std::upper_bound(steps.begin(), steps.end(), step);
  return after == steps.begin() ? -1 : *std::prev(after);
}

Result<void> RunData::make(const data::SourceConfig& config, const std::vector<std::string>& dataFolders) {
  SEPX_TRY(checkDataAllowed(config, dataFolders));
  if (source_ && of_ == config) return {};
  source_ = nullptr;
  shares_.clear();
  SEPX_ASSIGN(source_, data::makeSource(config));
  of_ = config;
  return {};
}

const std::vector<double>& RunData::placeShares(std::int32_t token, int length) {
  const auto [at, isNew] = shares_.try_emplace({token, length});
  if (isNew) at->second = train::placeShares(*source_, token, length, kCounted);
  return at->second;
}

std::string wordsOf(ModelSource source) {
  return source == ModelSource::Live ? tr("live") : source == ModelSource::Stored ? tr("stored") : tr("checkpoint");
}

std::optional<ModelRequest> modelRequest(const RacingRun& racing, const RaceShared& shared,
                                         const std::vector<std::string>& names, const std::shared_ptr<RunData>& data,
                                         const ModelRequest* before, std::string& sentence) {
  const auto none = [&sentence](std::string text) {
    sentence = sentenceCase(std::move(text));
    return std::optional<ModelRequest>();
  };
  if (!racing.run) return none(tr("The run is not open."));
  const Run& run = *racing.run;
  if (run.config()) {
    ModelRequest request{run.folder(), *run.config(), ModelSource::Checkpoint, -1, -1,
                         nullptr,      data,          run.dataFolders()};
    if (shared.live) request.live = liveOf(run, names, before);
    if (request.live) {
      request.source = ModelSource::Live;
      request.step = run.live().step;
      return request;
    }
    const std::int64_t saved = lastAtOrBefore(run.savedSteps(), shared.step);
    const std::int64_t stored = names.empty() ? -1 : lastAtOrBefore(run.storedSteps(), shared.step);
    request.saved = saved;
    request.step = std::max(saved, stored);
    if (stored > saved) request.source = ModelSource::Stored;
    if (request.step >= 0) return request;
  }
  if (!run.failure().empty()) return none(run.failure());
  if (run.state() == train::RunState::Preparing) return none(preparingWords(run.live()));
  return none(tr("The run has no checkpoint yet."));
}

Result<WholeModel> readModel(const ModelRequest& request) {
  SEPX_ASSIGN(train::RunConfig config, resolved(request));
  const nn::ParameterLayout layout(config.model);
  WholeModel model{std::move(config), request.step, request.source, {}};
  if (!request.live) {
    SEPX_ASSIGN(train::TrainState state,
                train::readCheckpoint(train::checkpointFolder(request.folder, request.step), layout));
    model.theta = std::move(state.theta);
    return model;
  }
  model.theta.resize(layout.size());
  for (const nn::Parameter& parameter : layout.all()) {
    const train::MatrixSnapshot* const one = snapshotOf(*request.live, parameter.name);
    if (!one || one->values.size() != parameter.size())
      return fail(ErrorKind::BadInput,
                  trFormat("{}: the shapes of the model in training differ from those in its config", request.folder));
    std::copy(one->values.begin(), one->values.end(),
              model.theta.begin() + static_cast<std::ptrdiff_t>(parameter.offset));
  }
  return model;
}

Result<SomeMatrices> readMatrices(const ModelRequest& request, const std::vector<std::string>& needed,
                                  const std::vector<std::string>& wanted) {
  if (request.live) {
    SomeMatrices some{request.step, ModelSource::Live, {}};
    for (const train::MatrixSnapshot& one : *request.live)
      if (!one.values.empty()) some.parameters.emplace(one.parameter, matrixFrom(one.rows, one.columns, one.values));
    return some;
  }
  if (request.source == ModelSource::Checkpoint) return savedMatrices(request, request.step, needed, wanted);
  SEPX_ASSIGN(SomeMatrices some, storedMatrices(request, needed, wanted));
  const bool all = std::all_of(needed.begin(), needed.end(),
                               [&some](const std::string& name) { return some.parameters.contains(name); });
  if (all || request.saved < 0) return some;
  return savedMatrices(request, request.saved, needed, wanted);
}

}  // namespace sepx::ui
