// SPDX-License-Identifier: Apache-2.0
// The figures that are trained: where a run ends, what a setting shows, the verdict, and that a run can be cancelled.
#include <atomic>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/studies/training_study.h"

using namespace sepx;
using studies::LossPoint;
using studies::TrainingEnd;
using studies::TrainingFigure;
using studies::TrainingRun;

TEST_CASE("Where a run ends is judged by its share of the gap, and a run that stopped has arrived nowhere") {
  TrainingRun run;
  run.unigram = 0.7;
  run.bigram = 0.6;
  const auto endAt = [&run](double loss) {
    run.curve = {LossPoint{0, 9}, LossPoint{10, loss}};
    return run.end();
  };
  CHECK(endAt(0.605) == TrainingEnd::Bigram);
  CHECK(endAt(0.595) == TrainingEnd::Bigram);
  CHECK(endAt(0.65) == TrainingEnd::Between);
  CHECK(endAt(0.695) == TrainingEnd::Unigram);
  CHECK(endAt(0.8) == TrainingEnd::Above);
  CHECK(endAt(std::nan("")) == TrainingEnd::Diverged);
  run.spectra = {{10, {20, 4, 20, 1}}};  // the last is not judged
  CHECK(run.rankOne());
  run.spectra = {{10, {20, 2.9, 20, 50}}};
  CHECK_FALSE(run.rankOne());
  run.failure = "the loss became nan";
  CHECK(endAt(0.6) == TrainingEnd::Diverged);
}

TEST_CASE("A run that diverges keeps its curve and its sentence") {
  auto setting = studies::trainingSettings(4, true)[1];
  setting.config.optimisation.rule.learningRate = 1e6;
  const auto run = studies::followTraining(setting, 2, 0, [](double) {});
  REQUIRE(run);
  CHECK(run->end() == TrainingEnd::Diverged);
  CHECK(run->failure.find("learning") != std::string::npos);
  CHECK_FALSE(run->curve.empty());
}

TEST_CASE("The verdict of figure 4 is one check for each judged run") {
  TrainingFigure figure;
  figure.settings = studies::trainingSettings(4, true);
  const auto run = [](std::size_t setting, int start, double loss) {
    TrainingRun made;
    made.setting = setting;
    made.start = start;
    made.unigram = 0.7;
    made.bigram = 0.6;
    made.curve = {LossPoint{10, loss}};
    return made;
  };
  figure.runs = {run(0, 0, 0.7), run(0, 1, 0.605), run(2, 0, 9)};
  CHECK(figure.checks().size() == 2);  // the third setting is not judged
  CHECK(figure.passed());
  CHECK(figure.agrees(figure.runs[0]) == true);
  CHECK_FALSE(figure.agrees(figure.runs[2]));
  figure.runs[1] = run(0, 1, 0.65);
  CHECK_FALSE(figure.passed());
  CHECK(figure.agrees(figure.runs[1]) == false);
  CHECK(figure.checks()[1].value == Approx(0.5));
  figure.runs[1] = run(0, 1, 0.6);
  figure.runs[1].failure = "the loss became nan";
  CHECK_FALSE(figure.passed());
}

TEST_CASE("The verdict of figures 3 and 6 is that some setting shows the claim by all its runs") {
  TrainingFigure figure;
  figure.figure = 3;
  figure.settings = studies::trainingSettings(3, true);
  figure.runs.resize(2);
  figure.runs[1].setting = 1;
  figure.runs[0].spectra = {{10, {2, 2, 2, 2}}};
  figure.runs[1].spectra = {{10, {4, 4, 4, 1}}};
  CHECK(figure.passed());
  CHECK_FALSE(figure.shows(0));
  CHECK(figure.shows(1));
  REQUIRE(figure.checks().size() == 1);
  CHECK(figure.checks()[0].value == 1);
  figure.runs[1].spectra = {{10, {4, 4, 2.9, 9}}};
  CHECK_FALSE(figure.passed());
}

TEST_CASE("Training for a figure is cancelled between two steps") {
  ThreadPool pool(2);
  std::atomic<int> reports = 0;
  const studies::Work work{pool, true, 0,
                           [&](double share) {
                             CHECK(share <= 1.0 + 1e-9);
                             ++reports;
                           },
                           [&] { return reports > 0; }};
  const auto figure = studies::computeTrainingFigure(3, work);
  REQUIRE_FALSE(figure);
  CHECK(figure.error().kind == ErrorKind::Interrupted);
  CHECK(reports <= 2);
}
