// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

namespace sepx::app::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void note(int) {
  interrupted = 1;
}

}  // namespace

Interrupt::Interrupt() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &action, &before_[i]);
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &before_[i], nullptr);
}

bool Interrupt::seen() const {
  return interrupted != 0;
}

}  // namespace sepx::app::cli
