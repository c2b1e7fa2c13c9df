// SPDX-License-Identifier: Apache-2.0
// Files of data, plain or gzip, told apart by content. A small file may unpack to any length: nothing is kept before it
// is known that it may be there. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::data {

/// Told between pieces of long reading, with the share of the file that was read, 0 to 1; true ends it. Empty: nobody
/// wants to know.
using WhileReading = std::function<bool(double share)>;

/// One such file, read from its beginning. One thread at a time.
class DataFile {
 public:
  /// BadInput with one sentence that names the file: missing, a folder, not a regular file, empty. `what` is in it, for
  /// the sentences: "text", "images".
  static Result<DataFile> open(const std::string& path, std::string_view what, WhileReading whileReading = {});
  ~DataFile();
  DataFile(DataFile&&) noexcept;
  DataFile& operator=(DataFile&&) noexcept;

  /// Fewer than `count` bytes only at the end. BadInput: gzip that is cut off or damaged. Interrupted.
  Result<std::size_t> read(char* out, std::size_t count);
  bool packed() const;
  std::uint64_t size() const;  ///< bytes of the file itself
  /// The most bytes that it can hold: its size, of gzip what the format can make of that at most.
  std::uint64_t most() const;

 private:
  struct Impl;
  explicit DataFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The whole file, at most `limit` bytes, also unpacked; else as DataFile.
Result<std::string> readPlainOrGzip(const std::string& path, std::size_t limit, std::string_view what,
                                    const WhileReading& whileReading = {});

/// BadInput: a file of `what` is longer than `limit` bytes.
tl::unexpected<Error> tooLong(const std::string& path, std::size_t limit, std::string_view what);

/// "64 MiB"; below one "100 bytes".
std::string sizeWords(std::size_t bytes);

}  // namespace sepx::data
