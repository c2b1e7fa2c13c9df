// SPDX-License-Identifier: Apache-2.0
// sepx compare: the difference of two forms by layer and head, compared with plain loops.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/app/cli/small_checkpoints.h"

using namespace sepx::test;

namespace {

struct Expected {
  double norm = 0, normA = 0, normB = 0, inner = 0;
};

Expected plainDifference(const Plain& a, const Plain& b) {
  Expected sums;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      sums.norm += (a[i][j] - b[i][j]) * (a[i][j] - b[i][j]);
      sums.normA += a[i][j] * a[i][j];
      sums.normB += b[i][j] * b[i][j];
      sums.inner += a[i][j] * b[i][j];
    }
  }
  return {std::sqrt(sums.norm), std::sqrt(sums.normA), std::sqrt(sums.normB), sums.inner};
}

void check(const Json& difference, const Expected& expected) {
  CHECK(difference["norm"].get<double>() == Approx(expected.norm).epsilon(1e-9));
  CHECK(difference["norm_a"].get<double>() == Approx(expected.normA).epsilon(1e-9));
  CHECK(difference["norm_b"].get<double>() == Approx(expected.normB).epsilon(1e-9));
  CHECK(difference["cosine"].get<double>() ==
        Approx(expected.inner / (expected.normA * expected.normB)).epsilon(1e-9).margin(1e-9));
}

}  // namespace

TEST_CASE("The difference of two checkpoints is that of their forms, by layer and head") {
  const Folder folder;
  const SmallWishes moved{.shift = 0.25};
  const std::string a = writeSmallBert(folder, "a"), b = writeSmallBert(folder, "b", moved);
  const Json json = commandJson({"compare", a, b});
  CHECK(json["schema"] == "sepx.compare/1");
  CHECK(json["a"]["model"] == "a");
  CHECK(json["notes"].empty());
  REQUIRE(json["layers"].size() == kSmallLayers);
  for (int layer = 0; layer < kSmallLayers; ++layer) {
    const Json& row = json["layers"][static_cast<std::size_t>(layer)];
    check(row["difference"], plainDifference(smallForm(layer), smallForm(layer, -1, moved)));
    CHECK(row["a"]["symmetry"].get<double>() == Approx(plainSymmetry(smallForm(layer))));
    CHECK(row["b"]["symmetry"].get<double>() == Approx(plainSymmetry(smallForm(layer, -1, moved))));
    REQUIRE(row["heads"].size() == kSmallHeads);
    for (int head = 0; head < kSmallHeads; ++head) {
      check(row["heads"][static_cast<std::size_t>(head)]["difference"],
            plainDifference(smallForm(layer, head), smallForm(layer, head, moved)));
    }
  }
}

TEST_CASE("A checkpoint compared with itself has no difference") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "same");
  const Json json = commandJson({"compare", path, path});
  for (const Json& row : json["layers"]) {
    CHECK(row["difference"]["relative"].get<double>() == Approx(0).margin(1e-6));
    CHECK(row["difference"]["cosine"].get<double>() == Approx(1));
  }
}

TEST_CASE("Models of different width have scores but no difference, and the output says so") {
  const Folder folder;
  const std::string a = writeSmallBert(folder, "a"), b = writeSmallBert(folder, "b", {.width = 12});
  const Json json = commandJson({"compare", a, b});
  CHECK(json["layers"][0]["difference"].is_null());
  CHECK(json["layers"][0]["b"]["symmetry"].is_number());
  REQUIRE(json["notes"].size() == 1);
  CHECK(json["notes"][0].get<std::string>().find("12 x 12") != std::string::npos);
  const Ran table = command({"compare", a, b});
  CHECK(table.out.find("12 x 12") != std::string::npos);
}

TEST_CASE("compare needs two existing checkpoints") {
  const Folder folder;
  const std::string path = writeSmallBert(folder, "a");
  CHECK(command({"compare", path}).status == 2);
  requireRefused({"compare", path, folder.path("none")}, 3, "none");
  requireRefused({"compare", path, path, "--stack", "cross"}, 2, "--stack");
}
