// SPDX-License-Identifier: Apache-2.0
// For any shapes and hints, the outputs taken as queries and keys lie inside the tensor, and no output is taken twice.
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "engine/checkpoint/family_shape.h"
#include "engine/core/random.h"

using namespace sepx;
using namespace sepx::checkpoint;

namespace {

// All outputs of all heads, or an empty list if one of them lies outside [0, outputs).
std::vector<std::int64_t> outputsOf(const ProjectionSource& source, std::int64_t heads, std::int64_t d_h,
                                    std::int64_t outputs) {
  std::vector<std::int64_t> all;
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t a = 0; a < d_h; ++a) {
      const std::int64_t one = source.firstOf(h) + a;
      if (one < 0 || one >= outputs) return {};
      all.push_back(one);
    }
  return all;
}

}  // namespace

TEST_CASE("Heads neither exceed their tensor nor overlap", "[shape]") {
  RandomStream random(11);
  int stood = 0;
  for (int round = 0; round < 20'000; ++round) {
    StackRule rule;
    rule.fusion = static_cast<Fusion>(random.below(3));
    const auto number = [&random](std::uint64_t most) { return static_cast<std::int64_t>(random.below(most)); };
    const std::int64_t unit = 1 + number(6);
    const ProjectionShape query{unit * (1 + number(40)), 1 + number(60), 0};
    const ProjectionShape key =
        rule.fusion == Fusion::Separate ? ProjectionShape{unit * (1 + number(40)), query.in, 0} : query;
    const HeadHints hints{number(9), number(5), number(8)};
    const auto shape = headsOf(rule, query, key, hints);
    if (!shape) {
      CHECK(shape.error().message.size() > 10);
      continue;
    }
    ++stood;
    ProjectionSource W_Q, W_K;
    placeHeads(rule, *shape, W_Q, W_K);
    auto all = outputsOf(W_Q, shape->heads, shape->d_h, query.out);
    auto keys = outputsOf(W_K, shape->kvHeads, shape->d_h, key.out);
    INFO(round << ": " << shape->heads << " heads, " << shape->kvHeads << " key heads of " << shape->d_h);
    REQUIRE(all.size() == static_cast<std::size_t>(shape->heads * shape->d_h));
    REQUIRE(keys.size() == static_cast<std::size_t>(shape->kvHeads * shape->d_h));
    REQUIRE(shape->heads % shape->kvHeads == 0);
    if (rule.fusion != Fusion::Separate) all.insert(all.end(), keys.begin(), keys.end());
    REQUIRE(std::set<std::int64_t>(all.begin(), all.end()).size() == all.size());
  }
  CHECK(stood > 2000);
}

TEST_CASE("Shapes that are not those of a projection are rejected", "[shape]") {
  const auto seen = [](std::vector<std::int64_t> shape, bool transposed, bool perHead) {
    TensorInfo tensor;
    tensor.shape = std::move(shape);
    StackRule rule;
    rule.transposed = transposed;
    rule.perHead = perHead;
    return projectionShapeOf(tensor, rule);
  };
  CHECK(seen({8, 4}, false, false)->out == 8);
  CHECK(seen({8, 4}, true, false)->out == 4);
  CHECK(seen({8, 4, 1, 1}, false, false)->in == 4);  // a convolution with a kernel of size 1
  CHECK(seen({2, 8, 4}, false, true)->heads == 2);
  CHECK_FALSE(seen({}, false, false));
  CHECK_FALSE(seen({8}, false, false));
  CHECK_FALSE(seen({8, 4, 3}, false, false));
  CHECK_FALSE(seen({8, 4}, false, true));
  CHECK_FALSE(seen({8, 0}, false, false));
  CHECK_FALSE(seen({std::int64_t{1} << 40, 4}, false, false));
  CHECK_FALSE(seen({1 << 20, 4, 1 << 20}, false, true));
}
