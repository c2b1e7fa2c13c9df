// SPDX-License-Identifier: Apache-2.0
// While one lives, the first SIGINT (Ctrl-C) or SIGTERM is noted instead of ending the program, so that long work can
// stop in an orderly way; a second one (signal_repeats.h) ends it as usual. One at a time; main thread makes it, any
// thread asks it.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>

namespace sepx::app {

class Interrupts {
 public:
  /// `hangUp`: SIGHUP (a closed terminal) is noted too.
  explicit Interrupts(bool hangUp = false);
  ~Interrupts();  ///< puts back what was there before
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  bool seen() const;

 private:
  static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};
  std::size_t count_;  ///< how many of these are noted
  std::array<struct sigaction, 3> before_{};
};

}  // namespace sepx::app
