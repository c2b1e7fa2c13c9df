// SPDX-License-Identifier: Apache-2.0
// A checkpoint is held by a weak pointer under its path, with the status that all its files had before they were read;
// a model under its checkpoint and the rules that mapped it.
#include "engine/checkpoint/model_cache.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/checkpoint/family_json.h"
#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/mapped_file.h"
#include "engine/core/folder.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace fs = std::filesystem;

namespace {

/// Shows whether a file was changed or replaced. A missing file has a stamp too.
struct Stamp {
  std::string path;
  MappedFile::Status status;
  bool operator==(const Stamp&) const = default;
};

Stamp stampOf(const std::string& path) {
  return {path, MappedFile::statusOf(path)};
}

/// The stamps of what opening `path` reads besides the weight files: the path itself and the configs.
std::vector<Stamp> configStamps(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::is_directory(path, error) ? fs::path(path) : fs::path(path).parent_path();
  std::vector<Stamp> stamps{stampOf(path)};
  for (const char* const name : {"config.json", "params.json", "model.safetensors.index.json"})
    stamps.push_back(stampOf((folder / name).string()));
  return stamps;
}

/// The current stamps of these, and of the weight files.
std::vector<Stamp> stampsNow(const std::string& path, const Checkpoint& checkpoint) {
  std::vector<Stamp> stamps = configStamps(path);
  for (const auto& file : checkpoint.files())
    stamps.push_back(stampOf(file->path()));
  return stamps;
}

std::vector<Stamp> stampsOfRules(const std::string& folder) {
  std::vector<Stamp> stamps;
  for (const std::string& path : folderPaths(folder))
    stamps.push_back(stampOf(path));
  return stamps;
}

struct Place {
  std::mutex opening;  ///< while a file is opened, other requests for it wait
  std::weak_ptr<const Checkpoint> checkpoint;
  std::vector<Stamp> stamps;
  std::weak_ptr<const Model> model;
  std::string rules;
  std::vector<Stamp> rulesStamps;
};

class ModelCache {
 public:
  std::shared_ptr<Place> place(const std::string& path) {
    const std::lock_guard lock(mutex_);
    // Places whose checkpoint is no longer used are removed.
    for (auto at = places_.begin(); at != places_.end();)
      at = at->second.use_count() == 1 && at->second->checkpoint.expired() ? places_.erase(at) : std::next(at);
    auto& place = places_[path];
    if (!place) place = std::make_shared<Place>();
    return place;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Place>> places_;
};

/// One per process: a file of gigabytes is mapped once, for all windows, panes and jobs that show it, and released with
/// the last of them.
ModelCache& modelCache() {
  static ModelCache cache;
  return cache;
}

Result<std::shared_ptr<const Checkpoint>> checkpointOf(Place& place, const std::string& path,
                                                       const std::string& absolute, const Cancelled& cancelled) {
  if (auto open = place.checkpoint.lock(); open && place.stamps == stampsNow(absolute, *open)) return open;
  constexpr int kMostReadings = 3;
  for (int reading = 1;; ++reading) {
    std::vector<Stamp> stamps = configStamps(absolute);
    SEPX_ASSIGN(auto opened, Checkpoint::open(path, cancelled));
    for (const auto& file : opened->files())
      stamps.push_back({file->path(), file->status()});
    // A file that was replaced meanwhile is read again; one that keeps changing is read again at the next request.
    if (reading < kMostReadings && stamps != stampsNow(absolute, *opened)) continue;
    place.checkpoint = opened;
    place.stamps = std::move(stamps);
    place.model.reset();
    return opened;
  }
}

}  // namespace

Result<std::shared_ptr<const Model>> openModel(const std::string& path, const std::string& rules,
                                               const Cancelled& cancelled) {
  std::error_code error;
  const std::string absolute = fs::absolute(path, error).lexically_normal().string();
  const auto place = modelCache().place(absolute);
  const std::lock_guard lock(place->opening);
  // Taken before the files are read, so that a change meanwhile is noticed the next time.
  std::vector<Stamp> rulesStamps = stampsOfRules(rules);
  SEPX_ASSIGN(auto checkpoint, checkpointOf(*place, path, absolute, cancelled));
  if (auto model = place->model.lock(); model && place->rules == rules && place->rulesStamps == rulesStamps)
    return model;
  std::vector<FamilyRule> own;
  if (!rules.empty()) {
    SEPX_ASSIGN(own, readRules(rules));
  }
  auto model = std::make_shared<Model>();
  model->checkpoint = checkpoint;
  model->map = mapAttention(*checkpoint, own);
  place->model = model;
  place->rules = rules;
  place->rulesStamps = std::move(rulesStamps);
  return model;
}

}  // namespace sepx::checkpoint
