// SPDX-License-Identifier: Apache-2.0
#include "engine/core/file_writer.h"

#include <array>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "engine/core/regular_file.h"
#include "engine/core/try.h"

namespace sepx {

namespace fs = std::filesystem;

// The umask can only be read by changing it, or from /proc.
unsigned modeOfNewFiles() {
  const auto status = openRegular("/proc/self/status");
  std::array<char, 4096> text{};
  const ssize_t length = status ? ::read(status->file.get(), text.data(), text.size()) : 0;
  const std::string_view said(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  constexpr std::string_view kName = "\nUmask:\t";
  const std::size_t at = said.find(kName);
  unsigned mask = 0777;
  if (at != std::string_view::npos)
    std::from_chars(said.data() + at + kName.size(), said.data() + said.size(), mask, 8);
  return 0600 | (0666 & ~static_cast<mode_t>(mask));
}

namespace {

/// Returns 0 or the error number.
int writeAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;  // avoids an endless loop if a file system writes nothing and reports no error
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Creates a new file beside `target`, accessible to the owner only until it is complete, and sets its name. On failure
/// the descriptor is invalid and errno is set.
Descriptor openTemporaryFile(const std::string& target, std::string& name) {
  // One counter per process, so that no two writers choose the same name.
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.{}-{}.tmp", target, ::getpid(), counter++);
    Descriptor file = createNew(name, 0600);
    if (file.get() >= 0 || errno != EEXIST) return file;
  }
  return Descriptor();
}

std::string folderOf(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

void syncFolderOf(const std::string& path) {
  const Descriptor descriptor = openFolder(folderOf(path));
  if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

/// The path where a file will be written, and the status of an existing file.
struct Place {
  std::string path;
  struct stat status {};
  bool exists = false;
};

/// Whether the kernel would refuse to follow the link at `path` (fs.protected_symlinks). The kernel does not check this
/// when a link is only read, and a rename replaces the target of the link without opening it.
bool mayBePlanted(const std::string& path, const struct stat& link) {
  struct stat folder {};
  if (::stat(folderOf(path).c_str(), &folder) != 0) return true;
  const bool shared = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return shared && link.st_uid != ::geteuid() && link.st_uid != folder.st_uid;
}

/// For links at `path` that lead to no name: to an object without a name (/dev/stdout to a pipe), or to nothing, in
/// which case they are replaced.
Result<Place> placeWithoutName(const std::string& path) {
  Place place;
  place.path = path;
  if (::stat(path.c_str(), &place.status) != 0) return place;
  if (S_ISREG(place.status.st_mode)) return notWritten(path, ENOENT);  // the file was removed while it is open
  place.exists = true;
  return place;
}

/// Resolves the links in this process, so that the target of the last link is replaced even if another process changes
/// the links meanwhile.
Result<Place> placeBehindLinks(const std::string& path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  Place place;
  place.path = path;
  for (int followed = 0; followed <= kMostLinks; ++followed) {
    if (::lstat(place.path.c_str(), &place.status) != 0) {
      if (errno != ENOENT && errno != ENOTDIR) return notWritten(path, errno);
      if (followed > 0) return placeWithoutName(path);
      return place;
    }
    place.exists = !S_ISLNK(place.status.st_mode);
    if (place.exists) return place;
    if (mayBePlanted(place.path, place.status))
      return fail(
          ErrorKind::OutputFailed,
          fmt::format("{}: cannot be written: it is a link that another user created in a folder that everybody can "
                      "write to; remove it, or name another file",
                      place.path));
    std::error_code failed;
    const fs::path next = fs::read_symlink(place.path, failed);
    if (failed) return notWritten(path, failed.value());
    place.path = (fs::path(folderOf(place.path)) / next).string();
  }
  return notWritten(path, ELOOP);
}

/// Anything other than a file or a folder is replaced.
Result<Place> placeItself(const std::string& path) {
  Place place;
  place.path = path;
  if (::lstat(path.c_str(), &place.status) == 0) {
    place.exists = S_ISREG(place.status.st_mode) || S_ISDIR(place.status.st_mode);
  } else if (errno != ENOENT && errno != ENOTDIR) {
    return notWritten(path, errno);
  }
  return place;
}

}  // namespace

struct FileWriter::Impl {
  std::string path, target, temporary;  ///< `temporary` empty: written in place
  mode_t mode = 0;                      ///< the permissions of the existing file, or those of new files
  bool exists = false;
  Descriptor file;
};

FileWriter::FileWriter() : impl_(std::make_unique<Impl>()) {}

FileWriter::~FileWriter() {
  if (!impl_->temporary.empty()) ::unlink(impl_->temporary.c_str());
}

Result<std::unique_ptr<FileWriter>> FileWriter::begin(const std::string& path, Links links) {
  if (path.empty() || path.back() == '/')
    return fail(ErrorKind::OutputFailed, fmt::format("\"{}\": names no file to write", path));
  SEPX_ASSIGN(Place place, links == Links::Follow ? placeBehindLinks(path) : placeItself(path));
  const mode_t mode = place.status.st_mode;
  if (place.exists && S_ISDIR(mode)) return notWritten(path, EISDIR);
  std::unique_ptr<FileWriter> writer(new FileWriter);
  Impl& impl = *writer->impl_;
  impl.path = path;
  // Devices, pipes and other special files are written in place: renaming over /dev/stdout would replace it.
  const bool inPlace = place.exists && !S_ISREG(mode);
  impl.target = std::move(place.path);
  impl.exists = place.exists;
  impl.mode = place.exists ? mode & 07777 : modeOfNewFiles();
  impl.file = inPlace ? openInPlace(impl.target) : openTemporaryFile(impl.target, impl.temporary);
  if (impl.file.get() >= 0) return writer;
  const int error = errno;
  impl.temporary.clear();
  if (inPlace && error == ENXIO)
    return fail(ErrorKind::OutputFailed,
                fmt::format("{}: cannot be written: it is a {}", path,
                            S_ISFIFO(mode) ? "pipe that no program reads" : "socket or device that is not open"));
  return notWritten(path, error);
}

Result<void> FileWriter::write(std::string_view piece) {
  if (const int error = writeAll(impl_->file.get(), piece)) return notWritten(impl_->path, error);
  return {};
}

Result<void> FileWriter::commit() {
  Impl& impl = *impl_;
  int error = 0;
  const bool aside = !impl.temporary.empty();
  // A file system without permissions rejects all but its own. If the file exists, its permissions are kept or the
  // failure is reported.
  if (aside && ::fchmod(impl.file.get(), impl.mode) != 0 && impl.exists) error = errno;
  if (aside && !error && ::fsync(impl.file.get()) != 0) error = errno;
  if (const int closing = impl.file.close(); !error) error = closing;
  if (aside && !error && ::rename(impl.temporary.c_str(), impl.target.c_str()) != 0) error = errno;
  if (error) return notWritten(impl.path, error);
  if (aside) syncFolderOf(impl.target);
  impl.temporary.clear();
  return {};
}

Result<TemporaryFile> writeTemporaryFile(const std::string& path, std::string_view content) {
  TemporaryFile beside;
  beside.file = openTemporaryFile(path, beside.path);
  if (beside.file.get() < 0) return notWritten(path, errno);
  int error = writeAll(beside.file.get(), content);
  // A file system without permissions rejects all but its own.
  ::fchmod(beside.file.get(), modeOfNewFiles());
  if (!error && ::fsync(beside.file.get()) != 0) error = errno;
  if (!error) return beside;
  ::unlink(beside.path.c_str());
  return notWritten(path, error);
}

}  // namespace sepx
