// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole files with POSIX calls, so that a failure has the system's reason and a file is replaced
// completely or not at all. Any thread.
#include "engine/core/file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/descriptor.h"
#include "engine/core/regular_file.h"
#include "engine/core/try.h"

namespace sepx {

namespace {

tl::unexpected<Error> notRead(const std::string& path, const std::string& why) {
  return fail(ErrorKind::BadInput, fmt::format("{}: cannot be read: {}", path, why));
}

/// Reads the file from its beginning, at most `most` bytes.
Result<std::string> readUpTo(const RegularFile& opened, std::size_t most, const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::string content;
  content.reserve(std::min<std::size_t>(most, opened.size));
  std::string buffer(std::min(most, kPiece), '\0');
  while (content.size() < most) {
    const ssize_t got = ::read(opened.file.get(), buffer.data(), std::min(buffer.size(), most - content.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return notRead(path, systemReason(errno));
    if (got == 0) break;
    content.append(buffer, 0, static_cast<std::size_t>(got));
  }
  return content;
}

}  // namespace

void ignoreFileSizeSignal() {
  std::signal(SIGXFSZ, SIG_IGN);
}

Result<std::string> readFile(const std::string& path, std::size_t limit) {
  const auto tooLong = [&path, limit] {
    return fail(ErrorKind::BadInput, fmt::format("{}: is longer than the limit of {} bytes", path, limit));
  };
  const auto opened = openRegular(path);
  if (!opened) return notRead(path, opened.error());
  if (opened->size > limit) return tooLong();
  // Reads one byte more than allowed, because the length of a growing file or of a file of /proc is not known before it
  // is read.
  SEPX_ASSIGN(std::string content, readUpTo(*opened, limit < std::string::npos ? limit + 1 : limit, path));
  if (content.size() > limit) return tooLong();
  return content;
}

Result<std::string> readHead(const std::string& path, std::size_t most) {
  const auto opened = openRegular(path);
  if (!opened) return notRead(path, opened.error());
  return readUpTo(*opened, most, path);
}

Result<void> writeFile(const std::string& path, std::string_view content, Links links) {
  SEPX_ASSIGN(const auto writer, FileWriter::begin(path, links));
  SEPX_TRY(writer->write(content));
  return writer->commit();
}

Result<void> makeFolders(const std::string& path) {
  // From the top down, so that the error names the first folder that could not be created.
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be created: {}", part, systemReason(errno)));
    }
    if (slash == std::string::npos) break;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return notWritten(path, errno);
  if (!S_ISDIR(status.st_mode)) return notWritten(path, ENOTDIR);
  return {};
}

}  // namespace sepx
