// SPDX-License-Identifier: Apache-2.0
// Builds a zip archive in memory with minizip. The time stamps are fixed, so that equal contents yield equal bytes. A
// failed allocation throws std::bad_alloc, which is not thrown through minizip. One thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sepx {

/// Whether an entry is stored uncompressed or compressed.
enum class ZipPacking { Stored, Deflated };

class ZipArchive {
 public:
  ZipArchive();
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// Adds a file. `attributes`: minizip's external_fa, with the Unix file mode in its upper half; 0: none. Returns
  /// false on failure.
  bool add(const std::string& name, std::string_view content, ZipPacking packing, unsigned long attributes = 0);
  /// Returns the bytes of the archive; empty on failure. Call once, at the end.
  std::string close();

 private:
  struct Memory {  ///< a growing string with a file position, for minizip
    std::string bytes;
    std::size_t at = 0;
    bool lacking = false;  ///< an allocation failed
  };
  static unsigned long writeMemory(void* opaque, void* stream, const void* from, unsigned long size) noexcept;
  bool write(std::string_view content);

  Memory memory_;
  void* zip_ = nullptr;
};

}  // namespace sepx
