// SPDX-License-Identifier: Apache-2.0
// The directory of a zip archive (also Zip64) as PyTorch and NumPy write it, read from the end of a mapped file. Stored
// entries are used in place; deflated ones are unpacked within limits. Sizes and offsets are untrusted: every one is
// checked against the file and against the other entries before it is used. Immutable; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/mapped_file.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

struct ZipEntry {  ///< one row of the directory
  std::string name;
  std::uint16_t method = 0;  ///< 0 stored, 8 deflated
  std::uint16_t flags = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, size = 0;  ///< bytes in the file, and unpacked
  std::uint64_t header = 0;            ///< offset of its local header, from the beginning of the file
  std::uint64_t data = 0;              ///< offset of its first packed byte
};

/// The bytes of an entry: in the map (`unpacked` null) or unpacked.
struct ZipBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const std::vector<std::byte>> unpacked;
};

/// How much of one archive was unpacked.
struct Unpacked {
  std::uint64_t packed = 0, bytes = 0;
};
/// The most that one archive may unpack to in memory; stored entries do not count.
inline constexpr std::uint64_t kMostUnpacked = std::uint64_t{1} << 30;

class ZipDirectory {
 public:
  /// BadInput if there is no directory at the end, if entries reach beyond the file or overlap, or if two have the same
  /// name. `cancelled`: called by bytes() while it unpacks, and by check().
  static Result<ZipDirectory> read(std::shared_ptr<const MappedFile> file, Cancelled cancelled = {});

  const std::vector<ZipEntry>& entries() const { return entries_; }  ///< as the directory lists them
  const ZipEntry* find(std::string_view name) const;                 ///< null when there is none
  const std::string& path() const { return file_->path(); }

  /// The stored entry that contains the byte `offset` of the file; null if there is none.
  const ZipEntry* at(std::uint64_t offset) const;
  /// BadInput if the bytes of a stored entry do not match the checksum in the directory (0: there is none). Calls
  /// `cancelled` every few megabytes; Interrupted if it returns true.
  Result<void> check(const ZipEntry& entry) const;

  /// BadInput if the entry is encrypted, uses another method, is broken, or is more than one archive may unpack to;
  /// counts in `soFar`. Interrupted if it was cancelled.
  Result<ZipBytes> bytes(const ZipEntry& entry, Unpacked& soFar) const;

 private:
  std::shared_ptr<const MappedFile> file_;
  Cancelled cancelled_;
  std::vector<ZipEntry> entries_;
  std::map<std::string, std::size_t, std::less<>> byName_;
};

}  // namespace sepx::checkpoint
