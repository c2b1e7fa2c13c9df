// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trash.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/regular_file.h"
#include "engine/core/xdg.h"

namespace fs = std::filesystem;

namespace sepx::train {
namespace {

constexpr std::string_view kEnding = ".trashinfo";

/// The path with escapes as in RFC 2396, which the specification requires.
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

/// Local time, as the specification requires.
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

/// The top folder of the path's file system.
fs::path topOf(const fs::path& path) {
  fs::path top = path.parent_path();
  const dev_t device = deviceOf(top);
  while (top.has_relative_path() && deviceOf(top.parent_path()) == device)
    top = top.parent_path();
  return top;
}

struct Trash {
  fs::path folder;
  std::string written;  ///< the path to record: absolute, or relative to the top of its file system
};

/// Returns 0, or the errno.
int makeTrash(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  for (const fs::path& one : {folder, folder / "files", folder / "info"})
    if (::mkdir(one.c_str(), 0700) != 0 && errno != EEXIST) return errno;
  return 0;
}

/// Moves `path` under a free name: returns 0 and the name, or the errno. The file that records the origin is created
/// first, and one that exists is never replaced.
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

/// Whether a new folder looks like `about`. On a file system without permissions (NTFS, FAT, CIFS) everything that the
/// user creates has one owner and mode.
bool looksAsNew(const fs::path& top, const struct stat& about) {
  std::string probe = (top / ".sepx-XXXXXX").string();
  if (::mkdtemp(probe.data()) == nullptr) return false;
  struct stat made {};
  const bool same = ::lstat(probe.c_str(), &made) == 0 && made.st_uid == about.st_uid &&
                    (made.st_mode & ACCESSPERMS) == (about.st_mode & ACCESSPERMS);
  ::rmdir(probe.c_str());
  return same;
}

/// Whether only the user may write the folder. If everybody may write to the top of a file system, somebody else could
/// have created the trash there and would own what is moved into it.
bool isWritableByUserOnly(const fs::path& folder) {
  constexpr mode_t kOthers = S_IWGRP | S_IWOTH;
  struct stat about {};
  if (::lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return false;
  if (about.st_uid == ::getuid() && (about.st_mode & kOthers) == 0) return true;
  return looksAsNew(folder.parent_path(), about);
}

/// The absolute path, without a slash at its end.
fs::path wholeOf(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

/// Moves without replacing anything; returns 0, or the errno.
int moveTo(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error))) return EEXIST;
  fs::create_directories(to.parent_path(), error);
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
}

}  // namespace

Result<std::string> putBack(const std::string& where, const std::string& from) {
  const fs::path file = fs::path(where).lexically_normal(), place = wholeOf(from);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error)))
    return fail(ErrorKind::OutputFailed, fmt::format("{}: is no longer in the trash", file.filename().string()));
  if (const int reason = moveTo(file, place); reason != 0)
    return fail(ErrorKind::OutputFailed,
                fmt::format("{}: cannot be restored: {}", place.string(), systemReason(reason)));
  const fs::path info = file.parent_path().parent_path() / "info" / (file.filename().string() + std::string(kEnding));
  ::unlink(info.c_str());
  return place.string();
}

Result<std::string> moveToTrash(const std::string& path) {
  const auto failed = [&path](const std::string& why) {
    return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be moved to the trash: {}", path, why));
  };
  std::error_code error;
  const fs::path whole = wholeOf(path);
  if (!fs::exists(fs::symlink_status(whole, error))) return failed(systemReason(ENOENT));
  std::string where;
  const fs::path data = fs::path(dataFolder()).parent_path();  // $XDG_DATA_HOME
  int reason = putInto({data / "Trash", whole.string()}, whole, where);
  if (reason == EXDEV) {
    const fs::path top = topOf(whole), folder = top / fmt::format(".Trash-{}", ::getuid());
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return failed(systemReason(errno));
    if (!isWritableByUserOnly(folder))
      return failed(
          fmt::format("{} is not a folder that belongs to you and that only you can write to; remove it, or correct "
                      "its owner and its permissions",
                      folder.string()));
    reason = putInto({folder, whole.lexically_relative(top).string()}, whole, where);
  }
  if (reason == 0) return where;
  return failed(systemReason(reason));
}

}  // namespace sepx::train
