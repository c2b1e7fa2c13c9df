// SPDX-License-Identifier: Apache-2.0
// A file of any size as bytes, mapped read-only: pages that are never accessed use no memory. Immutable; any thread.
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

/// Called between pieces of a long read with the share done, 0 to 1. True ends the read. Empty: it cannot be cancelled.
using Cancelled = std::function<bool(double share)>;

class MappedFile {
 public:
  /// Opens regular files only, since a pipe could block for ever. BadInput with the path and the system's reason.
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  /// The status of the file when it was opened. If the status of its path is different now, the path leads to another
  /// file, or to other bytes.
  struct Status {
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = -1, seconds = 0, nanoseconds = 0;  ///< the times are those of the last modification
    bool operator==(const Status&) const = default;
  };
  const Status& status() const { return status_; }
  /// The current status of the file at a path; the default value if there is none.
  static Status statusOf(const std::string& path);
  /// Call this after reading. BadInput if the file is shorter than when it was opened, or was shorter while it was
  /// read: missing bytes read as zeros.
  Result<void> checkNotTruncated() const;
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
