// SPDX-License-Identifier: Apache-2.0
// The document of sepx-bench, the benchmarks that it skips without a device, and its error messages.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/bench/unit/run_bench.h"

using namespace sepx::test;

TEST_CASE("sepx-bench measures the benchmark that is named and reports it as JSON") {
  const Json json = benchJson({"flow-path"});
  CHECK(keysOf(json) == std::vector<std::string>{"schema", "version", "build", "benchmarks", "nonfinite"});
  REQUIRE(json["benchmarks"].size() == 1);
  const Json& one = json["benchmarks"][0];
  CHECK(keysOf(one) ==
        std::vector<std::string>{"name", "device", "measurements", "ratio", "amounts", "scalings", "skipped"});
  CHECK(one["measurements"][0]["median_ms"].get<double>() > 0);
  CHECK(one["measurements"][0]["runs"].get<int>() >= 100);
  REQUIRE(one["measurements"].size() == 2);
  CHECK(one["measurements"][1]["name"] == "pointer-to-path");
  CHECK(one["measurements"][1]["runs"].get<int>() >= 100);
  // The update includes such a path and more.
  CHECK(one["measurements"][1]["median_ms"].get<double>() > 0.5 * one["measurements"][0]["median_ms"].get<double>());
  requireBenchRefused({"nonsense"}, 2, "nonsense");
}

TEST_CASE("sepx-bench compares the basin kernel with its CPU twin and measures frames", "[.][long]") {
  const Json json = benchJson({"flow-path", "basin-map", "canvas-frame"});
  REQUIRE(json["benchmarks"].size() == 3);
  CHECK(json["benchmarks"][1]["ratio"]["value"].get<double>() > 0);
  CHECK(json["nonfinite"] == 0);
  std::vector<std::string> names;
  for (const Json& one : json["benchmarks"][2]["measurements"])
    names.push_back(one["name"]);
  for (const char* name : {"hover-frame", "hover-imgui", "drag-frame", "drag-imgui"}) {
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
  }
}

TEST_CASE("sepx-bench measures sessions, undo and figures", "[.][long]") {
  for (const auto& [name, parts] : std::map<std::string, std::vector<std::string>>{
           {"session", {"open-10", "open-1000", "edit", "undo"}}, {"figure", {"svg", "pdf", "png"}}}) {
    const Json json = benchJson({name});
    REQUIRE(json["benchmarks"].size() == 1);
    const Json& measurements = json["benchmarks"][0]["measurements"];
    REQUIRE(measurements.size() == parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      CHECK(measurements[i]["name"] == parts[i]);
      CHECK(measurements[i]["median_ms"].get<double>() > 0);
    }
  }
}

TEST_CASE("sepx-bench refuses a named benchmark that needs a device if there is none") {
  const NoVulkanDriver none;
  requireBenchRefused({"basin-map"}, 4, "install");
}

TEST_CASE("sepx-bench skips the benchmarks that need a device if there is none", "[.][long]") {
  const NoVulkanDriver none;
  const Json json = benchJson({});
  const auto named = [&json](const char* name) {
    const auto found = std::find_if(json["benchmarks"].begin(), json["benchmarks"].end(),
                                    [name](const Json& one) { return one["name"] == name; });
    REQUIRE(found != json["benchmarks"].end());
    return *found;
  };
  CHECK(named("flow-path")["skipped"].is_null());
  CHECK(named("flow-path")["measurements"].size() == 1);
  CHECK(named("flow-batch")["measurements"].size() == 2);
  CHECK(named("basin-screen")["amounts"][0]["value"] == 0);
  for (const char* name : {"basin-map", "particles", "flow-texture", "space-frame", "canvas-frame"}) {
    INFO(name);
    CHECK(named(name)["skipped"].is_string());
  }
}

TEST_CASE("sepx-bench reports a usage error before it measures anything", "[messages]") {
  requireBenchRefused({"nothing"}, 2, "there is no benchmark 'nothing'");
  requireBenchRefused({"--without", "0"}, 2, "--without");
  requireBenchRefused({"flow", "--without", "0"}, 2, "--without");
  requireBenchRefused({""}, 2, "there is no benchmark ''");
  requireBenchRefused({"train-b9"}, 2, "train-b8");  // the nearest name
}
