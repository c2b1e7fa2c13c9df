// SPDX-License-Identifier: Apache-2.0
// A wrapper for SQLite: connections and statements that close themselves, and every failure as one sentence with the
// file, the reason and what can still be read. Private to the run store. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/regular_file.h"
#include "engine/core/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sepx::train {

enum class Access {  ///< what a connection may change
  Make,              ///< read and write; created if missing
  Write,             ///< read and write an existing file
  Read,              ///< read only; the folder need not be writable
  Immutable,         ///< like Read, without locks and without the write-ahead log
};

class Database;

class Statement {  ///< one prepared statement
 public:
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;

  /// `place` counts from 1.
  void bind(int place, std::int64_t value);
  void bind(int place, double value);  ///< NaN is kept as NULL
  void bind(int place, std::string_view value);
  void bind(int place, std::span<const float> values);  ///< not copied: must stay valid until the next run()
  /// Whether there is a row. After the last one the statement is reset: it can be bound and run again.
  Result<bool> step();
  /// Runs a statement without rows once and resets it.
  Result<void> run();

  /// Columns of the row, from 0. A value keeps the type with which it was written, whatever the type of its column: a
  /// reader that continues from a value checks its type first. isNumber() accepts NULL, which is a NaN.
  bool isWhole(int column) const;
  bool isNumber(int column) const;
  bool isText(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;  ///< NULL: NaN
  std::string text(int column) const;
  std::vector<float> floats(int column) const;

 private:
  friend class Database;
  Statement(Database& database, sqlite3_stmt* statement);
  Database* database_;  // outlives its statements
  sqlite3_stmt* statement_;
  bool begun_ = false;  // there was a row, and more may follow
};

class Database {  ///< one connection
 public:
  /// Messages name the file. Also fails with BadInput if there is a journal next to it (except with Make): a run has
  /// none, and SQLite would change and delete files as the journal says.
  static Result<std::unique_ptr<Database>> open(const std::string& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Holds SQLite's shared locks a second time, until this is destroyed, so that closing another descriptor in this
  /// process does not release them: a file dialog, for example, reads the first bytes of the files that it lists.
  /// Without these locks another program would consider itself the last one and delete the write-ahead log of this
  /// connection. Called after the first statement. No-op if the database has no such log.
  Result<void> keepLocks();

  Result<void> run(const char* sql);                ///< SQL without a result
  Result<Statement> prepare(std::string_view sql);  ///< with ? for values
  const std::string& path() const { return path_; }
  const std::string& file() const { return files_[0]; }  ///< links resolved; SQLite's other files are next to it
  /// A BadInput error: the file is damaged. The message also names what of the run does not need it.
  tl::unexpected<Error> damage(std::string_view why) const;

 private:
  friend class RowLimit;
  friend class Statement;
  Database() = default;
  static int moreThanItsSize(void* database);
  ReservedFile file_;
  sqlite3* connection_ = nullptr;
  std::string path_;
  std::string files_[2];     // measured by moreThanItsSize(): the file, links resolved, and its log
  std::uint64_t bytes_ = 0;  // size of these, when they last existed
  bool writes_ = false;
  std::uint64_t asked_ = 0;  // calls of moreThanItsSize() since the current statement began
};

/// Copies a file of a database through SQLite's file access: an ordinary descriptor must not be closed while a
/// connection of this process has the file open. False if the file cannot be read or the copy cannot be written.
bool copyDatabaseFile(const std::string& from, const std::string& to);

/// During its lifetime a text or blob of more than `bytes` is treated as damage and not loaded. A table of numbers from
/// an untrusted source may contain values of 60 MB, which take a second each time that they are read.
class RowLimit {
 public:
  RowLimit(Database& database, int bytes);
  ~RowLimit();
  RowLimit(const RowLimit&) = delete;
  RowLimit& operator=(const RowLimit&) = delete;

 private:
  Database& database_;
  const int before_;
};

/// BEGIN IMMEDIATE ... COMMIT; rolled back at the end of the scope unless committed.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);  ///< OutputFailed when another program writes
  ~Transaction();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  Result<void> commit();  ///< without it everything is undone

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace sepx::train
