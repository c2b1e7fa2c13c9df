// SPDX-License-Identifier: Apache-2.0
// The library of runs: reading, the cache, tags and notes.
#include <chrono>
#include <ctime>

#include <fmt/format.h>

#include "engine/core/local_time.h"
#include "engine/train/config_fields.h"
#include "engine/train/run_library.h"
#include "engine/train/run_store_database.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("The library has the record, the last numbers, the tags and the notes of every run") {
  const RunFolder folder;
  finished(*started(smallDiffusion(), headless(in(folder, "runs/a"))));
  finished(*started(smallMarkov(), headless(in(folder, "runs/group/b"))));
  std::filesystem::create_directories(in(folder, "runs/damaged"));
  writeBytes(in(folder, "runs/damaged/run.sqlite"), "no database");
  REQUIRE(writeNotes(in(folder, "runs/a"), {{"first", "good", "first", ""}, "loss of the\nthird"}));
  const std::string cache = in(folder, "cache/library.sqlite");
  const RunList all = readLibrary(in(folder, "runs"), {.cache = cache});
  REQUIRE(all.size() == 3);
  CHECK(all[0]->folder == in(folder, "runs/a"));
  CHECK(all[0]->record.name == "pairs");
  CHECK(all[0]->record.state == RunState::Finished);
  CHECK(all[0]->own == RunNotes{{"first", "good"}, "loss of the\nthird"});
  const Numbers whole = numbers(in(folder, "runs/a"));
  CHECK(all[0]->metric("loss") == whole.at({"loss", -1, -1, 24}));
  CHECK(all[0]->metric("validation") == whole.at({"validation", -1, -1, 24}));
  CHECK(all[0]->metric("symmetry") ==
        Approx((whole.at({"symmetry", 0, -1, 24}) + whole.at({"symmetry", 1, -1, 24})) / 2));
  CHECK_FALSE(all[0]->killed);
  CHECK(all[0]->config.size() == configFields().size());
  REQUIRE(all[0]->curve.size() == 24);  // every step, because the run is short
  CHECK(all[0]->curveSteps.front() == 1);
  CHECK(all[0]->curve.back() == static_cast<float>(whole.at({"loss", -1, -1, 24})));
  CHECK(isSentence(all[1]->failure, "damaged"));
  CHECK(all[2]->own == RunNotes{});

  // Values from the cache are the same as those that were read. Changed runs are read again.
  const RunList again = readLibrary(in(folder, "runs"), {.cache = cache});
  REQUIRE(again.size() == 3);
  CHECK(again[0]->record.config == all[0]->record.config);
  CHECK(again[0]->metric("loss") == all[0]->metric("loss"));
  CHECK(again[0]->own == all[0]->own);
  CHECK(again[0]->metrics == all[0]->metrics);
  CHECK(again[0]->config == all[0]->config);
  CHECK(again[0]->curve == all[0]->curve);
  CHECK(again[1]->failure == all[1]->failure);
  REQUIRE(writeNotes(in(folder, "runs/a"), {{"other"}, ""}));
  {
    const auto database = Database::open(in(folder, "runs/group/b/run.sqlite"), Access::Write);
    REQUIRE(database);
    REQUIRE((*database)->run("UPDATE run SET state = 'running', step = 39"));
  }
  const RunList later = readLibrary(in(folder, "runs"), {.cache = cache});
  CHECK(later[0]->own.tags == std::vector<std::string>{"other"});
  CHECK(later[2]->killed);
  CHECK(later[2]->record.step == 39);
  for (const char* text : {"", "no database", "SQLite format 3"}) {
    writeBytes(cache, text);
    CHECK(readLibrary(in(folder, "runs"), {.cache = cache}).size() == 3);
  }
  writeBytes(in(folder, "runs/a/notes.json"), "[1,");
  CHECK_FALSE(readNotes(in(folder, "runs/a")));
  CHECK(readLibrary(in(folder, "runs"), {.cache = cache})[0]->own == RunNotes{});
}

TEST_CASE("A run was last used when it was trained or marked as used, also if the rest comes from the cache") {
  const RunFolder folder;
  finished(*started(smallMarkov(), headless(in(folder, "runs/a"))));
  const std::string cache = in(folder, "cache/library.sqlite"), run = in(folder, "runs/a");
  const auto old = [](const std::string& path) {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(72));
  };
  for (const auto& entry : std::filesystem::directory_iterator(run))
    if (entry.is_regular_file()) old(entry.path());
  const std::int64_t now = std::time(nullptr);
  const auto usedSince = [&] {
    const RunList all = readLibrary(in(folder, "runs"), {.cache = cache});
    REQUIRE(all.size() == 1);
    return now - secondsOf(all[0]->used).value_or(0);
  };
  CHECK(usedSince() == Approx(72 * 3600).margin(30));  // trained three days ago, by the time of its database
  CHECK(usedSince() == Approx(72 * 3600).margin(30));  // from the cache
  REQUIRE(writeNotes(run, {{}, "a note is no use"}));
  CHECK(usedSince() == Approx(72 * 3600).margin(30));
  noteUse(run);
  CHECK(usedSince() == Approx(0).margin(30));
  noteUse(in(folder, "runs"));  // not a run, so nothing is written
  CHECK_FALSE(std::filesystem::exists(in(folder, "runs/used")));
}

TEST_CASE("A thousand runs are listed, at the first reading and from the cache") {
  const RunFolder folder;
  finished(*started(smallMarkov(), headless(in(folder, "one"))));
  const std::string bytes = readBytes(in(folder, "one/run.sqlite"));
  for (int i = 0; i < 1000; ++i) {
    const std::string run = in(folder, fmt::format("runs/run-{:04}", i));
    std::filesystem::create_directories(run);
    writeBytes(run + "/run.sqlite", bytes);
  }
  const std::string cache = in(folder, "library.sqlite");
  int told = 0;
  ThreadPool pool;
  const auto progress = [&](const auto& known) {
    ++told;
    return !known.empty();
  };
  CHECK(readLibrary(in(folder, "runs"), {.cache = cache, .pool = &pool, .progress = progress}).size() == 1000);
  CHECK(told > 1);  // the first rows are shown before the last are read
  CHECK(readLibrary(in(folder, "runs"), {.cache = cache, .pool = &pool}).size() == 1000);
  const RunList known = readLibrary(in(folder, "runs"), {.pool = &pool});
  CHECK(readLibrary(in(folder, "runs"), {.known = known, .pool = &pool}) == known);  // the same objects
  int calls = 0;
  std::filesystem::remove(cache);
  CHECK(readLibrary(in(folder, "runs"),
                    {.cache = cache, .pool = &pool, .progress = [&](const auto&) { return ++calls < 2; }})
            .size() <= 1000);
}

TEST_CASE("A library keeps the rows of other folders in its cache, and reads a run again while it is trained") {
  const RunFolder folder;
  finished(*started(smallMarkov(), headless(in(folder, "a/one"))));
  finished(*started(smallMarkov(), headless(in(folder, "b/two"))));
  const std::string cache = in(folder, "library.sqlite");
  CHECK(readLibrary(in(folder, "a"), {.cache = cache}).size() == 1);
  CHECK(readLibrary(in(folder, "b/"), {.cache = cache}).size() == 1);
  {
    const auto database = Database::open(cache, Access::Read);
    REQUIRE(database);
    auto rows = (*database)->prepare("SELECT count(*) FROM library_2");
    REQUIRE(rows);
    REQUIRE(rows->step());
    CHECK(rows->integer(0) == 2);
  }
  {
    TrainerOptions options = headless(in(folder, "a/one"));
    options.resume = true;
    options.steps = 60;
    const auto trainer = started(smallMarkov(), options);
    look(*trainer, [](const Snapshot& now) { return now.step > 40; });
    CHECK(readLibrary(in(folder, "a"), {.cache = cache})[0]->alive);
    finished(*trainer);
  }
  const RunList now = readLibrary(in(folder, "a"), {.cache = cache});
  CHECK(now[0]->record.step == 60);
  CHECK_FALSE(now[0]->alive);
  std::filesystem::remove_all(in(folder, "a/one"));
  CHECK(readLibrary(in(folder, "a"), {.cache = cache}).empty());
}

TEST_CASE("A run of a newer format and an unreadable folder are listed with a reason") {
  const RunFolder folder;
  finished(*started(smallMarkov(), headless(in(folder, "runs/newer"))));
  std::filesystem::create_directories(in(folder, "runs/closed"));
  std::filesystem::create_directories(in(folder, "runs/empty"));
  {
    const auto database = Database::open(in(folder, "runs/newer/run.sqlite"), Access::Write);
    REQUIRE(database);
    REQUIRE((*database)->run("UPDATE schema SET version = 99"));
  }
  for (const char* const open : {"runs", "runs/newer"})
    ::chmod(in(folder, open).c_str(), 0755);
  ::chmod(in(folder, "runs/closed").c_str(), 0);
  CHECK(inChild([&] {
          becomeNobody();
          const RunList all = readLibrary(in(folder, "runs"));
          if (all.size() != 2) return 1;
          if (!isSentence(all[0]->failure, "runs/closed: cannot be read")) return 2;
          return isSentence(all[1]->failure, "newer program") ? 0 : 3;
        }) == 0);
  ::chmod(in(folder, "runs/closed").c_str(), 0755);
}

TEST_CASE("Notes and the time of use are not written through symbolic links in a run's folder") {
  const RunFolder folder;
  finished(*started(smallMarkov(), headless(in(folder, "runs/a"))));
  const std::string run = in(folder, "runs/a"), victim = in(folder, "victim");
  writeBytes(victim, "what a person wrote");
  for (const char* const name : {"/used", "/notes.json"})
    std::filesystem::create_symlink("../../victim", run + name);
  noteUse(run);
  REQUIRE(writeNotes(run, {{"a"}, "b"}));
  CHECK(readBytes(victim) == "what a person wrote");
  CHECK(readNotes(run).value() == RunNotes{{"a"}, "b"});
  for (const char* const name : {"/used", "/notes.json"})
    CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(run + name)));
}
