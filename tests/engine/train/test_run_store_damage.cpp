// SPDX-License-Identifier: Apache-2.0
// The run store under failures: kill -9 at any moment, full disks, read-only folders, databases of other versions or of
// other programs, and damaged databases.
#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include "engine/train/checkpoint_files.h"
#include "tests/engine/core/memory_limit.h"
#include "tests/engine/train/run_store_rig.h"

using namespace sepx;
using namespace sepx::train;
using namespace sepx::test;

namespace {

/// Changes bytes of run.sqlite repeatedly and reads the rest.
void damageAtRandom(const std::string& folder, int rounds, unsigned seed) {
  const std::string path = folder + "/run.sqlite", whole = readBytes(path);
  const auto saved = savedSteps(folder);
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = whole;
    // Every second round changes only the header of a page, which leads to more kinds of damage.
    const std::size_t page = std::uniform_int_distribution<std::size_t>(0, whole.size() / 4096 - 1)(random) * 4096;
    for (int i = 0; i < 4; ++i) {
      const auto inside = std::uniform_int_distribution<std::size_t>(0, round % 2 == 0 ? 110 : 4095)(random);
      bytes[page + inside] = static_cast<char>(random());
    }
    if (round % 11 == 0) bytes.resize(std::uniform_int_distribution<std::size_t>(0, bytes.size())(random));
    writeBytes(path, bytes);
    readAll(folder);
    if (round % 10 == 0) {
      // Writing may also be refused.
      if (const auto writer = RunWriter::resume(folder, 10)) {
        [[maybe_unused]] const auto put = (*writer)->append(11, metricsOf(11));
      }
    }
    REQUIRE(savedSteps(folder) == saved);
  }
}

}  // namespace

TEST_CASE("Kill -9 at random moments loses nothing that was reported", "[run-store]") {
  const RunFolder root;
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    const std::string folder = root / ("run" + std::to_string(round % 4));
    const bool resume = std::filesystem::exists(folder + "/run.sqlite");
    // A trainer would resume from the last complete step.
    const std::int64_t from = resume && !wholeSteps(folder).empty() ? wholeSteps(folder).back() : 0;
    const std::chrono::microseconds wait(std::uniform_int_distribution<int>(0, 30000)(random));
    const std::int64_t reported = reportedBeforeKill(folder, wait, resume, from);
    if (!std::filesystem::exists(folder + "/run.sqlite")) {
      CHECK(reported == 0);
      continue;
    }
    const auto steps = wholeSteps(folder);
    const auto count = static_cast<std::int64_t>(steps.size());
    CHECK(count >= reported);
    CHECK(count <= reported + 1);  // a step may be committed but not yet reported
    for (std::size_t i = 0; i < steps.size(); ++i)
      REQUIRE(steps[i] == static_cast<std::int64_t>(i) + 1);
    CHECK_FALSE(runIsAlive(folder));
  }
}

TEST_CASE("A kill during the creation of a run leaves a folder that can be used", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  std::filesystem::create_directories(folder);
  // Files that a kill leaves while run.sqlite is created, and the log of a database that was removed.
  for (const char* name : {"run.sqlite.tmp", "run.sqlite.tmp-journal", "run.sqlite-wal", "run.sqlite-shm", "run.lock"})
    writeBytes(folder + "/" + name, "half a file");
  makeRun(folder);
  CHECK(wholeSteps(folder).size() == 40);
  CHECK(namesIn(folder) == std::vector<std::string>{"config.json", "run.sqlite"});
}

TEST_CASE("A full disk stops a run with a message, and saved data is kept", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  const int status = inChild([&] {
    auto writer = RunWriter::create(folder, smallRecord());
    if (!writer) return 1;
    std::int64_t step = 0;
    {
      const FileSizeLimit limit(200'000);
      for (;;) {
        const auto put = (*writer)->append(step + 1, metricsOf(step + 1));
        if (!put) {
          if (put.error().kind != ErrorKind::OutputFailed) return 2;
          if (!isSentence(put.error().message, "run.sqlite: cannot be written: File too large")) return 3;
          break;
        }
        if (++step > 100'000) return 4;
      }
    }
    // After space is available again, the same writer continues.
    if (!(*writer)->append(step + 1, metricsOf(step + 1))) return 5;
    const FileSizeLimit none(0);
    const auto never = RunWriter::create(root / "third", smallRecord());
    if (never) return 6;
    if (!isSentence(never.error().message, "third/run.sqlite: cannot be written: File too large")) return 7;
    if (std::filesystem::exists(root / "third/run.sqlite")) return 8;
    return step > 10 ? 0 : 9;
  });
  REQUIRE(status == 0);
  const auto steps = wholeSteps(folder);
  CHECK(steps.size() > 10);
  CHECK(steps.back() == static_cast<std::int64_t>(steps.size()));
}

TEST_CASE("A read-only folder can be read, and no file is left in it", "[run-store]") {
  const RunFolder root;
  const std::string closed = root / "closed", killed = root / "killed";
  makeRun(closed);
  // After the kill, only the log contains the last commits.
  CHECK(inChild([&] {
          auto writer = RunWriter::create(killed, smallRecord());
          for (std::int64_t step = 1; step <= 7; ++step)
            if (!writer || !(*writer)->append(step, metricsOf(step))) return 1;
          ::kill(::getpid(), SIGKILL);
          return 2;
        }) == -SIGKILL);
  for (const std::string& folder : {closed, killed}) {
    for (const std::string& name : namesIn(folder))
      ::chmod((folder + "/" + name).c_str(), 0444);
    std::filesystem::remove(folder + "/run.sqlite-shm");  // as if it was not copied to an archive
    ::chmod(folder.c_str(), 0555);
    const auto before = namesIn(folder);
    const std::size_t wanted = folder == closed ? 40 : 7;
    const int status = inChild([&] {
      becomeNobody();
      const auto reader = RunReader::open(folder);
      if (!reader) return 1;
      const auto loss = (*reader)->series("loss");
      if (!loss || loss->size() != 1 || loss->front().steps.size() != wanted) return 2;
      if (!(*reader)->record()) return 3;
      const auto resumed = RunWriter::resume(folder, 3);
      if (resumed || !isSentence(resumed.error().message, "cannot be written")) return 4;
      const auto inside = RunWriter::create(root / "new", smallRecord());
      if (inside || inside.error().kind != ErrorKind::OutputFailed) return 5;
      return 0;
    });
    CHECK(status == 0);
    CHECK(namesIn(folder) == before);
    ::chmod(folder.c_str(), 0755);
  }
}

TEST_CASE("Runs of other versions and databases that are not runs are refused as such", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  const std::string path = folder + "/run.sqlite";
  makeRun(folder);
  const std::string whole = readBytes(path);
  const auto refusedWith = [&](const std::string& part) {
    for (const bool write : {false, true}) {
      const auto reader = RunReader::open(folder);
      const auto writer = RunWriter::resume(folder, 40);
      REQUIRE_FALSE(reader);
      REQUIRE_FALSE(writer);
      const Error& error = write ? writer.error() : reader.error();
      INFO(error.message);
      CHECK(error.kind == ErrorKind::BadInput);
      CHECK(isSentence(error.message, part));
      CHECK(isSentence(error.message, "run.sqlite"));
    }
    writeBytes(path, whole);
  };
  runSql(path, "UPDATE schema SET version = 2, program = 'Separatrix 9.9'");
  refusedWith("\"Separatrix 9.9\", run format 2; this one reads 1");
  runSql(path, "DROP TABLE metrics");
  refusedWith("the table metrics is missing");
  runSql(path,
         "DROP TABLE metrics; CREATE VIEW metrics AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM "
         "x) SELECT n AS step, 0 AS name, 0 AS layer, 0 AS head, 0.5 AS value FROM x");
  refusedWith("the table metrics is missing");  // and its endless rows are not counted
  runSql(path, "DROP TABLE schema");
  refusedWith("not of a run of this program");
  for (const std::string& bytes :
       {std::string(), std::string("not a database, but some text"), std::string(8192, '\0')}) {
    writeBytes(path, bytes);
    refusedWith("run.sqlite");
  }
  runSql(path, "UPDATE run SET state = 'sleeping'");
  const auto record = opened(folder)->record();
  REQUIRE_FALSE(record);
  CHECK(isSentence(record.error().message, "\"sleeping\" is not a state"));
}

TEST_CASE("Texts of an untrusted run are shown without terminal escapes", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  makeRun(folder);
  runSql(folder + "/run.sqlite",
         "UPDATE run SET name = char(27) || '[31mred' || char(10) || 'next', note = CAST(x'61ff62c280' AS TEXT); "
         "UPDATE names SET name = 'lo' || char(7) || 'ss' WHERE name = 'loss'; UPDATE events SET text = char(27)");
  const auto reader = opened(folder);
  const auto record = reader->record();
  REQUIRE(record);
  CHECK(record->name == "\xEF\xBF\xBD[31mred next");
  CHECK(record->note ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
  CHECK(reader->series("lo\xEF\xBF\xBDss")->size() == 1);
  CHECK(reader->events()->front().text == "\xEF\xBF\xBD");
  // SQLite's own error message contains the name of such a table.
  runSql(folder + "/run.sqlite",
         "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, "
         "sql) VALUES ('table', 'x' || char(27), 'x' || char(27), 9999, 'CREATE TABLE nonsense (')");
  const auto broken = RunReader::open(folder);
  REQUIRE_FALSE(broken);
  for (const char c : broken.error().message)
    CHECK((c >= 0x20 && c <= 0x7E));
}

TEST_CASE("A number that is a huge blob is reported as damage and is not loaded", "[run-store]") {
  const RunFolder root;
  const char* const kRows[] = {
      "INSERT INTO metrics VALUES (zeroblob(60000000), 0, -1, -1, 1)",
      "INSERT INTO metrics VALUES (41, zeroblob(60000000), -1, -1, 1)",
      "INSERT INTO metrics VALUES (20, 0, -1, 7, zeroblob(60000000))",
      "INSERT INTO metrics VALUES (41, 0, -1, -1, CAST(zeroblob(60000000) AS TEXT))",
  };
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    INFO(kRows[i]);
    const std::string folder = root / ("run-" + std::to_string(i));
    makeRun(folder);
    runSql(folder + "/run.sqlite", kRows[i]);
    {
      const test::MemoryLimit limit(std::size_t{40} << 20);  // smaller than one of the blobs
      const auto reader = opened(folder);
      CHECK(reader->record());
      const auto all = reader->series();
      REQUIRE_FALSE(all);
      CHECK(isSentence(all.error().message, "is damaged"));
      static_cast<void>(reader->newest(100));
      static_cast<void>(reader->sketch("loss", 41, 50));
    }
    const auto again = RunWriter::resume(folder, 40);
    REQUIRE_FALSE(again);
    CHECK(isSentence(again.error().message, "is damaged"));
    CHECK(again.error().message.find("--branch") != std::string::npos);
  }
}

TEST_CASE("A database that is damaged at any byte gives a message of one line", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  makeRun(folder);
  const std::string path = folder + "/run.sqlite", whole = readBytes(path);
  REQUIRE(whole.size() > 16384);
  std::filesystem::create_directories(folder + "/checkpoints/step-0000040");
  for (const char* name : {"/model.safetensors", "/state.safetensors"})
    writeBytes(checkpointFolder(folder, 40) + name, "x");
  int refused = 0;
  for (std::size_t length = 0; length < whole.size(); length += length < 128 ? 9 : 511) {
    writeBytes(path, whole.substr(0, length));
    refused += !RunReader::open(folder);
    readAll(folder);
  }
  CHECK(refused > 5);
  damageAtRandom(folder, 150, 5);
}

TEST_CASE("A damaged database gives a message of one line, 20,000 times", "[.][long][run-store]") {
  const RunFolder root;
  makeRun(root / "run");
  damageAtRandom(root / "run", 20000, 6);
}

TEST_CASE("A truncated log gives complete steps in order", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  CHECK(inChild([&] {
          auto writer = RunWriter::create(folder, smallRecord());
          for (std::int64_t step = 1; step <= 30; ++step)
            if (!writer || !(*writer)->append(step, metricsOf(step))) return 1;
          ::kill(::getpid(), SIGKILL);
          return 2;
        }) == -SIGKILL);
  const std::string log = folder + "/run.sqlite-wal", whole = readBytes(log),
                    database = readBytes(folder + "/run.sqlite");
  REQUIRE(whole.size() > 4096);
  // A log that was truncated, as by a power failure.
  std::size_t least = 1000;
  for (std::size_t length = 0; length < whole.size(); length += 2711) {
    writeBytes(folder + "/run.sqlite", database);
    writeBytes(log, whole.substr(0, length));
    std::filesystem::remove(folder + "/run.sqlite-shm");
    const auto steps = wholeSteps(folder);
    for (std::size_t i = 0; i < steps.size(); ++i)
      REQUIRE(steps[i] == static_cast<std::int64_t>(i) + 1);
    least = std::min(least, steps.size());
  }
  CHECK(least == 0);
}
