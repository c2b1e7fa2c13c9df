// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/allowed_data.h"

#include <filesystem>

#include "engine/core/folder.h"
#include "engine/core/terminal_text.h"
#include "ui/document/lesson_file.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kShownPath = 200;       // bytes of a path in a message
constexpr std::size_t kMostEntries = 10'000;  // in a folder of data

/// The first path below a folder that is a symbolic link to the outside; the folder itself if that cannot be
/// determined. `entries`: number of entries checked so far. Folders behind links are not entered.
std::string outsideBelow(const std::string& folder, const std::vector<std::string>& folders, std::size_t& entries) {
  const auto paths = listPaths(folder, kMostEntries + 1);
  if (!paths || (entries += paths->size()) > kMostEntries) return folder;
  for (const std::string& path : *paths) {
    std::error_code failed;
    const fs::file_status status = fs::symlink_status(path, failed);
    if (failed || (fs::is_symlink(status) && !isInAnyFolder(path, folders))) return path;
    if (!fs::is_directory(status)) continue;
    if (std::string found = outsideBelow(path, folders, entries); !found.empty()) return found;
  }
  return {};
}

/// The first path that is outside: the file, or the folder or anything in it. Empty: none is.
std::string outside(const std::string& path, const std::vector<std::string>& folders) {
  if (!isInAnyFolder(path, folders)) return path;
  std::error_code failed;
  std::size_t entries = 0;
  return fs::is_directory(path, failed) ? outsideBelow(path, folders, entries) : std::string();
}

}  // namespace

Result<void> checkDataAllowed(const data::SourceConfig& config, const std::vector<std::string>& folders) {
  if (folders.empty() || config.path.empty()) return {};
  const std::string path = outside(config.path, folders);
  if (path.empty()) return {};
  return fail(ErrorKind::BadInput,
              trFormat("{}: the run of a lesson names these data, which are neither in the lesson's folder nor "
                       "shipped with the program; they are not read",
                       excerpt(path, kShownPath)));
}

}  // namespace sepx::ui
