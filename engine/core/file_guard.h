// SPDX-License-Identifier: Apache-2.0
// For files that several programs may have open at once: a stamp of a file's content, a replacement that happens only
// if the content is still the expected one, and a lock that the kernel releases when its owner ends, so that a crashed
// program leaves no lock. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx {

/// Identifies the content of a file.
struct FileStamp {
  bool there = false;
  std::uint64_t size = 0;
  std::uint64_t hash = 0;  ///< FNV-1a hash of the content
  bool operator==(const FileStamp&) const = default;
};
FileStamp stampOf(std::string_view content);

/// Calls writeFile(), unless the file exists with a content other than `expected`: then CheckFailed with the path, and
/// nothing is written. Programs that write through this function are serialised.
Result<FileStamp> replaceFile(const std::string& path, std::string_view content, const FileStamp& expected);

/// The result of an attempt to lock a file.
enum class LockOutcome {
  Held,     ///< this process holds the lock
  Taken,    ///< another owner holds it
  NoLocks,  ///< the file system has no locks; a file created for the lock was removed again
  Failed    ///< the file cannot be opened or created, or cannot be locked for another reason
};
struct LockAttempt;

/// A lock that is held from attempt() or tryLock() until the object is destroyed or the process ends in any way.
class FileLock {
 public:
  /// Tries to lock a file, which is created if it does not exist.
  static LockAttempt attempt(const std::string& path);
  /// attempt() without the reason of a failure: empty optional unless the lock is held.
  static std::optional<FileLock> tryLock(const std::string& path);
  /// Whether the locked file is still the one at its path. If it was not removed or replaced, no other process can hold
  /// this lock.
  bool holds() const;
  /// Removes the file if it is still the one at its path, and releases the lock.
  void remove();

 private:
  FileLock(Descriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  Descriptor file_;
  std::string path_;
};

/// The result of FileLock::attempt().
struct LockAttempt {
  LockOutcome outcome = LockOutcome::Failed;
  int error = 0;                 ///< errno for NoLocks and Failed
  std::optional<FileLock> lock;  ///< for Held
};

/// Whether files in a folder support the record locks of fcntl(), which SQLite uses. A file system may have flock() but
/// not these. True if no file can be created for the test.
bool hasRecordLocks(const std::string& folder);

}  // namespace sepx
