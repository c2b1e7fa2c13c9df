// SPDX-License-Identifier: Apache-2.0
// A file descriptor that is closed at the end of its scope, and the system's reason for a failure. For the files of
// engine/core that talk to the system. Any thread.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "engine/core/result.h"

namespace sepx {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  /// The reason close() gives (a full network disk speaks only here), 0 when fine.
  int close() {
    const int fd = std::exchange(fd_, -1);
    return ::close(fd) == 0 ? 0 : errno;
  }

 private:
  int fd_;
};

inline std::string systemReason(int error) {  ///< of errno: "No such file or directory"
  return std::generic_category().message(error);
}

/// The failure of a write to `path`, by the number that the system gave.
inline tl::unexpected<Error> notWritten(const std::string& path, int error) {
  return fail(ErrorKind::OutputFailed, path + ": cannot be written: " + systemReason(error));
}

}  // namespace sepx
