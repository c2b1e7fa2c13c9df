// SPDX-License-Identifier: Apache-2.0
// The tables of run.sqlite, version 1, and the check that a file has exactly these. Private to the run store.
//   schema   one row: the version of these tables and the program that made them
//   run      one row: what RunRecord holds (seed as decimal text: SQLite has no unsigned 64 bits)
//   names    number of a metric in this file -> its name
//   metrics  one row per value, in the order of the steps. NULL: NaN. layer and head -1: of the whole model
//   events   what happened to the run, and when
//   matrices weights of some parameters at some steps, row-major float32, little-endian. Only runs whose
//            schedule.film_every is above 0 have this table, so that older programs can read all others
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/core/result.h"
#include "engine/train/run_store_database.h"
#include "engine/train/snapshot.h"

namespace sepx::train {

inline constexpr std::int64_t kSchemaVersion = 1;           ///< the version that is written
inline constexpr const char* kDatabaseName = "run.sqlite";  ///< in the run's folder
inline constexpr const char* kLockName = "run.lock";        ///< in the run's folder

struct Table {  ///< name and SQL text
  const char* name;
  const char* sql;
};

/// The tables of every run.
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
/// The table of the stored matrices.
inline constexpr Table kStoredTable{
    "matrices",
    "CREATE TABLE matrices (step INTEGER NOT NULL, parameter TEXT NOT NULL, rows INTEGER NOT NULL, columns INTEGER NOT "
    "NULL, data BLOB NOT NULL, PRIMARY KEY (parameter, step))"};

/// Whether the file has the table of matrices. Fails with BadInput if it is a different one.
Result<bool> hasStoredMatrices(Database& database);

/// Fails with BadInput for another kind of database, a newer version, or other tables than these.
Result<void> checkSchema(Database& database);

/// Bytes for RowLimit when rows of numbers are read. The SQL texts of the tables, which SQLite reads again when another
/// program adds one, are shorter.
inline constexpr int kNumbersRow = 4096;
/// Fails with BadInput if the metrics contain something that is not a number: a writer would load such a row each time
/// that it writes next to it. Looks at the types of all rows, not at their content.
Result<void> checkMetrics(Database& database);

/// Fails with BadInput for a word that is not a state; `path` is named in the message.
Result<RunState> stateNamed(const std::string& text, const std::string& path);
std::string nowInUtc();

}  // namespace sepx::train
