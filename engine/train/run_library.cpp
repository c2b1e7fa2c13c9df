// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_library.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/local_time.h"
#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/core/xdg.h"
#include "engine/train/config_fields.h"
#include "engine/train/run_library_cache.h"

namespace sepx::train {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr const char *kNotesFile = "/notes.json", *kUsedFile = "/used";
constexpr std::size_t kNewest = 1024;     // newest values of a run that are read
constexpr std::size_t kCurvePoints = 48;  // points in the sketch of the loss
constexpr std::size_t kLargestNotes = std::size_t{1} << 20;
constexpr std::size_t kPortion = 32;  // runs that are read between two calls of `progress`
constexpr std::chrono::milliseconds kTell{100};

/// A text that changes when somebody writes into the run, and the times of the last changes.
struct Stamp {
  std::string text;
  timespec changed{};
  std::int64_t used = 0;  ///< seconds since 1970; 0: unknown
  bool log = false;       ///< there is a write-ahead log with content
};

Stamp stampOf(const std::string& folder) {
  Stamp stamp;
  for (const char* file : {"/run.sqlite", "/run.sqlite-wal", kNotesFile, kUsedFile}) {
    struct stat about {};
    if (::stat((folder + file).c_str(), &about) == 0) {
      stamp.text +=
          fmt::format("{}.{}.{}.{}", about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
      if (stamp.text.find(';') == std::string::npos) stamp.changed = about.st_mtim;
      if (std::string_view(file).ends_with("-wal")) stamp.log = about.st_size > 0;
      if (file != kNotesFile) stamp.used = std::max<std::int64_t>(stamp.used, about.st_mtim.tv_sec);
    }
    stamp.text += ';';
  }
  return stamp;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The values of all config fields. A field that the config does not have (a run of an older program) gets its default.
std::vector<RunValue> configOf(const std::string& text) {
  static const std::vector<ConfigField> fields = configFields();
  const auto json = parseJson<Json>(text);
  std::vector<RunValue> values;
  if (!json || !json->is_object()) return values;
  values.reserve(fields.size());
  for (const ConfigField& field : fields) {
    const Json& there = fieldOf(*json, field.place);
    values.push_back(runValueOf(there.is_null() ? field.fallback : there));
  }
  return values;
}

/// The last value of each metric; for metrics of layers the median over the layers.
std::vector<std::pair<std::string, double>> metricsOf(const std::vector<Series>& newest) {
  std::vector<std::pair<std::string, double>> metrics;
  std::vector<double> layers;
  for (std::size_t i = 0; i < newest.size(); ++i) {  // sorted by name, layer, head
    const Series& series = newest[i];
    if (series.head < 0 && series.layer >= 0) layers.push_back(series.values.back());
    if (series.head < 0 && series.layer < 0) metrics.emplace_back(series.name, series.values.back());
    if (layers.empty() || (i + 1 < newest.size() && newest[i + 1].name == series.name)) continue;
    metrics.emplace_back(series.name, median(std::exchange(layers, {})));
  }
  return metrics;
}

Result<void> readRun(RunSummary& run, bool atRest) {
  SEPX_ASSIGN(const auto reader, atRest ? RunReader::openWithoutLocks(run.folder) : RunReader::open(run.folder));
  SEPX_ASSIGN(run.record, reader->record());
  SEPX_ASSIGN(const auto newest, reader->newest(kNewest));
  run.metrics = metricsOf(newest);
  SEPX_ASSIGN(const Series loss, reader->sketch("loss", run.record.step, kCurvePoints));
  run.curveSteps.assign(loss.steps.begin(), loss.steps.end());
  run.curve.assign(loss.values.begin(), loss.values.end());
  return {};
}

/// Fills in what the cache does not keep.
void complete(RunSummary& run, const Stamp& stamp) {
  if (run.failure.empty()) run.used = stamp.used > 0 ? utcOf(stamp.used) : run.record.created;
  if (run.failure.empty() && run.config.empty()) run.config = configOf(run.record.config);
  run.alive = runIsAlive(run.folder);
  run.killed = run.failure.empty() && isInterrupted(run.record, run.alive);
}

/// A run without a writer is read without locks. If a writer appeared meanwhile, the run is read again with locks.
std::shared_ptr<const RunSummary> read(const std::string& folder, Stamp stamp) {
  auto run = std::make_shared<RunSummary>();
  run->folder = folder;
  const bool atRest = !stamp.log && !runIsAlive(folder);
  Result<void> done = readRun(*run, atRest);
  if (atRest && (stampOf(folder).text != stamp.text || runIsAlive(folder))) {
    stamp = stampOf(folder);
    *run = {};
    run->folder = folder;
    done = readRun(*run, false);
  }
  run->stamp = stamp.text;
  if (!done) run->failure = done.error().message;
  if (auto notes = readNotes(folder)) run->own = std::move(*notes);
  complete(*run, stamp);
  return run;
}

/// Returns the same object if nothing has changed.
std::shared_ptr<const RunSummary> completed(const std::shared_ptr<const RunSummary>& known, const Stamp& stamp) {
  if (!known->config.empty() && runIsAlive(known->folder) == known->alive) return known;
  auto run = std::make_shared<RunSummary>(*known);
  complete(*run, stamp);
  return run;
}

std::shared_ptr<const RunSummary> unreadable(const std::string& folder) {
  auto run = std::make_shared<RunSummary>();
  run->folder = folder;
  run->failure = fmt::format("{}: cannot be read: {}", folder, std::generic_category().message(EACCES));
  return run;
}

/// One reading of a library.
class Reading {
 public:
  Reading(const std::string& folder, const LibraryOptions& options) : options_(options) {
    folders_ = findRuns(folder, &unreadable_);
    if (options.known.empty()) before_ = LibraryCache(options.cache).read(folder).value_or(CachedRuns{});
    for (const auto& run : options.known)
      before_[run->folder] = run;
    stamps_.resize(folders_.size());
    runs_.resize(folders_.size());
  }

  RunList all() {
    const auto tell = [this] { return !options_.progress || options_.progress(known()); };
    const std::vector<std::size_t> changed = takeKnown();
    if (!changed.empty() && changed.size() < folders_.size() && !tell()) return known();
    Clock::time_point told{};
    for (std::size_t from = 0; from < changed.size(); from += kPortion) {
      const std::size_t to = std::min(changed.size(), from + kPortion);
      each(from, to, [&](std::size_t i) { runs_[changed[i]] = read(folders_[changed[i]], stamps_[changed[i]]); });
      if (to < changed.size() && Clock::now() - told < kTell) continue;
      if (!tell()) return known();  // all of them are shown before the cache is written
      told = Clock::now();
    }
    CachedRuns now;
    for (const auto& run : runs_)
      now[run->folder] = run;
    if (!options_.cache.empty() && (!changed.empty() || now.size() != before_.size()))
      static_cast<void>(LibraryCache(options_.cache).write(before_, now));  // on failure: read again next time
    return known();
  }

 private:
  void each(std::size_t from, std::size_t to, const std::function<void(std::size_t)>& work) {
    const auto block = [&work](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        work(i);
    };
    if (options_.pool != nullptr)
      options_.pool->parallelFor(from, to, 4, block);
    else
      block(from, to);
  }

  /// Returns the runs that must be read, newest first. A failure is not reused, because permissions can change.
  std::vector<std::size_t> takeKnown() {
    each(0, folders_.size(), [this](std::size_t i) {
      stamps_[i] = stampOf(folders_[i]);
      const auto there = before_.find(folders_[i]);
      const bool same = there != before_.end() && there->second->stamp == stamps_[i].text;
      if (same && there->second->failure.empty()) runs_[i] = completed(there->second, stamps_[i]);
    });
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < folders_.size(); ++i)
      if (!runs_[i]) changed.push_back(i);
    std::ranges::stable_sort(changed, [this](std::size_t a, std::size_t b) {
      return std::pair(stamps_[a].changed.tv_sec, stamps_[a].changed.tv_nsec) >
             std::pair(stamps_[b].changed.tv_sec, stamps_[b].changed.tv_nsec);
    });
    return changed;
  }

  RunList known() const {
    RunList list;
    list.reserve(runs_.size() + unreadable_.size());
    for (const auto& run : runs_)
      if (run) list.push_back(run);
    for (const std::string& folder : unreadable_)
      list.push_back(unreadable(folder));
    if (!unreadable_.empty())
      std::ranges::stable_sort(list, [](const auto& a, const auto& b) { return a->folder < b->folder; });
    return list;
  }

  const LibraryOptions& options_;
  std::vector<std::string> unreadable_, folders_;
  CachedRuns before_;
  std::vector<Stamp> stamps_;  ///< one per folder, like runs_
  RunList runs_;
};

}  // namespace

bool isInterrupted(const RunRecord& record, bool alive) {
  return !alive && (record.state == RunState::Preparing || record.state == RunState::Running);
}

RunValue runValueOf(const nlohmann::ordered_json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return std::string(json.get<bool>() ? "true" : "false");
  if (!json.is_array()) return {};
  std::string all;
  for (const auto& one : json)
    all += (all.empty() ? "" : ", ") + (one.is_string() ? one.get<std::string>() : one.dump());
  return all;
}

RunList readLibrary(const std::string& folder, const LibraryOptions& options) {
  std::string from = folder;
  while (from.size() > 1 && from.back() == '/')
    from.pop_back();
  return Reading(from, options).all();
}

Result<RunNotes> readNotes(const std::string& folder) {
  const std::string path = folder + kNotesFile;
  RunNotes notes;
  if (::access(path.c_str(), F_OK) != 0) return notes;
  SEPX_ASSIGN(const std::string text, readFile(path, kLargestNotes));
  auto read = notesOf(text);
  if (!read) return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, read.error().message));
  return std::move(*read);
}

Result<void> writeNotes(const std::string& folder, const RunNotes& notes) {
  RunNotes once;
  once.notes = notes.notes;
  for (const std::string& tag : notes.tags)
    if (!tag.empty() && std::ranges::find(once.tags, tag) == once.tags.end()) once.tags.push_back(tag);
  return writeFile(folder + kNotesFile, textOf(once) + "\n", Links::Replace);
}

void noteUse(const std::string& folder) {
  if (::access((folder + "/run.sqlite").c_str(), F_OK) != 0) return;
  static_cast<void>(writeFile(folder + kUsedFile, "", Links::Replace));
}

std::vector<std::string> tagsOf(std::string_view text) {
  std::vector<std::string> tags;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    std::string_view tag = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!tag.empty() && tag.front() == ' ')
      tag.remove_prefix(1);
    while (!tag.empty() && tag.back() == ' ')
      tag.remove_suffix(1);
    if (!tag.empty() && std::ranges::find(tags, tag) == tags.end()) tags.emplace_back(tag);
  }
  return tags;
}

std::string defaultLibraryCache() {
  return cacheFolder() + "/library.sqlite";
}

}  // namespace sepx::train
