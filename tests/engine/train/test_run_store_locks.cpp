// SPDX-License-Identifier: Apache-2.0
// The locks of a run that is being written: they hold even if its process opens and closes the same files, and other
// programs see committed data.
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/train/run_store_database.h"
#include "tests/engine/train/other_program.h"
#include "tests/engine/train/run_store_rig.h"
#include "tests/open_watch.h"

using namespace sepx;
using namespace sepx::train;
using namespace sepx::test;

TEST_CASE("Nothing is lost if the writing process opens and closes a file of the run", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  const OtherProgram other([&folder] { return stepOfRecord(folder); });
  const auto writer = made(folder);
  REQUIRE(writer->append(1, metricsOf(1)));
  // As a file dialog does to show the kind of each file.
  for (const char* name : {"/run.sqlite", "/run.sqlite-wal", "/run.sqlite-shm"})
    CHECK_FALSE(readBytes(folder + name).empty());
  CHECK(other.run() == 1);
  CHECK(std::filesystem::exists(folder + "/run.sqlite-wal"));  // so it was not the last connection
  REQUIRE(writer->append(2, metricsOf(2)));
  CHECK(other.run() == 2);
}

TEST_CASE("A reader keeps its locks when the writer of its process ends", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run", path = folder + "/run.sqlite";
  // Returns 1 if a reader blocks the checkpoint of the log.
  const OtherProgram other([&path] {
    const auto database = Database::open(path, Access::Write);
    if (!database) return -1;
    auto checkpoint = (*database)->prepare("PRAGMA wal_checkpoint(TRUNCATE)");
    return checkpoint && checkpoint->step() ? static_cast<int>(checkpoint->integer(0)) : -2;
  });
  auto writer = made(folder);
  REQUIRE(writer->append(1, metricsOf(1)));
  {
    const auto reader = Database::open(path, Access::Read);
    REQUIRE(reader);
    REQUIRE((*reader)->run("BEGIN"));
    auto read = (*reader)->prepare("SELECT step FROM run");
    REQUIRE(read);
    REQUIRE(read->step().value());
    REQUIRE(writer->append(2, metricsOf(2)));
    writer.reset();
    CHECK(other.run() == 1);
    CHECK(std::filesystem::exists(path + "-shm"));
  }
  CHECK(other.run() == 0);
}

TEST_CASE("The last writer of a run leaves only the database file", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  const OtherProgram other([&folder] { return stepOfRecord(folder); });
  {
    const auto writer = made(folder);
    REQUIRE(writer->append(3, metricsOf(3)));
  }
  CHECK(namesIn(folder) == std::vector<std::string>{"config.json", "run.sqlite"});
  CHECK(other.run() == 3);
  CHECK(namesIn(folder) == std::vector<std::string>{"config.json", "run.sqlite"});
}

TEST_CASE("A run whose database has another journal mode of SQLite is still written", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  makeRun(folder);
  runSql(folder + "/run.sqlite", "PRAGMA journal_mode = DELETE");
  const auto writer = RunWriter::resume(folder, 40);
  REQUIRE(writer);
  CHECK((*writer)->append(41, metricsOf(41)));
  CHECK((*writer)->sync());
}

TEST_CASE("A database that is open in this process is not opened as a plain file", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run", path = folder + "/run.sqlite", link = root / "notes.txt";
  std::filesystem::create_symlink(path, link);
  {
    const auto writer = made(folder);
    REQUIRE(writer->append(1, metricsOf(1)));
    const tests::OpenWatch watch({path, path + "-shm"});
    for (const std::string& name : {path, path + "-shm", link}) {
      const auto refused = readHead(name, 100);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().message == name + ": cannot be read: it is a database that this program has open");
    }
    CHECK_FALSE(watch.opened());
    CHECK(readHead(path + "-wal", 4));  // the log has no locks
    CHECK(readHead(folder + "/config.json", 4));
  }
  CHECK(readHead(path, 15).value() == "SQLite format 3");
  CHECK(readHead(link, 15).value() == "SQLite format 3");
}

TEST_CASE("A copy of a database contains the data of its log", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run", path = folder + "/run.sqlite";
  makeRun(folder);
  std::filesystem::create_directories(root / "copy");
  const auto database = Database::open(path, Access::Write);
  REQUIRE(database);
  REQUIRE((*database)->run("UPDATE run SET step = 50"));
  for (const char* ending : {"", "-wal"})
    REQUIRE(copyDatabaseFile(path + ending, root / "copy/run.sqlite" + ending));
  CHECK(readBytes(root / "copy/run.sqlite") == readBytes(path));
  CHECK(stepOfRecord(root / "copy") == 50);
  CHECK_FALSE(copyDatabaseFile(root / "none", root / "copy/none"));
  CHECK_FALSE(std::filesystem::exists(root / "copy/none"));
}

TEST_CASE("Copying a database does not make another program delete its log", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run", path = folder + "/run.sqlite";
  const OtherProgram other([&folder] { return stepOfRecord(folder); });
  makeRun(folder);
  const auto database = Database::open(path, Access::Write);
  REQUIRE(database);
  REQUIRE((*database)->run("UPDATE run SET step = 50"));
  REQUIRE(copyDatabaseFile(path, root / "copy.sqlite"));
  CHECK(other.run() == 50);
  REQUIRE((*database)->run("UPDATE run SET step = 51"));
  CHECK(other.run() == 51);
}

TEST_CASE("sync() writes to disk even while a reader holds a position in the log", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run", path = folder + "/run.sqlite";
  const auto writer = made(folder);
  REQUIRE(writer->append(1, metricsOf(1)));
  REQUIRE(writer->sync());
  const tests::OpenWatch watch({path + "-wal"});
  REQUIRE(writer->append(2, metricsOf(2)));
  REQUIRE(writer->sync());
  CHECK_FALSE(watch.opened());  // all of it is in the database, which was synced
  {
    const auto database = Database::open(path, Access::Write);
    REQUIRE(database);
    REQUIRE((*database)->run("BEGIN"));
    auto standing = (*database)->prepare("SELECT step FROM run");
    REQUIRE(standing);
    REQUIRE(standing->step());
    CHECK(standing->integer(0) == 2);
    static_cast<void>(watch.opened());
    for (const std::int64_t step : {3, 4}) {
      REQUIRE(writer->append(step, metricsOf(step)));
      REQUIRE(writer->sync());
      CHECK(watch.opened());  // the log itself was synced
    }
    CHECK(standing->integer(0) == 2);
  }
  REQUIRE(writer->append(5, metricsOf(5)));
  REQUIRE(writer->sync());
  CHECK_FALSE(watch.opened());
}
