// SPDX-License-Identifier: Apache-2.0
// SIGTERM, SIGHUP and SIGINT ask a window to end in order: the first of each is told to the host instead of ending the
// program; a second one ends it at once. One at a time; made and destroyed on the main thread.
#pragma once

#include <functional>
#include <thread>

#include <csignal>

namespace sepx::app {

class EndSignals {
 public:
  /// `asked`: called on a thread of its own; a host posts an event there.
  explicit EndSignals(std::function<void()> asked);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

 private:
  struct sigaction before_[3];
  int read_ = -1;
  std::thread thread_;
};

}  // namespace sepx::app
