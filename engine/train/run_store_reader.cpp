// SPDX-License-Identifier: Apache-2.0
// The reading side. A run that is being written is read beside its writer. Where the folder cannot be written SQLite
// cannot make the files that its readers share: then the database is read as immutable, or, when a kill left commits in
// the write-ahead log that immutable readers do not see, through a copy of both files.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/train/run_store.h"
#include "engine/train/run_store_database.h"
#include "engine/train/run_store_schema.h"

namespace fs = std::filesystem;

namespace sepx::train {

namespace {

/// A folder for a copy, removed at the end.
class CopyFolder {
 public:
  CopyFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "sepx-run-XXXXXX").string();
    if (!error && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~CopyFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  CopyFolder(const CopyFolder&) = delete;
  CopyFolder& operator=(const CopyFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

bool copyDatabase(const std::string& path, const CopyFolder& copy) {
  std::error_code error;
  if (copy.path().empty()) return false;
  for (const char* ending : {"", "-wal"}) {
    fs::copy_file(path + ending, copy.path() + "/" + kDatabaseName + ending, error);
    if (error) return false;
  }
  return true;
}

/// Whether it can be read; its tables are looked at, as nothing is read before.
Result<std::unique_ptr<Database>> openChecked(const std::string& path, Access access) {
  SEPX_ASSIGN(auto database, Database::open(path, access));
  SEPX_TRY(checkSchema(*database));
  return database;
}

}  // namespace

struct RunReader::Impl {
  std::string folder;
  std::unique_ptr<CopyFolder> copy;  // outlives the connection
  std::unique_ptr<Database> database;

  Result<void> open();
  Result<std::map<std::int64_t, std::string>> names() const;
  std::string path() const { return folder + "/" + kDatabaseName; }
};

Result<void> RunReader::Impl::open() {
  std::error_code error;
  if (!fs::is_regular_file(path(), error)) {
    const auto steps = savedSteps(folder);
    return fail(
        ErrorKind::BadInput,
        steps.empty()
            ? fmt::format("{}: is no run (it has no {})", folder, kDatabaseName)
            : fmt::format("{}: has no {}, so no metrics; its {} checkpoints in {} can be opened, and gone on from "
                          "(sepx train --branch)",
                          folder, kDatabaseName, steps.size(), folder + "/checkpoints"));
  }
  // Whoever may write the folder lets SQLite keep its shared files, and fold in what a kill left in the log.
  const bool writable = ::access(folder.c_str(), W_OK) == 0 && ::access(path().c_str(), W_OK) == 0;
  auto opened = openChecked(path(), writable ? Access::Write : Access::Read);
  if (!opened && !writable) {
    auto aside = std::make_unique<CopyFolder>();
    const bool log = fs::file_size(path() + "-wal", error) > 0 && !error;
    if (log && copyDatabase(path(), *aside)) {
      copy = std::move(aside);
      opened = openChecked(copy->path() + "/" + kDatabaseName, Access::Write);
    } else {
      opened = openChecked(path(), Access::Immutable);
    }
  }
  if (!opened) return tl::unexpected(opened.error());
  database = std::move(*opened);
  return database->run("PRAGMA query_only = ON");
}

RunReader::RunReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunReader::~RunReader() = default;

Result<std::unique_ptr<RunReader>> RunReader::open(const std::string& folder) {
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  while (impl->folder.size() > 1 && impl->folder.back() == '/')
    impl->folder.pop_back();
  SEPX_TRY(impl->open());
  return std::unique_ptr<RunReader>(new RunReader(std::move(impl)));
}

Result<RunRecord> RunReader::record() const {
  SEPX_ASSIGN(auto statement,
              impl_->database->prepare(
                  "SELECT name, note, config, build, seed, parent, created, state, sentence, step, steps FROM run"));
  SEPX_ASSIGN(const bool row, statement.step());
  const std::string path = impl_->path();
  if (!row)
    return fail(ErrorKind::BadInput,
                fmt::format("{}: is damaged (the table run is empty); the checkpoints beside it do not need it", path));
  RunRecord record;
  int column = 0;
  record.name = printable(statement.text(column++));
  record.note = printable(statement.text(column++));
  record.config = statement.text(column++);
  record.build = printable(statement.text(column++));
  record.seed = std::strtoull(statement.text(column++).c_str(), nullptr, 10);
  record.parent = printable(statement.text(column++));
  record.created = printable(statement.text(column++));
  SEPX_ASSIGN(record.state, stateNamed(statement.text(column++), path));
  record.sentence = printable(statement.text(column++));
  record.step = statement.integer(column++);
  record.steps = statement.integer(column++);
  return record;
}

Result<std::map<std::int64_t, std::string>> RunReader::Impl::names() const {
  SEPX_ASSIGN(auto statement, database->prepare("SELECT id, name FROM names"));
  std::map<std::int64_t, std::string> names;
  for (;;) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) return names;
    names[statement.integer(0)] = printable(statement.text(1));
  }
}

Result<std::vector<Series>> RunReader::series(std::string_view name) const {
  return seriesAfter(std::numeric_limits<std::int64_t>::min(), name);
}

Result<std::vector<Series>> RunReader::seriesAfter(std::int64_t after, std::string_view name) const {
  SEPX_ASSIGN(const auto names, impl_->names());
  // In the order of the table itself: nothing is sorted.
  SEPX_ASSIGN(auto statement, impl_->database->prepare(
                                  "SELECT name, layer, head, step, value FROM metrics WHERE step > ? ORDER BY step"));
  statement.bind(1, after);
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Series> all;
  for (;;) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) break;
    const auto key = std::tuple(statement.integer(0), statement.integer(1), statement.integer(2));
    auto found = all.find(key);
    if (found == all.end()) {
      const auto named = names.find(std::get<0>(key));
      if (named == names.end() || (!name.empty() && named->second != name)) continue;
      found =
          all.emplace(
                 key,
                 Series{named->second, static_cast<int>(std::get<1>(key)), static_cast<int>(std::get<2>(key)), {}, {}})
              .first;
    }
    found->second.steps.push_back(statement.integer(3));
    found->second.values.push_back(statement.number(4));
  }
  std::vector<Series> list;
  for (auto& [key, series] : all)
    list.push_back(std::move(series));
  std::sort(list.begin(), list.end(), [](const Series& a, const Series& b) {
    return std::tie(a.name, a.layer, a.head) < std::tie(b.name, b.layer, b.head);
  });
  return list;
}

Result<std::vector<RunEvent>> RunReader::events() const {
  SEPX_ASSIGN(auto statement, impl_->database->prepare("SELECT step, at, kind, text FROM events ORDER BY id"));
  std::vector<RunEvent> events;
  for (;;) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) return events;
    events.push_back({statement.integer(0), printable(statement.text(1)), printable(statement.text(2)),
                      printable(statement.text(3))});
  }
}

std::vector<std::int64_t> RunReader::checkpoints() const {
  return savedSteps(impl_->folder);
}

std::string RunReader::checkpointFolder(std::int64_t step) const {
  return train::checkpointFolder(impl_->folder, step);
}

}  // namespace sepx::train
