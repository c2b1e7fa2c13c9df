// SPDX-License-Identifier: Apache-2.0
// Files that several programs may have open at once: what a file held when it was read, a replacement that happens only
// while it still holds that, and a lock that lives as long as its owner, so that a dead program's lock is free. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx {

/// What a file held.
struct FileStamp {
  bool there = false;
  std::uint64_t size = 0;
  std::uint64_t hash = 0;  ///< FNV-1a of the content
  bool operator==(const FileStamp&) const = default;
};
FileStamp stampOf(std::string_view content);

/// writeFile(), unless the file is there and holds something else than `expected`: CheckFailed with the path then, and
/// nothing is written. Programs that write through this function do it one after the other.
Result<FileStamp> replaceFile(const std::string& path, std::string_view content, const FileStamp& expected);

/// What an attempt to lock a file came to.
enum class LockOutcome {
  Held,     ///< the lock is ours
  Taken,    ///< another holds it
  NoLocks,  ///< the file system has none, and the file that was made for it is gone again
  Failed    ///< the file cannot be opened or made, or for another reason not be locked
};
struct LockAttempt;

/// Held from attempt() or tryLock() until the object or its process ends, however that happens.
class FileLock {
 public:
  /// Makes the file if need be.
  static LockAttempt attempt(const std::string& path);
  /// attempt() for who needs no reason: nothing unless it is held.
  static std::optional<FileLock> tryLock(const std::string& path);
  /// Its file is still the one at its path: nobody removed or replaced it, so that nobody else can hold this lock.
  bool holds() const;
  /// The file goes where it is still this one, and the lock with it.
  void remove();

 private:
  FileLock(Descriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  Descriptor file_;
  std::string path_;
};

/// The answer of FileLock::attempt().
struct LockAttempt {
  LockOutcome outcome = LockOutcome::Failed;
  int error = 0;                 ///< the system's number for NoLocks and Failed
  std::optional<FileLock> lock;  ///< of Held
};

/// Whether files in a folder can have record locks, those of fcntl(), which SQLite uses: they may be missing where
/// flock() is. True where no file can be made to find out.
bool hasRecordLocks(const std::string& folder);

}  // namespace sepx
