// SPDX-License-Identifier: Apache-2.0
// See follower.h.
#include "engine/train/follower.h"

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "engine/core/try.h"
#include "engine/train/group_run.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::train {
namespace {

/// The same preparation as in Trainer::Impl::prepare().
Result<void> prepareFollower(RunConfig& config, std::unique_ptr<data::Source>& source) {
  SEPX_TRY(check(config));
  SEPX_ASSIGN(source, data::makeSource(config.data));
  SEPX_TRY(resolve(config, *source));
  SEPX_TRY(checkMemory(config));
  return checkFrozen(config, nn::ParameterLayout(config.model));
}

}  // namespace

Result<void> follow(const RunConfig& wanted, ProcessGroup& group, int threads, std::function<bool()> stop) {
  RunConfig config = wanted;
  std::unique_ptr<data::Source> source;
  ThreadPool pool(threads);
  std::optional<Stepper> stepper;
  Result<void> prepared;
  try {
    prepared = prepareFollower(config, source);
    if (prepared) stepper.emplace(config, *source, pool);
  } catch (const std::bad_alloc&) {
    prepared = fail(ErrorKind::Internal, "out of memory; use a smaller model or fewer ranks on this machine");
  }
  SEPX_TRY(compareRanks(group, prepared, config, source.get()));
  SEPX_TRY(agree(group, {}));  // waits until rank 0 has opened the run's folder
  TrainState state;
  SEPX_TRY(shareState(group, state));
  stepper->load(std::move(state));
  stepper->share(group);
  stepper->onCancel(std::move(stop));
  for (;;) {
    SEPX_ASSIGN(const GroupOrder order, shareOrder(group));
    if (order.kind == GroupOrder::Kind::End) return agree(group, {});
    stepper->setRateFactor(order.rateFactor);
    // An error in a step is known to rank 0, which then ends the run.
    static_cast<void>(stepper->step(order.steps));
    if (group.broken()) return tl::unexpected(noAnswer());
  }
}

}  // namespace sepx::train
