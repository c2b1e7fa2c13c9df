// SPDX-License-Identifier: Apache-2.0
// While an object exists, the first SIGINT (Ctrl-C) or SIGTERM is recorded instead of ending the program, so that long
// work can stop in an orderly way; a second one (signal_repeats.h) ends it as usual. One object at a time, created on
// the main thread; seen() may be called on any thread.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>

namespace sepx::app {

class Interrupts {
 public:
  /// `hangUp`: SIGHUP (a closed terminal) is recorded too.
  explicit Interrupts(bool hangUp = false);
  ~Interrupts();  ///< restores the previous handlers
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  bool seen() const;

 private:
  static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};
  std::size_t count_;  ///< number of these that are handled
  std::array<struct sigaction, 3> before_{};
};

}  // namespace sepx::app
