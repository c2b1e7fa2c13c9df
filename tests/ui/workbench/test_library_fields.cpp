// SPDX-License-Identifier: Apache-2.0
// Search and filter of the library, typed into the fields above the runs.
#include <cstdlib>

#include "engine/train/run_config.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/bench.h"
#include "ui/runs/runs.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// Shows a library with one finished run, which is selected.
void showRun(Bench& bench) {
  const auto config = train::parseRunConfig(
      R"({"name":"tiny","model":{"layers":1,"d_model":8,"heads":1,"length":8},"schedule":{"steps":3,"batch":2}})",
      "test", {});
  REQUIRE(config);
  REQUIRE(bench.workbench().runs().start(*config));
  bench.play("exhibit training\nset training.page library\nset training.library.view table\n");
  bench.play("wait training.library.shown == 1 within 60\nwait training.library.runs[0].state == finished within 60\n");
  bench.play("set training.library.selected tiny\nwait settled\nexpect training.library.selected_count == 1\n");
}

}  // namespace

TEST_CASE("The library is searched after every letter, and Enter in its filter does not open a run") {
  Bench bench({1280, 720});
  showRun(bench);
  REQUIRE(bench.workbench().controlAt("training.library.search#entry"));
  bench.play(
      "click ui:training.library.search#entry\ntype \"ti\"\nwait settled\nexpect training.library.search == ti\n");
  bench.play("type \"nx\"\nwait settled\nexpect training.library.shown == 0\n");  // without Enter
  bench.play(
      "key Backspace\nwait settled\nexpect training.library.search == tin\nexpect training.library.shown == 1\n");
  bench.play("click ui:training.library.filter#entry\ntype \"created = today\"\nwait settled\n");
  bench.play("expect training.library.filter == \"\"\nkey Enter\nwait settled\n");
  bench.play("expect training.library.filter == \"created = today\"\nexpect training.page == library\n");
  bench.play("expect training.library.problem == \"\"\nexpect training.library.selected_count == 1\n");
}

TEST_CASE("Ctrl+Z after a deletion in the library restores the run and undoes nothing else") {
  const tests::TemporaryFolder home;
  const char* const before = std::getenv("XDG_DATA_HOME");
  const std::string was = before ? before : "";
  ::setenv("XDG_DATA_HOME", home.path.c_str(), 1);
  Bench bench({1280, 720});
  bench.play("exhibit flow\nset flow.p 0.3\n");
  showRun(bench);
  bench.play("click ui:training.library-delete\nwait training.library.shown == 0 within 30\nwait settled\n");
  bench.play("expect training.library.deleted == 1\nkey Ctrl+Z\nwait training.library.shown == 1 within 30\n");
  bench.play(
      "wait settled\nexpect training.library.deleted == 0\nexpect training.page == library\nexpect flow.p == 0.3\n");
  bench.play("key Ctrl+Shift+Z\nwait training.library.shown == 0 within 30\nkey Ctrl+Z\n");
  bench.play("wait training.library.shown == 1 within 30\n");
  if (was.empty())
    ::unsetenv("XDG_DATA_HOME");
  else
    ::setenv("XDG_DATA_HOME", was.c_str(), 1);
}
