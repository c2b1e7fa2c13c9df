// SPDX-License-Identifier: Apache-2.0
#include "engine/data/gzip_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/core/regular_file.h"
#include "engine/core/try.h"

namespace sepx::data {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;

tl::unexpected<Error> unreadable(const std::string& path, const std::string& why) {
  return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, why));
}

struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};
using Gzip = std::unique_ptr<std::remove_pointer_t<gzFile>, CloseGzip>;

}  // namespace

struct DataFile::Impl {
  std::string path, what;
  WhileReading whileReading;
  std::uint64_t size = 0, read = 0;  ///< bytes of the file; bytes of its content read so far
  Gzip gzip;

  Result<std::size_t> piece(char* out, std::size_t count);
};

DataFile::DataFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DataFile::~DataFile() = default;
DataFile::DataFile(DataFile&&) noexcept = default;
DataFile& DataFile::operator=(DataFile&&) noexcept = default;

Result<DataFile> DataFile::open(const std::string& path, std::string_view what, WhileReading whileReading) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return unreadable(path, fmt::format("is a folder; name a file of {} in it", what));
  const auto opened = openRegular(path);
  if (!opened) return unreadable(path, "cannot be read: " + opened.error());
  if (opened->size == 0) return unreadable(path, "is empty");
  const int copy = ::fcntl(opened->file.get(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return unreadable(path, fmt::format("cannot be read: {}", systemReason(errno)));
  auto impl = std::make_unique<Impl>(Impl{path, std::string(what), std::move(whileReading), opened->size, 0, {}});
  impl->gzip.reset(gzdopen(copy, "rb"));  // reads a file that is not gzip unchanged
  if (impl->gzip == nullptr) {
    ::close(copy);
    return unreadable(path, "cannot be read: there is not enough memory");
  }
  gzbuffer(impl->gzip.get(), 1U << 17);
  return DataFile(std::move(impl));
}

Result<std::size_t> DataFile::Impl::piece(char* out, std::size_t count) {
  const int got = gzread(gzip.get(), out, static_cast<unsigned>(count));
  int code = Z_OK;
  const char* const reason = gzerror(gzip.get(), &code);
  if (code == Z_BUF_ERROR)
    return unreadable(path, fmt::format("the gzip data end too early, after {} bytes of {}; fetch the file again",
                                        read + static_cast<std::uint64_t>(std::max(got, 0)), what));
  if (got < 0 && code == Z_ERRNO) return unreadable(path, fmt::format("cannot be read: {}", systemReason(errno)));
  if (got < 0)
    return unreadable(path, fmt::format("the gzip data are damaged after {} bytes of {} ({}); fetch the file again",
                                        read, what, reason));
  read += static_cast<std::uint64_t>(got);
  return static_cast<std::size_t>(got);
}

Result<std::size_t> DataFile::read(char* out, std::size_t count) {
  std::size_t filled = 0;
  while (filled < count) {
    const double share = static_cast<double>(gzoffset(impl_->gzip.get())) / static_cast<double>(impl_->size);
    if (impl_->whileReading && impl_->whileReading(std::clamp(share, 0.0, 1.0)))
      return fail(ErrorKind::Interrupted, fmt::format("{}: stopped while it was read", impl_->path));
    SEPX_ASSIGN(const std::size_t got, impl_->piece(out + filled, std::min(kPiece, count - filled)));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

bool DataFile::packed() const {
  return gzdirect(impl_->gzip.get()) == 0;
}
std::uint64_t DataFile::size() const {
  return impl_->size;
}
std::uint64_t DataFile::most() const {
  constexpr std::uint64_t kMostRatio = 1032;  // of deflate: 258 bytes from two bits
  return packed() ? impl_->size * kMostRatio : impl_->size;
}

std::string sizeWords(std::size_t bytes) {
  return bytes >= (std::size_t{1} << 20) ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} bytes", bytes);
}

tl::unexpected<Error> tooLong(const std::string& path, std::size_t limit, std::string_view what) {
  return unreadable(
      path, fmt::format("has more {} than the {} that fit into memory; use only a part of it", what, sizeWords(limit)));
}

Result<std::string> readPlainOrGzip(const std::string& path, std::size_t limit, std::string_view what,
                                    const WhileReading& whileReading) {
  SEPX_ASSIGN(DataFile file, DataFile::open(path, what, whileReading));
  if (!file.packed() && file.size() > limit) return tooLong(path, limit, what);
  std::string text, buffer(std::min(limit, kPiece) + 1, '\0');
  text.reserve(std::min<std::uint64_t>(limit, file.size()));
  for (;;) {
    SEPX_ASSIGN(const std::size_t got, file.read(buffer.data(), buffer.size()));
    if (got > limit - text.size()) return tooLong(path, limit, what);
    // Grows by doubling, but never beyond the limit.
    if (text.size() + got > text.capacity())
      text.reserve(std::min(limit, std::max(2 * text.capacity(), text.size() + got)));
    text.append(buffer, 0, got);
    if (got < buffer.size()) return text;
  }
}

}  // namespace sepx::data
