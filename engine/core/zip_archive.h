// SPDX-License-Identifier: Apache-2.0
// A zip that is made in memory by minizip, under one fixed time stamp: equal contents are equal bytes. One thread at a
// time. An allocation that fails is std::bad_alloc here, and does not go through minizip.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sepx {

/// How the bytes of one entry lie in the archive.
enum class ZipPacking { Stored, Deflated };

class ZipArchive {
 public:
  ZipArchive();
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// `attributes`: minizip's external_fa, the mode of a file of Unix in its upper half; 0: none. False: it cannot be
  /// made.
  bool add(const std::string& name, std::string_view content, ZipPacking packing, unsigned long attributes = 0);
  /// The bytes, once, at the end. Empty: it cannot be made.
  std::string close();

 private:
  struct Memory {  ///< minizip's view of a string that grows
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
