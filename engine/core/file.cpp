// SPDX-License-Identifier: Apache-2.0
// Whole files in and out through POSIX calls, so that a failure carries the system's reason and a file is replaced as a
// whole or not at all. Any thread.
#include "engine/core/file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sepx {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  /// The reason close() gives (a full network disk speaks only here), 0 when fine.
  int close() {
    const int fd = std::exchange(fd_, -1);
    return ::close(fd) == 0 ? 0 : errno;
  }

 private:
  int fd_;
};

std::string reason(int error) {
  return std::generic_category().message(error);
}

tl::unexpected<Error> notWritten(const std::string& path, int error) {
  return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be written: {}", path, reason(error)));
}

/// 0 or the error number.
int writeAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// A device, pipe or the like is written in place: renaming over /dev/stdout would replace it.
Result<void> writeInPlace(const std::string& path, std::string_view content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return notWritten(path, errno);
  if (const int error = writeAll(file.get(), content)) return notWritten(path, error);
  if (const int error = file.close()) return notWritten(path, error);
  return {};
}

/// A new file beside `target` with the permissions that the process gives new files, and its name. Invalid with errno
/// set.
int openBeside(const std::string& target, std::string& name) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.{}-{}.tmp", target, ::getpid(), counter++);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/// Follows links, so that a link to a file is kept and its target replaced.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

void syncFolderOf(const std::string& path) {
  const auto slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

/// `mode`: the permissions to keep, if any.
Result<void> replaceFile(const std::string& path, const std::string& target, std::optional<mode_t> mode,
                         std::string_view content) {
  std::string temporary;
  Descriptor file(openBeside(target, temporary));
  if (file.get() < 0) return notWritten(path, errno);
  int error = writeAll(file.get(), content);
  if (!error && mode && ::fchmod(file.get(), *mode) != 0) error = errno;
  if (!error && ::fsync(file.get()) != 0) error = errno;
  if (const int closing = file.close(); !error) error = closing;
  if (!error && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error) {
    ::unlink(temporary.c_str());
    return notWritten(path, error);
  }
  syncFolderOf(target);
  return {};
}

}  // namespace

void expectFullDisks() {
  std::signal(SIGXFSZ, SIG_IGN);
}

Result<std::string> readFile(const std::string& path, std::size_t limit) {
  const auto notRead = [&path](int error) {
    return fail(ErrorKind::BadInput, fmt::format("{}: cannot be read: {}", path, reason(error)));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return notRead(errno);
  const auto tooLong = [&path, limit] {
    return fail(ErrorKind::BadInput, fmt::format("{}: is longer than the {} bytes read here", path, limit));
  };
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > limit)
    return tooLong();
  std::string content;
  std::string buffer(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return notRead(errno);
    if (got == 0) return content;
    content.append(buffer, 0, static_cast<std::size_t>(got));
    if (content.size() > limit) return tooLong();
  }
}

Result<std::string> readHead(const std::string& path, std::size_t most) {
  const auto notRead = [&path](const std::string& why) {
    return fail(ErrorKind::BadInput, fmt::format("{}: cannot be read: {}", path, why));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return notRead(reason(errno));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return notRead(reason(errno));
  if (!S_ISREG(status.st_mode)) return notRead("it is not a regular file");
  std::string head(std::min<std::size_t>(most, static_cast<std::size_t>(status.st_size)), '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    const ssize_t got = ::read(file.get(), head.data() + filled, head.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return notRead(reason(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  head.resize(filled);
  return head;
}

Result<void> writeFile(const std::string& path, std::string_view content) {
  if (path.empty() || path.back() == '/')
    return fail(ErrorKind::OutputFailed, fmt::format("\"{}\": names no file to write", path));
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return notWritten(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return writeInPlace(path, content);
  return replaceFile(path, resolved(path), exists ? std::optional<mode_t>(status.st_mode & 07777) : std::nullopt,
                     content);
}

Result<void> makeFolders(const std::string& path) {
  // From the top down, so that the failure names the first folder that could not be made.
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be made: {}", part, reason(errno)));
    }
    if (slash == std::string::npos) break;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return notWritten(path, errno);
  if (!S_ISDIR(status.st_mode)) return notWritten(path, ENOTDIR);
  return {};
}

}  // namespace sepx
