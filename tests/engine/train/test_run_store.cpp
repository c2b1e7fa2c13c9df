// SPDX-License-Identifier: Apache-2.0
// The run store keeps what it said it keeps: exact values, across kill -9 at any moment, full disks, folders that
// cannot be written, databases of other versions and damaged ones.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <thread>

#include <sqlite3.h>
#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/train/checkpoint_files.h"
#include "engine/train/run_store.h"
#include "tests/engine/train/run_folder.h"

using namespace sepx;
using namespace sepx::train;
using namespace sepx::test;

namespace {

RunRecord smallRecord() {
  RunRecord record;
  record.name = "a \"small\" run";
  record.note = "fp16 replaced by fp32";
  record.config = "{\"seed\": 7}\n";
  record.build = "Separatrix 0.1, x86-64-v4";
  record.seed = std::numeric_limits<std::uint64_t>::max();
  record.parent = "runs/before@1240";
  record.created = "2026-01-02T03:04:05Z";
  record.steps = 1000;
  return record;
}

std::unique_ptr<RunWriter> made(const std::string& folder) {
  auto writer = RunWriter::create(folder, smallRecord());
  INFO((writer ? std::string() : writer.error().sentence));
  REQUIRE(writer);
  return std::move(*writer);
}

std::unique_ptr<RunReader> opened(const std::string& folder) {
  auto reader = RunReader::open(folder);
  INFO((reader ? std::string() : reader.error().sentence));
  REQUIRE(reader);
  return std::move(*reader);
}

Metric metric(std::int64_t step, std::string_view name, double value, int layer = -1, int head = -1) {
  return {step, metricId(name), layer, head, value};
}

constexpr int kPerStep = 3;
std::vector<Metric> metricsOf(std::int64_t step) {
  return {metric(step, "loss", 1.0 / static_cast<double>(step + 1)), metric(step, "rate", 1e-3),
          metric(step, "symmetry", std::sin(static_cast<double>(step)), 1, 2)};
}

/// Steps that stand whole in the store; fails when one stands in part or with another value.
std::vector<std::int64_t> wholeSteps(const std::string& folder) {
  const auto all = opened(folder)->series();
  REQUIRE(all);
  std::map<std::int64_t, int> count;
  for (const Series& series : *all)
    for (std::size_t i = 0; i < series.steps.size(); ++i) {
      ++count[series.steps[i]];
      for (const Metric& wanted : metricsOf(series.steps[i]))
        if (metricName(wanted.name) == series.name) REQUIRE(series.values[i] == wanted.value);
    }
  std::vector<std::int64_t> steps;
  for (const auto& [step, values] : count) {
    REQUIRE(values == kPerStep);
    steps.push_back(step);
  }
  return steps;
}

/// A child trains: it appends step after step, and writes each number to the pipe once append() has returned. Killed
/// after `wait`. What the pipe holds was reported.
std::int64_t reportedBeforeKill(const std::string& folder, std::chrono::microseconds wait, bool resume,
                                std::int64_t from) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto writer = resume ? RunWriter::resume(folder, from) : RunWriter::create(folder, smallRecord());
    if (!writer) ::_exit(1);
    for (std::int64_t step = from + 1;; ++step) {
      if (!(*writer)->append(step, metricsOf(step))) ::_exit(2);
      if (::write(ends[1], &step, sizeof step) != sizeof step) ::_exit(3);
    }
  }
  ::close(ends[1]);
  std::this_thread::sleep_for(wait);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  std::int64_t step = 0, last = from;
  while (::read(ends[0], &step, sizeof step) == sizeof step)
    last = step;
  ::close(ends[0]);
  return last;
}

/// Makes a run of 40 steps, closed.
void makeRun(const std::string& folder) {
  const auto writer = made(folder);
  for (std::int64_t step = 1; step <= 40; ++step)
    REQUIRE(writer->append(step, metricsOf(step)));
  REQUIRE(writer->event(20, "rate", "factor 0.5"));
  REQUIRE(writer->state(RunState::Finished, 40, "all steps are made"));
}

void runSql(const std::string& path, const char* sql) {
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &connection) == SQLITE_OK);
  char* message = nullptr;
  const int code = sqlite3_exec(connection, sql, nullptr, nullptr, &message);
  INFO((message ? message : ""));
  CHECK(code == SQLITE_OK);
  sqlite3_free(message);
  sqlite3_close(connection);
}

/// Reads all there is; whatever happens is an answer or one sentence.
void readAll(const std::string& folder) {
  const auto reader = RunReader::open(folder);
  const auto fine = [](const auto& result) {
    if (!result) CHECK(isSentence(result.error().sentence, "run.sqlite"));
  };
  fine(reader);
  if (!reader) return;
  fine((*reader)->record());
  fine((*reader)->series());
  fine((*reader)->events());
}

}  // namespace

TEST_CASE("A run reads back as it was written", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "deep/er/run";
  {
    const auto writer = made(folder);
    const double values[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             0.1 + 0.2, 5e-324, -1.7976931348623157e308};
    std::int64_t step = std::int64_t{1} << 40;
    for (const double value : values) {
      REQUIRE(writer->append(step, std::vector{metric(step, "odd", value, 11, 3), metric(step, "loss", 2.5)}));
      ++step;
    }
    REQUIRE(writer->append(step, {}));
    REQUIRE(writer->event(12, "rate", "halved; \"ok\" ü"));
    REQUIRE(writer->steps(2000));
    REQUIRE(writer->state(RunState::Stopped, step, "stopped by the person"));
    CHECK(runIsAlive(folder));
    // A reader beside the writer sees what is committed.
    CHECK(opened(folder)->series("loss")->front().steps.size() == 5);
  }
  CHECK_FALSE(runIsAlive(folder));
  CHECK(namesIn(folder) == std::vector<std::string>{"config.json", "run.sqlite"});
  CHECK(readBytes(folder + "/config.json") == smallRecord().config);
  const auto reader = opened(folder);
  const auto record = reader->record();
  REQUIRE(record);
  CHECK(record->name == smallRecord().name);
  CHECK(record->note == smallRecord().note);
  CHECK(record->config == smallRecord().config);
  CHECK(record->build == smallRecord().build);
  CHECK(record->seed == smallRecord().seed);
  CHECK(record->parent == smallRecord().parent);
  CHECK(record->created == smallRecord().created);
  CHECK(record->state == RunState::Stopped);
  CHECK(record->sentence == "stopped by the person");
  CHECK(record->steps == 2000);
  const auto odd = reader->series("odd");
  REQUIRE(odd);
  REQUIRE(odd->size() == 1);
  CHECK(odd->front().layer == 11);
  CHECK(odd->front().head == 3);
  CHECK(odd->front().steps.front() == std::int64_t{1} << 40);
  CHECK(std::isnan(odd->front().values[0]));
  CHECK(std::vector<double>(odd->front().values.begin() + 1, odd->front().values.end()) ==
        std::vector<double>{std::numeric_limits<double>::infinity(), 0.1 + 0.2, 5e-324, -1.7976931348623157e308});
  CHECK(reader->series()->size() == 2);
  CHECK(reader->series("none of this name")->empty());
  CHECK(reader->events()->front().text == "halved; \"ok\" ü");
}

TEST_CASE("A second run in one folder, and a second writer of one run, are refused", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  {
    const auto writer = made(folder);
    const auto second = RunWriter::resume(folder, 0);
    REQUIRE_FALSE(second);
    CHECK(isSentence(second.error().sentence, "another program trains"));
    const auto again = RunWriter::create(folder, smallRecord());
    REQUIRE_FALSE(again);
    CHECK(again.error().kind == ErrorKind::Usage);
    CHECK(isSentence(again.error().sentence, "--resume"));
  }
  CHECK(RunWriter::resume(folder, 0));
  const auto none = RunWriter::resume(root / "nothing", 0);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::Usage);
  CHECK_FALSE(std::filesystem::exists(root / "nothing"));
}

TEST_CASE("A folder that holds another config.json is not written into", "[run-store]") {
  const RunFolder root;
  writeBytes(root / "config.json", "mine");
  const auto refused = RunWriter::create(root.path(), smallRecord());
  REQUIRE_FALSE(refused);
  CHECK(isSentence(refused.error().sentence, "config.json"));
  CHECK(namesIn(root.path()) == std::vector<std::string>{"config.json"});
  CHECK(readBytes(root / "config.json") == "mine");
  const auto file = RunWriter::create(root / "config.json/run", smallRecord());
  REQUIRE_FALSE(file);
  CHECK(file.error().kind == ErrorKind::OutputFailed);
}

TEST_CASE("A run does not begin inside another", "[run-store]") {
  const RunFolder root;
  made(root / "run");
  for (const char* inside : {"run/again", "run/checkpoints/deep/run/"}) {
    const auto refused = RunWriter::create(root / inside, smallRecord());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::Usage);
    CHECK(isSentence(refused.error().sentence, "lies in the run"));
  }
  CHECK(namesIn(root / "run") == std::vector<std::string>{"config.json", "run.sqlite"});
}

TEST_CASE("A resume cuts what lies after its step", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  makeRun(folder);
  std::filesystem::remove(folder + "/config.json");
  std::filesystem::create_directories(folder + "/checkpoints/step-0000020.17-3.tmp/x");
  for (const std::int64_t keep : {25, 0, -1}) {
    const auto writer = RunWriter::resume(folder, keep);
    REQUIRE(writer);
    const auto steps = wholeSteps(folder);
    CHECK(steps.size() == static_cast<std::size_t>(std::max<std::int64_t>(keep, 0)));
    if (!steps.empty()) CHECK(steps.back() == keep);
    CHECK(opened(folder)->events()->size() == (keep >= 20 ? 1u : 0u));
  }
  CHECK(readBytes(folder + "/config.json") == smallRecord().config);
  CHECK(namesIn(folder + "/checkpoints").empty());
}

TEST_CASE("Kill -9 at random moments loses nothing that was reported", "[run-store]") {
  const RunFolder root;
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    const std::string folder = root / ("run" + std::to_string(round % 4));
    const bool resume = std::filesystem::exists(folder + "/run.sqlite");
    // The last that stands is where a trainer would go on.
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
    CHECK(count <= reported + 1);  // one that was committed, and not reported yet
    for (std::size_t i = 0; i < steps.size(); ++i)
      REQUIRE(steps[i] == static_cast<std::int64_t>(i) + 1);
    CHECK_FALSE(runIsAlive(folder));
  }
}

TEST_CASE("A killed beginning leaves a folder that can be used", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  std::filesystem::create_directories(folder);
  // What a kill leaves while run.sqlite is made, and the log of a database that somebody removed.
  for (const char* name : {"run.sqlite.tmp", "run.sqlite.tmp-journal", "run.sqlite-wal", "run.sqlite-shm", "run.lock"})
    writeBytes(folder + "/" + name, "half a file");
  makeRun(folder);
  CHECK(wholeSteps(folder).size() == 40);
  CHECK(namesIn(folder) == std::vector<std::string>{"config.json", "run.sqlite"});
}

TEST_CASE("A full disk stops with a sentence, and what was saved stays", "[run-store]") {
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
          if (!isSentence(put.error().sentence, "run.sqlite: cannot be written: File too large")) return 3;
          break;
        }
        if (++step > 100'000) return 4;
      }
    }
    // There is room again: the same writer goes on.
    if (!(*writer)->append(step + 1, metricsOf(step + 1))) return 5;
    const FileSizeLimit none(0);
    const auto never = RunWriter::create(root / "third", smallRecord());
    if (never) return 6;
    if (!isSentence(never.error().sentence, "third/run.sqlite: cannot be written: File too large")) return 7;
    if (std::filesystem::exists(root / "third/run.sqlite")) return 8;
    return step > 10 ? 0 : 9;
  });
  REQUIRE(status == 0);
  const auto steps = wholeSteps(folder);
  CHECK(steps.size() > 10);
  CHECK(steps.back() == static_cast<std::int64_t>(steps.size()));
}

TEST_CASE("A folder that cannot be written can be read, and nothing is left in it", "[run-store]") {
  const RunFolder root;
  const std::string closed = root / "closed", killed = root / "killed";
  makeRun(closed);
  // Killed: the last commits stand in the log only.
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
    std::filesystem::remove(folder + "/run.sqlite-shm");  // not copied along by whoever archived it
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
      if (resumed || !isSentence(resumed.error().sentence, "cannot be written")) return 4;
      const auto inside = RunWriter::create(root / "new", smallRecord());
      if (inside || inside.error().kind != ErrorKind::OutputFailed) return 5;
      return 0;
    });
    CHECK(status == 0);
    CHECK(namesIn(folder) == before);
    ::chmod(folder.c_str(), 0755);
  }
}

TEST_CASE("Runs of another version, and databases that are no runs, are named", "[run-store]") {
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
      INFO(error.sentence);
      CHECK(error.kind == ErrorKind::BadInput);
      CHECK(isSentence(error.sentence, part));
      CHECK(isSentence(error.sentence, "run.sqlite"));
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
  refusedWith("the table metrics is missing");  // and it is not counted for ever
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
  CHECK(isSentence(record.error().sentence, "\"sleeping\" is no state"));
}

TEST_CASE("A damaged database is one sentence, at whatever byte", "[run-store]") {
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
  std::mt19937 random(5);
  for (int round = 0; round < 150; ++round) {
    std::string bytes = whole;
    // Headers of the pages are where damage leads astray; the rest at random.
    const std::size_t page = std::uniform_int_distribution<std::size_t>(0, whole.size() / 4096 - 1)(random) * 4096;
    for (int i = 0; i < 4; ++i) {
      const auto inside = std::uniform_int_distribution<std::size_t>(0, round % 2 == 0 ? 110 : 4095)(random);
      bytes[page + inside] = static_cast<char>(random());
    }
    writeBytes(path, bytes);
    readAll(folder);
    if (round % 10 == 0) {
      // Writing on may be refused, too.
      if (const auto writer = RunWriter::resume(folder, 10)) {
        [[maybe_unused]] const auto put = (*writer)->append(11, metricsOf(11));
      }
    }
    CHECK(savedSteps(folder) == std::vector<std::int64_t>{40});
  }
}

TEST_CASE("A newer log does not bring a damaged folder down", "[run-store]") {
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
  // A log that was cut off, as a power cut leaves it: steps that are there are whole and in order.
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

TEST_CASE("sync() brings the log to the disk, and steps on", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  const auto writer = made(folder);
  for (std::int64_t step = 1; step <= 10; ++step)
    REQUIRE(writer->append(step, metricsOf(step)));
  REQUIRE(writer->sync());
  // The database alone holds them now.
  std::filesystem::create_directories(root / "copy");
  std::filesystem::copy_file(folder + "/run.sqlite", root / "copy/run.sqlite");
  CHECK(wholeSteps(root / "copy").size() == 10);
  REQUIRE(writer->append(11, metricsOf(11)));
  CHECK(wholeSteps(folder).size() == 11);
}

TEST_CASE("Runs are found below a folder, not inside one another", "[run-store]") {
  const RunFolder root;
  for (const char* name : {"b", "a/x", "a/y/z", "a/y/w/too-deep", "b/checkpoints/step-0000001"}) {
    std::filesystem::create_directories(root / name);
    writeBytes(root / (std::string(name) + "/run.sqlite"), "");
  }
  std::filesystem::create_directory_symlink(root.path(), root / "loop");
  const auto found = findRuns(root.path() + "/");
  CHECK(found == std::vector<std::string>{root / "a/x", root / "a/y/z", root / "b"});
  CHECK(findRuns(root / "b") == std::vector<std::string>{root / "b"});
  CHECK(findRuns(root / "nothing").empty());
  ::setenv("XDG_DATA_HOME", "/somewhere", 1);
  CHECK(defaultRunsFolder() == "/somewhere/separatrix/runs");
  ::unsetenv("XDG_DATA_HOME");
}

TEST_CASE("Names of metrics keep their numbers; a file carries its own", "[run-store]") {
  CHECK(metricId("loss") == metricId(std::string("loss")));
  CHECK(metricId("loss") != metricId("validation"));
  CHECK(metricName(metricId("validation")) == "validation");
  CHECK(metricName(-1).empty());
  CHECK(metricName(1 << 30).empty());
  CHECK(stepOfFolderName(stepFolderName(1240)) == 1240);
  CHECK(stepFolderName(1240) == "step-0001240");
  CHECK(stepOfFolderName(stepFolderName(123456789012)) == 123456789012);
  for (const char* name : {"step-1240", "step-0001240.7-0.tmp", "step--000001", "step-", "step-00012x0", "0001240"})
    CHECK_FALSE(stepOfFolderName(name));
}
