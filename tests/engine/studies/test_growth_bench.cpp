// SPDX-License-Identifier: Apache-2.0
// The bench of Theorem 2.3 for the user's own covariances: the formulas, the sign of the directionality and (18). It
// can be followed and cancelled, and gives the same numbers on any number of threads.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/studies/growth_bench.h"

namespace sepx::studies::growth_bench_tests {
namespace {

GrowthBench benchOf(double predicted, double context, std::uint64_t seed = 0, int threads = 1) {
  GrowthOptions options;
  options.d = 48;
  options.predictedPower = predicted;
  options.contextPower = context;
  options.updates = 2000;
  options.seed = seed;
  ThreadPool pool(threads);
  const auto bench = benchGrowth(options, pool, [](const GrowthBench&, double) { return true; });
  REQUIRE(bench);
  return *bench;
}

}  // namespace

TEST_CASE("The bench of norms: (S56) holds, and the side with unequal variances dominates") {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const GrowthBench rows = benchOf(1, 0, seed), columns = benchOf(0, 1, seed), alike = benchOf(1, 1, seed);
    for (const GrowthBench* const one : {&rows, &columns, &alike}) {
      CHECK(one->worst < 5);
      CHECK(one->growth.rows2.sum() == Approx(one->growth.columns2.sum()));
      CHECK(one->points.back().updates == 2000);
    }
    CHECK(rows.points.back().directionality.q1 > 0);     // Proposition A.7, contrary to the theorem's claim
    CHECK(columns.points.back().directionality.q3 < 0);  // an anisotropic context
    CHECK(std::abs(alike.points.back().directionality.median) < 0.25);
    CHECK(rows.claim.worst > 0);
    CHECK_FALSE(rows.claim.from);
    CHECK(columns.claim.from);
  }
}

TEST_CASE("The bench of norms: the role of t* decides which side dominates") {
  ThreadPool pool(1);
  GrowthOptions options;
  options.d = 48;
  options.updates = 2000;
  const auto sideOf = [&](attention::TokenRole role, double early) {
    options.role = role;
    options.early = early;
    const auto bench = benchGrowth(options, pool, [](const GrowthBench&, double) { return true; });
    REQUIRE(bench);
    CHECK(bench->worst < 5);
    return bench->points.back().directionality;
  };
  using enum attention::TokenRole;
  CHECK(sideOf(Context, 1).q1 > 0);
  CHECK(sideOf(Predicted, 1).q3 < 0);
  CHECK(sideOf(Autoregressive, 2).q1 > 0);
  CHECK(sideOf(Autoregressive, -2).q3 < 0);
  CHECK(std::abs(sideOf(Bidirectional, 1).median) < 0.4);
}

TEST_CASE("The bench of norms: the range where (18) holds is computed from the two survival curves") {
  attention::NormGrowth growth;
  growth.moments.rowNorms = Eigen::Vector4d(1, 2, 3, 4);
  growth.moments.columnNorms = Eigen::Vector4d(0.5, 0.5, 4, 6);
  growth.rows = attention::survivalOf(growth.moments.rowNorms);
  growth.columns = attention::survivalOf(growth.moments.columnNorms);
  growth.rowVariance = 1.25;
  growth.columnVariance = 5.3125;
  const TailClaim claim = tailClaim(growth);
  const double mean = (2.5 + 2.75) / 2;
  CHECK(claim.gamma == Approx(std::pow(1.25 * 5.3125, 0.25) - mean));
  CHECK(claim.printed == Approx(std::sqrt(1.25 * 5.3125) - mean));
  CHECK(claim.worst == 0.5);  // above 0.5 are all rows and half of the columns
  REQUIRE(claim.from);
  CHECK(*claim.from == 2);  // above 2 are two rows and two columns; above 1 are three rows and two columns
}

TEST_CASE(
    "The bench of norms: it can be followed and cancelled, does not depend on threads, and refuses invalid options") {
  ThreadPool pool(1);
  GrowthOptions options;
  options.d = 16;
  options.updates = 400;
  std::vector<std::size_t> points;
  std::vector<double> shares;
  const auto bench = benchGrowth(options, pool, [&](const GrowthBench& now, double share) {
    points.push_back(now.points.size());
    shares.push_back(share);
    return true;
  });
  REQUIRE(bench);
  CHECK(points.front() == 0);  // the norms are reported first
  CHECK(points.back() == bench->points.size());
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  ThreadPool two(2);
  const auto again = benchGrowth(options, two, [](const GrowthBench&, double) { return true; });
  REQUIRE(again);
  for (std::size_t i = 0; i < bench->points.size(); ++i)
    CHECK(again->points[i].directionality.median == bench->points[i].directionality.median);
  const auto stopped = benchGrowth(options, pool, [](const GrowthBench&, double) { return false; });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
  for (const double mask : {0.0, 1.0}) {
    GrowthOptions none = options;
    none.mask = mask;
    CHECK_FALSE(benchGrowth(none, pool, [](const GrowthBench&, double) { return true; }));
  }
  options.d = 1;
  const auto refused = benchGrowth(options, pool, [](const GrowthBench&, double) { return true; });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::Usage);
}

}  // namespace sepx::studies::growth_bench_tests
