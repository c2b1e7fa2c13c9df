// SPDX-License-Identifier: Apache-2.0
// See wake_timer.h.
#include "ui/workbench/wake_timer.h"

#include <system_error>

#include "engine/core/resource_limits.h"
#include "engine/core/thread_name.h"

namespace sepx::ui {

WakeTimer::~WakeTimer() {
  ends_ = true;
  wakeSemaphore_.release();
  if (thread_.joinable()) thread_.join();
}

void WakeTimer::wakeIn(double seconds) {
  const auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  due_ = due.time_since_epoch().count();
  wakeSemaphore_.release();
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
  }
}

void WakeTimer::serve() {
  nameThread("message");
  while (!ends_) {
    Clock::rep due = due_;
    if (due == kNever) {
      wakeSemaphore_.acquire();
      continue;
    }
    const Clock::time_point at{Clock::duration(due)};
    if (wakeSemaphore_.try_acquire_until(at) || Clock::now() < at) continue;  // another time was set
    if (due_.compare_exchange_strong(due, kNever)) wake_();
  }
}

}  // namespace sepx::ui
