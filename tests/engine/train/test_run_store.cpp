// SPDX-License-Identifier: Apache-2.0
// The run store: exact values, one writer for a run, one run in a folder, and the data that a resumed run removes.
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/train/checkpoint_files.h"
#include "tests/engine/train/run_store_rig.h"

using namespace sepx;
using namespace sepx::train;
using namespace sepx::test;

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
    // A reader in parallel with the writer sees the committed steps.
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

TEST_CASE("A second run in the same folder and a second writer of the same run are refused", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  {
    const auto writer = made(folder);
    const auto second = RunWriter::resume(folder, 0);
    REQUIRE_FALSE(second);
    CHECK(isSentence(second.error().message, "another program is training"));
    const auto again = RunWriter::create(folder, smallRecord());
    REQUIRE_FALSE(again);
    CHECK(again.error().kind == ErrorKind::Usage);
    CHECK(isSentence(again.error().message, "--resume"));
  }
  CHECK(RunWriter::resume(folder, 0));
  const auto none = RunWriter::resume(root / "nothing", 0);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::Usage);
  CHECK_FALSE(std::filesystem::exists(root / "nothing"));
}

TEST_CASE("A folder that contains another config.json is not written to", "[run-store]") {
  const RunFolder root;
  writeBytes(root / "config.json", "mine");
  const auto refused = RunWriter::create(root.path(), smallRecord());
  REQUIRE_FALSE(refused);
  CHECK(isSentence(refused.error().message, "config.json"));
  CHECK(namesIn(root.path()) == std::vector<std::string>{"config.json"});
  CHECK(readBytes(root / "config.json") == "mine");
  const auto file = RunWriter::create(root / "config.json/run", smallRecord());
  REQUIRE_FALSE(file);
  CHECK(file.error().kind == ErrorKind::OutputFailed);
}

TEST_CASE("A run cannot be created inside another run", "[run-store]") {
  const RunFolder root;
  made(root / "run");
  for (const char* inside : {"run/again", "run/checkpoints/deep/run/"}) {
    const auto refused = RunWriter::create(root / inside, smallRecord());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::Usage);
    CHECK(isSentence(refused.error().message, "lies in the run"));
  }
  CHECK(namesIn(root / "run") == std::vector<std::string>{"config.json", "run.sqlite"});
}

TEST_CASE("A resumed run removes the data after its step", "[run-store]") {
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

TEST_CASE("sync() moves the log to the database, and writing continues", "[run-store]") {
  const RunFolder root;
  const std::string folder = root / "run";
  const auto writer = made(folder);
  for (std::int64_t step = 1; step <= 10; ++step)
    REQUIRE(writer->append(step, metricsOf(step)));
  REQUIRE(writer->sync());
  // Now the database file alone contains all steps.
  std::filesystem::create_directories(root / "copy");
  std::filesystem::copy_file(folder + "/run.sqlite", root / "copy/run.sqlite");
  CHECK(wholeSteps(root / "copy").size() == 10);
  REQUIRE(writer->append(11, metricsOf(11)));
  CHECK(wholeSteps(folder).size() == 11);
}

TEST_CASE("Runs are found in a folder, but not inside other runs", "[run-store]") {
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

TEST_CASE("Names of metrics keep their ids, and names of step folders are parsed exactly", "[run-store]") {
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
