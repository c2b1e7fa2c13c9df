// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_store_schema.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/local_time.h"
#include "engine/core/try.h"
#include "engine/train/run_store.h"

namespace sepx::train {

namespace {

constexpr std::array kStates{RunState::Preparing, RunState::Running, RunState::Paused,
                             RunState::Finished,  RunState::Stopped, RunState::Failed};

/// The SQL text that created each table, by name.
using TableSql = std::map<std::string, std::string, std::less<>>;
Result<TableSql> tablesOf(Database& database) {
  SEPX_ASSIGN(auto statement, database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'"));
  TableSql tables;
  for (;;) {
    const Result<bool> row = statement.step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return tables;
    tables[statement.text(0)] = statement.text(1);
  }
}

/// Empty when there is none.
std::string sqlOf(const TableSql& tables, std::string_view table) {
  const auto found = tables.find(table);
  return found != tables.end() ? found->second : std::string();
}

}  // namespace

Result<void> checkSchema(Database& database) {
  const std::string& path = database.path();
  SEPX_ASSIGN(const TableSql tables, tablesOf(database));
  if (sqlOf(tables, kTables.front().name) != kTables.front().sql)
    return fail(ErrorKind::BadInput, fmt::format("{}: is a database, but not of a run of this program", path));
  SEPX_ASSIGN(auto statement, database.prepare("SELECT version, program FROM schema"));
  const Result<bool> row = statement.step();
  if (!row) return tl::unexpected(row.error());
  const std::int64_t version = *row ? statement.integer(0) : 0;
  if (version > kSchemaVersion) {
    return fail(
        ErrorKind::BadInput,
        fmt::format("{}: was written by a newer program ({}, run format {}; this one reads {}); open it with that "
                    "program; the checkpoints beside it can be opened here",
                    path, inQuotes(statement.text(1)), version, kSchemaVersion));
  }
  for (const Table& table : kTables) {
    const std::string sql = sqlOf(tables, table.name);
    if (version == kSchemaVersion && sql == table.sql) continue;
    return fail(ErrorKind::BadInput,
                fmt::format("{}: is damaged (the table {} is {}); the checkpoints beside it do not need it", path,
                            table.name, sql.empty() ? "missing" : "not that of a run"));
  }
  return {};
}

Result<bool> hasStoredMatrices(Database& database) {
  SEPX_ASSIGN(const TableSql tables, tablesOf(database));
  const std::string sql = sqlOf(tables, kStoredTable.name);
  if (sql.empty()) return false;
  if (sql == kStoredTable.sql) return true;
  return fail(
      ErrorKind::BadInput,
      fmt::format("{}: is damaged (the table {} is not that of a run); the checkpoints beside it do not need it",
                  database.path(), kStoredTable.name));
}

Result<void> checkMetrics(Database& database) {
  SEPX_ASSIGN(auto statement,
              database.prepare("SELECT 1 FROM metrics WHERE typeof(step) <> 'integer' OR typeof(name) <> 'integer' OR "
                               "typeof(layer) <> 'integer' OR typeof(head) <> 'integer' OR typeof(value) NOT IN "
                               "('real', 'integer', 'null') LIMIT 1"));
  SEPX_ASSIGN(const bool odd, statement.step());
  if (!odd) return {};
  return fail(
      ErrorKind::BadInput,
      fmt::format("{}: is damaged (the table metrics holds something that is not a number); the checkpoints beside it "
                  "do not need it and can be continued with sepx train --branch",
                  database.path()));
}

std::string_view toString(RunState state) {
  switch (state) {
    case RunState::Preparing:
      return "preparing";
    case RunState::Running:
      return "running";
    case RunState::Paused:
      return "paused";
    case RunState::Finished:
      return "finished";
    case RunState::Stopped:
      return "stopped";
    case RunState::Failed:
      return "failed";
  }
  return "failed";
}

Result<RunState> stateNamed(const std::string& text, const std::string& path) {
  const auto found =
      std::find_if(kStates.begin(), kStates.end(), [&](RunState state) { return toString(state) == text; });
  if (found != kStates.end()) return *found;
  return fail(ErrorKind::BadInput,
              fmt::format("{}: is damaged ({} is not a state of a run); the checkpoints beside it do not need it", path,
                          inQuotes(text)));
}

std::string nowInUtc() {
  return utcOf(std::time(nullptr));
}

}  // namespace sepx::train
