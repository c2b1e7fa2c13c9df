// SPDX-License-Identifier: Apache-2.0
// Wakes the host at a given time, so that a frame is drawn in which a message disappears by itself. One thread, which
// starts when the first time is set. Setting a time takes no lock and does not block. Frame thread, except for `wake`.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <semaphore>
#include <thread>

namespace sepx::ui {

class WakeTimer {
 public:
  /// `wake`: called from the timer's thread.
  explicit WakeTimer(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~WakeTimer();
  WakeTimer(const WakeTimer&) = delete;
  WakeTimer& operator=(const WakeTimer&) = delete;

  /// Wakes after this number of seconds instead of at the time that was set before. If the system refuses the thread,
  /// `wake` is not called.
  void wakeIn(double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::rep kNever = Clock::duration::max().count();

  void serve();

  std::function<void()> wake_;
  std::atomic<Clock::rep> due_{kNever};  ///< steady clock's count
  std::atomic<bool> ends_{false};
  std::counting_semaphore<> wakeSemaphore_{0};
  std::thread thread_;
};

}  // namespace sepx::ui
