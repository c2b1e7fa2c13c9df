// SPDX-License-Identifier: Apache-2.0
// O_NONBLOCK lets the open of a pipe return without a writer; for a regular file it has no effect.
#include "engine/core/regular_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sepx {

namespace {

std::string objection(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return {};
  return S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file";
}

}  // namespace

tl::expected<RegularFile, std::string> openRegular(const std::string& path) {
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

Descriptor openLock(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600));
  struct stat status {};
  if (file.get() < 0 || (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode))) return file;
  file.close();
  errno = EINVAL;
  return file;
}

Descriptor openInPlace(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  // Once it is open its reader may take its time.
  if (file.get() >= 0) ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
  return file;
}

Descriptor openFolder(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace sepx
