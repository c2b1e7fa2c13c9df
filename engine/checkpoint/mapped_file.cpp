// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/mapped_file.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/checkpoint/mapped_file_guard.h"
#include "engine/core/regular_file.h"

namespace sepx::checkpoint {

namespace {

tl::unexpected<Error> notRead(const std::string& path, const std::string& why) {
  return fail(ErrorKind::BadInput, fmt::format("{}: cannot be read: {}", path, why));
}

MappedFile::Status statusIn(const struct stat& status) {
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

}  // namespace

MappedFile::Status MappedFile::statusOf(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? statusIn(status) : Status();
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  std::shared_ptr<MappedFile> file(new MappedFile);
  file->path_ = path;
  auto opened = openRegular(path);
  if (!opened) return notRead(path, opened.error());
  file->descriptor_ = std::move(opened->file);
  struct stat status {};
  if (::fstat(file->descriptor_.get(), &status) != 0) return notRead(path, systemReason(errno));
  file->status_ = statusIn(status);
  const std::uint64_t size = opened->size;
  if (size > std::numeric_limits<std::size_t>::max() / 2) return notRead(path, "it is too long for this machine");
  if (size == 0) return file;
  void* const map = ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ, MAP_SHARED, file->descriptor_.get(), 0);
  if (map == MAP_FAILED) return notRead(path, systemReason(errno));
  file->bytes_ = {static_cast<const std::byte*>(map), static_cast<std::size_t>(size)};
  file->watch_ = watchMap(map, file->bytes_.size());
  return file;
}

MappedFile::~MappedFile() {
  unwatchMap(watch_);
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

Result<void> MappedFile::checkNotTruncated() const {
  struct stat status {};
  if (::fstat(descriptor_.get(), &status) != 0) return notRead(path_, systemReason(errno));
  if (static_cast<std::uint64_t>(status.st_size) < size()) {
    return fail(ErrorKind::BadInput, fmt::format("{}: has {} bytes now and had {} when it was opened; open it again",
                                                 path_, status.st_size, size()));
  }
  if (mapWasTruncated(watch_))
    return fail(ErrorKind::BadInput, fmt::format("{}: was overwritten while it was being read; open it again", path_));
  return {};
}

void MappedFile::release(std::uint64_t offset, std::uint64_t length) const {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t end = offset + std::min(length, size() - std::min(offset, size()));
  // Whole pages only: data beside the range on its first and last page may still be needed.
  const std::uint64_t first = (offset + page - 1) / page * page, last = end / page * page;
  if (first < last) ::madvise(const_cast<std::byte*>(bytes_.data()) + first, last - first, MADV_DONTNEED);
}

}  // namespace sepx::checkpoint
