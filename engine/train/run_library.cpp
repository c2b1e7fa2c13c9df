// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_library.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/core/xdg.h"
#include "engine/train/run_store_database.h"
#include "engine/train/run_store_schema.h"

namespace sepx::train {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNotesFile = "/notes.json";
constexpr std::size_t kNewest = 1024;  // last numbers of a run that are looked at
constexpr std::size_t kLargestNotes = std::size_t{1} << 20;
constexpr std::chrono::milliseconds kTell{100};

/// Changes when somebody writes into the run.
std::string stampOfRun(const std::string& folder) {
  std::string stamp;
  for (const char* file : {"/run.sqlite", "/run.sqlite-wal", kNotesFile}) {
    struct stat about {};
    if (::stat((folder + file).c_str(), &about) == 0)
      stamp += fmt::format("{}.{}.{}.{}", about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
    stamp += ';';
  }
  return stamp;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string textOf(const RunNotes& notes) {
  const Json json{{"tags", notes.tags}, {"notes", notes.notes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// The sentence has no file's name.
Result<RunNotes> notesOf(const std::string& text) {
  SEPX_ASSIGN(const Json json, parseJson<Json>(text));
  RunNotes notes;
  try {
    notes.tags = json.at("tags").get<std::vector<std::string>>();
    notes.notes = json.at("notes").get<std::string>();
  } catch (const Json::exception&) {
    return fail(ErrorKind::BadInput, "holds no \"tags\" and \"notes\" of a run");
  }
  return notes;
}

Result<void> readRun(RunSummary& run) {
  SEPX_ASSIGN(const auto reader, RunReader::open(run.folder));
  SEPX_ASSIGN(run.record, reader->record());
  SEPX_ASSIGN(const auto newest, reader->newest(kNewest));
  std::vector<double> symmetry;
  for (const Series& series : newest) {
    const double value = series.values.back();
    if (series.name == "loss" && series.layer < 0) run.loss = value;
    if (series.name == "validation" && series.layer < 0) run.validation = value;
    if (series.name == "symmetry" && series.layer >= 0 && series.head < 0) symmetry.push_back(value);
  }
  run.symmetry = median(std::move(symmetry));
  return {};
}

RunSummary read(const std::string& folder) {
  RunSummary run;
  run.folder = folder;
  if (auto done = readRun(run); !done) run.failure = done.error().sentence;
  if (auto notes = readNotes(folder)) run.own = std::move(*notes);
  return run;
}

struct Kept {
  std::string stamp;
  RunSummary run;
};
using KeptRuns = std::map<std::string, Kept>;

/// What was read before, in a database of its own: a row is read in microseconds, the configs of a thousand runs are
/// megabytes. All of it can be made again, so that what is damaged or cannot be written is no failure.
class Cache {
 public:
  explicit Cache(const std::string& path) {
    if (path.empty()) return;
    const std::size_t slash = path.find_last_of('/');
    if (slash != std::string::npos && !makeFolders(path.substr(0, slash))) return;
    if (!open(path)) {
      for (const char* ending : {"", "-journal", "-wal", "-shm"})
        ::unlink((path + ending).c_str());
      static_cast<void>(open(path));
    }
  }

  Result<KeptRuns> read() const {
    KeptRuns kept;
    if (!database_) return kept;
    SEPX_ASSIGN(auto row, database_->prepare("SELECT folder, stamp, name, note, config, build, seed, parent, created, "
                                             "state, sentence, step, steps, loss, validation, symmetry, own, failure "
                                             "FROM library_1"));
    for (;;) {
      SEPX_ASSIGN(const bool there, row.step());
      if (!there) return kept;
      Kept one{row.text(1), {}};
      RunSummary& run = one.run;
      run.folder = row.text(0);
      int column = 2;
      for (std::string* text : {&run.record.name, &run.record.note, &run.record.config, &run.record.build})
        *text = row.text(column++);
      run.record.seed = std::strtoull(row.text(column++).c_str(), nullptr, 10);
      run.record.parent = row.text(column++);
      run.record.created = row.text(column++);
      SEPX_ASSIGN(run.record.state, stateNamed(row.text(column++), database_->path()));
      run.record.sentence = row.text(column++);
      run.record.step = row.integer(column++);
      run.record.steps = row.integer(column++);
      for (double* number : {&run.loss, &run.validation, &run.symmetry})
        *number = row.number(column++);
      if (auto own = notesOf(row.text(column++))) run.own = std::move(*own);
      run.failure = row.text(column++);
      kept[run.folder] = std::move(one);
    }
  }

  Result<void> write(const KeptRuns& before, const KeptRuns& now) const {
    if (!database_) return {};
    SEPX_ASSIGN(auto transaction, Transaction::begin(*database_));
    SEPX_ASSIGN(auto remove, database_->prepare("DELETE FROM library_1 WHERE folder = ?"));
    for (const auto& [folder, one] : before) {
      if (now.contains(folder)) continue;
      remove.bind(1, std::string_view(folder));
      SEPX_TRY(remove.run());
    }
    SEPX_ASSIGN(auto insert, database_->prepare("INSERT OR REPLACE INTO library_1 VALUES "
                                                "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    for (const auto& [folder, one] : now) {
      const auto old = before.find(folder);
      if (old != before.end() && old->second.stamp == one.stamp) continue;
      bind(insert, one);
      SEPX_TRY(insert.run());
    }
    return transaction.commit();
  }

 private:
  bool open(const std::string& path) {
    auto database = Database::open(path, Access::Make);
    if (!database) return false;
    const auto made = (*database)->run(
        "PRAGMA synchronous = OFF; CREATE TABLE IF NOT EXISTS library_1 (folder TEXT PRIMARY KEY, stamp TEXT, name "
        "TEXT, note TEXT, config TEXT, build TEXT, seed TEXT, parent TEXT, created TEXT, state TEXT, sentence TEXT, "
        "step INTEGER, steps INTEGER, loss REAL, validation REAL, symmetry REAL, own TEXT, failure TEXT)");
    if (made) database_ = std::move(*database);
    return made.has_value();
  }

  static void bind(Statement& insert, const Kept& one) {
    const RunRecord& record = one.run.record;
    int place = 0;
    for (const std::string& text :
         {one.run.folder, one.stamp, record.name, record.note, record.config, record.build, std::to_string(record.seed),
          record.parent, record.created, std::string(word(record.state)), record.sentence})
      insert.bind(++place, std::string_view(text));
    insert.bind(++place, record.step);
    insert.bind(++place, record.steps);
    for (const double number : {one.run.loss, one.run.validation, one.run.symmetry})
      insert.bind(++place, number);
    for (const std::string& text : {textOf(one.run.own), one.run.failure})
      insert.bind(++place, std::string_view(text));
  }

  std::unique_ptr<Database> database_;
};

void lookWhetherItLives(RunSummary& run) {
  const RunState state = run.record.state;
  run.alive = runIsAlive(run.folder);
  run.killed = run.failure.empty() && !run.alive &&
               (state == RunState::Preparing || state == RunState::Running || state == RunState::Paused);
}

}  // namespace

std::vector<RunSummary> readLibrary(const std::string& folder, const std::string& cache,
                                    const std::function<bool(const std::vector<RunSummary>&)>& progress) {
  using Clock = std::chrono::steady_clock;
  const Cache kept(cache);
  const KeptRuns before = kept.read().value_or(KeptRuns{});
  KeptRuns now;
  std::vector<RunSummary> all;
  Clock::time_point told = Clock::now();
  for (const std::string& one : findRuns(folder)) {
    std::string stamp = stampOfRun(one);
    const auto known = before.find(one);
    const bool fresh = known == before.end() || known->second.stamp != stamp;
    Kept& present = now[one];
    present = fresh ? Kept{std::move(stamp), read(one)} : known->second;
    all.push_back(present.run);
    lookWhetherItLives(all.back());
    if (!progress || Clock::now() - told < kTell) continue;
    if (!progress(all)) return all;
    told = Clock::now();
  }
  static_cast<void>(kept.write(before, now));  // else it is read again next time
  return all;
}

Result<RunNotes> readNotes(const std::string& folder) {
  const std::string path = folder + kNotesFile;
  RunNotes notes;
  if (::access(path.c_str(), F_OK) != 0) return notes;
  SEPX_ASSIGN(const std::string text, readFile(path, kLargestNotes));
  auto read = notesOf(text);
  if (!read) return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, read.error().sentence));
  return std::move(*read);
}

Result<void> writeNotes(const std::string& folder, const RunNotes& notes) {
  RunNotes once;
  once.notes = notes.notes;
  for (const std::string& tag : notes.tags)
    if (!tag.empty() && std::ranges::find(once.tags, tag) == once.tags.end()) once.tags.push_back(tag);
  return writeFile(folder + kNotesFile, textOf(once) + "\n");
}

std::string defaultLibraryCache() {
  return cacheFolder() + "/library.sqlite";
}

}  // namespace sepx::train
