// SPDX-License-Identifier: Apache-2.0
// Detects whether files are opened by any program. The system reports it, so that an open without a change is detected
// too.
#pragma once

#include <array>
#include <initializer_list>
#include <string>

#include <sys/inotify.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace sepx::tests {

class OpenWatch {
 public:
  explicit OpenWatch(std::initializer_list<std::string> paths) : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    REQUIRE(events_ >= 0);
    for (const std::string& path : paths)
      REQUIRE(::inotify_add_watch(events_, path.c_str(), IN_OPEN) >= 0);
  }
  ~OpenWatch() { ::close(events_); }
  OpenWatch(const OpenWatch&) = delete;
  OpenWatch& operator=(const OpenWatch&) = delete;

  /// Whether a file was opened since the construction or the last call.
  bool opened() const {
    std::array<char, 4096> buffer{};
    bool any = false;
    while (::read(events_, buffer.data(), buffer.size()) > 0)
      any = true;
    return any;
  }

 private:
  int events_;
};

}  // namespace sepx::tests
