// SPDX-License-Identifier: Apache-2.0
// What lies in a folder. Any thread. std::filesystem's iterators over folders end the program (GCC 12) where a name
// finds no memory; here that is std::bad_alloc as everywhere, so all of app, ui and engine list folders by this.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx {

inline constexpr std::size_t kMostNames = 1'000'000;  ///< of one folder; a folder of that many is not one for us

/// Names of what lies directly in `folder`, without "." and "..", sorted by their bytes. At most `most` of them: the
/// system chooses which. BadInput with path and reason where it is no folder or cannot be read.
inline Result<std::vector<std::string>> listFolder(const std::string& folder, std::size_t most = kMostNames) {
  struct CloseFolder {
    void operator()(DIR* opened) const { ::closedir(opened); }
  };
  const auto failed = [&folder](int why) {
    return fail(ErrorKind::BadInput, folder + ": cannot be read: " + systemReason(why));
  };
  const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
  if (!opened) return failed(errno);
  std::vector<std::string> names;
  while (names.size() < most) {
    errno = 0;  // readdir() says an error by it alone
    const dirent* const entry = ::readdir(opened.get());
    if (entry == nullptr && errno != 0) return failed(errno);
    if (entry == nullptr) break;
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// listFolder() with `folder` before each name.
inline Result<std::vector<std::string>> listPaths(const std::string& folder, std::size_t most = kMostNames) {
  Result<std::vector<std::string>> paths = listFolder(folder, most);
  if (!paths) return paths;
  const std::string before = folder.ends_with('/') ? folder : folder + "/";
  for (std::string& path : *paths)
    path.insert(0, before);
  return paths;
}

/// listFolder(); none where it cannot be read.
inline std::vector<std::string> folderNames(const std::string& folder, std::size_t most = kMostNames) {
  return listFolder(folder, most).value_or(std::vector<std::string>());
}

/// listPaths(); none where it cannot be read.
inline std::vector<std::string> folderPaths(const std::string& folder, std::size_t most = kMostNames) {
  return listPaths(folder, most).value_or(std::vector<std::string>());
}

}  // namespace sepx
