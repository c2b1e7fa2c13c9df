// SPDX-License-Identifier: Apache-2.0
// sepx doctor: its report with and without a Vulkan driver.
#include <algorithm>

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

TEST_CASE("doctor works without a Vulkan driver and without a display, and reports the consequences") {
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

TEST_CASE("doctor reports a requested device that does not exist") {
  const Json json = commandJson({"doctor", "--device", "no such device"});
  CHECK(json["vulkan"]["chosen"].is_null());
  CHECK_FALSE(json["vulkan"]["devices"].empty());
  CHECK_FALSE(json["degraded"].empty());
}
