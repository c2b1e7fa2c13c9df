// SPDX-License-Identifier: Apache-2.0
// Runs on file systems without locks: trained if SQLite can be used, and otherwise refused with the true reason.
#include <cerrno>
#include <string>
#include <vector>

#include "engine/train/run_store.h"
#include "tests/engine/train/trainer_rig.h"
#include "tests/no_locks.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A run is trained on a file system without its kind of locks, and a notice says so", "[run-store]") {
  const RunFolder folder;
  const sepx::tests::NoLocks none(ENOSYS);
  // Also as a run of a sweep, whose claim keeps other programs away.
  for (const bool claimed : {false, true}) {
    const std::string run = in(folder, claimed ? "claimed" : "alone");
    TrainerOptions options = headless(run);
    if (claimed) options.held = [] { return true; };
    for (const bool resume : {false, true}) {
      options.resume = resume;
      RunConfig config = smallMarkov();
      if (resume) options.steps = config.schedule.steps + 10;
      const auto trainer = started(config, options);
      finished(*trainer);
      trainer->refresh();
      const std::string notice = trainer->latest().notice;
      INFO(notice);
      if (claimed)
        CHECK(notice.find("no locks") == std::string::npos);
      else
        CHECK(isSentence(notice, run + ": the file system has no locks"));
    }
    CHECK(namesIn(run) == std::vector<std::string>{"checkpoints", "config.json", "run.sqlite"});
  }
}

TEST_CASE("If SQLite has no locks either, the message gives this reason and not another program", "[run-store]") {
  const RunFolder folder;
  const sepx::tests::NoLocks none(ENOLCK, ENOLCK);
  RunRecord record;
  record.config = "{}";
  const auto refused = RunWriter::create(in(folder, "run"), record);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::OutputFailed);
  CHECK(isSentence(refused.error().message, in(folder, "run") + ": the file system has no locks"));
  CHECK(namesIn(in(folder, "run")).empty());
}
