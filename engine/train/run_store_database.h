// SPDX-License-Identifier: Apache-2.0
// SQLite in the words of this program: connections and statements that close themselves, and every failure as one
// sentence with the file, the reason and what can still be read. Private to the run store. One thread at a time.
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

enum class Access {  ///< what may be changed
  Make,              ///< read and write, made when missing
  Write,             ///< read and write what is there
  Read,              ///< nothing is changed; a folder that cannot be written will do
  Immutable,         ///< as Read, without locks and without the write-ahead log
};

class Database;

class Statement {  ///< one prepared statement
 public:
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;

  /// Places count from 1.
  void bind(int place, std::int64_t value);
  void bind(int place, double value);  ///< NaN is kept as NULL
  void bind(int place, std::string_view value);
  void bind(int place, std::span<const float> values);  ///< not copied: they stay until the run() after it
  /// Whether there is a row. After the last one the statement can be bound and run anew.
  Result<bool> step();
  /// For a statement without rows: once, then ready for the next.
  Result<void> run();

  /// Of the row, from 0. Values keep the type that they were written with, whatever their column says: a reader that
  /// goes on from one asks first. isNumber() takes NULL, which is a NaN.
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
  bool begun_ = false;  // there was a row, and others may follow
};

class Database {  ///< one connection
 public:
  /// Sentences name the file. BadInput also where a journal stands beside it (but for Make): it is not a file of a run,
  /// and SQLite would change and delete files as it says.
  static Result<std::unique_ptr<Database>> open(const std::string& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Holds SQLite's shared locks a second time, until this is destroyed, so that no close of a descriptor in this
  /// process ends them: a dialog for files reads the heads of what it lists. Without its locks another program counts
  /// as the last one and deletes the write-ahead log of this connection. After the first statement; does nothing where
  /// the database has no such log.
  Result<void> keepLocks();

  Result<void> run(const char* sql);                ///< one that answers nothing
  Result<Statement> prepare(std::string_view sql);  ///< with ? for values
  const std::string& path() const { return path_; }
  const std::string& file() const { return files_[0]; }  ///< what the path leads to: SQLite's other files are beside it
  /// BadInput: the file is damaged, and what of the run does not need it.
  tl::unexpected<Error> damage(std::string_view why) const;

 private:
  friend class RowLimit;
  friend class Statement;
  Database() = default;
  static int moreThanItsSize(void* database);
  ReservedFile file_;
  sqlite3* connection_ = nullptr;
  std::string path_;
  std::string files_[2];     // what moreThanItsSize() measures: what the path leads to, and its log
  std::uint64_t bytes_ = 0;  // of these, when they were last there
  bool writes_ = false;
  std::uint64_t asked_ = 0;  // how often moreThanItsSize() was, since the statement that is under way began
};

/// Copies a file of a database as SQLite reads it: a descriptor of another kind could not be closed while a connection
/// of this process has the file open. False: it cannot be read, or the copy not be written.
bool copyDatabaseFile(const std::string& from, const std::string& to);

/// While one lives, a text or blob of more than `bytes` is damage and is not loaded. A table of numbers that a stranger
/// wrote may have some of 60 MB, which take a second each time that they are looked at.
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
