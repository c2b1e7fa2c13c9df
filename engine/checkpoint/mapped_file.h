// SPDX-License-Identifier: Apache-2.0
// A file of any size as bytes, mapped read-only: what is not touched is not in memory. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

/// Asked between pieces of long reading, with the share done, 0 to 1: true ends it. Empty: it goes on to the end.
using Cancelled = std::function<bool(double share)>;

class MappedFile {
 public:
  /// BadInput with the path and the system's reason; only regular files (a pipe would wait for ever).
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  /// What the system said of the file when it was opened. A path of which it says something else now leads to another
  /// file, or to other bytes.
  struct Status {
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = -1, seconds = 0, nanoseconds = 0;  ///< the times are those of the last change
    bool operator==(const Status&) const = default;
  };
  const Status& status() const { return status_; }
  /// Of what stands at a path now; the default where there is nothing.
  static Status statusOf(const std::string& path);
  /// BadInput when the file is shorter by now than when it was opened, or was while it was read: what is missing reads
  /// as zeros. To be asked after reading.
  Result<void> stillThere() const;
  /// Tells the system that a range will not be needed soon, so that reading a large file through does not fill memory.
  void release(std::uint64_t offset, std::uint64_t length) const;

 private:
  MappedFile() = default;
  std::string path_;
  Descriptor descriptor_;
  Status status_;
  int watch_ = -1;
  std::span<const std::byte> bytes_;
};

}  // namespace sepx::checkpoint
