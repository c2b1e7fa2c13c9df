// SPDX-License-Identifier: Apache-2.0
// See own_estimate.h.
#include "ui/exhibits/training/own/own_estimate.h"

#include "engine/train/run_store.h"
#include "engine/train/saved_model.h"
#include "engine/train/trainer.h"

namespace sepx::ui {

Estimate estimated(const EstimateRequest& request, const std::function<bool()>& cancelled) {
  Estimate made{train::estimateRun(request.config, 0, request.timed, cancelled), {}};
  if (!made.run || request.parent.empty()) return made;
  train::RunConfig whole = request.config;
  whole.model = made.run->model;
  const Result<train::RunConfig> theirs = train::savedConfig(train::checkpointFolder(request.parent, request.step));
  const Result<void> fits = theirs ? train::checkBranchModel(request.name, theirs->model, request.step, whole)
                                   : Result<void>(tl::unexpected(theirs.error()));
  if (!fits) made.problem = fits.error().sentence + ".";
  return made;
}

}  // namespace sepx::ui
