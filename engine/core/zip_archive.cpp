// SPDX-License-Identifier: Apache-2.0
#include "engine/core/zip_archive.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include <minizip/zip.h>

namespace sepx {

unsigned long ZipArchive::writeMemory(void*, void* stream, const void* from, unsigned long size) noexcept {
  auto& memory = *static_cast<Memory*>(stream);
  try {
    if (memory.at + size > memory.bytes.size()) memory.bytes.resize(memory.at + size);
  } catch (const std::bad_alloc&) {
    memory.lacking = true;
    return 0;
  }
  std::memcpy(memory.bytes.data() + memory.at, from, size);
  memory.at += size;
  return size;
}

ZipArchive::ZipArchive() {
  zlib_filefunc64_def calls{};
  calls.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; };
  calls.zread_file = [](voidpf, voidpf stream, void* to, uLong size) {
    auto& memory = *static_cast<Memory*>(stream);
    const std::size_t there = memory.bytes.size() - std::min(memory.at, memory.bytes.size());
    const std::size_t count = std::min<std::size_t>(size, there);
    std::memcpy(to, memory.bytes.data() + memory.at, count);
    memory.at += count;
    return static_cast<uLong>(count);
  };
  calls.zwrite_file = writeMemory;
  calls.ztell64_file = [](voidpf, voidpf stream) -> ZPOS64_T { return static_cast<Memory*>(stream)->at; };
  calls.zseek64_file = [](voidpf, voidpf stream, ZPOS64_T offset, int origin) -> long {
    auto& memory = *static_cast<Memory*>(stream);
    const std::size_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? memory.at
                             : origin == ZLIB_FILEFUNC_SEEK_END ? memory.bytes.size()
                                                                : 0;
    memory.at = base + static_cast<std::size_t>(offset);
    return 0;
  };
  calls.zclose_file = [](voidpf, voidpf) { return 0; };
  calls.zerror_file = [](voidpf, voidpf) { return 0; };
  calls.opaque = &memory_;
  zip_ = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &calls);
}

ZipArchive::~ZipArchive() {
  if (zip_ != nullptr) zipClose(zip_, nullptr);
}

bool ZipArchive::add(const std::string& name, std::string_view content, ZipPacking packing, unsigned long attributes) {
  constexpr uLong kFirstDay = 1U << 21 | 1U << 16;  // 1 January 1980, the first date of the zip format
  zip_fileinfo info{};
  info.dosDate = kFirstDay;
  info.external_fa = attributes;
  const bool deflated = packing == ZipPacking::Deflated;
  const bool large = content.size() > std::numeric_limits<std::uint32_t>::max() / 2;
  return zip_ != nullptr &&
         zipOpenNewFileInZip64(zip_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, deflated ? Z_DEFLATED : 0,
                               deflated ? Z_DEFAULT_COMPRESSION : 0, large ? 1 : 0) == ZIP_OK &&
         write(content) && zipCloseFileInZip(zip_) == ZIP_OK;
}

std::string ZipArchive::close() {
  const bool good = zip_ != nullptr && zipClose(std::exchange(zip_, nullptr), nullptr) == ZIP_OK;
  if (memory_.lacking) throw std::bad_alloc();
  return good ? std::move(memory_.bytes) : std::string();
}

bool ZipArchive::write(std::string_view content) {
  constexpr std::size_t kPiece = std::size_t{1} << 30;  // minizip has 32-bit sizes of pieces
  for (std::size_t at = 0; at < content.size(); at += kPiece) {
    const auto size = static_cast<unsigned>(std::min(kPiece, content.size() - at));
    if (zipWriteInFileInZip(zip_, content.data() + at, size) != ZIP_OK) return false;
  }
  return true;
}

}  // namespace sepx
