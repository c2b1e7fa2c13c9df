// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/core/folder.h"
#include "engine/core/regular_file.h"
#include "engine/core/remove_folder.h"
#include "engine/core/xdg.h"
#include "engine/train/run_store.h"
#include "engine/train/run_store_schema.h"

namespace fs = std::filesystem;

namespace sepx::train {

namespace {

constexpr std::string_view kPrefix = "step-";
constexpr std::size_t kMostEntries = 100'000;  // per folder, in case a home folder was named instead of one for runs
constexpr int kDeepest = 3;

void findBelow(const std::string& folder, int depth, std::vector<std::string>& runs,
               std::vector<std::string>* unreadable) {
  std::error_code error;
  if (fs::is_regular_file(folder + "/" + kDatabaseName, error)) {
    runs.push_back(folder);
    return;
  }
  if (unreadable != nullptr && ::access(folder.c_str(), F_OK) == 0 && ::access(folder.c_str(), R_OK | X_OK) != 0) {
    unreadable->push_back(folder);
    return;
  }
  if (depth == 0) return;
  for (const std::string& path : folderPaths(folder, kMostEntries))
    if (fs::is_directory(fs::symlink_status(path, error))) findBelow(path, depth - 1, runs, unreadable);
}

}  // namespace

std::string stepFolderName(std::int64_t step) {
  return fmt::format("{}{:07}", kPrefix, step);
}

std::optional<std::int64_t> stepOfFolderName(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const std::string_view digits = name.substr(kPrefix.size());
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  if (error != std::errc() || end != digits.data() + digits.size() || step < 0) return std::nullopt;
  return stepFolderName(step) == name ? std::optional(step) : std::nullopt;
}

void syncFolder(const std::string& folder) {
  const Descriptor descriptor = openFolder(folder);
  if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

void removeUnfinished(const std::string& folder) {
  const std::string checkpoints = folder + "/" + kCheckpoints + "/";
  for (const std::string& name : folderNames(checkpoints, kMostEntries))
    if (name.starts_with(kPrefix) && name.ends_with(".tmp")) removeFolder(checkpoints + name);
}

std::vector<std::int64_t> savedSteps(const std::string& folder) {
  std::vector<std::int64_t> steps;
  for (const fs::path path : folderPaths(folder + "/" + kCheckpoints, kMostEntries)) {
    const auto step = stepOfFolderName(path.filename().string());
    std::error_code error;
    if (step && fs::is_regular_file(path / kStateName, error) && fs::is_regular_file(path / kModelName, error))
      steps.push_back(*step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

std::string checkpointFolder(const std::string& folder, std::int64_t step) {
  return folder + "/" + kCheckpoints + "/" + stepFolderName(step);
}

bool runIsAlive(const std::string& folder) {
  const auto lock = openRegular(folder + "/" + kLockName);
  if (!lock) return false;
  // A shared lock, released at once: a writer that starts at this moment tries again.
  return ::flock(lock->file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::vector<std::string> findRuns(const std::string& folder, std::vector<std::string>* unreadable) {
  std::vector<std::string> runs;
  std::string from = folder;
  while (from.size() > 1 && from.back() == '/')
    from.pop_back();
  findBelow(from, kDeepest, runs, unreadable);
  std::sort(runs.begin(), runs.end());
  if (unreadable != nullptr) std::sort(unreadable->begin(), unreadable->end());
  return runs;
}

std::string defaultRunsFolder() {
  return dataFolder() + "/runs";
}

}  // namespace sepx::train
