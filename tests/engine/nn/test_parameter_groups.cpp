// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "engine/nn/parameter_groups.h"

namespace sepx::nn {
namespace {

ModelConfig groupedModel() {
  ModelConfig config;
  config.vocabulary = 7;
  config.length = 4;
  config.layers = 2;
  config.output = Output::Untied;
  config.outputBias = true;
  return config;
}

std::size_t sizeOf(const std::vector<FlatRange>& ranges) {
  std::size_t size = 0;
  for (const FlatRange& range : ranges)
    size += range.last - range.first;
  return size;
}

}  // namespace

TEST_CASE("Every parameter is in exactly one single group, and in at most one of storage and routing") {
  ModelConfig config = groupedModel();
  config.segments = 2;
  config.headTransform = true;
  const ParameterLayout layout(config);
  for (const Parameter& parameter : layout.all()) {
    INFO(parameter.name);
    int single = 0;
    for (std::size_t group = 0; group < kParameterGroups; ++group)
      single += isInGroup(parameter, groupWord(static_cast<ParameterGroup>(group)));
    CHECK(isInGroup(parameter, groupWord(groupOf(parameter))));
    CHECK(!isInGroup(parameter, "other"));
    CHECK(single == 1);
    CHECK(!(isInGroup(parameter, "storage") && isInGroup(parameter, "routing")));
  }
}

TEST_CASE("Ranges of groups and names are disjoint, ascending and of the right size") {
  const ParameterLayout layout(groupedModel());
  const std::vector<std::string> twice{"routing", "queries", "layers.1.attention.W_Q.weight"};
  const auto ranges = rangesOf(layout, twice);
  REQUIRE(ranges);
  std::size_t size = 0;
  for (const Parameter& parameter : layout.all())
    if (parameter.name.find("W_Q") != std::string::npos || parameter.name.find("W_K") != std::string::npos)
      size += parameter.size();
  CHECK(sizeOf(*ranges) == size);
  for (std::size_t i = 1; i < ranges->size(); ++i)
    CHECK((*ranges)[i - 1].last < (*ranges)[i].first);
  CHECK(rangesOf(layout, {})->empty());
  CHECK(sizeOf(*rangesOf(layout, std::vector<std::string>{"output"})) == 7 * 8 + 7);
}

TEST_CASE("A name that is neither a group nor a parameter is refused with the nearest name") {
  ModelConfig config = groupedModel();
  const ParameterLayout layout(config);
  CHECK(rangesOf(layout, std::vector<std::string>{"rooting"}).error().message ==
        "there is no parameter and no group \"rooting\"; the nearest is routing");
  CHECK(rangesOf(layout, std::vector<std::string>{"rout\fng"}).error().message ==
        "there is no parameter and no group \"rout\xEF\xBF\xBDng\"; the nearest is routing");
  config.output = Output::Tied;
  config.outputBias = false;
  CHECK(rangesOf(ParameterLayout(config), std::vector<std::string>{"output"}).error().message ==
        "this model has no parameters of the group \"output\"");
}

}  // namespace sepx::nn
