// SPDX-License-Identifier: Apache-2.0
// Figures 3, S3, S4, S5 and Table 1 of Attention-Structure: the end of a plateau, the speed-up of Table 1, verdicts for
// given curves, and one real run.
#include <atomic>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/studies/emergence_run.h"
#include "engine/studies/emergence_study.h"

namespace sepx::studies::emergence_tests {
namespace {

EmergenceRun runOf(Trainee trainee, std::uint64_t seed, std::vector<LossPoint> curve, std::vector<ScorePoint> scores) {
  EmergenceRun run;
  run.trainee = trainee;
  run.seed = seed;
  run.curve = std::move(curve);
  run.scores = std::move(scores);
  return run;
}

ScorePoint pointAt(std::int64_t step, double symmetry, double directionality, double cv) {
  return {step, {symmetry, symmetry / 2}, {directionality, directionality}, {cv, cv}};
}

EmergenceStudy studyOfRuns(EmergenceId id, std::vector<EmergenceRun> runs) {
  EmergenceStudy study;
  study.id = id;
  study.sources = emergenceSources(id);
  study.runs = std::move(runs);
  return study;
}

const std::vector<LossPoint> kCurve{{0, 4}, {100, 3}, {500, 3}, {600, 2.95}, {700, 2.7}, {1000, 1}};

}  // namespace

TEST_CASE("A plateau ends at the first step with a quarter of the improvement of the free start") {
  const EmergenceRun free = runOf(Trainee::Encoder, 0, kCurve, {});  // a quarter of the way from 3 to 1 is 2.5
  CHECK(plateauEnd(free, free) == 1000);
  CHECK(plateauEnd(free, runOf(Trainee::SymmetricEncoder, 0, {{0, 4}, {50, 2}, {100, 3}, {400, 2.5}}, {})) == 400);
  CHECK(plateauEnd(free, runOf(Trainee::SymmetricEncoder, 0, {{0, 4}, {100, 3}, {1000, 2.6}}, {})) == -1);
}

TEST_CASE(
    "The speed-up of Table 1 is the share of steps left when the symmetric start reaches the free start's last loss") {
  const EmergenceRun free = runOf(Trainee::Encoder, 0, kCurve, {});
  CHECK(speedUp(free, runOf(Trainee::SymmetricEncoder, 0, {{0, 4}, {500, 1.5}, {750, 0.9}, {1000, 0.8}}, {})) == 0.25);
  CHECK(speedUp(free, runOf(Trainee::SymmetricEncoder, 0, {{0, 4}, {1000, 1.01}}, {})) == 0);
  CHECK(speedUp(free, free) == 0);
  CHECK(publishedLosses().size() == 9);
  // The printed values: the largest speed-up is that of 4 layers on Wikipedia, and one row has a higher loss.
  CHECK(publishedLosses()[1].speedUp == 0.73);
  CHECK(publishedLosses()[3].symmetricLoss > publishedLosses()[3].loss);
}

TEST_CASE("Figure 3 is judged by the symmetry of encoder and decoder and by the columns of the decoder") {
  const auto studyWith = [](double encoder, double decoder, double cv) {
    return studyOfRuns(EmergenceId::Figure3, {runOf(Trainee::Encoder, 3, kCurve, {pointAt(1000, encoder, 0.1, -0.1)}),
                                              runOf(Trainee::Decoder, 3, kCurve, {pointAt(1000, decoder, -0.3, cv)})});
  };
  CHECK(studyWith(0.8, 0.02, -0.7).checks().size() == 3);
  CHECK(studyWith(0.8, 0.02, -0.7).passed());
  CHECK_FALSE(studyWith(0.4, 0.02, -0.7).passed());
  CHECK_FALSE(studyWith(0.8, -0.2, -0.7).passed());
  CHECK_FALSE(studyWith(0.8, 0.02, -0.3).passed());
  const std::vector<Check> observed = studyWith(0.8, 0.02, -0.7).observations();
  REQUIRE(observed.size() == 9);
  CHECK(observed[0].value == Approx(0.585));  // the published median symmetry
  CHECK(observed[0].passed());
  CHECK(observed[1].value == Approx(-0.4));  // the published directionality
  CHECK(observed[1].passed());
  CHECK(std::string(observed[1].published.pattern) == "below 0");
  CHECK(observed[1].about.values == std::vector<std::string>{"characters", "3"});
  CHECK(observed[2].value == Approx(-0.4));  // the first layer is more symmetric in this example
  CHECK_FALSE(observed[2].passed());
  EmergenceStudy looked = studyWith(0.4, 0.02, -0.7);  // with a seed that set the bounds
  for (EmergenceRun& run : looked.runs)
    run.seed = 1;
  CHECK(countOf(looked.checks(), Verdict::NotJudged) == 3);
  CHECK(looked.passed());
  EmergenceStudy stopped = studyWith(0.8, 0.02, -0.7);
  stopped.runs[1].failure = "the loss became nan";
  CHECK_FALSE(stopped.passed());
}

TEST_CASE("Table 1 and figure S5 are judged by comparing two starts of the same seed") {
  const auto studyWith = [](EmergenceId id, std::vector<LossPoint> symmetric) {
    return studyOfRuns(id, {runOf(Trainee::Encoder, 4, kCurve, {pointAt(0, 0, 0, 0), pointAt(1000, 0.8, 0, 0)}),
                            runOf(Trainee::SymmetricEncoder, 4, std::move(symmetric),
                                  {pointAt(0, 2, 0, 0), pointAt(500, 0.6, 0, 0), pointAt(1000, 0.9, 0, 0)})});
  };
  const std::vector<LossPoint> earlier{{0, 4}, {100, 3}, {800, 2.5}, {1000, 1.2}}, later{{0, 4}, {100, 3}, {1000, 2.6}};
  CHECK(studyWith(EmergenceId::Table1, earlier).passed());
  CHECK_FALSE(studyWith(EmergenceId::Table1, later).passed());
  REQUIRE(studyWith(EmergenceId::Table1, earlier).checks().size() == 1);
  CHECK(studyWith(EmergenceId::Table1, earlier).checks()[0].value == -200);
  CHECK(studyWith(EmergenceId::FigureS5, earlier).passed());
  CHECK(studyWith(EmergenceId::FigureS5, earlier).checks().size() == 2);
  CHECK(studyWith(EmergenceId::FigureS5, earlier).observations().size() == 2);
  CHECK(studyWith(EmergenceId::Table1, earlier).observations()[0].value == Approx(0.2));
}

TEST_CASE(
    "A quick run is judged only after its encoder has left the plateau, and it is never compared with the paper") {
  const auto studyWith = [](std::vector<LossPoint> encoder) {
    EmergenceStudy study = studyOfRuns(EmergenceId::Figure3,
                                       {runOf(Trainee::Encoder, 3, std::move(encoder), {pointAt(1000, 0.2, 0.1, -0.1)}),
                                        runOf(Trainee::Decoder, 3, kCurve, {pointAt(1000, 0, -0.3, -0.7)})});
    study.quick = true;
    return study;
  };
  const EmergenceStudy plateau = studyWith({{0, 4}, {100, 3}, {1000, 2.9}}), learnt = studyWith(kCurve);
  CHECK_FALSE(hasLearnt(plateau.runs[0]));
  CHECK(hasLearnt(learnt.runs[0]));
  CHECK(countOf(plateau.checks(), Verdict::NotJudged) == plateau.checks().size());
  CHECK(plateau.passed());
  CHECK_FALSE(learnt.passed());
  for (const EmergenceStudy& study : {plateau, learnt})
    CHECK(countOf(study.observations(), Verdict::NotJudged) == study.observations().size());
  EmergenceStudy whole = studyWith({{0, 4}, {100, 3}, {1000, 2.9}});
  whole.quick = false;  // a full run that has not learnt fails
  CHECK_FALSE(whole.passed());
}

TEST_CASE("Figures 3 c and d: the layers of the decoder are compared with the paper's statements") {
  // Four layers, the second and third in the middle. s and d of each layer at the start, halfway and at the end.
  const auto runWith = [](Trainee trainee, std::vector<ScorePoint> scores) {
    for (ScorePoint& point : scores)
      point.rowColumnCv = {0, 0, 0, 0};
    EmergenceRun run = runOf(trainee, 3, kCurve, std::move(scores));
    run.source = 1;
    return run;
  };
  EmergenceStudy study =
      studyOfRuns(EmergenceId::Figure3,
                  {runWith(Trainee::Encoder, {{0, {0, 0, 0, 0}, {0, 0, 0, 0}, {}},
                                              {500, {0.1, 0.2, 0.4, 0.5}, {0, 0, 0, -0.1}, {}},
                                              {1000, {0.4, 0.5, 0.6, 0.8}, {0.1, 0, -0.1, -0.2}, {}}}),
                   runWith(Trainee::Decoder, {{0, {0, 0, 0, 0}, {0.02, 0.02, 0.02, 0.02}, {}},
                                              {500, {0.1, -0.3, -0.2, 0}, {-0.1, -0.2, -0.3, -0.4}, {}},
                                              {1000, {0.06, -0.3, -0.1, 0.02}, {-0.1, -0.3, -0.5, -0.7}, {}}})});
  CHECK(study.checks().empty());  // runs with four layers are reported and not judged
  const std::vector<Check> observed = study.observations();
  // Computed by hand: the median of four values is the mean of the middle two.
  const std::vector<double> expected{0.55 - (0.02 - 0.1) / 2,
                                     -0.4 - (-0.05),
                                     0.8 - 0.4,
                                     500 - 1000,
                                     0.1,  // (-0.2 + 0)/2 halfway
                                     -0.4 - 0.02,
                                     -0.7 + 0.1,
                                     -0.2 - 0.1,
                                     -0.7 + 0.2,
                                     (-0.3 - 0.1) / 2,
                                     -0.2 - 0.04};
  REQUIRE(observed.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO(observed[i].what.pattern);
    CHECK(observed[i].value == Approx(expected[i]).margin(1e-12));
    CHECK(observed[i].passed() == (i != 4));  // 0.1 is not below 0.1
    CHECK(observed[i].about.values.front() == "characters-4-layers");
  }
  // Figure S3 has only the first two observations, those about medians. Two layers have no middle.
  study.id = EmergenceId::FigureS3;
  CHECK(study.observations().size() == 2);
  CHECK(std::isnan(thirdsOf({0.5, 0.25}).middle));
  CHECK(thirdsOf({1, 2, 9, 4, 6}).middle == 5);
  CHECK(thirdsOf({1, 2, 9, 4, 6}).outer == 3.5);
  CHECK(halfSymmetry(study.runs[0], 3) == 500);
  CHECK(halfSymmetry(study.runs[1], 0) == -1);  // it ends at 0.06, after 0.1
}

TEST_CASE("The second source of Figure 3 has four layers, the others two") {
  const std::vector<EmergenceSource> sources = emergenceSources(EmergenceId::Figure3);
  REQUIRE(sources.size() == 2);
  CHECK(emergenceConfig(sources[0], Trainee::Decoder, 1, 10, 0.02).model.layers == 2);
  CHECK(emergenceConfig(sources[1], Trainee::Decoder, 1, 10, 0.02).model.layers == 4);
  CHECK_FALSE(sources[1].judged);
}

TEST_CASE("Every trainee can read every source, and the first source is judged") {
  using enum EmergenceId;
  for (const EmergenceId id : {Table1, Figure3, FigureS3, FigureS4, FigureS5}) {
    const std::vector<EmergenceSource> sources = emergenceSources(id);
    CHECK(sources.size() == (id == Figure3 ? 2 : id == FigureS5 ? 1 : 3));
    CHECK(sources.front().judged);
    for (const EmergenceSource& source : sources)
      CHECK(train::check(emergenceConfig(source, Trainee::Decoder, 1, 10, emergenceSigma(id))));
  }
  CHECK(emergenceSigma(Figure3) == 0.02);
  CHECK(emergenceSigma(FigureS5) == 0.05);
}

TEST_CASE("A run is followed to its end, and a symmetric start begins with symmetry 1") {
  const EmergenceSource source = emergenceSources(EmergenceId::Figure3).front();
  train::RunConfig config = emergenceConfig(source, Trainee::SymmetricEncoder, 2, 20, 0.05);
  config.data.sentences = 500;
  int reports = 0;
  const auto run = followEmergence(config, 4, [&](double share) {
    CHECK(share <= 1);
    ++reports;
  });
  REQUIRE(run);
  CHECK(run->seed == 2);
  CHECK(reports == 4);
  REQUIRE(run->curve.size() == 5);
  CHECK(run->curve.back().step == 20);
  CHECK(run->curve.back().loss < run->curve.front().loss);
  CHECK(run->scores.front().symmetry[0] == Approx(1));
  CHECK(run->scores.front().symmetry.size() == 2);
  CHECK(run->symmetry() < 1);
  config = emergenceConfig(source, Trainee::Encoder, 2, 20, 0.05);
  config.data.sentences = 500;
  const auto stopped = followEmergence(
      config, 4, [](double) {}, [] { return true; });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
}

}  // namespace sepx::studies::emergence_tests
