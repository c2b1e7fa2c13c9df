// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_library_cache.h"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/train/run_store_schema.h"

namespace sepx::train {
namespace {

using Json = nlohmann::ordered_json;

/// One line per metric: "loss 0.5".
std::string textOf(const RunSummary& run) {
  std::string text;
  for (const auto& [name, value] : run.metrics)
    text += fmt::format("{} {}\n", name, formatShortest(value));
  return text;
}

std::vector<std::pair<std::string, double>> metricsOf(std::string_view text) {
  std::vector<std::pair<std::string, double>> metrics;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t blank = line.rfind(' ');
    const auto value = blank != std::string_view::npos ? parseNumber(line.substr(blank + 1)) : std::nullopt;
    if (value) metrics.emplace_back(line.substr(0, blank), *value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return metrics;
}

void bind(Statement& insert, const RunSummary& run) {
  const RunRecord& record = run.record;
  int place = 0;
  for (const std::string& text :
       {run.folder, run.stamp, record.name, record.note, record.config, record.build, std::to_string(record.seed),
        record.parent, record.created, std::string(toString(record.state)), record.sentence})
    insert.bind(++place, std::string_view(text));
  insert.bind(++place, record.step);
  insert.bind(++place, record.steps);
  for (const std::string& text : {textOf(run), textOf(run.own), run.failure})
    insert.bind(++place, std::string_view(text));
  insert.bind(++place, std::span<const float>(run.curveSteps));
  insert.bind(++place, std::span<const float>(run.curve));
}

/// False if another program keeps the file locked or the disk is full.
bool isDamage(const Error& error) {
  return error.kind == ErrorKind::BadInput;
}

}  // namespace

std::string textOf(const RunNotes& notes) {
  const Json json{{"tags", notes.tags}, {"notes", notes.notes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

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

LibraryCache::LibraryCache(const std::string& path) : path_(path) {
  if (path.empty()) return;
  const std::size_t slash = path.find_last_of('/');
  if (slash != std::string::npos && !makeFolders(path.substr(0, slash))) return;
  if (const auto opened = open(); !opened && isDamage(opened.error())) renew();
}

Result<void> LibraryCache::open() {
  SEPX_ASSIGN(auto database, Database::open(path_, Access::Make));
  // Milliseconds. If another program keeps the file locked, reading the runs themselves is faster than waiting.
  SEPX_TRY(database->run("PRAGMA busy_timeout = 250"));
  SEPX_TRY(database->run(
      "PRAGMA synchronous = OFF; DROP TABLE IF EXISTS library_1; CREATE TABLE IF NOT EXISTS library_2 (folder TEXT "
      "PRIMARY KEY, stamp TEXT, name TEXT, note TEXT, config TEXT, build TEXT, seed TEXT, parent TEXT, created TEXT, "
      "state TEXT, sentence TEXT, step INTEGER, steps INTEGER, metrics TEXT, own TEXT, failure TEXT, curve_steps BLOB, "
      "curve BLOB)"));
  database_ = std::move(database);
  return {};
}

void LibraryCache::renew() {
  database_.reset();
  for (const char* ending : {"", "-journal", "-wal", "-shm"})
    ::unlink((path_ + ending).c_str());
  static_cast<void>(open());
}

Result<CachedRuns> LibraryCache::read(const std::string& folder) {
  auto kept = rows(folder);
  if (!kept && isDamage(kept.error())) renew();
  return kept;
}

Result<void> LibraryCache::write(const CachedRuns& before, const CachedRuns& now) {
  auto written = change(before, now);
  if (written || !isDamage(written.error())) return written;
  renew();
  return change({}, now);
}

Result<CachedRuns> LibraryCache::rows(const std::string& folder) const {
  CachedRuns kept;
  if (!database_) return kept;
  // "0" is the character after "/": all folders that begin with `folder` and a slash, and the folder itself.
  SEPX_ASSIGN(auto row, database_->prepare("SELECT folder, stamp, name, note, config, build, seed, parent, created, "
                                           "state, sentence, step, steps, metrics, own, failure, curve_steps, curve "
                                           "FROM library_2 WHERE folder = ?1 OR (folder >= ?1 || '/' AND folder < ?1 "
                                           "|| '0')"));
  row.bind(1, std::string_view(folder));
  for (;;) {
    SEPX_ASSIGN(const bool there, row.step());
    if (!there) return kept;
    auto run = std::make_shared<RunSummary>();
    run->folder = row.text(0);
    int column = 2;
    for (std::string* text : {&run->record.name, &run->record.note, &run->record.config, &run->record.build})
      *text = row.text(column++);
    run->record.seed = std::strtoull(row.text(column++).c_str(), nullptr, 10);
    run->record.parent = row.text(column++);
    run->record.created = row.text(column++);
    SEPX_ASSIGN(run->record.state, stateNamed(row.text(column++), database_->path()));
    run->record.sentence = row.text(column++);
    run->record.step = row.integer(column++);
    run->record.steps = row.integer(column++);
    run->metrics = metricsOf(row.text(column++));
    if (auto own = notesOf(row.text(column++))) run->own = std::move(*own);
    run->failure = row.text(column++);
    run->curveSteps = row.floats(column++);
    run->curve = row.floats(column++);
    if (run->curve.size() != run->curveSteps.size()) run->curve = run->curveSteps = {};
    run->stamp = row.text(1);
    kept[run->folder] = std::move(run);
  }
}

Result<void> LibraryCache::change(const CachedRuns& before, const CachedRuns& now) const {
  if (!database_) return {};
  const auto changed = [&before](const auto& entry) {
    const auto old = before.find(entry.first);
    return old == before.end() || old->second->stamp != entry.second->stamp;
  };
  const auto gone = [&now](const auto& entry) { return !now.contains(entry.first); };
  if (std::ranges::none_of(before, gone) && std::ranges::none_of(now, changed)) return {};
  SEPX_ASSIGN(auto transaction, Transaction::begin(*database_));
  SEPX_ASSIGN(auto remove, database_->prepare("DELETE FROM library_2 WHERE folder = ?"));
  for (const auto& entry : before) {
    if (!gone(entry)) continue;
    remove.bind(1, std::string_view(entry.first));
    SEPX_TRY(remove.run());
  }
  SEPX_ASSIGN(auto insert, database_->prepare("INSERT OR REPLACE INTO library_2 VALUES "
                                              "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const auto& entry : now) {
    if (!changed(entry)) continue;
    bind(insert, *entry.second);
    SEPX_TRY(insert.run());
  }
  return transaction.commit();
}

}  // namespace sepx::train
