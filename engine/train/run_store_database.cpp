// SPDX-License-Identifier: Apache-2.0
// Databases may come from untrusted sources: views and triggers are off, the schema is not trusted, lengths and work
// are limited, no journal is played back, and SQLite checks its pages as it reads them.
#include "engine/train/run_store_database.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/file_writer.h"
#include "engine/core/regular_file.h"
#include "engine/core/try.h"

namespace sepx::train {

namespace {

constexpr int kBusyMilliseconds = 5000;
constexpr int kLongestValue = 64 << 20;  // bytes of a text or row
constexpr const char* kFileAccess = "separatrix";
// Limits the work of a statement, in operations of SQLite: a row needs about a dozen and takes ten bytes or more. Pages
// that refer to each other would otherwise be read for ever.
constexpr int kAskedEvery = 1'000'000;
constexpr std::uint64_t kLeastWork = 4'000'000, kWorkPerByte = 16;
// The locks of every connection in write-ahead mode, as SQLite's file format defines them: a range of bytes of the
// database, and a byte of "-shm".
constexpr std::int64_t kSharedFirst = 0x40000002, kSharedLength = 510, kIndexInUse = 128;

/// The system's text for the error, if SQLite knows its number. `error` is errno after the call, which was 0 before it.
std::string reasonOf(sqlite3* connection, int error, const char* otherwise) {
  if (const int said = connection != nullptr ? sqlite3_system_errno(connection) : 0; said != 0) error = said;
  return error != 0 ? std::generic_category().message(error) : otherwise;
}

std::string checkpointsFolderOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return (slash == std::string::npos ? std::string() : path.substr(0, slash + 1)) + "checkpoints";
}

/// Messages of SQLite quote what it read: keeps only printable ASCII, and not much of it.
std::string readable(std::string_view text) {
  constexpr std::size_t kMost = 160;
  std::string out(text.substr(0, kMost));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < 0x20 || c > 0x7E; }, '?');
  return out;
}

tl::unexpected<Error> damaged(const std::string& path, std::string_view why) {
  return fail(
      ErrorKind::BadInput,
      fmt::format(
          "{}: is damaged ({}); the checkpoints in {} do not need it and can be continued with sepx train --branch",
          path, readable(why), checkpointsFolderOf(path)));
}

/// Why a file cannot be created next to `path`; empty if one can. SQLite tries a second time to open it for reading
/// only, so that the reason that it reports is that there is no file ("No such file").
std::string whyNotMade(const std::string& path) {
  constexpr std::size_t kLongest = 512 - 8;  // SQLite's MAX_PATHNAME less "-journal"
  std::error_code ignored;
  const std::string whole = std::filesystem::absolute(path, ignored).string();
  if (whole.size() > kLongest)
    return fmt::format("the path has {} bytes, but SQLite allows at most {}; choose a shorter one", whole.size(),
                       kLongest);
  const std::string probe = fmt::format("{}.{}-probe.tmp", path, ::getpid());
  if (createNew(probe, 0600).get() < 0) return systemReason(errno);
  ::unlink(probe.c_str());
  return {};
}

tl::unexpected<Error> failure(sqlite3* connection, int code, int error, const std::string& path, bool writes) {
  const char* const said = connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  const auto notWritten = [&path](const std::string& why) {
    return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be written: {}; what was saved is kept", path, why));
  };
  switch (code & 0xff) {
    case SQLITE_FULL:
      return notWritten(std::generic_category().message(ENOSPC));
    case SQLITE_READONLY:
      return notWritten(reasonOf(connection, error, "it is read-only"));
    case SQLITE_CANTOPEN:
      if (const std::string why = writes ? whyNotMade(path) : std::string(); !why.empty()) return notWritten(why);
      return fail(ErrorKind::BadInput,
                  fmt::format("{}: cannot be opened: {}", path, reasonOf(connection, error, said)));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fail(ErrorKind::OutputFailed,
                  fmt::format("{}: locked by another program; close that program and try again", path));
    case SQLITE_INTERRUPT:  // only by moreThanItsSize()
      return damaged(path, "its tables have more rows than the file has room for");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_ERROR:
      return damaged(path, said);
    case SQLITE_IOERR: {
      const bool reading = code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ;
      if (!reading) return notWritten(reasonOf(connection, error, said));
      return fail(ErrorKind::BadInput, fmt::format("{}: cannot be read: {}", path, reasonOf(connection, error, said)));
    }
    default:
      return fail(ErrorKind::Internal, fmt::format("{}: SQLite says: {}", path, readable(said)));
  }
}

/// The path as a URI, with special characters escaped.
std::string uriOf(const std::string& path, const char* query) {
  std::string uri = path.starts_with('/') ? "file://" : "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + query;
}

int flagsOf(Access access) {
  switch (access) {
    case Access::Make:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Access::Write:
      return SQLITE_OPEN_READWRITE;
    case Access::Read:
    case Access::Immutable:
      break;
  }
  return SQLITE_OPEN_READONLY;
}

void hardenConnection(sqlite3* connection) {
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, kBusyMilliseconds);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kLongestValue);
  for (const int option : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
                           SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL})
    sqlite3_db_config(connection, option, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

/// The path with links resolved. SQLite follows links, and its other files are next to the target.
std::string linkedTo(const std::string& path) {
  std::error_code none;
  const std::filesystem::path real = std::filesystem::canonical(path, none);
  return none ? path : real.string();
}

/// SQLite opens these files by name, whatever they are: a pipe among them would block for ever. It plays back a journal
/// and then deletes the file that the journal names, whichever that is. A database in write-ahead mode has no journal,
/// and with `Make` the database is not from an untrusted source.
Result<void> checkFiles(const std::string& path, Access access) {
  const std::string real = linkedTo(path);
  for (const char* const ending : {"", "-journal", "-wal", "-shm"})
    if (const std::string why = notRegular(real + ending); !why.empty())
      return fail(ErrorKind::BadInput, fmt::format("{}{}: cannot be opened: {}; {}", path, ending, why,
                                                   *ending == '\0' ? "name another folder" : "remove it"));
  std::error_code missing;
  const std::string journal = real + "-journal";
  if (access == Access::Make || std::filesystem::file_size(journal, missing) == 0 || missing) return {};
  return fail(ErrorKind::BadInput,
              fmt::format("{}: is not a file of a run, and SQLite would change or delete files according to it; {} "
                          "was not opened; delete the journal",
                          journal, path));
}

/// Enforces the rule of checkFiles() on journals that appear after its check: SQLite opens a file that a journal names,
/// with a flag of its own, before it deletes the file.
int openUnlessNamedByJournal(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* given) {
  sqlite3_vfs* const system = sqlite3_vfs_find(nullptr);
  if ((flags & SQLITE_OPEN_SUPER_JOURNAL) == 0) return system->xOpen(system, name, file, flags, given);
  file->pMethods = nullptr;  // nothing to close
  return SQLITE_CANTOPEN;
}

/// Once per process, before the first database is opened.
void setUp() {
  static const int once = [] {
    // SQLite counts its memory under one lock for all threads, which delays a library that several threads read. The
    // call fails if SQLite was used before; that is only slower.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (const int begun = sqlite3_initialize(); begun != SQLITE_OK) return begun;
    static sqlite3_vfs guarded = *sqlite3_vfs_find(nullptr);
    guarded.zName = kFileAccess;
    guarded.xOpen = openUnlessNamedByJournal;
    return sqlite3_vfs_register(&guarded, 0);
  }();
  static_cast<void>(once);  // if it failed, no database can be opened
}

}  // namespace

Statement::Statement(Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
Statement::~Statement() {
  sqlite3_finalize(statement_);
}
Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

void Statement::bind(int place, std::int64_t value) {
  sqlite3_bind_int64(statement_, place, value);
}
void Statement::bind(int place, double value) {
  if (std::isnan(value)) {
    sqlite3_bind_null(statement_, place);
  } else {
    sqlite3_bind_double(statement_, place, value);
  }
}
void Statement::bind(int place, std::string_view value) {
  sqlite3_bind_text64(statement_, place, value.data() != nullptr ? value.data() : "", value.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

void Statement::bind(int place, std::span<const float> values) {
  sqlite3_bind_blob64(statement_, place, values.data(), values.size_bytes(), SQLITE_STATIC);
}

Result<bool> Statement::step() {
  if (!begun_) database_->asked_ = 0;
  errno = 0;
  const int code = sqlite3_step(statement_);
  begun_ = code == SQLITE_ROW;
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  sqlite3* const connection = database_->connection_;
  auto error = failure(connection, code, errno, database_->path_, sqlite3_db_readonly(connection, "main") == 0);
  sqlite3_reset(statement_);
  return error;
}

Result<void> Statement::run() {
  for (;;) {
    SEPX_ASSIGN(const bool row, step());
    if (!row) return {};
  }
}

bool Statement::isWhole(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
}
bool Statement::isNumber(int column) const {
  const int type = sqlite3_column_type(statement_, column);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT || type == SQLITE_NULL;
}
bool Statement::isText(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_TEXT;
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}
double Statement::number(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(statement_, column);
}
std::string Statement::text(int column) const {
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return bytes != nullptr ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
                          : std::string();
}

std::vector<float> Statement::floats(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_, column);
  std::vector<float> values(static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)) / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes, values.size() * sizeof(float));
  return values;
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Access access) {
  setUp();
  SEPX_TRY(checkFiles(path, access));
  std::unique_ptr<Database> database(new Database);
  database->path_ = path;
  database->file_ = ReservedFile(path);
  const std::string uri = uriOf(path, access == Access::Immutable ? "?immutable=1" : "");
  const int code =
      sqlite3_open_v2(uri.c_str(), &database->connection_,
                      flagsOf(access) | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, kFileAccess);
  database->writes_ = access == Access::Make || access == Access::Write;
  if (code != SQLITE_OK) return failure(database->connection_, code, errno, path, database->writes_);
  hardenConnection(database->connection_);
  if (access == Access::Make) database->file_ = ReservedFile(path);  // the file did not exist before
  database->files_[0] = linkedTo(path);
  database->files_[1] = database->files_[0] + "-wal";
  sqlite3_progress_handler(database->connection_, kAskedEvery, moreThanItsSize, database.get());
  SEPX_TRY(database->run("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0"));
  return database;
}

Database::~Database() {
  // When the last connection closes, it locks the whole file.
  file_.unlock();
  sqlite3_close_v2(connection_);
}

Result<void> Database::keepLocks() {
  SEPX_ASSIGN(auto mode, prepare("PRAGMA journal_mode"));
  SEPX_ASSIGN(const bool row, mode.step());
  if (!row || mode.text(0) != "wal") return {};  // its own writes must lock the whole file
  file_.lockShared(files_[0], kSharedFirst, kSharedLength);
  file_.lockShared(files_[0] + "-shm", kIndexInUse, 1);
  return {};
}

/// Whether the current statement does more work than reading the whole file would take; SQLite then ends it. Allocates
/// no memory: an exception would pass through SQLite.
int Database::moreThanItsSize(void* of) {
  auto& database = *static_cast<Database*>(of);
  struct stat file {
  }, log{};
  if (::stat(database.files_[0].c_str(), &file) == 0)
    database.bytes_ = static_cast<std::uint64_t>(file.st_size) +
                      (::stat(database.files_[1].c_str(), &log) == 0 ? static_cast<std::uint64_t>(log.st_size) : 0);
  const std::uint64_t work = ++database.asked_ * std::uint64_t{kAskedEvery};
  return work > kLeastWork + kWorkPerByte * database.bytes_ ? 1 : 0;
}

Result<void> Database::run(const char* sql) {
  asked_ = 0;
  errno = 0;
  const int code = sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(connection_, code, errno, path_, writes_);
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  asked_ = 0;
  errno = 0;
  const int code = sqlite3_prepare_v2(connection_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return failure(connection_, code, errno, path_, writes_);
  return Statement(*this, statement);
}

tl::unexpected<Error> Database::damage(std::string_view why) const {
  return damaged(path_, why);
}

bool copyDatabaseFile(const std::string& from, const std::string& to) {
  setUp();
  sqlite3_vfs* const system = sqlite3_vfs_find(nullptr);
  const auto writer = FileWriter::begin(to);
  if (system == nullptr || !writer) return false;
  // Storage for SQLite's data of an open file, aligned for any type.
  std::vector<std::max_align_t> room(static_cast<std::size_t>(system->szOsFile) / sizeof(std::max_align_t) + 1);
  auto* const file = reinterpret_cast<sqlite3_file*>(room.data());
  const std::string name = linkedTo(from) + '\0';  // xOpen() follows no links; its names end in two zeros
  std::string piece(std::size_t{1} << 16, '\0');
  int given = 0;
  if (system->xOpen(system, name.c_str(), file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, &given) != SQLITE_OK)
    return false;
  sqlite3_int64 size = 0;
  bool whole = file->pMethods->xFileSize(file, &size) == SQLITE_OK;
  for (sqlite3_int64 at = 0; whole && at < size; at += static_cast<sqlite3_int64>(piece.size())) {
    const auto count = static_cast<std::size_t>(std::min<sqlite3_int64>(piece.size(), size - at));
    whole = file->pMethods->xRead(file, piece.data(), static_cast<int>(count), at) == SQLITE_OK &&
            (*writer)->write(std::string_view(piece.data(), count)).has_value();
  }
  file->pMethods->xClose(file);
  return whole && (*writer)->commit().has_value();
}

RowLimit::RowLimit(Database& database, int bytes)
    : database_(database), before_(sqlite3_limit(database.connection_, SQLITE_LIMIT_LENGTH, bytes)) {}
RowLimit::~RowLimit() {
  sqlite3_limit(database_.connection_, SQLITE_LIMIT_LENGTH, before_);
}

Result<Transaction> Transaction::begin(Database& database) {
  SEPX_TRY(database.run("BEGIN IMMEDIATE"));
  return Transaction(database);
}
Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // If the rollback fails, SQLite has already rolled back.
  [[maybe_unused]] const auto rolledBack = database_->run("ROLLBACK");
}
Transaction::Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

Result<void> Transaction::commit() {
  SEPX_TRY(database_->run("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace sepx::train
