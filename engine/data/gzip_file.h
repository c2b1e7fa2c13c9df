// SPDX-License-Identifier: Apache-2.0
// Data files, plain or gzip, which is detected from the content. A small gzip file can unpack to any length, so the
// limit is checked before data are stored. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::data {

/// Progress callback, called between the pieces of a long read with the share of the file that was read, 0 to 1.
/// Returns true to cancel. May be empty.
using WhileReading = std::function<bool(double share)>;

/// A plain or gzip file, read sequentially from its beginning. One thread at a time.
class DataFile {
 public:
  /// BadInput, with one sentence that names the file, if it is missing, a folder, not a regular file or empty. `what`
  /// is the content, for error messages: "text", "images".
  static Result<DataFile> open(const std::string& path, std::string_view what, WhileReading whileReading = {});
  ~DataFile();
  DataFile(DataFile&&) noexcept;
  DataFile& operator=(DataFile&&) noexcept;

  /// Reads `count` bytes, fewer only at the end. BadInput if the gzip data are truncated or damaged. Interrupted if
  /// cancelled.
  Result<std::size_t> read(char* out, std::size_t count);
  bool packed() const;
  std::uint64_t size() const;  ///< bytes of the file itself
  /// Upper bound of the length of the content, bytes: the size of a plain file, or the most that gzip can unpack it to.
  std::uint64_t most() const;

 private:
  struct Impl;
  explicit DataFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Reads the whole file. BadInput if it has more than `limit` bytes, plain or unpacked; other errors as in DataFile.
Result<std::string> readPlainOrGzip(const std::string& path, std::size_t limit, std::string_view what,
                                    const WhileReading& whileReading = {});

/// The BadInput error that a file of `what` is longer than `limit` bytes.
tl::unexpected<Error> tooLong(const std::string& path, std::size_t limit, std::string_view what);

/// A size as text: "64 MiB", below one MiB "100 bytes".
std::string sizeWords(std::size_t bytes);

}  // namespace sepx::data
