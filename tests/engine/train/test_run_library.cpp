// SPDX-License-Identifier: Apache-2.0
// The library of runs: what is read, what the cache saves, tags and notes, and the trash.
#include <cstdlib>

#include "engine/train/run_library.h"
#include "engine/train/run_store_database.h"
#include "engine/train/trash.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

namespace {

double seconds(const std::function<void()>& work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

/// $XDG_DATA_HOME until the end of the scope.
struct DataHome {
  std::string before = std::getenv("XDG_DATA_HOME") ? std::getenv("XDG_DATA_HOME") : "";
  explicit DataHome(const std::string& folder) { ::setenv("XDG_DATA_HOME", folder.c_str(), 1); }
  ~DataHome() {
    if (before.empty()) {
      ::unsetenv("XDG_DATA_HOME");
    } else {
      ::setenv("XDG_DATA_HOME", before.c_str(), 1);
    }
  }
};

}  // namespace

TEST_CASE("The library knows record, last numbers, tags and notes of every run") {
  const RunFolder folder;
  finished(*started(smallDiffusion(), headless(in(folder, "runs/a"))));
  finished(*started(smallMarkov(), headless(in(folder, "runs/group/b"))));
  std::filesystem::create_directories(in(folder, "runs/damaged"));
  writeBytes(in(folder, "runs/damaged/run.sqlite"), "no database");
  REQUIRE(writeNotes(in(folder, "runs/a"), {{"first", "good", "first", ""}, "loss of the\nthird"}));
  const std::string cache = in(folder, "cache/library.sqlite");
  const std::vector<RunSummary> all = readLibrary(in(folder, "runs"), cache);
  REQUIRE(all.size() == 3);
  CHECK(all[0].folder == in(folder, "runs/a"));
  CHECK(all[0].record.name == "pairs");
  CHECK(all[0].record.state == RunState::Finished);
  CHECK(all[0].own == RunNotes{{"first", "good"}, "loss of the\nthird"});
  const Numbers whole = numbers(in(folder, "runs/a"));
  CHECK(all[0].loss == whole.at({"loss", -1, -1, 24}));
  CHECK(all[0].validation == whole.at({"validation", -1, -1, 24}));
  CHECK(all[0].symmetry == Approx((whole.at({"symmetry", 0, -1, 24}) + whole.at({"symmetry", 1, -1, 24})) / 2));
  CHECK_FALSE(all[0].killed);
  CHECK(isSentence(all[1].failure, "damaged"));
  CHECK(all[2].own == RunNotes{});

  // What the cache gave is what was read; what changed since is read anew.
  const std::vector<RunSummary> again = readLibrary(in(folder, "runs"), cache);
  REQUIRE(again.size() == 3);
  CHECK(again[0].record.config == all[0].record.config);
  CHECK(again[0].loss == all[0].loss);
  CHECK(again[0].own == all[0].own);
  CHECK(again[1].failure == all[1].failure);
  REQUIRE(writeNotes(in(folder, "runs/a"), {{"other"}, ""}));
  {
    const auto database = Database::open(in(folder, "runs/group/b/run.sqlite"), Access::Write);
    REQUIRE(database);
    REQUIRE((*database)->run("UPDATE run SET state = 'running', step = 39"));
  }
  const std::vector<RunSummary> later = readLibrary(in(folder, "runs"), cache);
  CHECK(later[0].own.tags == std::vector<std::string>{"other"});
  CHECK(later[2].killed);
  CHECK(later[2].record.step == 39);
  for (const char* text : {"", "no database", "SQLite format 3"}) {
    writeBytes(cache, text);
    CHECK(readLibrary(in(folder, "runs"), cache).size() == 3);
  }
  writeBytes(in(folder, "runs/a/notes.json"), "[1,");
  CHECK_FALSE(readNotes(in(folder, "runs/a")));
  CHECK(readLibrary(in(folder, "runs"), cache)[0].own == RunNotes{});
}

TEST_CASE("A thousand runs are listed at once", "[speed]") {
  const RunFolder folder;
  finished(*started(smallMarkov(), headless(in(folder, "one"))));
  const std::string bytes = readBytes(in(folder, "one/run.sqlite"));
  for (int i = 0; i < 1000; ++i) {
    const std::string run = in(folder, fmt::format("runs/run-{:04}", i));
    std::filesystem::create_directories(run);
    writeBytes(run + "/run.sqlite", bytes);
  }
  const std::string cache = in(folder, "library.sqlite");
  std::size_t count = 0;
  int told = 0;
  const double cold = seconds([&] {
    count = readLibrary(in(folder, "runs"), cache, [&](const auto& known) {
              ++told;
              return !known.empty();
            }).size();
  });
  CHECK(count == 1000);
  const double warm = seconds([&] { count = readLibrary(in(folder, "runs"), cache).size(); });
  CHECK(count == 1000);
  WARN("1,000 runs: first " << 1e3 * cold << " ms (told " << told << " times), from the cache " << 1e3 * warm << " ms");
  CHECK(warm < 0.3);
  int calls = 0;
  std::filesystem::remove(cache);
  CHECK(readLibrary(in(folder, "runs"), cache, [&](const auto&) { return ++calls < 2; }).size() <= 1000);
}

TEST_CASE("What is deleted lies in the trash, with where it came from") {
  const RunFolder folder;
  const DataHome home(in(folder, "data"));
  for (int i = 1; i <= 2; ++i) {
    std::filesystem::create_directories(in(folder, "runs/a run"));
    writeBytes(in(folder, "runs/a run/run.sqlite"), std::to_string(i));
    const auto where = moveToTrash(in(folder, "runs/a run/"));
    INFO((where ? "" : where.error().sentence));
    REQUIRE(where);
    CHECK(*where == in(folder, i == 1 ? "data/Trash/files/a run" : "data/Trash/files/a run.2"));
    CHECK(readBytes(*where + "/run.sqlite") == std::to_string(i));
    CHECK_FALSE(std::filesystem::exists(in(folder, "runs/a run")));
  }
  const std::string info = readBytes(in(folder, "data/Trash/info/a run.trashinfo"));
  CHECK(info.starts_with("[Trash Info]\nPath=" + in(folder, "runs/a%20run") + "\nDeletionDate=20"));
  const auto missing = moveToTrash(in(folder, "no such run"));
  REQUIRE_FALSE(missing);
  CHECK(isSentence(missing.error().sentence, "cannot be moved to the trash"));
  CHECK(namesIn(in(folder, "data/Trash/info")).size() == 2);
}
