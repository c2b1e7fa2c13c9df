// SPDX-License-Identifier: Apache-2.0
// Messages quote only a short part of files and scripts, without control characters.
#include <string>

#include <catch2/catch.hpp>

#include "tests/temporary_folder.h"
#include "tests/ui/workbench/bench.h"
#include "tests/ui/workbench/file_desk.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/figure_panels.h"
#include "ui/workbench/open_file.h"

using namespace sepx;
using namespace sepx::test;

namespace {

constexpr std::size_t kLong = 10'000, kShort = 1'500;
const std::string kOdd = "\x1b[31m" + std::string(kLong, 'x');

void checkQuoted(const std::string& sentence) {
  INFO(sentence.substr(0, kShort));
  CHECK_FALSE(sentence.empty());
  CHECK(sentence.find('\x1b') == std::string::npos);
  CHECK(sentence.size() < kShort);
}

}  // namespace

TEST_CASE("Messages quote only the beginning of long names and cells", "[open]") {
  ui::Workbench workbench(quietOptions());
  const auto refused = [](const Result<void>& result) {
    REQUIRE_FALSE(result);
    checkQuoted(result.error().message);
  };
  refused(workbench.setTheme(kOdd));
  ui::FigureRequest request;
  refused(ui::applyPreset(request, kOdd));
  request.views = {kOdd};
  refused(ui::checkViews(workbench, request));
  Table table;
  table.columns.push_back({kOdd, "", std::vector<std::string>{"1", "2", kOdd}});
  checkQuoted(ui::firstNonNumber(table));
}

TEST_CASE("Messages quote only the beginning of long names in a script", "[script]") {
  Bench bench;
  const std::string key(kLong, 'k');
  for (const std::string& line :
       {"key \"" + kOdd + "\"", "click ui:" + key, "set ui:" + key + " 3", "on " + key + " click 0,0",
        "on " + key + " add point 0,0", "theme \"" + kOdd + "\""}) {
    INFO(line.substr(0, 30));
    const auto outcome = bench.run(line + "\n");
    REQUIRE_FALSE(outcome);
    checkQuoted(outcome.error().message);
  }
}

TEST_CASE("A script may use any coordinates", "[script]") {
  Bench bench;
  bench.play(
      "add point 0.3,0.2\nhover @1e300,-1e300\nclick @-1e300,1e300\ntry hover 1e300,-1e300\n"
      "press 0.3,0.2\nrelease @1e300,1e300\nexpect flow.points.count == 1\n");
}

TEST_CASE("Braces in the column names of a table are not treated as placeholders of a message", "[open]") {
  std::string name = "a";  // a brace as the first character would begin JSON
  for (int i = 0; i < 40'000; ++i)
    name += "{x}";
  const tests::TemporaryFolder folder;
  FileDesk desk;
  const std::string sentence = desk.refused(folder.file("t.csv", name + ",b,c\n1,2,3\n4,5,6\n"));
  checkQuoted(sentence);
  CHECK_THAT(sentence, Catch::Contains("(a{x}{x}"));
}
