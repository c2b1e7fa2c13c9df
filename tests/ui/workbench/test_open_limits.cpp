// SPDX-License-Identifier: Apache-2.0
// Values that a session cannot store are refused on input: invalid seeds, too many points, names that are too long.
#include <string>

#include <catch2/catch.hpp>

#include "tests/temporary_folder.h"
#include "tests/ui/workbench/file_desk.h"

using namespace sepx;
using namespace sepx::ui;
using sepx::test::FileDesk;
using sepx::test::quietOptions;

TEST_CASE("An invalid seed is refused with the name of the field", "[open]") {
  const tests::TemporaryFolder folder;
  FileDesk desk;
  for (const char* seed : {"-1", "1e300", "3.5", "\"7\"", "18446744073709551616", "null", "[1]"}) {
    CAPTURE(seed);
    const std::string text = std::string(R"({"version":1,"flow":{"p":0.5},"seed":)") + seed + "}";
    CHECK_THAT(desk.refused(folder.file("a.sepx", text)), Catch::Contains("seed"));
  }
  Workbench workbench(quietOptions());
  REQUIRE(workbench.open(folder.file("b.sepx", R"({"version":1,"seed":18446744073709551615})")));
  CHECK(workbench.options().seed == 18446744073709551615u);
}

TEST_CASE("The limit of points is the same in a session, in a table and for points added by hand", "[open]") {
  const tests::TemporaryFolder folder;
  const auto points = [](std::size_t count) {
    std::string text = R"({"version":1,"flow":{"points":[)";
    for (std::size_t i = 0; i < count; ++i)
      text += (i ? "," : "") + std::string(R"({"e":0.25,"w":-0.5})");
    return text + "]}}";
  };
  FileDesk desk;
  CHECK_THAT(desk.refused(folder.file("a.sepx", points(20'001))),
             Catch::Contains("20001") && Catch::Contains("at most 20000"));
  std::string rows = "e,w\n";
  for (int i = 0; i < 20'001; ++i)
    rows += "0.25,-0.5\n";
  CHECK_THAT(desk.refused(folder.file("a.csv", rows)), Catch::Contains("20000"));
  Workbench workbench(quietOptions());
  REQUIRE(workbench.open(folder.file("b.sepx", points(20'000))));
  const auto more = workbench.addPoint({0.5, 0.5});
  REQUIRE_FALSE(more);
  CHECK_THAT(more.error().message, Catch::Contains("20000"));
  REQUIRE(workbench.save(folder / "c.sepx"));
  REQUIRE(Workbench(quietOptions()).open(folder / "c.sepx"));
}

TEST_CASE("A table with too many empty cells is refused before it is read", "[open]") {
  const tests::TemporaryFolder folder;
  FileDesk desk;
  CHECK_THAT(desk.refused(folder.file("a.csv", "1,2\n" + std::string(16'000'001, ','))), Catch::Contains("cells"));
}

TEST_CASE("A name that is too long for a session is refused on input", "[open]") {
  const tests::TemporaryFolder folder;
  FileDesk desk;
  CHECK_THAT(desk.refused(folder.file("a.csv", "e,w,name\n0.1,0.2,A\n0.3,0.4," + std::string(10'001, 'x') + "\n")),
             Catch::Contains("row 2") && Catch::Contains("10000"));
  REQUIRE(desk.workbench.open(folder.file("b.csv", "e,w,name\n0.3,0.4," + std::string(10'000, 'x') + "\n")));
  REQUIRE(desk.workbench.save(folder / "b.sepx"));
  REQUIRE(Workbench(quietOptions()).open(folder / "b.sepx"));
}
