// SPDX-License-Identifier: Apache-2.0
// Writes run stores. The database is in write-ahead mode with synchronous = NORMAL: a commit hands its pages to the
// operating system, which keeps them if the program is killed at any moment (kill -9, a crash). It does not wait for
// the disk, so a power cut may lose the newest commits, in order and without damage; sync() waits. FULL would wait at
// every commit, milliseconds per step, and gain nothing against a kill. run.sqlite is created under a temporary name
// and renamed, so that it is always complete.
#include "engine/train/run_store.h"

#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "engine/core/file_guard.h"
#include "engine/core/file_writer.h"
#include "engine/core/regular_file.h"
#include "engine/core/try.h"
#include "engine/train/checkpoint_files.h"
#include "engine/train/run_store_database.h"
#include "engine/train/run_store_schema.h"

namespace fs = std::filesystem;

namespace sepx::train {

namespace {

/// Names of metrics as numbers, shared by the whole process: metrics of different runs are compared by number, and
/// views of the names outlive the runs.
struct Names {
  std::mutex mutex;
  std::deque<std::string> names;  // addresses are stable
  std::unordered_map<std::string_view, std::int32_t> numbers;
};
Names& allNames() {
  static Names names;
  return names;
}

std::string databaseOf(const std::string& folder) {
  return folder + "/" + kDatabaseName;
}

constexpr int kLockAttempts = 10;
constexpr std::chrono::milliseconds kLockPause{20};  // a list of runs may hold the lock for a moment

tl::unexpected<Error> notLocked(const std::string& folder, const std::string& path, int error) {
  const std::string why = error == ELOOP ? "it is a link" : notRegular(path);
  return fail(
      ErrorKind::OutputFailed,
      why.empty()
          ? fmt::format("{}: cannot be written: {}; choose another folder with --run", folder, systemReason(error))
          : fmt::format("{}: cannot be opened: {}; remove it, or choose another folder with --run", path, why));
}

/// Empty if the file system has no such locks. The run is trained anyway, and RunWriter::locked() tells the caller.
Result<std::optional<FileLock>> lockRun(const std::string& folder) {
  const std::string path = folder + "/" + kLockName;
  for (int i = 0; i < kLockAttempts; ++i) {
    LockAttempt attempt = FileLock::attempt(path);
    if (attempt.outcome == LockOutcome::Held) return std::move(attempt.lock);
    if (attempt.outcome == LockOutcome::Failed) return notLocked(folder, path, attempt.error);
    if (attempt.outcome == LockOutcome::NoLocks) {
      if (hasRecordLocks(folder)) return std::optional<FileLock>();
      return fail(ErrorKind::OutputFailed,
                  fmt::format("{}: the file system has no locks, and SQLite needs them for {}; choose a folder on "
                              "another file system with --run",
                              folder, kDatabaseName));
    }
    std::this_thread::sleep_for(kLockPause);
  }
  return fail(
      ErrorKind::OutputFailed,
      fmt::format("{}: another program is training in this folder; stop it, or choose another folder with --run",
                  folder));
}

/// The run that contains a folder; empty if there is none.
std::string runAround(const std::string& folder) {
  std::error_code error;
  fs::path above = fs::absolute(folder, error).lexically_normal();
  if (!error && !above.has_filename()) above = above.parent_path();
  while (!error && above.has_relative_path()) {
    above = above.parent_path();
    if (fs::is_regular_file(above / kDatabaseName, error)) return above.string();
    error.clear();
  }
  return {};
}

/// Removes a database with its other files. A file left without its database would be taken by the next one for its
/// own.
void removeDatabase(const std::string& path) {
  for (const char* ending : {"", "-wal", "-shm", "-journal"})
    ::unlink((path + ending).c_str());
}

Result<void> insertRecord(Database& database, const RunRecord& record) {
  SEPX_ASSIGN(auto statement, database.prepare("INSERT OR REPLACE INTO run (id, name, note, config, build, seed, "
                                               "parent, created, state, sentence, step, steps) "
                                               "VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  int place = 0;
  for (const std::string& text :
       {record.name, record.note, record.config, record.build, std::to_string(record.seed), record.parent,
        record.created.empty() ? nowInUtc() : record.created, std::string(toString(record.state)), record.sentence})
    statement.bind(++place, std::string_view(text));
  statement.bind(++place, record.step);
  statement.bind(++place, record.steps);
  return statement.run();
}

Result<void> fillDatabase(Database& database, const RunRecord& record) {
  SEPX_ASSIGN(auto transaction, Transaction::begin(database));
  for (const Table& table : kTables)
    SEPX_TRY(database.run(table.sql));
  SEPX_ASSIGN(auto statement, database.prepare("INSERT INTO schema (version, program) VALUES (?, ?)"));
  statement.bind(1, kSchemaVersion);
  statement.bind(2, std::string_view(record.build));
  SEPX_TRY(statement.run());
  SEPX_TRY(insertRecord(database, record));
  return transaction.commit();
}

/// Creates a complete run.sqlite under its final name.
Result<void> makeDatabase(const std::string& folder, const RunRecord& record) {
  const std::string aside = databaseOf(folder) + ".tmp";
  removeDatabase(aside);
  removeDatabase(databaseOf(folder));
  Descriptor made = createNew(aside, 0600);  // until it is complete, only its owner may read it and its journal
  const int notMade = made.get() < 0 ? errno : 0;
  const auto filled = [&]() -> Result<void> {
    if (notMade != 0) return notWritten(aside, notMade);
    SEPX_ASSIGN(const auto database, Database::open(aside, Access::Make));
    SEPX_TRY(database->run("PRAGMA synchronous = FULL"));
    SEPX_TRY(fillDatabase(*database, record));
    return database->run("PRAGMA journal_mode = WAL");
  }();
  if (!filled) {
    removeDatabase(aside);
    // Use the name that a person knows, without the part about what was saved: nothing was.
    std::string sentence = filled.error().message.substr(0, filled.error().message.find("; what was saved"));
    if (sentence.starts_with(aside)) sentence.replace(0, aside.size(), databaseOf(folder));
    return fail(ErrorKind::OutputFailed, std::move(sentence));
  }
  // Closed before anybody else can open the database: on close this process loses its POSIX locks on the file.
  if (::fchmod(made.get(), modeOfNewFiles()) != 0 || made.close() != 0 ||
      ::rename(aside.c_str(), databaseOf(folder).c_str()) != 0) {
    const int error = errno;
    removeDatabase(aside);
    return fail(ErrorKind::OutputFailed,
                fmt::format("{}: cannot be written: {}", databaseOf(folder), systemReason(error)));
  }
  syncFolder(folder);
  return {};
}

}  // namespace

std::int32_t metricId(std::string_view name) {
  Names& all = allNames();
  const std::lock_guard guard(all.mutex);
  if (const auto found = all.numbers.find(name); found != all.numbers.end()) return found->second;
  const auto number = static_cast<std::int32_t>(all.names.size());
  all.numbers.emplace(all.names.emplace_back(name), number);
  return number;
}

std::string_view metricName(std::int32_t id) {
  Names& all = allNames();
  const std::lock_guard guard(all.mutex);
  if (id < 0 || static_cast<std::size_t>(id) >= all.names.size()) return {};
  return all.names[static_cast<std::size_t>(id)];
}

struct RunWriter::Impl {
  std::string folder;
  std::optional<FileLock> lock;
  std::unique_ptr<Database> database;
  struct stat opened {};  ///< of run.sqlite
  // Statements must be destroyed before their connection.
  std::optional<Statement> insertMetric, insertName, insertEvent, updateState, updateStep, updateSteps, insertMatrix;
  std::map<std::int32_t, std::int64_t> numbers;  // by metricId(): the number in this file

  ~Impl() {
    for (auto* statement :
         {&insertMetric, &insertName, &insertEvent, &updateState, &updateStep, &updateSteps, &insertMatrix})
      statement->reset();
    database.reset();
    if (lock) lock->remove();
  }

  Result<void> open();
  Result<void> prepare(std::optional<Statement>& statement, const char* sql);
  Result<void> readNames();
  Result<std::int64_t> numberOf(std::int32_t metric);
  Result<void> cutAfter(std::int64_t step);
  Result<void> addMetrics(std::span<const Metric> metrics);
  Result<void> addStoredMatrices(std::span<const StoredMatrix> stored);
  Result<void> keepConfig();
  Result<void> syncLog() const;
};

Result<void> RunWriter::Impl::prepare(std::optional<Statement>& statement, const char* sql) {
  SEPX_ASSIGN(auto prepared, database->prepare(sql));
  statement.emplace(std::move(prepared));
  return {};
}

Result<void> RunWriter::Impl::open() {
  SEPX_ASSIGN(database, Database::open(databaseOf(folder), Access::Write));
  ::stat(databaseOf(folder).c_str(), &opened);
  SEPX_TRY(checkSchema(*database));
  SEPX_TRY(database->run("PRAGMA synchronous = NORMAL"));
  const std::pair<std::optional<Statement>*, const char*> all[] = {
      {&insertMetric, "INSERT OR REPLACE INTO metrics (step, name, layer, head, value) VALUES (?, ?, ?, ?, ?)"},
      {&insertName, "INSERT INTO names (id, name) VALUES (?, ?)"},
      {&insertEvent, "INSERT INTO events (step, at, kind, text) VALUES (?, ?, ?, ?)"},
      {&updateState, "UPDATE run SET state = ?, step = ?, sentence = ?"},
      {&updateStep, "UPDATE run SET step = ?"},
      {&updateSteps, "UPDATE run SET steps = ?"}};
  for (const auto& [statement, sql] : all)
    SEPX_TRY(prepare(*statement, sql));
  SEPX_TRY(readNames());
  return database->keepLocks();
}

Result<void> RunWriter::Impl::readNames() {
  numbers.clear();
  SEPX_ASSIGN(auto statement, database->prepare("SELECT id, name FROM names"));
  for (;;) {
    SEPX_ASSIGN(const bool row, statement.step());
    if (!row) return {};
    numbers[metricId(statement.text(1))] = statement.integer(0);
  }
}

Result<std::int64_t> RunWriter::Impl::numberOf(std::int32_t metric) {
  if (const auto found = numbers.find(metric); found != numbers.end()) return found->second;
  std::int64_t number = 0;
  for (const auto& [id, taken] : numbers)
    number = std::max(number, taken + 1);
  insertName->bind(1, number);
  insertName->bind(2, metricName(metric));
  SEPX_TRY(insertName->run());
  numbers[metric] = number;
  return number;
}

Result<void> RunWriter::Impl::addMetrics(std::span<const Metric> metrics) {
  Statement& insert = *insertMetric;
  for (const Metric& metric : metrics) {
    SEPX_ASSIGN(const auto number, numberOf(metric.name));
    insert.bind(1, metric.step);
    insert.bind(2, number);
    insert.bind(3, std::int64_t{metric.layer});
    insert.bind(4, std::int64_t{metric.head});
    insert.bind(5, metric.value);
    SEPX_TRY(insert.run());
  }
  return {};
}

Result<void> RunWriter::Impl::addStoredMatrices(std::span<const StoredMatrix> stored) {
  if (stored.empty()) return {};
  if (!insertMatrix) {
    SEPX_ASSIGN(const bool there, hasStoredMatrices(*database));
    if (!there) SEPX_TRY(database->run(kStoredTable.sql));
    SEPX_TRY(prepare(insertMatrix,
                     "INSERT OR REPLACE INTO matrices (step, parameter, rows, columns, data) VALUES (?, ?, ?, ?, ?)"));
  }
  for (const StoredMatrix& matrix : stored) {
    insertMatrix->bind(1, matrix.step);
    insertMatrix->bind(2, std::string_view(matrix.parameter));
    insertMatrix->bind(3, std::int64_t{matrix.rows});
    insertMatrix->bind(4, std::int64_t{matrix.columns});
    insertMatrix->bind(5, std::span<const float>(matrix.values));
    SEPX_TRY(insertMatrix->run());
  }
  return {};
}

Result<void> RunWriter::Impl::cutAfter(std::int64_t step) {
  SEPX_ASSIGN(auto transaction, Transaction::begin(*database));
  SEPX_ASSIGN(const bool there, hasStoredMatrices(*database));
  if (there) {
    SEPX_ASSIGN(auto statement, database->prepare("DELETE FROM matrices WHERE step > ?"));
    statement.bind(1, step);
    SEPX_TRY(statement.run());
  }
  for (const char* sql : {"DELETE FROM metrics WHERE step > ?", "DELETE FROM events WHERE step > ?",
                          "UPDATE run SET step = ?, state = 'preparing', sentence = ''"}) {
    SEPX_ASSIGN(auto statement, database->prepare(sql));
    // -1 deletes everything, even step 0. The run is then before its first step, which is recorded as 0 too.
    statement.bind(1, std::string_view(sql).starts_with("UPDATE") ? std::max<std::int64_t>(step, 0) : step);
    SEPX_TRY(statement.run());
  }
  return transaction.commit();
}

/// The program may have been killed after it created the database and before it wrote the config.
Result<void> RunWriter::Impl::keepConfig() {
  const std::string path = folder + "/config.json";
  std::error_code error;
  if (fs::exists(path, error)) return {};
  SEPX_ASSIGN(auto statement, database->prepare("SELECT config FROM run"));
  const Result<bool> row = statement.step();
  if (!row) return tl::unexpected(row.error());
  return *row ? writeFile(path, statement.text(0), Links::Replace) : Result<void>();
}

/// A run from somebody else may link to the database of another run, which a resume would truncate.
Result<void> checkOwnDatabase(const std::string& folder) {
  std::error_code error;
  const fs::path own = fs::canonical(folder, error), real = fs::canonical(databaseOf(folder), error);
  if (error) return {};  // opening it reports the reason
  const fs::path saved = fs::canonical(folder + "/" + kCheckpoints, error);
  if (!error && saved.parent_path() != own && fs::exists(saved.parent_path() / kDatabaseName, error))
    return fail(
        ErrorKind::OutputFailed,
        fmt::format("{}/{}: is a link to the checkpoints of another run, {}; replace the link with a copy of them to "
                    "continue the run",
                    folder, kCheckpoints, saved.parent_path().string()));
  if (real.parent_path() == own) return {};
  return fail(ErrorKind::OutputFailed,
              fmt::format("{}: is a link to {}, which is not in the folder of the run; replace the link with a copy "
                          "of that file to continue the run",
                          databaseOf(folder), real.string()));
}

RunWriter::RunWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunWriter::~RunWriter() = default;

Result<std::unique_ptr<RunWriter>> RunWriter::create(const std::string& folder, const RunRecord& record) {
  if (folder.empty()) return fail(ErrorKind::Usage, "a run needs a folder; name one with --run");
  std::error_code error;
  // Checked before anything is created: files that exist must not be changed.
  const auto taken = [&folder](const char* what, const char* remedy) {
    return fail(ErrorKind::Usage, fmt::format("{}: {}; {}", folder, what, remedy));
  };
  if (fs::exists(databaseOf(folder), error))
    return taken("holds a run already", "continue it with --resume, or choose another folder with --run");
  for (const char* name : {"config.json", "checkpoints"})
    if (fs::exists(folder + "/" + name, error))
      return taken(fmt::format("holds {} but no run", name).c_str(), "choose another folder with --run");
  if (const std::string around = runAround(folder); !around.empty())
    return taken(fmt::format("lies in the run {}", around).c_str(), "choose another folder with --run");
  SEPX_TRY(makeFolders(folder));
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  SEPX_ASSIGN(impl->lock, lockRun(folder));
  if (fs::exists(databaseOf(folder), error))  // another program was faster
    return taken("holds a run already", "continue it with --resume, or choose another folder with --run");
  SEPX_TRY(makeDatabase(folder, record));
  SEPX_TRY(impl->open());
  SEPX_TRY(impl->keepConfig());
  return std::unique_ptr<RunWriter>(new RunWriter(std::move(impl)));
}

Result<std::unique_ptr<RunWriter>> RunWriter::resume(const std::string& folder, std::int64_t step) {
  std::error_code error;
  if (!fs::exists(databaseOf(folder), error))
    return fail(ErrorKind::Usage,
                fmt::format("{}: holds no run to resume (no {}); start one without --resume", folder, kDatabaseName));
  SEPX_TRY(checkOwnDatabase(folder));
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  SEPX_ASSIGN(impl->lock, lockRun(folder));
  SEPX_TRY(impl->open());
  SEPX_TRY(checkMetrics(*impl->database));
  SEPX_TRY(impl->cutAfter(step));
  SEPX_TRY(impl->keepConfig());
  removeUnfinished(folder);
  return std::unique_ptr<RunWriter>(new RunWriter(std::move(impl)));
}

bool RunWriter::locked() const {
  return impl_->lock.has_value();
}

Result<void> RunWriter::append(std::int64_t step, std::span<const Metric> metrics,
                               std::span<const StoredMatrix> stored) {
  SEPX_ASSIGN(auto transaction, Transaction::begin(*impl_->database));
  const auto put = [&]() -> Result<void> {
    SEPX_TRY(impl_->addMetrics(metrics));
    SEPX_TRY(impl_->addStoredMatrices(stored));
    impl_->updateStep->bind(1, step);
    SEPX_TRY(impl_->updateStep->run());
    return transaction.commit();
  }();
  if (put) return {};
  {
    const auto rollBack = std::move(transaction);  // before the names are read again
  }
  impl_->insertMatrix.reset();  // its table may have been rolled back too
  // Numbers assigned in the rolled-back transaction are not in the file.
  [[maybe_unused]] const auto read = impl_->readNames();
  return put;
}

Result<void> RunWriter::event(std::int64_t step, std::string_view kind, std::string_view text) {
  const std::string now = nowInUtc();
  Statement& insert = *impl_->insertEvent;
  insert.bind(1, step);
  insert.bind(2, std::string_view(now));
  insert.bind(3, kind);
  insert.bind(4, text);
  return insert.run();
}

Result<void> RunWriter::state(RunState state, std::int64_t step, std::string_view sentence) {
  Statement& update = *impl_->updateState;
  update.bind(1, toString(state));
  update.bind(2, step);
  update.bind(3, sentence);
  return update.run();
}

Result<void> RunWriter::steps(std::int64_t steps) {
  impl_->updateSteps->bind(1, steps);
  return impl_->updateSteps->run();
}

Result<void> RunWriter::checkFolderExists() const {
  struct stat now {};
  const std::string path = databaseOf(impl_->folder);
  const bool same =
      ::stat(path.c_str(), &now) == 0 && now.st_dev == impl_->opened.st_dev && now.st_ino == impl_->opened.st_ino;
  if (same) return {};
  return fail(ErrorKind::OutputFailed,
              fmt::format("{}: the folder of the run was removed or moved while it was trained; nothing more can be "
                          "saved in it",
                          impl_->folder));
}

/// Syncs the log. Unlike the database it has no locks that closing a descriptor could release.
Result<void> RunWriter::Impl::syncLog() const {
  const std::string log = database->file() + "-wal";
  const auto written = openRegular(log);
  if (!written) return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be written: {}", log, written.error()));
  if (::fdatasync(written->file.get()) != 0) return notWritten(log, errno);
  syncFolder(folder);
  return {};
}

Result<void> RunWriter::sync() {
  SEPX_ASSIGN(auto checkpoint, impl_->database->prepare("PRAGMA wal_checkpoint(PASSIVE)"));
  SEPX_ASSIGN(const bool row, checkpoint.step());
  // The columns of the result: whether it was blocked, pages in the log, pages of these in the database.
  const bool whole = row && checkpoint.integer(0) == 0 && checkpoint.integer(1) == checkpoint.integer(2);
  SEPX_TRY(checkpoint.run());
  // A reader of an earlier state stops it there, and the rest is then not in the database: sync the log instead.
  return whole ? Result<void>() : impl_->syncLog();
}

}  // namespace sepx::train
