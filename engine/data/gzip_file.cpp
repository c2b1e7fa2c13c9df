// SPDX-License-Identifier: Apache-2.0
#include "engine/data/gzip_file.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <type_traits>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/core/descriptor.h"
#include "engine/core/file.h"
#include "engine/core/sentence.h"
#include "engine/core/try.h"

namespace sepx::data {
namespace {

tl::unexpected<Error> unreadable(const std::string& path, const std::string& why) {
  return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, why));
}

struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};
using Gzip = std::unique_ptr<std::remove_pointer_t<gzFile>, CloseGzip>;

/// zlib reads what is no gzip as it stands.
Result<std::string> unpacked(const std::string& path, gzFile file, std::size_t limit, std::string_view what) {
  std::string text, buffer(std::size_t{1} << 18, '\0');
  for (;;) {
    const int got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()));
    int code = Z_OK;
    const char* const reason = gzerror(file, &code);
    if (code == Z_BUF_ERROR)
      return unreadable(path, fmt::format("the gzip data end too early, after {} bytes of {}; fetch the file again",
                                          text.size() + static_cast<std::size_t>(std::max(got, 0)), what));
    if (got < 0 && code == Z_ERRNO) return unreadable(path, fmt::format("cannot be read: {}", systemReason(errno)));
    if (got < 0)
      return unreadable(path, fmt::format("the gzip data are damaged after {} bytes of {} ({}); fetch the file again",
                                          text.size(), what, reason));
    if (got == 0) return text;
    if (text.size() + static_cast<std::size_t>(got) > limit) return tooLong(path, limit, what);
    text.append(buffer, 0, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::string sizeWords(std::size_t bytes) {
  return bytes >= (std::size_t{1} << 20) ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} bytes", bytes);
}

tl::unexpected<Error> tooLong(const std::string& path, std::size_t limit, std::string_view what) {
  return unreadable(path, fmt::format("there is more {} than the {} that fit into memory here; give a part of it", what,
                                      sizeWords(limit)));
}

Result<std::string> readPlainOrGzip(const std::string& path, std::size_t limit, std::string_view what) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return unreadable(path, fmt::format("cannot be read: {}", systemReason(errno)));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0)
    return unreadable(path, fmt::format("cannot be read: {}", systemReason(errno)));
  if (S_ISDIR(status.st_mode)) return unreadable(path, fmt::format("is a folder; name a file of {} in it", what));
  if (!S_ISREG(status.st_mode)) return unreadable(path, "is not a regular file");
  if (status.st_size == 0) return unreadable(path, "is empty");
  const int copy = ::fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return unreadable(path, fmt::format("cannot be read: {}", systemReason(errno)));
  const Gzip gzip(gzdopen(copy, "rb"));
  if (gzip == nullptr) {
    ::close(copy);
    return unreadable(path, "cannot be read: there is not enough memory");
  }
  gzbuffer(gzip.get(), 1U << 17);
  if (gzdirect(gzip.get()) == 1 && static_cast<std::size_t>(status.st_size) > limit) return tooLong(path, limit, what);
  return unpacked(path, gzip.get(), limit, what);
}

}  // namespace sepx::data
