// SPDX-License-Identifier: Apache-2.0
// Recorded lines, played from the state in which recording began, give the state in which it ended.
#include "ui/exhibits/lesson_recorder.h"

#include <fmt/ranges.h>

#include "tests/ui/workbench/bench.h"
#include "ui/properties/compare.h"

using namespace sepx;
using namespace sepx::test;

namespace {

std::vector<std::string> recorded(const std::string& first, const std::string& then) {
  Bench bench;
  bench.play(first);
  const ui::Document before = bench.workbench().document();
  bench.play(then);
  const ui::Document after = bench.workbench().document();
  const auto lines = ui::recordedLines(before, after, bench.workbench().properties());
  Bench again;
  again.play(first);
  std::string script;
  for (const std::string& line : lines)
    script += line + "\n";
  INFO(script);
  again.play(script);
  const auto& registry = again.workbench().properties();
  CHECK(ui::recordedLines(again.workbench().document(), after, registry).empty());
  return lines;
}

}  // namespace

TEST_CASE("Actions of the user are recorded as lines that repeat them", "[lesson]") {
  CHECK(recorded("exhibit flow\n",
                 "set flow.p 0.25\nset flow.show.basin off\nadd point 0.3,0.2\nadd point -0.5,0.25,0.5\n")
            .size() == 3);
  CHECK(recorded("exhibit flow\nadd point 0.3,0.2\n", "drag 0.3,0.2 -> 0.6,-0.6 in 0.2\n").size() == 1);
  const auto other = recorded("exhibit flow\n", "exhibit weights\nset weights.page charts\n");
  CHECK(other.front() == "exhibit weights");
  CHECK(recorded("exhibit flow\n", "set panes.layout two\nset flow@2.p 0.3\n").size() >= 2);
  CHECK(recorded("exhibit flow\nset flow.p 0.3\n", "wait frames 3\n").empty());
  // Actions that are forbidden in lessons are not recorded.
  CHECK(recorded("exhibit flow\n", "set flow.show.real on\n").empty());
}

TEST_CASE("A recording of nine parameters is written in two lines, with at most six in a line", "[lesson]") {
  const auto lines =
      recorded("exhibit flow\n",
               "set flow.p 0.25 flow.q 0.35 flow.gauss.sigma 0.7 flow.gauss.samples 100 flow.gauss.seed 3 "
               "flow.show.loss off flow.show.paths off flow.show.critical off flow.color time\n");
  CHECK(lines.size() == 2);
}

TEST_CASE("An expectation holds in the state for which it was written, and words are quoted as needed", "[lesson]") {
  Bench bench;
  bench.play("exhibit flow\nset flow.p 0.5\nset flow.q 0.8\nadd point 0.3,0.2\nwait settled\n");
  for (const char* key :
       {"flow.S_star", "flow.points[0].limit.kind", "flow.points[0].limit.loss", "flow.points.count"}) {
    const std::string line = ui::expectationLine(key, *bench.workbench().get(key));
    INFO(line);
    CHECK(line.starts_with("expect "));
    bench.play(line + "\n");
  }
  CHECK(ui::expectationLine("a", ui::Value()).empty());
  CHECK(ui::expectationLine("a", 2.0) == "expect a == 2");
  CHECK(ui::scriptWord("plain") == "plain");
  CHECK(ui::scriptWord("in") == "\"in\"");
  CHECK(ui::scriptWord("a \"b\" #c\n") == "\"a \\\"b\\\" #c\\n\"");
  CHECK(ui::scriptWord("") == "\"\"");
}
