// SPDX-License-Identifier: Apache-2.0
// sepx doctor: what it reports with and without a Vulkan driver. sepx bench: its document.
#include <algorithm>
#include <map>

#include <catch2/catch.hpp>

#include "engine/gpu/context.h"
#include "tests/app/cli/run_sepx.h"

using namespace sepx;
using namespace sepx::test;

namespace {

const std::vector<std::string> kDoctorKeys{"schema", "version", "build",   "cpu",      "vulkan",   "fonts",
                                           "mpi",    "lesson",  "display", "degraded", "nonfinite"};

}  // namespace

TEST_CASE("doctor describes this machine") {
  const Json json = commandJson({"doctor"});
  CHECK(keysOf(json) == kDoctorKeys);
  CHECK(json["schema"] == "sepx.doctor/1");
  CHECK(json["cpu"]["threads"].get<int>() >= 1);
  CHECK(json["cpu"]["level"].get<std::string>() != "unknown");
  const auto devices = gpu::Context::enumerate();
  REQUIRE(json["vulkan"]["devices"].size() == devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Json& device = json["vulkan"]["devices"][i];
    CHECK(keysOf(device) ==
          std::vector<std::string>{"index", "name", "driver", "api", "software", "usable", "why", "features"});
    CHECK(device["name"] == devices[i].name);
    CHECK(device["why"].is_null() == device["usable"].get<bool>());
  }
  REQUIRE(json["vulkan"]["chosen"].is_string());
  for (const Json& one : json["degraded"]) {
    CHECK(keysOf(one) == std::vector<std::string>{"what", "why", "remedy"});
    for (const Json& sentence : one)
      CHECK_FALSE(sentence.get<std::string>().empty());
  }
  CHECK(json["fonts"]["regular"].is_string());
  CHECK(json["lesson"].is_string());
  const Ran table = command({"doctor"});
  CHECK(table.status == 0);
  CHECK(table.out.find(json["vulkan"]["chosen"].get<std::string>()) != std::string::npos);
}

TEST_CASE("doctor works without a Vulkan driver and without a display, and says what that costs") {
  const NoVulkanDriver none;
  const Environment x11("DISPLAY", ""), wayland("WAYLAND_DISPLAY", "");
  const Json json = commandJson({"doctor"});
  CHECK(keysOf(json) == kDoctorKeys);
  CHECK(json["vulkan"]["devices"].empty());
  CHECK(json["vulkan"]["chosen"].is_null());
  CHECK(json["display"].is_null());
  REQUIRE(json["degraded"].size() >= 2);
  std::string remedies;
  for (const Json& one : json["degraded"])
    remedies += one["remedy"].get<std::string>() + "\n";
  CHECK(remedies.find("mesa-vulkan-drivers") != std::string::npos);
  CHECK(command({"doctor"}).status == 0);
}

TEST_CASE("doctor says when a device was asked for that is not there") {
  const Json json = commandJson({"doctor", "--device", "no such device"});
  CHECK(json["vulkan"]["chosen"].is_null());
  CHECK_FALSE(json["vulkan"]["devices"].empty());
  CHECK_FALSE(json["degraded"].empty());
}

TEST_CASE("bench measures what it is asked for") {
  const Json json = commandJson({"bench", "flow-path"});
  CHECK(keysOf(json) == std::vector<std::string>{"schema", "version", "build", "benchmarks", "nonfinite"});
  REQUIRE(json["benchmarks"].size() == 1);
  const Json& one = json["benchmarks"][0];
  CHECK(keysOf(one) == std::vector<std::string>{"name", "device", "measurements", "ratio", "amounts", "skipped"});
  CHECK(one["measurements"][0]["median_ms"].get<double>() > 0);
  CHECK(one["measurements"][0]["runs"].get<int>() >= 100);
  REQUIRE(one["measurements"].size() == 2);
  CHECK(one["measurements"][1]["name"] == "pointer-to-path");
  CHECK(one["measurements"][1]["runs"].get<int>() >= 100);
  // the update contains such a path and more
  CHECK(one["measurements"][1]["median_ms"].get<double>() > 0.5 * one["measurements"][0]["median_ms"].get<double>());
  requireRefused({"bench", "nonsense"}, 2, "nonsense");
}

TEST_CASE("bench compares the kernel with its twin, and times frames", "[.][long]") {
  const Json json = commandJson({"bench", "flow-path", "basin-map", "canvas-frame"});
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

TEST_CASE("bench times sessions, undo and figures", "[.][long]") {
  for (const auto& [name, parts] : std::map<std::string, std::vector<std::string>>{
           {"session", {"open-10", "open-1000", "edit", "undo"}}, {"figure", {"svg", "pdf", "png"}}}) {
    const Json json = commandJson({"bench", name});
    REQUIRE(json["benchmarks"].size() == 1);
    const Json& measurements = json["benchmarks"][0]["measurements"];
    REQUIRE(measurements.size() == parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      CHECK(measurements[i]["name"] == parts[i]);
      CHECK(measurements[i]["median_ms"].get<double>() > 0);
    }
  }
}

TEST_CASE("bench refuses a case that needs a device where there is none") {
  const NoVulkanDriver none;
  requireRefused({"bench", "basin-map"}, 4, "install");
}

TEST_CASE("bench skips what needs a device where there is none", "[.][long]") {
  const NoVulkanDriver none;
  const Json json = commandJson({"bench"});
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
