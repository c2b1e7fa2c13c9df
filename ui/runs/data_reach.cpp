// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/data_reach.h"

#include <filesystem>

#include "engine/core/terminal_text.h"
#include "ui/document/lesson_file.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kShownPath = 200;  // bytes in a sentence
constexpr int kMostEntries = 10'000;     // of a folder of data

/// The first of a file, or of a folder and all that lies in it, that is outside; empty: none is.
std::string outside(const std::string& path, const std::vector<std::string>& folders) {
  if (!liesInAny(path, folders)) return path;
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return {};
  int entries = 0;
  for (fs::recursive_directory_iterator entry(path, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (++entries > kMostEntries) return path;
    if (entry->is_symlink(failed) && !liesInAny(entry->path().string(), folders)) return entry->path().string();
  }
  return failed ? path : std::string();
}

}  // namespace

Result<void> checkDataReach(const data::SourceConfig& config, const std::vector<std::string>& folders) {
  if (folders.empty() || config.path.empty()) return {};
  const std::string path = outside(config.path, folders);
  if (path.empty()) return {};
  return fail(ErrorKind::BadInput,
              trFormat("{}: the run of a lesson names these data, and they are neither in the lesson's folder nor ship "
                       "with the program; they are not read",
                       excerpt(path, kShownPath)));
}

}  // namespace sepx::ui
