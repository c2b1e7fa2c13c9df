// SPDX-License-Identifier: Apache-2.0
// Reads run stores, also while a writer is active. If the folder cannot be written, SQLite cannot create the files that
// its readers share. The database is then read as immutable. If a killed program left commits in the write-ahead log,
// which immutable readers do not see, it is read through a copy of both files.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/core/json.h"
#include "engine/core/remove_folder.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/train/run_store.h"
#include "engine/train/run_store_database.h"
#include "engine/train/run_store_schema.h"

namespace fs = std::filesystem;

namespace sepx::train {

namespace {

/// A temporary folder for a copy, removed by the destructor.
class CopyFolder {
 public:
  CopyFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "sepx-run-XXXXXX").string();
    if (!error && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~CopyFolder() {
    if (!path_.empty()) removeFolder(path_);
  }
  CopyFolder(const CopyFolder&) = delete;
  CopyFolder& operator=(const CopyFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

bool copyDatabase(const std::string& path, const CopyFolder& copy) {
  if (copy.path().empty()) return false;
  for (const char* ending : {"", "-wal"})
    if (!copyDatabaseFile(path + ending, copy.path() + "/" + kDatabaseName + ending)) return false;
  return true;
}

/// Collects rows of the table of metrics (name, layer, head, step, value), in the order of their steps, into series.
class Collector {
 public:
  /// `wanted`: only series of this name; empty: all.
  Collector(const Database& database, std::map<std::int64_t, std::string> names, std::string_view wanted)
      : database_(database), names_(std::move(names)), wanted_(wanted) {}

  /// Fails with BadInput for an invalid row, and for one that does not come after the previous row. Pages of a damaged
  /// file may refer to each other, and a reader that continues from the last step would never finish.
  Result<void> add(const Statement& row) {
    for (const int column : {0, 1, 2, 3})
      if (!row.isWhole(column)) return database_.damage("the table metrics holds a number that is not one");
    if (!row.isNumber(4)) return database_.damage("the table metrics holds a value that is not a number");
    const std::array place{row.integer(3), row.integer(0), row.integer(1), row.integer(2)};
    if (last_ && (descending_ ? place >= *last_ : place <= *last_))
      return database_.damage("the rows of the table metrics are not in order");
    last_ = place;
    put(row);
    return {};
  }
  /// Expects rows from the newest to the oldest.
  void descend() { descending_ = true; }
  std::vector<Series> take() {
    std::ranges::sort(series_, [](const Series& a, const Series& b) {
      return std::tie(a.name, a.layer, a.head) < std::tie(b.name, b.layer, b.head);
    });
    return std::move(series_);
  }

 private:
  void put(const Statement& row) {
    const Key key{row.integer(0), row.integer(1), row.integer(2)};
    const auto [at, first] = index_.try_emplace(key, kNone);
    if (first) at->second = begin(key);
    if (at->second == kNone) return;
    Series& series = series_[at->second];
    series.steps.push_back(row.integer(3));
    series.values.push_back(row.number(4));
  }

  struct Key {
    std::int64_t name, layer, head;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15u;
      std::uint64_t mixed = 0;
      for (const std::int64_t part : {key.name, key.layer, key.head})
        mixed = (mixed ^ static_cast<std::uint64_t>(part)) * kMix;
      return mixed ^ mixed >> 32;
    }
  };
  static constexpr std::size_t kNone = ~std::size_t{0};  ///< not wanted, or of a name that the file does not have

  std::size_t begin(const Key& key) {
    const auto named = names_.find(key.name);
    if (named == names_.end() || (!wanted_.empty() && named->second != wanted_)) return kNone;
    series_.push_back({named->second, static_cast<int>(key.layer), static_cast<int>(key.head), {}, {}});
    return series_.size() - 1;
  }

  const Database& database_;
  std::map<std::int64_t, std::string> names_;
  std::string wanted_;
  bool descending_ = false;
  std::optional<std::array<std::int64_t, 4>> last_;  ///< step, name, layer, head: the key of the table
  std::vector<Series> series_;
  std::unordered_map<Key, std::size_t, Hash> index_;
};

/// Opens a database and checks its tables, because opening alone reads nothing.
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

  Result<void> open(bool atRest);
  Result<std::map<std::int64_t, std::string>> names() const;
  Result<Portion> read(std::int64_t after, std::size_t rows, std::string_view name) const;
  std::string path() const { return folder + "/" + kDatabaseName; }
};

Result<void> RunReader::Impl::open(bool atRest) {
  std::error_code error;
  if (!fs::is_regular_file(path(), error)) {
    const auto steps = savedSteps(folder);
    return fail(
        ErrorKind::BadInput,
        steps.empty()
            ? fmt::format("{}: is not a run (it has no {})", folder, kDatabaseName)
            : fmt::format("{}: has no {}, so no metrics; its {} checkpoints in {} can be opened, and continued with "
                          "sepx train --branch",
                          folder, kDatabaseName, steps.size(), folder + "/checkpoints"));
  }
  // If the folder is writable, SQLite may create its shared files, and merge what a killed program left in the log.
  const bool writable = ::access(folder.c_str(), W_OK) == 0 && ::access(path().c_str(), W_OK) == 0;
  auto opened = openChecked(path(), atRest ? Access::Immutable : writable ? Access::Write : Access::Read);
  if (!opened && !writable && !atRest) {
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

Result<std::unique_ptr<RunReader>> RunReader::make(const std::string& folder, bool atRest) {
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  while (impl->folder.size() > 1 && impl->folder.back() == '/')
    impl->folder.pop_back();
  SEPX_TRY(impl->open(atRest));
  return std::unique_ptr<RunReader>(new RunReader(std::move(impl)));
}

Result<std::unique_ptr<RunReader>> RunReader::open(const std::string& folder) {
  return make(folder, false);
}

Result<std::unique_ptr<RunReader>> RunReader::openWithoutLocks(const std::string& folder) {
  return make(folder, true);
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
  if (record.step == -1) record.step = 0;  // of a run that was killed twice before its first checkpoint
  for (const std::int64_t steps : {record.step, record.steps})
    if (steps < 0 || steps > kMostRunSteps)
      return impl_->database->damage(fmt::format("{} is not a number of steps", steps));
  return record;
}

Result<std::map<std::int64_t, std::string>> RunReader::Impl::names() const {
  const RowLimit shortNames(*database, kNumbersRow);
  SEPX_ASSIGN(auto statement, database->prepare("SELECT id, name FROM names"));
  std::map<std::int64_t, std::string> names;
  for (;;) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) return names;
    names[statement.integer(0)] = printable(statement.text(1));
  }
}

Result<RunReader::Portion> RunReader::Impl::read(std::int64_t after, std::size_t rows, std::string_view name) const {
  SEPX_ASSIGN(auto known, names());
  Collector collector(*database, std::move(known), name);
  const RowLimit numbers(*database, kNumbersRow);
  // This is the order of the table itself, so nothing is sorted.
  SEPX_ASSIGN(auto statement,
              database->prepare("SELECT name, layer, head, step, value FROM metrics WHERE step > ? ORDER BY step"));
  statement.bind(1, after);
  Portion portion;
  portion.last = after;
  for (std::size_t count = 0;; ++count) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) break;
    const std::int64_t step = statement.integer(3);
    portion.all = count < rows || step == portion.last;
    if (!portion.all) break;
    SEPX_TRY(collector.add(statement));
    if (step <= after) return database->damage("the rows of the table metrics are not in order");
    portion.last = step;
  }
  portion.series = collector.take();
  return portion;
}

Result<std::vector<Series>> RunReader::series(std::string_view name) const {
  return seriesAfter(std::numeric_limits<std::int64_t>::min(), name);
}

Result<std::vector<Series>> RunReader::seriesAfter(std::int64_t after, std::string_view name) const {
  SEPX_ASSIGN(Portion all, impl_->read(after, std::numeric_limits<std::size_t>::max(), name));
  return std::move(all.series);
}

Result<RunReader::Portion> RunReader::portion(std::int64_t after, std::size_t rows) const {
  return impl_->read(after, rows, {});
}

Result<std::vector<Series>> RunReader::seriesAt(std::span<const std::int64_t> steps) const {
  SEPX_ASSIGN(auto names, impl_->names());
  Collector collector(*impl_->database, std::move(names), {});
  const RowLimit numbers(*impl_->database, kNumbersRow);
  SEPX_ASSIGN(auto statement,
              impl_->database->prepare("SELECT name, layer, head, step, value FROM metrics WHERE step = ?"));
  for (const std::int64_t step : steps) {
    statement.bind(1, step);
    for (;;) {
      SEPX_ASSIGN(const bool row, statement.step());
      if (!row) break;
      SEPX_TRY(collector.add(statement));
    }
  }
  return collector.take();
}

Result<std::vector<Series>> RunReader::newest(std::size_t rows) const {
  SEPX_ASSIGN(auto names, impl_->names());
  Collector collector(*impl_->database, std::move(names), {});
  collector.descend();
  const RowLimit numbers(*impl_->database, kNumbersRow);
  SEPX_ASSIGN(auto statement,
              impl_->database->prepare("SELECT name, layer, head, step, value FROM metrics ORDER BY step DESC, name "
                                       "DESC, layer DESC, head DESC LIMIT ?"));
  statement.bind(1, static_cast<std::int64_t>(rows));
  for (;;) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) break;
    SEPX_TRY(collector.add(statement));
  }
  std::vector<Series> all = collector.take();
  for (Series& series : all) {
    series.steps.resize(1);
    series.values.resize(1);
  }
  return all;
}

Result<Series> RunReader::sketch(std::string_view name, std::int64_t last, std::size_t points) const {
  Series series;
  series.name = name;
  SEPX_ASSIGN(auto named, impl_->database->prepare("SELECT id FROM names WHERE name = ?"));
  named.bind(1, name);
  SEPX_ASSIGN(const bool known, named.step());
  if (!known || points < 2) return series;
  const RowLimit numbers(*impl_->database, kNumbersRow);
  SEPX_ASSIGN(auto statement,
              impl_->database->prepare("SELECT step, value FROM metrics WHERE step >= ? AND name = ? AND "
                                       "layer = -1 AND head = -1 ORDER BY step LIMIT 1"));
  for (std::size_t i = 0; i < points; ++i) {
    const auto at =
        static_cast<std::int64_t>(static_cast<double>(last) * static_cast<double>(i) / static_cast<double>(points - 1));
    if (!series.steps.empty() && at <= series.steps.back()) continue;
    statement.bind(1, at);
    statement.bind(2, named.integer(0));
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) break;
    series.steps.push_back(statement.integer(0));
    series.values.push_back(statement.number(1));
    SEPX_TRY(statement.run());  // resets the statement
  }
  return series;
}

Result<std::vector<std::int64_t>> RunReader::storedSteps() const {
  std::vector<std::int64_t> steps;
  SEPX_ASSIGN(const bool there, hasStoredMatrices(*impl_->database));
  if (!there) return steps;
  SEPX_ASSIGN(auto statement, impl_->database->prepare("SELECT DISTINCT step FROM matrices ORDER BY step"));
  for (;;) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) return steps;
    steps.push_back(statement.integer(0));
  }
}

Result<std::vector<std::string>> RunReader::storedParameters() const {
  std::vector<std::string> names;
  SEPX_ASSIGN(const bool there, hasStoredMatrices(*impl_->database));
  if (!there) return names;
  // Goes from one name to the next without reading the steps of each.
  SEPX_ASSIGN(auto statement, impl_->database->prepare("SELECT min(parameter) FROM matrices WHERE parameter > ?"));
  for (std::string last;;) {
    statement.bind(1, std::string_view(last));
    SEPX_ASSIGN(const bool row, statement.step());
    const bool isText = row && statement.isText(0);  // text() converts every type
    std::string next = row ? statement.text(0) : std::string();
    if (next.empty()) return names;
    // A name that is not a text can come after every text, and would be found again after itself.
    if (!isText || next <= last)
      return impl_->database->damage("the table matrices has a name that is not a text, or names out of order");
    last = std::move(next);
    names.push_back(printable(last));
    SEPX_TRY(statement.run());
  }
}

Result<std::optional<StoredMatrix>> RunReader::stored(std::int64_t step, std::string_view parameter) const {
  SEPX_ASSIGN(const bool there, hasStoredMatrices(*impl_->database));
  if (!there) return std::optional<StoredMatrix>();
  SEPX_ASSIGN(auto statement,
              impl_->database->prepare("SELECT step, rows, columns, data FROM matrices WHERE parameter = ? AND step <= "
                                       "? ORDER BY step DESC LIMIT 1"));
  statement.bind(1, parameter);
  statement.bind(2, step);
  SEPX_ASSIGN(const bool row, statement.step());
  if (!row) return std::optional<StoredMatrix>();
  StoredMatrix matrix;
  matrix.step = statement.integer(0);
  matrix.parameter = parameter;
  const std::int64_t rows = statement.integer(1), columns = statement.integer(2);
  matrix.values = statement.floats(3);
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  const bool whole = rows > 0 && columns > 0 && rows <= kMost && columns <= kMost &&
                     rows * columns == static_cast<std::int64_t>(matrix.values.size());
  if (!whole)
    return fail(ErrorKind::BadInput,
                fmt::format("{}: is damaged (the matrix {} of step {} has {} values for {}x{})", impl_->path(),
                            inQuotes(std::string(parameter)), matrix.step, matrix.values.size(), rows, columns));
  matrix.rows = static_cast<int>(rows);
  matrix.columns = static_cast<int>(columns);
  return std::optional(std::move(matrix));
}

Result<std::vector<RunEvent>> RunReader::events() const {
  SEPX_ASSIGN(auto statement, impl_->database->prepare("SELECT id, step, at, kind, text FROM events ORDER BY id"));
  std::vector<RunEvent> events;
  for (std::optional<std::int64_t> last;;) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) return events;
    if (last && statement.integer(0) <= *last)
      return impl_->database->damage("the rows of the table events are not in order");
    last = statement.integer(0);
    events.push_back({statement.integer(1), printable(statement.text(2)), printable(statement.text(3)),
                      printable(statement.text(4))});
  }
}

std::vector<std::int64_t> RunReader::checkpoints() const {
  return savedSteps(impl_->folder);
}

std::string RunReader::checkpointFolder(std::int64_t step) const {
  return train::checkpointFolder(impl_->folder, step);
}

}  // namespace sepx::train
