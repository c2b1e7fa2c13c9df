// SPDX-License-Identifier: Apache-2.0
// The caller's side of a Trainer: frame path and blocking calls; see trainer.h.
#include "engine/train/trainer.h"

#include <utility>

#include "engine/core/resource_limits.h"
#include "engine/core/thread_name.h"
#include "engine/core/try.h"
#include "engine/train/trainer_impl.h"

namespace sepx::train {

Trainer::Impl::~Impl() {
  stopping.store(true, std::memory_order_release);
  ring();
  if (thread.joinable()) thread.join();
}

void Trainer::Impl::ring() {
  bell.fetch_add(1, std::memory_order_acq_rel);
  bell.notify_one();
}

Trainer::Trainer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  impl_->thread = std::thread([inside = impl_.get()] {
    nameThread("trainer");
    inside->run();
  });
}

Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>> Trainer::Impl::begin(std::unique_ptr<Impl> impl) {
  try {
    return std::unique_ptr<Trainer>(new Trainer(std::move(impl)));
  } catch (const std::system_error&) {
    return fail(ErrorKind::Internal, noThread());
  }
}

Result<std::unique_ptr<Trainer>> Trainer::start(const RunConfig& config, const TrainerOptions& options) {
  SEPX_TRY(check(config));
  return Impl::begin(std::make_unique<Impl>(config, options, std::nullopt));
}

Result<std::unique_ptr<Trainer>> Trainer::branch(const std::string& run, std::int64_t step, const RunConfig& config,
                                                 const TrainerOptions& options) {
  SEPX_TRY(check(config));
  return Impl::begin(std::make_unique<Impl>(config, options, Impl::Origin{run, step}));
}

bool Trainer::send(Command command) {
  // Set at once: a step of long sequences and a validation check this flag before they end.
  if (command.kind == CommandKind::Stop) impl_->stopping.store(true, std::memory_order_release);
  const bool taken = impl_->commands.push(std::move(command));
  impl_->ring();
  return taken;
}

bool Trainer::refresh() {
  impl_->framesRead.fetch_add(1, std::memory_order_release);
  return impl_->exchange.refresh();
}

const Snapshot& Trainer::latest() const {
  return impl_->exchange.latest();
}

void Trainer::setPaced(bool paced) {
  impl_->paced.store(paced, std::memory_order_release);
  impl_->ring();
}

void Trainer::runSteps(std::int64_t steps) {
  std::unique_lock lock(impl_->mutex);
  impl_->allowance = steps;
  impl_->resting = false;
  impl_->ring();
  // A paced trainer rests after its last step. By then it has also handled the end of the run, and commands to a run
  // that had ended.
  impl_->changed.wait(lock, [this] {
    const bool made = impl_->allowance <= 0 && !impl_->paced.load(std::memory_order_acquire);
    return made || impl_->resting || impl_->gone();
  });
  impl_->allowance = 0;
}

bool Trainer::waitFor(std::chrono::milliseconds time) {
  std::unique_lock lock(impl_->mutex);
  return impl_->changed.wait_for(lock, time, [this] { return impl_->over; });
}

Result<void> Trainer::finish() {
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait(lock, [this] { return impl_->over; });
  if (impl_->reason) return tl::unexpected(*impl_->reason);
  return {};
}

}  // namespace sepx::train
