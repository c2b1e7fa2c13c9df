// SPDX-License-Identifier: Apache-2.0
// Search and filter of the library, typed above the runs, as a person does it.
#include "tests/ui/workbench/bench.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("The library is searched with every letter, and Enter in its filter opens nothing") {
  Bench bench({1280, 720});
  bench.play("exhibit training\nset training.page library\nset training.library.view table\nwait settled\n");
  REQUIRE(bench.workbench().controlAt("training.library.search#entry"));
  bench.play(
      "click ui:training.library.search#entry\ntype \"de\"\nwait settled\nexpect training.library.search == de\n");
  bench.play("type \"c\"\nwait settled\nexpect training.library.search == dec\n");  // without Enter
  bench.play("click ui:training.library.filter#entry\ntype \"used = yesterday\"\nwait settled\n");
  bench.play("expect training.library.filter == \"\"\nkey Enter\nwait settled\n");
  bench.play("expect training.library.filter == \"used = yesterday\"\nexpect training.page == library\n");
  bench.play("expect training.library.problem == \"\"\n");
}
