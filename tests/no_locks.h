// SPDX-License-Identifier: Apache-2.0
// Simulates a file system without locks, or a network file system, for tests: the calls that lock files fail in the
// whole program as they do there. Only one source of a program may include this header, since it defines flock() and
// fcntl() in place of the system's.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>

namespace sepx::tests {

inline std::atomic<int> flockError{0}, recordLockError{0};  ///< errno of the failing calls; 0: they do not fail
inline std::atomic<bool> locksNeedWriting{false};           ///< as on NFS: EBADF for a file opened for reading

/// Makes locks fail until the end of the scope.
class NoLocks {
 public:
  explicit NoLocks(int ofFlock, int ofRecordLocks = 0) {
    flockError = ofFlock;
    recordLockError = ofRecordLocks;
  }
  ~NoLocks() { flockError = recordLockError = 0; }
  NoLocks(const NoLocks&) = delete;
  NoLocks& operator=(const NoLocks&) = delete;
};

class NfsLocks {
 public:
  NfsLocks() { locksNeedWriting = true; }
  ~NfsLocks() { locksNeedWriting = false; }
  NfsLocks(const NfsLocks&) = delete;
  NfsLocks& operator=(const NfsLocks&) = delete;
};

/// Whether the call must fail; then errno is set.
inline bool lockFails(int error) {
  if (error != 0) errno = error;
  return error != 0;
}

}  // namespace sepx::tests

extern "C" int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  const bool locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  if (locks && sepx::tests::lockFails(sepx::tests::recordLockError)) return -1;
  return static_cast<int>(::syscall(SYS_fcntl, file, command, argument));
}

extern "C" int flock(int file, int operation) noexcept {
  if (sepx::tests::lockFails(sepx::tests::flockError)) return -1;
  const bool toRead = (::syscall(SYS_fcntl, file, F_GETFL) & O_ACCMODE) == O_RDONLY;
  if (sepx::tests::locksNeedWriting && toRead && (operation & LOCK_EX) != 0 && sepx::tests::lockFails(EBADF)) return -1;
  return static_cast<int>(::syscall(SYS_flock, file, operation));
}
