// SPDX-License-Identifier: Apache-2.0
// A message may offer a command as a button, for as long as there is that command.
#include "tests/ui/workbench/bench.h"

using namespace sepx;
using test::Bench;

TEST_CASE("a message's button runs its command, and the message goes", "[messages]") {
  Bench bench;
  bench.workbench().say({ui::Message::Level::Note, "Something was done.", "view.start", "Start page"});
  bench.settle();
  REQUIRE(bench.workbench().controlAt("workbench.message.action"));
  bench.play("click ui:workbench.message.action\nwait settled\n");
  CHECK_FALSE(bench.workbench().controlAt("workbench.message.action"));
  bool shown = false;
  for (const auto& command : bench.workbench().commands())
    shown = shown || (command.key == "view.start" && command.checked.value_or(false));
  CHECK(shown);
}

TEST_CASE("a message whose command is not there has no button for it", "[messages]") {
  Bench bench;
  bench.workbench().say({ui::Message::Level::Note, "Something was done.", "runs.resume", "Resume"});
  bench.settle();
  CHECK(bench.workbench().controlAt("workbench.message.close"));
  CHECK_FALSE(bench.workbench().controlAt("workbench.message.action"));
}
