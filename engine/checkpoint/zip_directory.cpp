// SPDX-License-Identifier: Apache-2.0
// Reads the records defined by PKWARE's APPNOTE, all little-endian:
//   end of central directory: 22 bytes and a comment, at the very end; with Zip64, a locator of 20 bytes before it
//   points to a record of 56 bytes;
//   central directory: for each entry 46 bytes, name, extra field and comment;
//   local header: 30 bytes, name and extra field, then the entry's bytes.
#include "engine/checkpoint/zip_directory.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/core/json.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

constexpr std::uint32_t kEndMark = 0x06054B50, kLocatorMark = 0x07064B50, kEnd64Mark = 0x06064B50,
                        kCentralMark = 0x02014B50, kLocalMark = 0x04034B50;
constexpr std::uint64_t kEndSize = 22, kLocatorSize = 20, kEnd64Size = 56, kCentralSize = 46, kLocalSize = 30;
constexpr std::uint64_t kMostEntries = 2'000'000;
/// Above this unpacked size a compression ratio above 100 is refused: weights do not reach it, zip bombs do.
constexpr std::uint64_t kFreeSize = std::uint64_t{64} << 20, kMostRatio = 100;

/// Little-endian numbers of the map; the caller has checked the range.
class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t size() const { return bytes_.size(); }
  bool has(std::uint64_t at, std::uint64_t count) const { return at <= size() && count <= size() - at; }
  std::uint64_t number(std::uint64_t at, int count) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + at, static_cast<std::size_t>(count));
    return value;
  }
  std::uint32_t u32(std::uint64_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
  std::uint16_t u16(std::uint64_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
  std::string_view text(std::uint64_t at, std::uint64_t count) const {
    return {reinterpret_cast<const char*>(bytes_.data()) + at, static_cast<std::size_t>(count)};
  }

 private:
  std::span<const std::byte> bytes_;
};

/// Where the central directory lies.
struct Directory {
  std::uint64_t offset = 0, size = 0, entries = 0;
};

tl::unexpected<Error> bad(const std::string& path, std::uint64_t at, std::string_view what) {
  return fail(ErrorKind::BadInput, fmt::format("{}: byte {}: {}", path, at, what));
}

Result<Directory> findDirectory(const std::string& path, const Bytes& bytes) {
  if (bytes.size() < kEndSize) return bad(path, bytes.size(), "the file ends before a zip directory");
  const std::uint64_t last = bytes.size() - kEndSize, first = last > 0xFFFF ? last - 0xFFFF : 0;
  for (std::uint64_t at = last + 1; at-- > first;) {
    if (bytes.u32(at) != kEndMark || at + kEndSize + bytes.u16(at + 20) != bytes.size()) continue;
    Directory found{bytes.u32(at + 16), bytes.u32(at + 12), bytes.u16(at + 10)};
    const bool large = found.offset == 0xFFFFFFFF || found.size == 0xFFFFFFFF || found.entries == 0xFFFF;
    if (large && at >= kLocatorSize && bytes.u32(at - kLocatorSize) == kLocatorMark) {
      const std::uint64_t record = bytes.number(at - kLocatorSize + 8, 8);
      if (!bytes.has(record, kEnd64Size) || bytes.u32(record) != kEnd64Mark) {
        return bad(path, at - kLocatorSize + 8, "the Zip64 locator points to no Zip64 record");
      }
      found = {bytes.number(record + 48, 8), bytes.number(record + 40, 8), bytes.number(record + 32, 8)};
    }
    if (!bytes.has(found.offset, found.size)) {
      return bad(path, at, "the zip directory is said to lie outside the file");
    }
    if (found.entries > kMostEntries || found.entries > found.size / kCentralSize) {
      return bad(path, at,
                 fmt::format("the zip directory of {} bytes cannot have {} entries", found.size, found.entries));
    }
    return found;
  }
  return bad(path, bytes.size(), "there is no zip directory at the end; the file is cut off or is not a zip archive");
}

/// Reads sizes and offset that do not fit in 32 bits: extra field 1 holds them in this order, and only these.
bool readZip64(const Bytes& bytes, std::uint64_t at, std::uint64_t length, ZipEntry& entry) {
  const bool size = entry.size == 0xFFFFFFFF, packed = entry.packed == 0xFFFFFFFF, header = entry.header == 0xFFFFFFFF;
  if (!size && !packed && !header) return true;
  const std::uint64_t end = at + length;
  while (at + 4 <= end) {
    const std::uint64_t id = bytes.u16(at), count = bytes.u16(at + 2);
    at += 4;
    if (count > end - at) return false;
    if (id == 1) {
      std::uint64_t field = at;
      for (auto [wanted, value] : {std::pair{size, &entry.size}, {packed, &entry.packed}, {header, &entry.header}}) {
        if (!wanted) continue;
        if (field + 8 > at + count) return false;
        *value = bytes.number(field, 8);
        field += 8;
      }
      return true;
    }
    at += count;
  }
  return false;
}

/// The entry at `at` of the central directory; moves `at` behind it.
Result<ZipEntry> readCentral(const std::string& path, const Bytes& bytes, std::uint64_t& at, std::uint64_t end) {
  if (end - at < kCentralSize || bytes.u32(at) != kCentralMark)
    return bad(path, at, "the zip directory is broken here");
  ZipEntry entry;
  entry.flags = bytes.u16(at + 8);
  entry.method = bytes.u16(at + 10);
  entry.crc = bytes.u32(at + 16);
  entry.packed = bytes.u32(at + 20);
  entry.size = bytes.u32(at + 24);
  entry.header = bytes.u32(at + 42);
  const std::uint64_t name = bytes.u16(at + 28), extra = bytes.u16(at + 30), comment = bytes.u16(at + 32);
  if (name + extra + comment > end - at - kCentralSize)
    return bad(path, at, "an entry reaches out of the zip directory");
  entry.name = bytes.text(at + kCentralSize, name);
  if (!readZip64(bytes, at + kCentralSize + name, extra, entry)) {
    return bad(path, at, fmt::format("the entry {} lacks its Zip64 sizes", inQuotes(entry.name)));
  }
  at += kCentralSize + name + extra + comment;
  return entry;
}

/// Finds the entry's bytes after its local header.
Result<void> readLocal(const std::string& path, const Bytes& bytes, std::uint64_t directory, ZipEntry& entry) {
  const auto wrong = [&](const char* what) {
    return bad(path, entry.header, fmt::format("the zip entry {} {}", inQuotes(entry.name), what));
  };
  if (!bytes.has(entry.header, kLocalSize) || bytes.u32(entry.header) != kLocalMark)
    return wrong("does not begin here");
  const std::uint64_t name = bytes.u16(entry.header + 26), extra = bytes.u16(entry.header + 28);
  entry.data = entry.header + kLocalSize + name + extra;
  if (!bytes.has(entry.data, entry.packed) || entry.data + entry.packed > directory)
    return wrong("reaches out of the file");
  if (bytes.text(entry.header + kLocalSize, name) != entry.name) return wrong("has another name here");
  if (entry.method == 0 && entry.packed != entry.size) return wrong("is stored, and its two sizes differ");
  return {};
}

/// Refuses entries that share bytes: no honest archive has them, and they let a small archive unpack without end.
Result<void> refuseOverlaps(const std::string& path, const std::vector<ZipEntry>& entries) {
  std::vector<const ZipEntry*> sorted;
  for (const ZipEntry& entry : entries)
    sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->header < b->header; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i]->header >= sorted[i - 1]->data + sorted[i - 1]->packed) continue;
    return bad(
        path, sorted[i]->header,
        fmt::format("the zip entries {} and {} overlap", inQuotes(sorted[i - 1]->name), inQuotes(sorted[i]->name)));
  }
  return {};
}

/// Unpacks raw deflate data to exactly `size` bytes; empty if the stream is broken, longer or shorter, or if
/// `cancelled` (called with the bytes read) returns true.
std::optional<std::vector<std::byte>> inflated(std::span<const std::byte> packed, std::uint64_t size,
                                               const std::function<bool(std::uint64_t read)>& cancelled) {
  std::vector<std::byte> out(static_cast<std::size_t>(size));
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  std::uint64_t read = 0, written = 0;
  std::byte spare{};  // one byte more than allowed, so that a longer stream is noticed
  int status = Z_OK;
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  while (status == Z_OK && !cancelled(read)) {
    const std::uint64_t in = std::min(kPiece, packed.size() - read), room = std::min(kPiece, size - written);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + read));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(room == 0 ? &spare : out.data() + written);
    stream.avail_out = room == 0 ? 1 : static_cast<uInt>(room);
    const uInt before = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    if (room == 0 && stream.avail_out != before) status = Z_DATA_ERROR;
    if (room != 0) written += before - stream.avail_out;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || written != size) return std::nullopt;
  return out;
}

}  // namespace

Result<ZipDirectory> ZipDirectory::read(std::shared_ptr<const MappedFile> file, Cancelled cancelled) {
  const std::string& path = file->path();
  const Bytes bytes(file->bytes());
  SEPX_ASSIGN(const Directory directory, findDirectory(path, bytes));
  ZipDirectory zip;
  std::uint64_t at = directory.offset;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    const std::uint64_t start = at;
    SEPX_ASSIGN(ZipEntry entry, readCentral(path, bytes, at, directory.offset + directory.size));
    SEPX_TRY(readLocal(path, bytes, directory.offset, entry));
    if (!zip.byName_.emplace(entry.name, zip.entries_.size()).second) {
      return bad(path, start, fmt::format("the zip directory lists {} twice", inQuotes(entry.name)));
    }
    zip.entries_.push_back(std::move(entry));
  }
  SEPX_TRY(refuseOverlaps(path, zip.entries_));
  zip.file_ = std::move(file);
  zip.cancelled_ = std::move(cancelled);
  return zip;
}

const ZipEntry* ZipDirectory::find(std::string_view name) const {
  const auto found = byName_.find(name);
  return found == byName_.end() ? nullptr : &entries_[found->second];
}

const ZipEntry* ZipDirectory::at(std::uint64_t offset) const {
  const auto holds = [offset](const ZipEntry& entry) {
    return entry.method == 0 && offset >= entry.data && offset - entry.data < entry.packed;
  };
  const auto found = std::ranges::find_if(entries_, holds);
  return found == entries_.end() ? nullptr : &*found;
}

Result<void> ZipDirectory::check(const ZipEntry& entry) const {
  if (entry.method != 0 || entry.crc == 0) return {};
  constexpr std::uint64_t kPiece = std::uint64_t{4} << 20;
  const auto bytes =
      file_->bytes().subspan(static_cast<std::size_t>(entry.data), static_cast<std::size_t>(entry.packed));
  uLong crc = 0;
  for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
    if (cancelled_ && cancelled_(static_cast<double>(at) / static_cast<double>(bytes.size())))
      return fail(ErrorKind::Interrupted, "stopped while reading " + path());
    const auto piece = bytes.subspan(at, std::min<std::size_t>(kPiece, bytes.size() - at));
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }
  SEPX_TRY(file_->checkNotTruncated());
  if (crc == entry.crc) return {};
  return bad(path(), entry.header,
             fmt::format("the zip entry {} is broken: its checksum does not agree", inQuotes(entry.name)));
}

Result<ZipBytes> ZipDirectory::bytes(const ZipEntry& entry, Unpacked& soFar) const {
  const auto wrong = [&](std::string_view what) {
    return bad(path(), entry.header, fmt::format("the zip entry {} {}", inQuotes(entry.name), what));
  };
  if ((entry.flags & 1U) != 0) return wrong("is encrypted");
  const auto packed =
      file_->bytes().subspan(static_cast<std::size_t>(entry.data), static_cast<std::size_t>(entry.packed));
  if (entry.method == 0) return ZipBytes{packed, nullptr};
  if (entry.method != 8) {
    return wrong(fmt::format("is packed by method {}; only stored and deflated entries are read", entry.method));
  }
  if (entry.size > kMostUnpacked - soFar.bytes) {
    return wrong(fmt::format("would unpack to {} bytes, and {} MB are allowed for an archive; save it uncompressed",
                             entry.size, kMostUnpacked >> 20));
  }
  const std::uint64_t bytesThen = soFar.bytes + entry.size, packedThen = soFar.packed + entry.packed;
  if (bytesThen > kFreeSize && bytesThen / kMostRatio > packedThen) {
    return wrong(fmt::format("would make {} bytes unpack to {}, as only a zip bomb does", packedThen, bytesThen));
  }
  bool ended = false;
  const auto cancelled = [&](std::uint64_t read) {
    const double share = static_cast<double>(entry.data + read) / static_cast<double>(file_->size());
    return ended = cancelled_ && cancelled_(share);
  };
  auto out = inflated(packed, entry.size, cancelled);
  if (ended) return fail(ErrorKind::Interrupted, "stopped while unpacking " + path());
  if (!out) return wrong("is broken: it does not unpack to the size that the directory names");
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(out->data()), out->size());
  if (crc != entry.crc) return wrong("is broken: its checksum does not agree");
  soFar = {packedThen, bytesThen};
  auto kept = std::make_shared<const std::vector<std::byte>>(std::move(*out));
  return ZipBytes{{kept->data(), kept->size()}, kept};
}

}  // namespace sepx::checkpoint
