// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trash.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "engine/core/regular_file.h"
#include "engine/core/xdg.h"

namespace fs = std::filesystem;

namespace sepx::train {
namespace {

constexpr std::string_view kEnding = ".trashinfo";

/// The path as RFC 2396 writes it, which is how the specification wants it.
std::string escaped(const std::string& path) {
  std::string made;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    if (plain) {
      made += c;
    } else {
      made += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return made;
}

/// What escaped() was given.
std::string unescaped(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      made += static_cast<char>(value);
      i += 2;
    } else {
      made += text[i];
    }
  }
  return made;
}

/// Local time, as the specification wants it.
std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&time, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  return {text.data(), length};
}

dev_t deviceOf(const fs::path& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 ? about.st_dev : 0;
}

/// The folder where the path's file system begins.
fs::path topOf(const fs::path& path) {
  fs::path top = path.parent_path();
  const dev_t device = deviceOf(top);
  while (top.has_relative_path() && deviceOf(top.parent_path()) == device)
    top = top.parent_path();
  return top;
}

struct Trash {
  fs::path folder;
  std::string written;  ///< of the path: absolute, or below the top of a file system
};

/// 0, or the reason.
int makeTrash(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  for (const fs::path& one : {folder, folder / "files", folder / "info"})
    if (::mkdir(one.c_str(), 0700) != 0 && errno != EEXIST) return errno;
  return 0;
}

/// Takes a name that is free: 0 and the name, or the reason. The file that says where it came from is made first, and
/// nobody else's is taken over.
int putInto(const Trash& trash, const fs::path& path, std::string& where) {
  if (const int reason = makeTrash(trash.folder); reason != 0) return reason;
  const std::string text = fmt::format("[Trash Info]\nPath={}\nDeletionDate={}\n", escaped(trash.written), now());
  constexpr int kMost = 100'000;
  for (int number = 1; number < kMost; ++number) {
    std::string name = path.filename().string();
    if (number > 1) name += fmt::format(".{}", number);
    const fs::path info = trash.folder / "info" / (name + std::string(kEnding));
    const Descriptor file = createNew(info.string(), 0600);
    if (file.get() < 0 && errno == EEXIST) continue;
    if (file.get() < 0) return errno;
    const bool wrote = ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
    where = (trash.folder / "files" / name).string();
    std::error_code error;
    if (wrote && !fs::exists(fs::symlink_status(where, error)) && ::rename(path.c_str(), where.c_str()) == 0) return 0;
    const int reason = errno != 0 ? errno : EIO;
    ::unlink(info.c_str());
    if (fs::exists(fs::symlink_status(where, error))) continue;
    return reason;
  }
  return EEXIST;
}

/// The line "Path=" of a .trashinfo file; empty: it has none.
std::string writtenPath(const std::string& info) {
  constexpr std::string_view kPath = "Path=";
  constexpr std::size_t kLongest = std::size_t{1} << 16;
  const auto text = readFile(info, kLongest);
  if (!text) return {};
  const std::size_t at = text->find("\n" + std::string(kPath));
  if (at == std::string::npos) return {};
  const std::size_t from = at + 1 + kPath.size();
  return unescaped(std::string_view(*text).substr(from, text->find('\n', from) - from));
}

/// Moves without replacing anything; 0, or the reason.
int moveTo(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error))) return EEXIST;
  fs::create_directories(to.parent_path(), error);
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
}

}  // namespace

Result<std::string> putBack(const std::string& where) {
  const fs::path file = fs::path(where).lexically_normal(), trash = file.parent_path().parent_path();
  const fs::path info = trash / "info" / (file.filename().string() + std::string(kEnding));
  fs::path from = writtenPath(info.string());
  if (from.empty())
    return fail(ErrorKind::OutputFailed, fmt::format("{}: is no longer in the trash", file.filename().string()));
  if (from.is_relative()) from = trash.parent_path() / from;  // below the top of its file system
  if (const int reason = moveTo(file, from); reason != 0)
    return fail(ErrorKind::OutputFailed,
                fmt::format("{}: cannot be put back: {}", from.string(), std::generic_category().message(reason)));
  ::unlink(info.c_str());
  return from.string();
}

Result<std::string> moveToTrash(const std::string& path) {
  std::error_code error;
  fs::path whole = fs::absolute(path, error).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  int reason = ENOENT;
  std::string where;
  if (!error && fs::exists(fs::symlink_status(whole, error))) {
    const fs::path data = fs::path(dataFolder()).parent_path();  // $XDG_DATA_HOME
    reason = putInto({data / "Trash", whole.string()}, whole, where);
    if (reason == EXDEV) {
      const fs::path top = topOf(whole);
      reason =
          putInto({top / fmt::format(".Trash-{}", ::getuid()), whole.lexically_relative(top).string()}, whole, where);
    }
  }
  if (reason == 0) return where;
  return fail(ErrorKind::OutputFailed,
              fmt::format("{}: cannot be moved to the trash: {}", path, std::generic_category().message(reason)));
}

}  // namespace sepx::train
