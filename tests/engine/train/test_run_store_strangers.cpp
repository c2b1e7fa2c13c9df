// SPDX-License-Identifier: Apache-2.0
// Malicious run folders: a journal that names files, rows without end, numbers out of range.
#include <cstdint>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "engine/train/run_store_database.h"
#include "engine/train/run_store_schema.h"
#include "tests/engine/train/run_store_rig.h"

using namespace sepx;
using namespace sepx::train;
using namespace sepx::test;

namespace {

std::string bigEndian(std::size_t value, int bytes) {
  std::string out;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    out += static_cast<char>(value >> shift & 0xff);
  return out;
}

/// A journal that SQLite plays back, and after which SQLite deletes the file `victim`.
std::string journalNaming(const std::string& victim) {
  std::uint32_t sum = 0;
  for (const char c : victim)
    sum += static_cast<std::uint32_t>(static_cast<int>(c));
  return "any first byte but 0" + victim + bigEndian(victim.size(), 4) + bigEndian(sum, 4) +
         "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
}

constexpr std::size_t kPage = 4096;

/// A page of the table metrics with 201 references to the page `child`.
std::string pageTo(std::size_t child) {
  constexpr std::size_t kCells = 200;
  // The child page, the length, the lengths and types of the five columns, the columns.
  const std::string cell = bigEndian(child, 4) + std::string("\x0b\x06\x01\x01\x01\x01\x01\x05\x01\x01\x01\x01", 12);
  std::string head = "\x02" + bigEndian(0, 2) + bigEndian(kCells, 2) + bigEndian(kPage - kCells * cell.size(), 2) +
                     bigEndian(0, 1) + bigEndian(child, 4);
  std::string cells;
  for (std::size_t i = 0; i < kCells; ++i) {
    cells += cell;
    head += bigEndian(kPage - (i + 1) * cell.size(), 2);
  }
  return head + std::string(kPage - head.size() - cells.size(), '\0') + cells;
}

std::size_t rootOfMetrics(const std::string& path) {
  sqlite3* connection = nullptr;
  sqlite3_stmt* statement = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &connection) == SQLITE_OK);
  REQUIRE(sqlite3_prepare_v2(connection, "SELECT rootpage FROM sqlite_schema WHERE name = 'metrics'", -1, &statement,
                             nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
  const auto root = static_cast<std::size_t>(sqlite3_column_int64(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(connection);
  return root;
}

/// Puts four pages before the single page of rows, each with 201 references to the next: 10^9 pages of rows in 50 kB.
void makeEndless(const std::string& path) {
  const std::size_t root = rootOfMetrics(path);
  std::string bytes = readBytes(path);
  const std::size_t pages = bytes.size() / kPage, at = (root - 1) * kPage;
  const std::string rows = bytes.substr(at, kPage);
  REQUIRE(rows.front() == '\x0a');  // one page contains all rows
  bytes.replace(at, kPage, pageTo(pages + 1));
  for (std::size_t i = 1; i <= 3; ++i)
    bytes += pageTo(pages + i + 1);
  bytes += rows;
  bytes.replace(28, 4, bigEndian(pages + 4, 4));
  writeBytes(path, bytes);
}

}  // namespace

TEST_CASE("A journal beside a run's database does not delete a file", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run", path = folder + "/run.sqlite", victim = root / "victim.txt";
  makeRun(folder);
  const std::string whole = readBytes(path);
  for (const bool linked : {false, true}) {
    INFO("linked: " << linked);
    std::string journal = path + "-journal";
    if (linked) {  // SQLite's files are beside the target of the link
      std::filesystem::remove(journal);
      std::filesystem::rename(path, folder + "/other");
      std::filesystem::create_symlink("other", path);
      journal = folder + "/other-journal";
    }
    writeBytes(journal, journalNaming(victim));
    writeBytes(victim, "what a person wrote");
    const auto refused = [&](const auto& result) {
      REQUIRE_FALSE(result);
      INFO(result.error().message);
      CHECK(result.error().kind == ErrorKind::BadInput);
      CHECK(isSentence(result.error().message, journal + ": is not a file of a run"));
      CHECK(isSentence(result.error().message, "delete the journal"));
    };
    refused(RunReader::open(folder));
    refused(RunReader::openWithoutLocks(folder));
    refused(RunWriter::resume(folder, 40));
    CHECK(readBytes(victim) == "what a person wrote");
    CHECK(readBytes(path) == whole);
  }
  std::filesystem::remove(folder + "/other-journal");
  writeBytes(folder + "/other-journal", "");  // a journal without content
  CHECK(wholeSteps(folder).size() == 40);
}

TEST_CASE("A journal that is created after the files were checked does not delete a file either", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run", path = folder + "/run.sqlite", victim = root / "victim.txt";
  makeRun(folder);
  writeBytes(victim, "what a person wrote");
  {
    const auto database = Database::open(path, Access::Write);
    REQUIRE(database);
    writeBytes(path + "-journal", journalNaming(victim));
    static_cast<void>(checkSchema(**database));  // the first access to its tables plays a journal back
  }
  CHECK(readBytes(victim) == "what a person wrote");
}

TEST_CASE("Rows of metrics without an end or an order are reported as damage", "[run-store]") {
  const RunFolder root;
  const auto damaged = [](const auto& result) {
    REQUIRE_FALSE(result);
    INFO(result.error().message);
    CHECK(isSentence(result.error().message, "is damaged"));
  };
  const char* const kRows[] = {
      "INSERT INTO metrics VALUES ('a step', 0, -1, -1, 1)", "INSERT INTO metrics VALUES (41, 'a name', -1, -1, 1)",
      "INSERT INTO metrics VALUES (41, 0, 1.5, -1, 1)", "INSERT INTO metrics VALUES (41, 0, -1, -1, 'a value')"};
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    INFO(kRows[i]);
    const std::string folder = root / ("run-" + std::to_string(i));
    makeRun(folder);
    runSql(folder + "/run.sqlite", kRows[i]);
    const auto reader = opened(folder);
    damaged(reader->series());
    damaged(reader->newest(100));
    // Reads as a window does. Reading on from the last step must terminate.
    Result<RunReader::Portion> portion = reader->portion(-1, 50);
    for (int portions = 0; portion && !portion->all; ++portions) {
      REQUIRE(portions < 10);
      portion = reader->portion(portion->last, 50);
    }
    damaged(portion);
  }
  const std::string folder = root / "endless";
  makeRun(folder);
  makeEndless(folder + "/run.sqlite");
  const auto reader = opened(folder);
  damaged(reader->series());
  damaged(reader->portion(-1, 1'000'000));
  const auto resumed = RunWriter::resume(folder, 40);
  damaged(resumed);
  CHECK(isSentence(resumed.error().message, "more rows than the file has room for"));
}

TEST_CASE("Names of stored matrices that are not texts are reported as damage", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  {
    const auto writer = made(folder);
    REQUIRE(writer->append(1, metricsOf(1), std::vector<StoredMatrix>{{1, "a", 1, 1, {2}}, {1, "b", 1, 1, {3}}}));
  }
  CHECK(*opened(folder)->storedParameters() == std::vector<std::string>{"a", "b"});
  runSql(folder + "/run.sqlite", "INSERT INTO matrices VALUES (1, x'7A', 1, 1, zeroblob(4))");
  const auto names = opened(folder)->storedParameters();
  REQUIRE_FALSE(names);
  CHECK(isSentence(names.error().message, "is damaged"));
}

TEST_CASE("A record with an impossible step is refused", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run", path = folder + "/run.sqlite";
  makeRun(folder);
  for (const char* const column : {"step", "steps"})
    for (const char* const value : {"9223372036854775807", "-2", "1000000000000001"}) {
      INFO(column << " = " << value);
      runSql(path, fmt::format("UPDATE run SET {} = {}", column, value).c_str());
      const auto record = opened(folder)->record();
      REQUIRE_FALSE(record);
      CHECK(isSentence(record.error().message, std::string(value) + " is not a number of steps"));
      runSql(path, fmt::format("UPDATE run SET {} = 1000000000000000", column).c_str());
      CHECK(opened(folder)->record());
    }
}

TEST_CASE("A writer does not follow links out of the folder of a run", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "stranger", mine = root / "mine";
  makeRun(folder);
  makeRun(mine);
  const auto refused = [&] {
    const auto resumed = RunWriter::resume(folder, 10);
    REQUIRE_FALSE(resumed);
    CHECK(resumed.error().kind == ErrorKind::OutputFailed);
    CHECK(isSentence(resumed.error().message, "is a link"));
  };
  std::filesystem::create_symlink(root / "new", folder + "/run.lock");
  refused();
  CHECK_FALSE(std::filesystem::exists(root / "new"));
  CHECK(wholeSteps(folder).size() == 40);
  std::filesystem::remove(folder + "/run.lock");
  // The checkpoints of another run, which a resumed run would remove when it saves.
  std::filesystem::remove_all(folder + "/checkpoints");
  std::filesystem::create_directories(mine + "/checkpoints");
  std::filesystem::create_symlink("../mine/checkpoints", folder + "/checkpoints");
  refused();
  std::filesystem::remove(folder + "/checkpoints");
  // The database of another run, which a resumed run would truncate after its step 10.
  std::filesystem::remove(folder + "/run.sqlite");
  std::filesystem::create_symlink("../mine/run.sqlite", folder + "/run.sqlite");
  refused();
  CHECK(wholeSteps(mine).size() == 40);
}
