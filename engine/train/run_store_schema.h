// SPDX-License-Identifier: Apache-2.0
// The tables of run.sqlite, version 1, and the check that a file has exactly these. Private to the run store.
//   schema   one row: the version of these tables and the program that made them
//   run      one row: what RunRecord holds (seed as decimal text: SQLite has no unsigned 64 bits)
//   names    number of a metric in this file -> its name
//   metrics  a value; in the order of the steps, as they come. NULL: NaN. layer and head -1: of the whole model
//   events   what a person did to the run, and when
//   matrices weights of some parameters at some steps, row-major float32, little-endian. Only runs whose
//            schedule.film_every asks for it have this table: what is older than it reads all the others
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/core/result.h"
#include "engine/train/run_store_database.h"
#include "engine/train/snapshot.h"

namespace sepx::train {

inline constexpr std::int64_t kSchemaVersion = 1;           ///< of what is written
inline constexpr const char* kDatabaseName = "run.sqlite";  ///< in the run's folder
inline constexpr const char* kLockName = "run.lock";        ///< in the run's folder

struct Table {  ///< name and columns
  const char* name;
  const char* sql;
};

/// Of a run.
inline constexpr std::array<Table, 5> kTables{{
    {"schema", "CREATE TABLE schema (version INTEGER NOT NULL, program TEXT NOT NULL)"},
    {"run",
     "CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, note TEXT NOT NULL, config TEXT NOT "
     "NULL, build TEXT NOT NULL, seed TEXT NOT NULL, parent TEXT NOT NULL, created TEXT NOT NULL, state TEXT NOT NULL, "
     "sentence TEXT NOT NULL, step INTEGER NOT NULL, steps INTEGER NOT NULL)"},
    {"names", "CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)"},
    {"metrics",
     "CREATE TABLE metrics (step INTEGER NOT NULL, name INTEGER NOT NULL, layer INTEGER NOT NULL, head INTEGER NOT "
     "NULL, value REAL, PRIMARY KEY (step, name, layer, head)) WITHOUT ROWID"},
    {"events",
     "CREATE TABLE events (id INTEGER PRIMARY KEY, step INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, text "
     "TEXT NOT NULL)"},
}};
/// Which checkpoints and matrices are stored.
inline constexpr Table kStoredTable{
    "matrices",
    "CREATE TABLE matrices (step INTEGER NOT NULL, parameter TEXT NOT NULL, rows INTEGER NOT NULL, columns INTEGER NOT "
    "NULL, data BLOB NOT NULL, PRIMARY KEY (parameter, step))"};

/// Whether the file has the table of matrices; BadInput where it is another.
Result<bool> hasStoredMatrices(Database& database);

/// BadInput: another database, a newer version, tables that are not these.
Result<void> checkSchema(Database& database);

/// For RowLimit where rows of numbers are read; the texts of the tables, which SQLite reads again when another program
/// adds one, are shorter.
inline constexpr int kNumbersRow = 4096;
/// BadInput where the metrics hold something that is not a number: who writes beside such a row loads it each time.
/// Looks at the types of all rows, not at what they hold.
Result<void> checkMetrics(Database& database);

/// Nothing for a word that is not a state.
Result<RunState> stateNamed(const std::string& text, const std::string& path);
std::string nowInUtc();

}  // namespace sepx::train
