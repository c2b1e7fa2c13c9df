// SPDX-License-Identifier: Apache-2.0
// The rules that end a run before its last step: the rule alone, and a run that it ends and that resumes or continues.
#include <catch2/catch.hpp>

#include "engine/train/stop_rule.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

namespace {

Schedule patient(std::int64_t patience, double improvement = 0) {
  Schedule schedule;
  schedule.stopPatience = patience;
  schedule.stopImprovement = improvement;
  return schedule;
}

/// Its validation loss cannot fall by a nat, so it converges after `patience` steps.
RunConfig converging() {
  RunConfig config = smallMarkov();
  config.schedule.stopPatience = 20;
  config.schedule.stopImprovement = 1;
  return config;
}

}  // namespace

TEST_CASE("A rule that is not enabled never ends a run") {
  StopRule rule{Schedule{}};
  CHECK_FALSE(rule.watches());
  for (int step = 1; step < 100; ++step) {
    rule.loss(step, 1e6 * step);
    rule.validation(step, 1);
  }
  CHECK_FALSE(rule.converged());
  CHECK_FALSE(rule.diverged());
}

TEST_CASE("A run has converged when its best validation loss is as old as the patience") {
  StopRule rule(patient(100));
  rule.validation(0, 2.0);
  rule.validation(50, 1.5);
  rule.validation(100, 1.6);
  CHECK_FALSE(rule.converged());
  rule.validation(150, 1.5);  // an equal value is not an improvement
  REQUIRE(rule.converged());
  CHECK(rule.converged()->find("step 150") != std::string::npos);
  CHECK(rule.converged()->find("the 1.5 of step 50") != std::string::npos);
  rule.restart();
  CHECK_FALSE(rule.converged());
  rule.validation(200, 3.0);  // the first value of the new patience
  rule.validation(250, 3.0);
  CHECK_FALSE(rule.converged());
  rule.validation(300, 3.0);
  CHECK(rule.converged());
}

TEST_CASE("An earlier plateau does not end a run that has improved since") {
  Schedule schedule = patient(100);
  schedule.stopFactor = 2;
  StopRule rule(schedule);
  for (const std::int64_t step : {0, 100, 200})
    rule.validation(step, 2.0);
  CHECK(rule.converged());  // the run continued nevertheless, as with another rule
  rule.validation(300, 1.0);
  CHECK_FALSE(rule.converged());
  rule.validation(350, 1.0);
  CHECK_FALSE(rule.converged());
  rule.loss(1, 1);
  rule.loss(2, 5);
  CHECK(rule.diverged());
  rule.loss(3, 1);
  CHECK_FALSE(rule.diverged());
}

TEST_CASE("Small improvements count when they add up to the required improvement") {
  StopRule rule(patient(100, 0.1));
  rule.validation(0, 2.0);
  rule.validation(50, 1.95);
  rule.validation(90, 1.89);  // 0.11 below the best
  rule.validation(150, 1.85);
  CHECK_FALSE(rule.converged());
  rule.validation(190, 1.80);
  REQUIRE(rule.converged());
  CHECK(rule.converged()->find("more than 0.1 nats") != std::string::npos);
}

TEST_CASE("Training losses are compared by their means over the patience") {
  Schedule schedule = patient(4);
  schedule.stopLoss = StopLoss::Training;
  StopRule rule(schedule);
  rule.validation(0, 1);
  rule.validation(100, 1);  // validation losses have no effect
  const double losses[] = {4, 2, 4, 2, 3.9, 1.9, 3.9, 1.9, 1, 1, 6, 5};
  for (int i = 0; i < 11; ++i)
    rule.loss(i + 1, losses[i]);
  CHECK_FALSE(rule.converged());
  rule.loss(12, losses[11]);  // means 3, 2.9, 3.25
  REQUIRE(rule.converged());
  CHECK(rule.converged()->find("3.25") != std::string::npos);
}

TEST_CASE("A run has diverged when a loss exceeds its first loss by the given factor") {
  Schedule schedule;
  schedule.stopFactor = 2;
  StopRule rule(schedule);
  rule.loss(1, 1.5);
  rule.loss(2, 3.0);
  CHECK_FALSE(rule.diverged());
  rule.restart();  // the first loss stays the reference
  rule.loss(3, 3.001);
  REQUIRE(rule.diverged());
  CHECK(rule.diverged()->find("step 3") != std::string::npos);
}

TEST_CASE("A run that converges ends there and is saved, with the numbers of a run without the rule") {
  const RunFolder folder;
  const std::string run = in(folder, "run"), whole = in(folder, "whole");
  const auto trainer = started(converging(), headless(run));
  finished(*trainer);
  trainer->refresh();
  CHECK(trainer->latest().state == RunState::Finished);
  CHECK(trainer->latest().step == 20);
  CHECK(trainer->latest().steps == 40);
  const RunRecord record = recordOf(run);
  CHECK(record.state == RunState::Finished);
  CHECK(record.step == 20);
  CHECK(record.sentence == trainer->latest().sentence);
  CHECK(record.sentence.find("converged") == 0);
  CHECK(savedSteps(run) == std::vector<std::int64_t>{0, 10, 20});
  RunConfig plain = converging();
  plain.schedule.stopPatience = 0;
  finished(*started(plain, headless(whole)));
  const Numbers all = numbers(whole);
  for (const auto& [key, value] : numbers(run))
    CHECK(all.at(key) == value);
  CHECK(fileOf(run, 20, "state.safetensors") == fileOf(whole, 20, "state.safetensors"));
}

TEST_CASE("A stopped run converges at the same step after its resume, and a larger last step lets it continue") {
  const RunFolder folder;
  const RunConfig config = converging();
  const std::string whole = in(folder, "whole"), run = in(folder, "run");
  finished(*started(config, headless(whole)));
  TrainerOptions options = headless(run);
  options.paced = true;
  started(config, options)->runSteps(15);
  options.paced = false;
  options.resume = true;
  finished(*started(config, options));
  CHECK(recordOf(run).sentence == recordOf(whole).sentence);
  CHECK(numbers(run) == numbers(whole));
  finished(*started(config, options));  // it has still converged
  CHECK(recordOf(run).step == 20);
  CHECK(recordOf(run).sentence == recordOf(whole).sentence);

  TrainerOptions on = options;
  on.steps = 40;
  finished(*started(config, on));
  CHECK(recordOf(run).step == 40);
  CHECK(recordOf(run).sentence.empty());
  options.folder = whole;
  RunConfig other = config;
  other.schedule.stopPatience = 0;  // a resumed run may have another rule
  finished(*started(other, options));
  CHECK(recordOf(whole).step == 40);
  CHECK(numbers(run) == numbers(whole));
}

TEST_CASE("A converged run that a window continues gets the whole patience again") {
  const RunFolder folder;
  RunConfig config = converging();
  config.schedule.steps = 100;
  TrainerOptions options = headless(in(folder, "run"));
  const auto trainer = started(config, options);
  finished(*trainer);
  REQUIRE(trainer->send({CommandKind::SetSteps, 100, {}}));  // the step at which it would have ended without the rule
  look(*trainer, [](const Snapshot& now) { return now.state == RunState::Finished && now.step == 50; });
  CHECK(trainer->latest().sentence.find("step 50") != std::string::npos);
}

TEST_CASE("A run whose loss exceeds the factor ends as diverged and names its last good checkpoint") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.optimisation.rule = {nn::Rule::Sgd, 300};
  config.schedule.stopFactor = 1.5;
  const TrainerOptions options = headless(in(folder, "run"));
  const std::string sentence = failure(*started(config, options), ErrorKind::CheckFailed);
  INFO(sentence);
  CHECK(sentence.find("diverged: the loss of step") != std::string::npos);
  const std::int64_t good = savedSteps(options.folder).back();
  CHECK(sentence.find("the last good checkpoint is " + checkpointFolder(options.folder, good)) != std::string::npos);
  const RunRecord record = recordOf(options.folder);
  CHECK(record.state == RunState::Failed);
  CHECK(record.sentence == sentence);
  CHECK(good < record.step);
  // A resumed run gives the same result.
  TrainerOptions again = options;
  again.resume = true;
  CHECK(failure(*started(config, again), ErrorKind::CheckFailed) == sentence);
}

TEST_CASE("A stop rule that can never apply is refused") {
  RunConfig config = smallMarkov();
  config.schedule.stopPatience = 10;
  config.schedule.evaluateEvery = 0;
  REQUIRE_FALSE(check(config));
  CHECK(check(config).error().message.find("schedule.stop_patience is 10") == 0);
  config.schedule.stopLoss = StopLoss::Training;
  CHECK(check(config));
  config.schedule.stopFactor = 0.5;
  REQUIRE_FALSE(check(config));
  CHECK(check(config).error().message.find("schedule.stop_factor is 0.5") == 0);
}
