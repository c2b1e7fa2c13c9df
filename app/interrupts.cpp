// SPDX-License-Identifier: Apache-2.0
#include "app/interrupts.h"

#include <atomic>

#include "app/signal_repeats.h"

namespace sepx::app {

namespace {

// Global, because a signal handler receives only the signal number.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler writes it

extern "C" void noteInterrupt(int signal) {
  if (isFirst(signal)) interrupted = true;
}

}  // namespace

Interrupts::Interrupts(bool hangUp) : count_(hangUp ? 3 : 2) {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = noteInterrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < count_; ++i) {
    awaitFirst(kSignals[i]);
    sigaction(kSignals[i], &action, &before_[i]);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < count_; ++i)
    sigaction(kSignals[i], &before_[i], nullptr);
}

bool Interrupts::seen() const {
  return interrupted;
}

}  // namespace sepx::app
