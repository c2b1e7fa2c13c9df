// SPDX-License-Identifier: Apache-2.0
// Lists the content of a folder. Any thread. The directory iterators of std::filesystem (GCC 12) terminate the program
// if memory for a name cannot be allocated. These functions throw std::bad_alloc instead, so app, ui and engine use
// only them to list folders.
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

inline constexpr std::size_t kMostNames = 1'000'000;  ///< per folder; larger folders are not expected

/// Names of the direct entries of `folder`, without "." and "..", sorted by their bytes. If there are more than `most`,
/// the system determines which are returned. BadInput with path and reason if it is not a folder or cannot be read.
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
    errno = 0;  // readdir() reports an error through errno alone
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

/// listFolder(); empty if the folder cannot be read.
inline std::vector<std::string> folderNames(const std::string& folder, std::size_t most = kMostNames) {
  return listFolder(folder, most).value_or(std::vector<std::string>());
}

/// listPaths(); empty if the folder cannot be read.
inline std::vector<std::string> folderPaths(const std::string& folder, std::size_t most = kMostNames) {
  return listPaths(folder, most).value_or(std::vector<std::string>());
}

}  // namespace sepx
