// SPDX-License-Identifier: Apache-2.0
// Parameters that are set in the picture: the editor of a new run with pointer and keys.
#include "tests/ui/workbench/bench.h"

using namespace sepx;
using namespace sepx::test;

namespace {

constexpr const char* kEditor = "exhibit training\nset training.page own\nwait settled\n";

}  // namespace

TEST_CASE("A preset is chosen by a click, a field is typed and reset, and each is one undo step") {
  Bench bench({1280, 720});
  bench.play(kEditor);
  bench.play("click ui:training.editor.group#presets\nwait settled\nclick ui:training.preset.small-decoder\n");
  bench.play("wait settled\nexpect training.own.preset == small-decoder\nexpect training.own.model.causal == true\n");
  bench.play("click ui:training.editor.group#model\nwait settled\n");
  bench.play("click ui:training.own.model.layers#entry\ntype \"3\"\nkey Enter\nwait settled\n");
  bench.play("expect training.own.model.layers == 3\nexpect training.own.result.differences == 1\n");
  bench.play("click ui:training.own.model.layers#back\nwait settled\nexpect training.own.model.layers == 2\n");
  bench.play("key Ctrl+Z\nwait settled\nexpect training.own.model.layers == 3\n");
  bench.play("click ui:training.own.model.causal\nwait settled\nexpect training.own.model.causal == false\n");
  bench.play("key Ctrl+Z\nkey Ctrl+Z\nkey Ctrl+Z\nwait settled\nexpect training.own.result.differences == 0\n");
  CHECK(bench.workbench().get("training.own.preset") == ui::Value(std::string("defaults")));
}

TEST_CASE("Start uses a value that was typed without Return") {
  Bench bench({1280, 720});
  bench.play(kEditor);
  bench.play("click ui:training.own.optimisation.learning_rate#entry\ntype \"0.0375\"\n");
  bench.play("click ui:training.own-start\nwait training.runs[0].step >= 1 within 60\n");
  bench.play(
      "expect training.own.optimisation.learning_rate == 0.0375\nexpect training.runs[0].rate == 0.0375 +- 1e-9\n");
}

TEST_CASE("Searching for a field filters the fields during typing, and a field that was found can be set") {
  Bench bench({1280, 720});
  bench.play(kEditor);
  bench.play("click ui:training.editor.search#entry\ntype \"warm\"\nwait settled\n");  // without Enter
  bench.play("expect training.editor.search == warm\n");
  CHECK(bench.workbench().controlAt("training.own.optimisation.warm_up#entry"));
  CHECK_FALSE(bench.workbench().controlAt("training.own.model.layers#entry"));
  bench.play("click ui:training.own.optimisation.warm_up#entry\ntype \"25\"\nkey Enter\nwait settled\n");
  bench.play("expect training.own.optimisation.warm_up == 25\n");
}

TEST_CASE("An invalid value is refused, and the field keeps its value") {
  Bench bench({1280, 720});
  bench.play(kEditor);
  bench.play("click ui:training.own.model.layers#entry\ntype \"0\"\nkey Enter\nwait settled\n");
  bench.play("expect training.own.model.layers >= 1\n");
}

TEST_CASE("Blocks of the sketch and rows of the differences can be clicked by their coordinates") {
  Bench bench({1280, 720});
  bench.play(kEditor);
  bench.play("set training.own.optimisation.clip 2\nset training.editor.group data\nwait settled\n");
  bench.play("click own.sketch 0,0\nwait settled\nexpect training.editor.block == tokens\n");
  bench.play("click own.differences 0,0\nwait settled\nexpect training.editor.field == optimisation.clip\n");
  CHECK(bench.workbench().controlAt("training.own.optimisation.clip#back"));
}
