// SPDX-License-Identifier: Apache-2.0
// Opens regular files. O_NONBLOCK makes the open of a pipe return without a writer; it has no effect on regular files.
#include "engine/core/regular_file.h"

#include <cerrno>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sepx {

namespace {

std::string objection(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return {};
  return S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file";
}

/// Returns an invalid descriptor with EINVAL if the open file is not a regular file.
Descriptor onlyRegular(Descriptor file) {
  struct stat status {};
  if (file.get() < 0 || (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode))) return file;
  file.close();
  errno = EINVAL;
  return file;
}

/// One instance per process, like POSIX locks.
struct Reservations {
  struct File {
    int holders = 0;
    std::vector<Descriptor> open;  ///< closed when no connection has the file open any more
  };
  std::mutex mutex;
  std::map<std::pair<std::uint64_t, std::uint64_t>, File> files;  ///< by device and inode
};
Reservations& reservations() {
  static Reservations all;
  return all;
}

bool leadsToReserved(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  const std::lock_guard guard(reservations().mutex);
  return reservations().files.contains({status.st_dev, status.st_ino});
}

bool isReserved(const std::string& path) {
  constexpr std::string_view kSharedIndex = "-shm";
  {
    const std::lock_guard guard(reservations().mutex);
    if (reservations().files.empty()) return false;
  }
  if (leadsToReserved(path)) return true;
  return path.ends_with(kSharedIndex) && leadsToReserved(path.substr(0, path.size() - kSharedIndex.size()));
}

}  // namespace

tl::expected<RegularFile, std::string> openRegular(const std::string& path) {
  // Checked before opening, since closing the file would release the locks of SQLite.
  if (isReserved(path)) return tl::unexpected(std::string("it is a database that this program has open"));
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  // A socket and a device without a driver cannot be opened at all.
  if (file.get() < 0 && errno == ENXIO) return tl::unexpected(std::string("it is not a regular file"));
  if (file.get() < 0) return tl::unexpected(systemReason(errno));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return tl::unexpected(systemReason(errno));
  if (std::string why = objection(status); !why.empty()) return tl::unexpected(std::move(why));
  return RegularFile{std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

std::string notRegular(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? objection(status) : std::string();
}

Descriptor createNew(const std::string& path, unsigned mode) {
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
}

Descriptor openLock(const std::string& path, bool* made) {
  constexpr int kHow = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  constexpr int kAttempts = 10;  // other processes may create and remove the file meanwhile
  for (int i = 0; i < kAttempts; ++i) {
    Descriptor there(::open(path.c_str(), kHow));
    if (there.get() >= 0 || errno != ENOENT) return onlyRegular(std::move(there));
    Descriptor fresh(::open(path.c_str(), kHow | O_CREAT | O_EXCL, 0600));
    if (fresh.get() >= 0 && made != nullptr) *made = true;
    if (fresh.get() >= 0 || errno != EEXIST) return fresh;
  }
  return Descriptor();
}

Descriptor openOwn(const std::string& path) {
  return onlyRegular(Descriptor(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)));
}

Descriptor openToLock(const std::string& path) {
  Descriptor file;
  if (isReserved(path)) {
    errno = EBUSY;
    return file;
  }
  for (const int access : {O_RDWR, O_RDONLY}) {
    file = onlyRegular(Descriptor(::open(path.c_str(), access | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)));
    if (file.get() >= 0) break;
  }
  return file;
}

Descriptor openInPlace(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  // After the open, writes may block until the reader continues.
  if (file.get() >= 0) ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
  return file;
}

Descriptor openFolder(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

ReservedFile::ReservedFile(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  held_ = {status.st_dev, status.st_ino, false, {}};
  const std::lock_guard guard(reservations().mutex);
  ++reservations().files[{held_.device, held_.inode}].holders;
  held_.counted = true;
}

ReservedFile::~ReservedFile() {
  if (!held_.counted) return;
  unlock();
  const std::lock_guard guard(reservations().mutex);
  const auto file = reservations().files.find({held_.device, held_.inode});
  if (--file->second.holders == 0) reservations().files.erase(file);
}

ReservedFile::ReservedFile(ReservedFile&& other) noexcept : held_(std::exchange(other.held_, {})) {}

ReservedFile& ReservedFile::operator=(ReservedFile&& other) noexcept {
  std::swap(held_, other.held_);
  return *this;
}

void ReservedFile::lockShared(const std::string& path, std::int64_t first, std::int64_t length) {
  if (!held_.counted) return;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return;
  {
    // Kept open even without a lock: closing it would release the SQLite locks of all connections in this process.
    const std::lock_guard guard(reservations().mutex);
    reservations().files[{held_.device, held_.inode}].open.emplace_back(file);
  }
  struct flock range {};
  range.l_type = F_RDLCK;
  range.l_whence = SEEK_SET;
  range.l_start = first;
  range.l_len = length;
  if (::fcntl(file, F_OFD_SETLK, &range) == 0) held_.locked.push_back(file);
}

void ReservedFile::unlock() {
  struct flock all {};  // from the beginning to the end of the file
  all.l_type = F_UNLCK;
  all.l_whence = SEEK_SET;
  for (const int file : std::exchange(held_.locked, {}))
    ::fcntl(file, F_OFD_SETLK, &all);
}

}  // namespace sepx
