// SPDX-License-Identifier: Apache-2.0
// Orderly shutdown on SIGTERM, SIGHUP and SIGINT: the first signal of each kind is reported to the host instead of
// ending the program; a second one ends it at once. One object at a time; created and destroyed on the main thread.
#pragma once

#include <functional>
#include <thread>

#include <csignal>

namespace sepx::app {

class EndSignals {
 public:
  /// `asked`: called on this object's own thread; a host posts an event from there.
  explicit EndSignals(std::function<void()> onSignal);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

 private:
  struct sigaction before_[3];
  int read_ = -1;
  std::thread thread_;
};

}  // namespace sepx::app
