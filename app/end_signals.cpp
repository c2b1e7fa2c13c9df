// SPDX-License-Identifier: Apache-2.0
// The signal handler only writes a byte to a pipe, as a handler may do little else; a thread waits at the other end.
#include "app/end_signals.h"

#include <cerrno>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "app/signal_repeats.h"
#include "engine/core/thread_name.h"

namespace sepx::app {

namespace {

constexpr int kSignals[] = {SIGTERM, SIGHUP, SIGINT};
constexpr char kAsked = 'a', kOver = 'o';
int written = -1;  // write end of the pipe; global, because a handler receives only the signal number

void put(char byte) {
  [[maybe_unused]] const ssize_t count = ::write(written, &byte, 1);
}

extern "C" void askToEnd(int signal) {
  const int before = errno;
  if (isFirst(signal)) put(kAsked);
  errno = before;
}

}  // namespace

EndSignals::EndSignals(std::function<void()> onSignal) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return;  // the signals end the program, as without this class
  read_ = ends[0];
  written = ends[1];
  thread_ = std::thread([in = read_, onSignal = std::move(onSignal)] {
    nameThread("signals");
    for (char byte = 0;;) {
      const ssize_t count = ::read(in, &byte, 1);
      if (count < 0 && errno == EINTR) continue;
      if (count != 1 || byte == kOver) return;
      onSignal();
    }
  });
  struct sigaction action {};
  action.sa_handler = askToEnd;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    awaitFirst(kSignals[i]);
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);  // keeps a SIG_IGN set by nohup
  }
}

EndSignals::~EndSignals() {
  if (read_ < 0) return;
  for (std::size_t i = 0; i < std::size(kSignals); ++i)
    ::sigaction(kSignals[i], &before_[i], nullptr);
  put(kOver);
  thread_.join();
  ::close(read_);
  ::close(std::exchange(written, -1));
}

}  // namespace sepx::app
