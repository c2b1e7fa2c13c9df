// SPDX-License-Identifier: Apache-2.0
// Whole files in and out through POSIX calls, so that a failure carries the system's reason and a file is replaced as a
// whole or not at all. Any thread.
#include "engine/core/file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/descriptor.h"
#include "engine/core/file_writer.h"
#include "engine/core/try.h"

namespace sepx {

namespace {}  // namespace

void expectFullDisks() {
  std::signal(SIGXFSZ, SIG_IGN);
}

Result<std::string> readFile(const std::string& path, std::size_t limit) {
  const auto notRead = [&path](int error) {
    return fail(ErrorKind::BadInput, fmt::format("{}: cannot be read: {}", path, systemReason(error)));
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
  if (file.get() < 0) return notRead(systemReason(errno));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return notRead(systemReason(errno));
  if (!S_ISREG(status.st_mode)) return notRead("it is not a regular file");
  std::string head(std::min<std::size_t>(most, static_cast<std::size_t>(status.st_size)), '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    const ssize_t got = ::read(file.get(), head.data() + filled, head.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return notRead(systemReason(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  head.resize(filled);
  return head;
}

Result<void> writeFile(const std::string& path, std::string_view content) {
  SEPX_ASSIGN(const auto writer, FileWriter::begin(path));
  SEPX_TRY(writer->write(content));
  return writer->commit();
}

Result<void> makeFolders(const std::string& path) {
  // From the top down, so that the failure names the first folder that could not be made.
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be made: {}", part, systemReason(errno)));
    }
    if (slash == std::string::npos) break;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return notWritten(path, errno);
  if (!S_ISDIR(status.st_mode)) return notWritten(path, ENOTDIR);
  return {};
}

}  // namespace sepx
