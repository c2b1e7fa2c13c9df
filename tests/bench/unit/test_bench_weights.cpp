// SPDX-License-Identifier: Apache-2.0
// The benchmarks of checkpoints run, report what they measured, and remove their files.
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include "tests/bench/unit/run_bench.h"

using namespace sepx;
using namespace sepx::test;

namespace {

std::vector<std::string> namesOf(const Json& list) {
  std::vector<std::string> names;
  for (const Json& one : list)
    names.push_back(one["name"]);
  return names;
}

}  // namespace

TEST_CASE("sepx-bench measures checkpoints from the file to the picture") {
  const Json json = benchJson({"weights-scores", "weights-open", "weights-large"});
  REQUIRE(json["benchmarks"].size() == 3);
  CHECK(namesOf(json["benchmarks"][0]["measurements"]) == std::vector<std::string>{"layer", "heads"});
  for (const std::size_t i : {1u, 2u})
    CHECK(namesOf(json["benchmarks"][i]["measurements"]) == std::vector<std::string>{"picture", "window"});
  for (const Json& one : json["benchmarks"])
    for (const Json& measurement : one["measurements"])
      CHECK(measurement["median_ms"].get<double>() > 0);
  const Json& amounts = json["benchmarks"][2]["amounts"];
  CHECK(namesOf(amounts) == std::vector<std::string>{"resident-mib", "window-resident-mib"});
  // The checkpoint has 16 GB; only the parts that are used are loaded into memory.
#ifndef __SANITIZE_ADDRESS__
  for (const Json& amount : amounts)
    CHECK(amount["value"].get<double>() < 1024);
#endif
  const auto folder = std::filesystem::temp_directory_path() / ("sepx-bench-weights-" + std::to_string(getpid()));
  CHECK(!std::filesystem::exists(folder));
}
