// SPDX-License-Identifier: Apache-2.0
// Table 3 of Attention-Structure: its published rows, a small run on generated images, and the checks.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/data/source_config.h"
#include "engine/studies/vision_study.h"

using namespace sepx;
using namespace sepx::studies;

TEST_CASE("vision study: the printed rows are listed, and the setup passes the checks of a run") {
  const auto rows = publishedVision();
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].accuracy == 0.90);
  CHECK(rows[1].symmetric);
  CHECK(rows[3].loss == 1.96);
  for (const bool generated : {false, true}) {
    train::RunConfig config = visionConfig(generated, true, 2);
    config.model.vocabulary = 10;
    const auto fits = train::check(config);
    INFO((fits ? "" : fits.error().message));
    CHECK(fits);
    CHECK(config.initial.queryKey == nn::QueryKeyStart::Symmetric);
  }
}

TEST_CASE("vision study: both starts learn the generated images, and the symmetric start begins with symmetry 1") {
  ThreadPool pool(2);
  for (const bool symmetric : {false, true}) {
    train::RunConfig config = visionConfig(true, symmetric, 0);
    config.schedule.steps = 120;
    config.schedule.evaluateSequences = 256;
    const auto source = data::makeSource(config.data);
    REQUIRE(source);
    double share = 0;
    const auto run = followVision(config, **source, 4, [&](double made) { share = made; });
    REQUIRE(run);
    REQUIRE(run->points.size() == 5);
    CHECK(run->failure.empty());
    CHECK(run->symmetric == symmetric);
    CHECK(share == 1);
    CHECK(std::isnan(run->points.front().trainLoss));
    CHECK(run->points.front().loss == Approx(std::log(8.0)).epsilon(0.2));
    CHECK(run->points.back().loss < run->points.front().loss - 0.2);
    CHECK(run->points.back().accuracy > run->points.front().accuracy);
    CHECK(run->points.front().symmetry == Approx(symmetric ? 1 : 0).margin(0.1));
  }
  const train::RunConfig config = visionConfig(true, false, 0);
  const auto source = data::makeSource(config.data);
  const auto left = followVision(config, **source, 4, {}, [] { return true; });
  REQUIRE_FALSE(left);
  CHECK(left.error().kind == ErrorKind::Interrupted);
}

TEST_CASE("vision study: the means over the seeds are judged") {
  VisionTable table;
  const auto add = [&](bool symmetric, std::uint64_t seed, double loss, double accuracy) {
    table.runs.push_back({symmetric, seed, {{0, NAN, 2.3, 0.1, 0}, {10, loss, loss, accuracy, 0.2}}, ""});
  };
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    add(false, seed, 1.5, 0.40 + 0.1 * static_cast<double>(seed));
    add(true, seed, 1.6, 0.42 + 0.1 * static_cast<double>(seed));
  }
  CHECK(table.mean(false, &VisionPoint::accuracy) == Approx(0.5));
  CHECK(table.passed());
  CHECK(table.checks().size() == 3);
  table.runs.back().points.back().accuracy = 0.1;
  CHECK_FALSE(table.passed());
  table.runs.back().failure = "diverged";
  CHECK(std::isnan(table.mean(true, &VisionPoint::loss)));
  CHECK_FALSE(table.passed());
  table.quick = true;
  CHECK(table.checks().empty());
}
