// SPDX-License-Identifier: Apache-2.0
// Locks use flock(): a lock belongs to an open file, and the kernel releases it when the last process closes the file.
// If the file was replaced or removed while this process waited, the lock is on the wrong file and the attempt is
// repeated.
#include "engine/core/file_guard.h"

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "engine/core/regular_file.h"
#include "engine/core/try.h"

namespace sepx {

namespace {

constexpr std::chrono::milliseconds kPoll{10};
constexpr int kPolls = 200;  // 2 s, for another program to finish its write

/// Whether `path` still refers to the open file.
bool sameFile(int fd, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

/// Returns false if another program holds the lock throughout. Returns true on a file system without locks.
bool lockForWriting(Descriptor& held, const std::string& path) {
  for (int i = 0; i < kPolls; ++i) {
    held = openToLock(path);
    if (held.get() < 0) return true;  // missing, or not readable: the write will report the reason
    if (::flock(held.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    if (sameFile(held.get(), path)) return true;
  }
  return false;
}

/// Whether a lock failed because the file system does not support locks.
bool isLockingUnsupported(int error) {
  return error == ENOSYS || error == ENOLCK || error == EOPNOTSUPP;
}

}  // namespace

FileStamp stampOf(std::string_view content) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : content) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return {true, content.size(), hash};
}

Result<FileStamp> replaceFile(const std::string& path, std::string_view content, const FileStamp& expected) {
  Descriptor held;
  if (!lockForWriting(held, path)) {
    return fail(ErrorKind::CheckFailed, fmt::format("{}: locked by another program; try again", path));
  }
  if (held.get() >= 0) {
    SEPX_ASSIGN(const auto present, readFile(path));
    if (stampOf(present) != expected) {
      return fail(ErrorKind::CheckFailed,
                  fmt::format("{}: another program has changed the file since it was opened here; save under another "
                              "name, or overwrite it deliberately",
                              path));
    }
  }
  SEPX_TRY(writeFile(path, content));
  return stampOf(content);
}

LockAttempt FileLock::attempt(const std::string& path) {
  for (int i = 0; i < 10; ++i) {
    bool made = false;
    Descriptor file = openLock(path, &made);
    if (file.get() < 0) return {LockOutcome::Failed, errno, {}};
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      if (error == EWOULDBLOCK) break;
      if (made) ::unlink(path.c_str());
      return {isLockingUnsupported(error) ? LockOutcome::NoLocks : LockOutcome::Failed, error, {}};
    }
    // Otherwise its owner removed the file between the two calls.
    if (sameFile(file.get(), path)) return {LockOutcome::Held, 0, FileLock(std::move(file), path)};
  }
  return {LockOutcome::Taken, 0, {}};
}

std::optional<FileLock> FileLock::tryLock(const std::string& path) {
  return attempt(path).lock;
}

bool FileLock::holds() const {
  return file_.get() >= 0 && sameFile(file_.get(), path_);
}

void FileLock::remove() {
  if (file_.get() < 0) return;
  if (holds()) ::unlink(path_.c_str());
  file_.close();
}

bool hasRecordLocks(const std::string& folder) {
  // Uses a new file, because closing a file that is in use would release the locks that this process has on it.
  const Result<TemporaryFile> probe = writeTemporaryFile(folder + "/locks", {});
  if (!probe) return true;
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const bool refused = ::fcntl(probe->file.get(), F_SETLK, &whole) != 0 && isLockingUnsupported(errno);
  ::unlink(probe->path.c_str());
  return !refused;
}

}  // namespace sepx
