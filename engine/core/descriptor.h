// SPDX-License-Identifier: Apache-2.0
// A file descriptor that is closed at the end of its scope, and error messages for system calls. For the files of
// engine/core that call the system. Any thread.
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
  /// Closes the descriptor. Returns 0, or the error of close(), which for a full network disk is the only place where
  /// it appears.
  int close() {
    const int fd = std::exchange(fd_, -1);
    return ::close(fd) == 0 ? 0 : errno;
  }

 private:
  int fd_;
};

inline std::string systemReason(int error) {  ///< the message of an errno value: "No such file or directory"
  return std::generic_category().message(error);
}

/// The failure of a write to `path`, with the message of the errno value `error`.
inline tl::unexpected<Error> notWritten(const std::string& path, int error) {
  return fail(ErrorKind::OutputFailed, path + ": cannot be written: " + systemReason(error));
}

}  // namespace sepx
