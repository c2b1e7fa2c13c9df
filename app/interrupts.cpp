// SPDX-License-Identifier: Apache-2.0
#include "app/interrupts.h"

namespace sepx::app {

namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void noteInterrupt(int) {
  interrupted = 1;
}

}  // namespace

Interrupts::Interrupts() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = noteInterrupt;
  ::sigaction(SIGINT, &action, &before_[0]);
  ::sigaction(SIGTERM, &action, &before_[1]);
}

Interrupts::~Interrupts() {
  ::sigaction(SIGINT, &before_[0], nullptr);
  ::sigaction(SIGTERM, &before_[1], nullptr);
}

bool Interrupts::seen() const {
  return interrupted != 0;
}

}  // namespace sepx::app
