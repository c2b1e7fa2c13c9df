// SPDX-License-Identifier: Apache-2.0
// A figure shows all of its data: the file has as many marks as the picture has points.
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/shell.h"
#include "tests/ui/workbench/figure_rig.h"

using namespace sepx;
using namespace sepx::test;
using tests::count;
using tests::outputOf;

TEST_CASE("A vector figure has as many marks as there are points", "[figure]") {
  const Place place;
  Bench bench;
  bench.play("set flow.p 0.5\nset flow.q 0.8\nset flow.show.paths false\n");
  const bool readsPdf = std::system("command -v pdftocairo >/dev/null 2>&1") == 0;
  if (!readsPdf) WARN("poppler-utils is not installed: nobody else reads the PDF here");
  std::vector<std::size_t> drawn;  // number of paths in the PDF
  std::size_t points = 0;
  for (const std::size_t wanted : {5U, 15U, 25U}) {
    INFO(wanted << " points");
    std::string lines;
    for (; points < wanted; ++points)
      lines += fmt::format("add point {:.2f},{:.2f}\n", 0.2 + 0.06 * static_cast<double>(points),
                           1.8 - 0.07 * static_cast<double>(points));
    bench.play(lines + "set flow.selected 0\nwait settled\n");
    make(bench, request(place.path("a.svg")));
    const std::string svg = content(place.path("a.svg"));
    const std::size_t from = svg.find("data-layer=\"handles\"");
    REQUIRE(from != std::string::npos);
    const std::string handles = svg.substr(from, svg.find("</g>", from) - from);
    CHECK(count(handles, "<circle ") == wanted);
    CHECK(count(handles, "<text ") == wanted);
    if (!readsPdf) continue;
    make(bench, request(place.path("a.pdf")));
    outputOf("pdftocairo -svg " + place.path("a.pdf") + " " + place.path("read.svg"));
    const std::string read = content(place.path("read.svg"));
    const std::size_t picture = read.find("</defs>");  // the definitions before are shapes of letters
    REQUIRE(picture != std::string::npos);
    drawn.push_back(count(read.substr(picture), "<path "));
  }
  if (!readsPdf) return;
  INFO(drawn[0] << ' ' << drawn[1] << ' ' << drawn[2]);
  CHECK(drawn[1] - drawn[0] == drawn[2] - drawn[1]);
  CHECK(drawn[1] - drawn[0] >= 10);
  CHECK((drawn[1] - drawn[0]) % 10 == 0);
}
