// SPDX-License-Identifier: Apache-2.0
// The trained figures: the end of a run, the observations of a setting, the verdict and cancellation.
#include <atomic>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/studies/training_run.h"
#include "engine/studies/training_study.h"

using namespace sepx;
using studies::LossPoint;
using studies::TrainingEnd;
using studies::TrainingFigure;
using studies::TrainingRun;

TEST_CASE("The end of a run is judged by its share of the entropy gap, and a failed run counts as diverged") {
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
  run.spectra = {{10, {20, 4, 20, 1}}};  // the last matrix is not judged
  CHECK(run.rankOne());
  run.spectra = {{10, {20, 2.9, 20, 50}}};
  CHECK_FALSE(run.rankOne());
  run.failure = "the loss became nan";
  CHECK(endAt(0.6) == TrainingEnd::Diverged);
}

TEST_CASE("A run that diverges keeps its curve and its error message") {
  auto setting = studies::trainingSettings(4, true)[1];
  setting.config.optimisation.rule.learningRate = 1e6;
  const auto run = studies::followTraining(setting, 2, 0, [](double) {});
  REQUIRE(run);
  CHECK(run->end() == TrainingEnd::Diverged);
  CHECK(run->failure.find("learning") != std::string::npos);
  CHECK_FALSE(run->curve.empty());
}

TEST_CASE("Figure 4 has one check for each judged run, and a run that is not judged reports whether it is as claimed") {
  TrainingFigure figure;
  figure.settings = studies::trainingSettings(4, true);
  const auto run = [](std::size_t setting, int start, double loss) {
    TrainingRun made;
    made.setting = setting;
    made.start = start;
    made.seed = studies::kThresholdSeeds;
    made.unigram = 0.7;
    made.bigram = 0.6;
    made.curve = {LossPoint{10, loss}};
    return made;
  };
  figure.runs = {run(0, 0, 0.7), run(0, 1, 0.605), run(2, 0, 0.6)};
  CHECK(figure.checks().size() == 2);  // the third setting is not judged
  CHECK(figure.passed());
  CHECK(figure.asClaimed(figure.runs[0]) == true);
  CHECK(figure.asClaimed(figure.runs[2]) == false);  // a standard start that ends at the bigram entropy
  figure.quick = true;
  CHECK_FALSE(figure.asClaimed(figure.runs[2]));  // stopped long before the end
  figure.quick = false;
  figure.runs[1] = run(0, 1, 0.65);
  CHECK_FALSE(figure.passed());
  CHECK(figure.asClaimed(figure.runs[1]) == false);
  CHECK(figure.checks()[1].value == Approx(0.5));
  figure.runs[1].seed = 0;  // a seed that was used to choose the setting
  CHECK(figure.checks()[1].verdict() == studies::Verdict::NotJudged);
  CHECK(figure.passed());
  figure.runs[1] = run(0, 1, 0.6);
  figure.runs[1].failure = "the loss became nan";
  CHECK_FALSE(figure.passed());
}

TEST_CASE("Figures 3 and 6 judge each matrix of each run of the released setting, and report the printed setting") {
  TrainingFigure figure;
  figure.figure = 3;
  figure.settings = studies::trainingSettings(3, true);
  REQUIRE(figure.settings.size() == 7);  // with the two crossed settings and three other chains
  figure.runs.resize(7);
  for (std::size_t i = 0; i < figure.runs.size(); ++i) {
    figure.runs[i].setting = i;
    figure.runs[i].seed = studies::kThresholdSeeds;
    figure.runs[i].spectra = {{10, {2, 2, 2, 2, 2, 2}, {0.5, 0.5, 0.95}}};
  }
  CHECK(figure.settings[0].name == studies::kPrinted);
  figure.runs[1].spectra = {{10, {4, 4, 4, 1, 5, 2}, {0.95, 0.5, 0.95}}};
  CHECK(figure.passed());
  CHECK_FALSE(figure.shows(0));
  CHECK(figure.shows(1));
  CHECK(figure.checks().size() == studies::kJudged);
  // The printed setting; W_Q, W_K and the directions of the released setting; the three chains.
  const auto seen = figure.observations();
  REQUIRE(seen.size() == 3 + 2 + 3 + 3 * 3);
  CHECK_FALSE(seen[0].passed());
  CHECK((seen[3].passed() && !seen[4].passed()));
  CHECK((seen[5].passed() && !seen[6].passed() && seen[7].passed()));
  CHECK((seen[8].p == 0.5 && seen[8].q == 0.8 && !seen[8].passed()));
  figure.runs[0].spectra = figure.runs[1].spectra;  // it is not enough that another setting shows it
  figure.runs[1].spectra = {{10, {4, 4, 2.9, 9}}};
  CHECK(figure.observations()[0].passed());
  CHECK_FALSE(figure.passed());
  figure.figure = 6;  // the paper prints no setting for it
  CHECK(figure.observations().size() == 2);
}

TEST_CASE(
    "Crossed settings of figures 3 and 6 exchange one option, and settings of other chains differ only in the chain") {
  const int number = GENERATE(3, 6);
  const auto settings = studies::trainingSettings(number, false);
  REQUIRE(settings.size() == 7);
  for (std::size_t i = 4; i < settings.size(); ++i) {
    auto same = settings[i].config;
    same.data.p = settings[1].config.data.p;
    same.data.q = settings[1].config.data.q;
    CHECK(same == settings[1].config);
    CHECK_FALSE(same == settings[i].config);
    CHECK_FALSE(settings[i].judged);
  }
  const auto rule = [&](int i) { return settings[static_cast<std::size_t>(i)].config.optimisation.rule.rule; };
  const auto sigma = [&](int i) { return settings[static_cast<std::size_t>(i)].config.initial.sigma; };
  CHECK((rule(0) == nn::Rule::Sgd && sigma(0) == 0.001));
  CHECK((rule(1) == nn::Rule::AdamW && sigma(1) == 0.02));
  CHECK((rule(2) == rule(0) && sigma(2) == sigma(1)));
  CHECK((rule(3) == rule(1) && sigma(3) == sigma(0)));
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
