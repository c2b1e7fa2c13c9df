// SPDX-License-Identifier: Apache-2.0
// Unpacks and packs zip files with minizip. This file checks the names and the amount of data, by the data that is
// actually unpacked and not by the sizes that the zip claims.
#include "engine/core/zip_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <minizip/unzip.h>
#include <sys/stat.h>

#include "engine/core/ascii.h"
#include "engine/core/file.h"
#include "engine/core/file_writer.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/core/zip_archive.h"

namespace sepx {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDeepest = 8;  // maximum number of folders in a name
constexpr std::size_t kQuoted = 80;  // bytes of a name that a sentence quotes
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

struct CloseUnzip {
  void operator()(void* zip) const { unzClose(zip); }
};
using Unzip = std::unique_ptr<void, CloseUnzip>;

/// Why a name is not allowed for a file below a folder; empty if it is allowed.
std::string nameProblem(const std::string& name, const ZipBounds& bounds) {
  if (name.empty() || name.size() > bounds.nameBytes)
    return fmt::format("a name must have 1 to {} bytes", bounds.nameBytes);
  if (findInvalidUtf8(name)) return "a name is not UTF-8 text";
  const bool odd = std::ranges::any_of(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\' || c == ':'; });
  if (odd) return "a name has a character that names of files here do not have";
  std::size_t folders = 0;
  for (std::size_t at = 0; at <= name.size(); ++folders) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string part = name.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return "a name leaves the folder";
    at = end + 1;
  }
  return folders > kDeepest + 1 ? fmt::format("a name has more than {} folders", kDeepest) : "";
}

class Unpacking {
 public:
  Unpacking(const std::string& path, const std::string& folder, const ZipBounds& bounds)
      : path_(path), folder_(folder), bounds_(bounds) {}

  Result<std::vector<std::string>> run() {
    // Also checks that it is a regular file and can be read.
    SEPX_ASSIGN(const std::string head, readHead(path_, 4));
    const Unzip zip(head.starts_with("PK") ? unzOpen64(path_.c_str()) : nullptr);
    if (!zip) return bad("this is not a zip file");
    int there = unzGoToFirstFile(zip.get());
    for (; there == UNZ_OK; there = unzGoToNextFile(zip.get()))
      SEPX_TRY(takeEntry(zip.get()));
    if (there != UNZ_END_OF_LIST_OF_FILE) return bad("its list of files is damaged");
    return std::move(names_);
  }

 private:
  tl::unexpected<Error> bad(const std::string& sentence) const {
    return fail(ErrorKind::BadInput, fmt::format("{}: {}", path_, sentence));
  }
  tl::unexpected<Error> bad(const std::string& name, const std::string& sentence) const {
    return bad(fmt::format("\"{}\": {}", excerpt(name, kQuoted), sentence));
  }

  Result<void> takeEntry(void* zip) {
    unz_file_info64 info{};
    std::array<char, 1024> name{};
    if (unzGetCurrentFileInfo64(zip, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK)
      return bad("its list of files is damaged");
    std::string entry(name.data(), std::min<std::size_t>(info.size_filename, name.size() - 1));
    if (++entries_ > 2 * bounds_.files) return bad(fmt::format("there are more than {} files", bounds_.files));
    const bool folder = entry.ends_with('/') && info.uncompressed_size == 0;
    if (folder) entry.pop_back();
    if (const std::string problem = nameProblem(entry, bounds_); !problem.empty()) return bad(entry, problem);
    if (folder) return {};
    const auto mode = static_cast<mode_t>(info.external_fa >> 16);
    if ((mode & S_IFMT) != 0 && !S_ISREG(mode)) return bad(entry, "this is not a regular file");
    if ((info.flag & 1) != 0) return bad(entry, "this is encrypted");
    if (!seen_.insert(lowerCase(entry)).second) return bad(entry, "this name is there twice");
    if (names_.size() == bounds_.files) return bad(fmt::format("there are more than {} files", bounds_.files));
    SEPX_TRY(unpack(zip, entry));
    names_.push_back(std::move(entry));
    return {};
  }

  Result<void> unpack(void* zip, const std::string& entry) {
    const fs::path target = fs::path(folder_) / entry;
    std::error_code failed;
    fs::create_directories(target.parent_path(), failed);
    // For example, another entry is a file where this one needs a folder.
    if (failed) return bad(entry, failed.message());
    if (unzOpenCurrentFile(zip) != UNZ_OK) return bad(entry, "this is damaged, or packed in a way that is not known");
    const Result<void> copied = copy(zip, entry, target.string());
    const bool whole = unzCloseCurrentFile(zip) == UNZ_OK;
    if (!copied) return copied;
    return whole ? Result<void>() : bad(entry, "this is damaged");
  }

  Result<void> copy(void* zip, const std::string& entry, const std::string& target) {
    SEPX_ASSIGN(auto writer, FileWriter::begin(target));
    std::string piece(kPieceBytes, '\0');
    for (;;) {
      const int read = unzReadCurrentFile(zip, piece.data(), static_cast<unsigned>(piece.size()));
      if (read < 0) return bad(entry, "this is damaged");
      if (read == 0) return writer->commit();
      bytes_ += static_cast<std::uint64_t>(read);
      if (bytes_ > bounds_.bytes) return bad(fmt::format("the unpacked size exceeds {} MB", bounds_.bytes >> 20));
      SEPX_TRY(writer->write(std::string_view(piece).substr(0, static_cast<std::size_t>(read))));
    }
  }

  const std::string& path_;
  const std::string& folder_;
  const ZipBounds& bounds_;
  std::vector<std::string> names_;
  std::set<std::string> seen_;
  std::size_t entries_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Result<std::vector<std::string>> unpackZip(const std::string& path, const std::string& folder,
                                           const ZipBounds& bounds) {
  return Unpacking(path, folder, bounds).run();
}

Result<void> packZip(const std::vector<std::pair<std::string, std::string>>& files, const std::string& path,
                     const ZipBounds& bounds) {
  if (files.size() > bounds.files)
    return fail(ErrorKind::BadInput, fmt::format("{}: there are more than {} files", path, bounds.files));
  constexpr unsigned long kMode = static_cast<unsigned long>(S_IFREG | 0644) << 16;
  ZipArchive archive;
  bool good = true;
  std::uint64_t bytes = 0;
  for (const auto& [name, file] : files) {
    if (const std::string problem = nameProblem(name, bounds); !problem.empty())
      return fail(ErrorKind::BadInput, fmt::format("{}: {}", excerpt(name, kQuoted), problem));
    SEPX_ASSIGN(const std::string content, readFile(file, bounds.bytes));
    bytes += content.size();
    if (bytes > bounds.bytes)
      return fail(ErrorKind::BadInput, fmt::format("{}: more than {} MB", path, bounds.bytes >> 20));
    good = good && archive.add(name, content, ZipPacking::Deflated, kMode);
  }
  const std::string packed = archive.close();
  if (!good || packed.empty()) return fail(ErrorKind::OutputFailed, path + ": cannot be written");
  return writeFile(path, packed);
}

}  // namespace sepx
