// SPDX-License-Identifier: Apache-2.0
// NumPy's zip of arrays: every entry an .npy of format 1.0, little-endian, stored uncompressed under one fixed time
// stamp, so that equal numbers are equal bytes. The archive is made in memory by minizip and written in one piece.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <minizip/zip.h>

#include "engine/core/file.h"
#include "engine/core/npy.h"
#include "engine/core/table.h"
#include "engine/core/utf8.h"

namespace sepx {

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

/// minizip's view of a string that grows.
struct Memory {
  std::string bytes;
  std::size_t at = 0;
};

voidpf openMemory(voidpf opaque, const void*, int) {
  return opaque;
}
uLong readMemory(voidpf, voidpf stream, void* to, uLong size) {
  auto& memory = *static_cast<Memory*>(stream);
  const std::size_t count = std::min<std::size_t>(size, memory.bytes.size() - std::min(memory.at, memory.bytes.size()));
  std::memcpy(to, memory.bytes.data() + memory.at, count);
  memory.at += count;
  return static_cast<uLong>(count);
}
uLong writeMemory(voidpf, voidpf stream, const void* from, uLong size) {
  auto& memory = *static_cast<Memory*>(stream);
  if (memory.at + size > memory.bytes.size()) memory.bytes.resize(memory.at + size);
  std::memcpy(memory.bytes.data() + memory.at, from, size);
  memory.at += size;
  return size;
}
ZPOS64_T tellMemory(voidpf, voidpf stream) {
  return static_cast<Memory*>(stream)->at;
}
long seekMemory(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  auto& memory = *static_cast<Memory*>(stream);
  const std::size_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? memory.at
                           : origin == ZLIB_FILEFUNC_SEEK_END ? memory.bytes.size()
                                                              : 0;
  memory.at = base + static_cast<std::size_t>(offset);
  return 0;
}
int closeMemory(voidpf, voidpf) {
  return 0;
}
int noError(voidpf, voidpf) {
  return 0;
}

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::string npyTexts(const std::vector<std::string>& texts, const std::vector<std::size_t>& shape) {
  std::vector<std::vector<char32_t>> all;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    all.push_back(decodeUtf8(text));
    longest = std::max(longest, all.back().size());
  }
  std::string out = npyHeader(fmt::format("<U{}", longest), shape);
  for (std::vector<char32_t>& text : all) {
    text.resize(longest, U'\0');
    out.append(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t));
  }
  return out;
}

std::string npy(const Column& column) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values))
    return npyTexts(*texts, {texts->size()});
  const auto& numbers = std::get<std::vector<double>>(column.values);
  return npyHeader("<f8", {numbers.size()}) + bytesOf(numbers);
}

std::string npy(const Grid& grid) {
  if (const auto* labels = std::get_if<std::vector<std::uint8_t>>(&grid.values))
    return npyHeader("|u1", grid.shape) + bytesOf(*labels);
  return npyHeader("<f8", grid.shape) + bytesOf(std::get<std::vector<double>>(grid.values));
}

class Archive {
 public:
  Archive() {
    zlib_filefunc64_def calls{openMemory, readMemory,  writeMemory, tellMemory,
                              seekMemory, closeMemory, noError,     &memory_};
    zip_ = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &calls);
  }
  ~Archive() {
    if (zip_) zipClose(zip_, nullptr);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  bool add(const std::string& name, const std::string& content) {
    constexpr uLong kFirstDay = 1U << 21 | 1U << 16;  // 1 January 1980, the zip format's beginning
    zip_fileinfo info{};
    info.dosDate = kFirstDay;
    const bool large = content.size() > std::numeric_limits<std::uint32_t>::max() / 2;
    return zip_ &&
           zipOpenNewFileInZip64(zip_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0, large ? 1 : 0) ==
               ZIP_OK &&
           write(content) && zipCloseFileInZip(zip_) == ZIP_OK;
  }
  /// Empty: it could not be made.
  std::string close() {
    const bool good = zip_ && zipClose(zip_, nullptr) == ZIP_OK;
    zip_ = nullptr;
    return good ? std::move(memory_.bytes) : std::string();
  }

 private:
  bool write(const std::string& content) {
    constexpr std::size_t kPiece = std::size_t{1} << 30;  // minizip counts a piece in 32 bits
    for (std::size_t at = 0; at < content.size(); at += kPiece) {
      const auto size = static_cast<unsigned>(std::min(kPiece, content.size() - at));
      if (zipWriteInFileInZip(zip_, content.data() + at, size) != ZIP_OK) return false;
    }
    return true;
  }

  Memory memory_;
  zipFile zip_ = nullptr;
};

}  // namespace

Result<void> writeNpz(const Numbers& numbers, const std::string& recipe, const std::string& path) {
  Archive archive;
  bool good = true;
  // First, so that the head of the file says whose it is.
  if (!recipe.empty()) good = good && archive.add("Separatrix-Recipe.npy", npyTexts({recipe}, {}));
  for (const Table& table : numbers.tables) {
    for (const Column& column : table.columns)
      good = good && archive.add(fmt::format("{}.{}.npy", table.name, column.name), npy(column));
  }
  for (const Grid& grid : numbers.grids)
    good = good && archive.add(grid.name + ".npy", npy(grid));
  const std::string bytes = archive.close();
  if (!good || bytes.empty()) {
    return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be written: the archive cannot be made", path));
  }
  return writeFile(path, bytes);
}

}  // namespace sepx
