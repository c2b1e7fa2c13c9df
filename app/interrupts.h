// SPDX-License-Identifier: Apache-2.0
// While one lives, SIGINT (Ctrl-C) and SIGTERM are noted instead of ending the program, so that long work can stop in
// an orderly way. One at a time; main thread makes it, any thread asks it.
#pragma once

#include <csignal>

namespace sepx::app {

class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  /// The person has had enough.
  bool seen() const;

 private:
  struct sigaction before_[2];
};

}  // namespace sepx::app
