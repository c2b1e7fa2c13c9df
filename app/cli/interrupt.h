// SPDX-License-Identifier: Apache-2.0
// SIGINT (Ctrl-C), SIGTERM or SIGHUP (a closed terminal) while work runs that should be saved: the first is noted, a
// second one ends the program as usual. One at a time in a process.
#pragma once

#include <array>
#include <csignal>

namespace sepx::app::cli {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();  ///< puts back what was there before
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  bool seen() const;  ///< any thread

 private:
  static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

}  // namespace sepx::app::cli
