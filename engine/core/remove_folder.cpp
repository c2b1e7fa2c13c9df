// SPDX-License-Identifier: Apache-2.0
#include "engine/core/remove_folder.h"

#include <cerrno>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace sepx {
namespace {

int removeAt(int parent, const char* name, int depth) noexcept;

/// Removes the content of the folder `descriptor`, and closes the descriptor. Returns 0 or the first error.
int emptyFolder(int descriptor, int depth) noexcept {
  DIR* const opened = ::fdopendir(descriptor);
  if (opened == nullptr) {
    const int why = errno;
    ::close(descriptor);
    return why;
  }
  int first = 0;
  for (;;) {
    errno = 0;  // readdir() reports an error through errno alone
    const dirent* const entry = ::readdir(opened);
    if (entry == nullptr) {
      if (first == 0) first = errno;
      break;
    }
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name == "." || name == "..") continue;
    if (const int why = removeAt(descriptor, entry->d_name, depth); first == 0) first = why;
  }
  ::closedir(opened);
  return first;
}

int removeAt(int parent, const char* name, int depth) noexcept {
  if (::unlinkat(parent, name, 0) == 0 || errno == ENOENT) return 0;
  const int why = errno;
  if (why != EISDIR && why != EPERM) return why;  // for a folder, POSIX specifies EPERM and Linux returns EISDIR
  if (depth >= kDeepestRemoved) return ENAMETOOLONG;
  const int folder = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return errno == ENOTDIR ? why : errno;
  const int inside = emptyFolder(folder, depth + 1);
  if (::unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return 0;
  return inside != 0 ? inside : errno;
}

}  // namespace

std::error_code removeFolder(const std::string& path) noexcept {
  return {removeAt(AT_FDCWD, path.c_str(), 0), std::generic_category()};
}

}  // namespace sepx
