// SPDX-License-Identifier: Apache-2.0
#include "engine/core/file_writer.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/stat.h>

#include "engine/core/descriptor.h"
#include "engine/core/regular_file.h"

namespace sepx {

// The umask can only be asked for by changing it, or from /proc.
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

/// 0 or the error number.
int writeAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;  // a file system that takes nothing and says no reason would be asked for ever
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// A new file beside `target` for its owner alone, until it is whole, and its name. Invalid with errno set.
Descriptor openBeside(const std::string& target, std::string& name) {
  // Of the process: no two writers of it take the same name.
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.{}-{}.tmp", target, ::getpid(), counter++);
    Descriptor file = createNew(name, 0600);
    if (file.get() >= 0 || errno != EEXIST) return file;
  }
  return Descriptor();
}

/// Follows links, so that a link to a file is kept and its target replaced.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

void syncFolderOf(const std::string& path) {
  const auto slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  const Descriptor descriptor = openFolder(folder);
  if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

}  // namespace

struct FileWriter::Impl {
  std::string path, target, temporary;  ///< no temporary: written in place
  mode_t mode = 0;                      ///< the permissions to keep, or of new files
  bool exists = false;
  Descriptor file;
};

FileWriter::FileWriter() : impl_(std::make_unique<Impl>()) {}

FileWriter::~FileWriter() {
  if (!impl_->temporary.empty()) ::unlink(impl_->temporary.c_str());
}

Result<std::unique_ptr<FileWriter>> FileWriter::begin(const std::string& path) {
  if (path.empty() || path.back() == '/')
    return fail(ErrorKind::OutputFailed, fmt::format("\"{}\": names no file to write", path));
  std::unique_ptr<FileWriter> writer(new FileWriter);
  Impl& impl = *writer->impl_;
  impl.path = path;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return notWritten(path, EISDIR);
  // A device, pipe or the like is written in place: renaming over /dev/stdout would replace it.
  const bool inPlace = exists && !S_ISREG(status.st_mode);
  impl.target = inPlace ? path : resolved(path);
  impl.exists = exists;
  impl.mode = exists ? status.st_mode & 07777 : modeOfNewFiles();
  impl.file = inPlace ? openInPlace(path) : openBeside(impl.target, impl.temporary);
  if (impl.file.get() >= 0) return writer;
  const int error = errno;
  impl.temporary.clear();
  if (inPlace && error == ENXIO)
    return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be written: it is a {}", path,
                                                     S_ISFIFO(status.st_mode) ? "pipe that no program reads"
                                                                              : "socket or device that is not open"));
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
  // A file system without permissions refuses others than its own: those of a file that others may read are kept or
  // said.
  if (aside && ::fchmod(impl.file.get(), impl.mode) != 0 && impl.exists) error = errno;
  if (aside && !error && ::fsync(impl.file.get()) != 0) error = errno;
  if (const int closing = impl.file.close(); !error) error = closing;
  if (aside && !error && ::rename(impl.temporary.c_str(), impl.target.c_str()) != 0) error = errno;
  if (error) return notWritten(impl.path, error);
  if (aside) syncFolderOf(impl.target);
  impl.temporary.clear();
  return {};
}

}  // namespace sepx
