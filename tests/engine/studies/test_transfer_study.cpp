// SPDX-License-Identifier: Apache-2.0
// Figures 3 and 5 of Reversal: the trained config is the shipped one, the measurements are those of the given model,
// and the numbers are judged as specified.
#include <catch2/catch.hpp>

#include "engine/nn/initialise.h"
#include "engine/studies/transfer_study.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::studies;

namespace {

/// A run of a seed on which no threshold was chosen.
TransferRun oneRun(double cosine, double correlation, double reverseAtEnd, double forward = 0.9) {
  TransferRun run;
  run.seed = kThresholdSeeds;
  for (const double reverse : {0.02, reverseAtEnd}) {
    TransferPoint point;
    point.step = run.points.empty() ? 0 : 100;
    point.alignment.all = {cosine, 1, 1};
    point.forward = forward;
    point.reverse = reverse;
    run.points.push_back(point);
  }
  run.end.whole = correlation;
  run.end.mean = {0.8, correlation - 0.3};
  return run;
}

}  // namespace

TEST_CASE("transfer study: it trains assets/configs/reversal-radd-rope.json") {
  const auto shipped = train::readRunConfig(tests::sourceFolder() + "/assets/configs/reversal-radd-rope.json");
  REQUIRE(shipped);
  train::RunConfig ours = transferConfig(10, 0, 3000, 256);
  ours.model.d_ff = ours.model.ff();  // four times the width, which the file states
  CHECK(ours.model == shipped->model);
  CHECK(ours.objective == shipped->objective);
  CHECK(ours.initial == shipped->initial);
  CHECK(ours.data == shipped->data);
  train::Optimisation optimisation = shipped->optimisation;
  optimisation.ema = 0;  // the figures show the raw parameters
  CHECK(ours.optimisation == optimisation);
  CHECK(ours.schedule.steps == shipped->schedule.steps);
  CHECK(ours.schedule.batch == shipped->schedule.batch);
}

TEST_CASE("transfer study: a short run has points, correlations and cosines, which the seed determines") {
  train::RunConfig config = transferConfig(4, 3, 6, 8);
  config.model.d_model = 16;
  int made = 0;
  const auto run = followTransfer(config, 3, [&](double) { ++made; });
  REQUIRE(run);
  CHECK(made == 3);
  CHECK(run->length == 4);
  REQUIRE(run->points.size() == 4);
  CHECK(run->points.back().step == 6);
  CHECK(run->end.sums() == 5);
  for (const TransferPoint& point : run->points) {
    CHECK(std::abs(point.alignment.all.cosine()) <= 1 + 1e-9);
    CHECK(std::isfinite(point.single));
    CHECK(point.forward > 0);
    CHECK(point.forward < 1);
    CHECK(std::isfinite(point.correlation));
  }
  CHECK(run->points.back().correlation == run->end.whole);
  CHECK(run->points.front().correlation == run->start.whole);
  CHECK(run->end.whole != run->start.whole);
  const auto again = followTransfer(config, 3, [](double) {});
  REQUIRE(again);
  CHECK(again->points.back().alignment.all.cosine() == run->points.back().alignment.all.cosine());
  const auto cancelled = followTransfer(
      config, 3, [](double) {}, [] { return true; });
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::Interrupted);
}

TEST_CASE("transfer study: checks are judged and observations are reported") {
  TransferFigure figure;
  figure.runs = {oneRun(0.5, 0.4, 0.3)};
  CHECK(figure.passed());
  REQUIRE(figure.observations().size() == 4);
  CHECK(figure.observations()[0].passed());
  CHECK(figure.observations()[1].passed());        // 0.1 is positive
  CHECK_FALSE(figure.observations()[2].passed());  // 0.5 is not above 0.6
  CHECK(figure.observations()[3].passed());
  figure.runs = {oneRun(-0.1, 0.4, 0.3)};
  CHECK_FALSE(figure.passed());
  figure.runs = {oneRun(0.5, -0.1, 0.01)};
  CHECK(figure.passed());  // the correlation is only reported
  for (const std::size_t which : {0, 1, 3})
    CHECK_FALSE(figure.observations()[which].passed());
  figure.runs = {oneRun(0.5, 0.4, 0.3)};
  figure.runs.front().failure = "the loss is not finite";
  CHECK_FALSE(figure.passed());
  figure.number = 5;  // the paper prints no number for its cosine
  CHECK(figure.observations().size() == 3);
}

TEST_CASE("transfer study: untrained models, quick runs and seeds that set thresholds are not judged") {
  TransferFigure figure;
  figure.runs = {oneRun(1, 0.4, 0.002, 0.002)};  // still on the plateau, where both gradients are alike
  CHECK(countOf(figure.checks(), Verdict::NotJudged) == 1);
  CHECK(countOf(figure.observations(), Verdict::NotJudged) == 4);
  figure.runs.push_back(oneRun(0.5, 0.4, 0.3));
  CHECK(countOf(figure.checks(), Verdict::Holds) == 1);
  figure.runs.back().seed = 0;
  CHECK(countOf(figure.checks(), Verdict::NotJudged) == 2);
  CHECK(countOf(figure.observations(), Verdict::NotJudged) == 4);  // the paper's statements are compared on every seed
  figure.quick = true;
  CHECK(countOf(figure.observations(), Verdict::NotJudged) == 8);  // the paper has no such setting
  figure.runs = {oneRun(-0.2, 0.4, 0.3)};
  CHECK(countOf(figure.checks(), Verdict::Fails) == 1);  // learnt, so it is judged
}
