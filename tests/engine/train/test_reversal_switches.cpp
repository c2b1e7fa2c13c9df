// SPDX-License-Identifier: Apache-2.0
// The causal switches on models trained on forward pairs, over three seeds: the effect of freezing storage or routing
// in training, and the reverse answers with the attention of the forward query. d = 64, L = 5, RoPE; a run takes about
// a second.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <numeric>

#include "engine/reversal/switches.h"
#include "engine/train/run_store.h"
#include "engine/train/saved_model.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/trainer.h"
#include "tests/folders.h"
#include "tests/temporary_folder.h"

using namespace sepx;

namespace {

train::RunConfig smallRadd(std::uint64_t seed, std::vector<std::string> frozen = {}) {
  auto config = train::readRunConfig(tests::sourceFolder() + "/assets/configs/reversal-radd-rope.json");
  REQUIRE(config);
  config->seed = config->data.seed = seed;
  config->model.d_model = 64;
  config->model.d_ff = 256;
  config->model.length = 5;
  config->optimisation.rule.learningRate = 1e-3;
  config->optimisation.warmUp = 100;
  config->optimisation.frozen = std::move(frozen);
  config->schedule.steps = 1000;
  config->schedule.batch = 64;
  config->schedule.evaluateSequences = 260;
  return *config;
}

/// A run without files. Records its answers every 200 steps.
struct Followed {
  explicit Followed(const train::RunConfig& wanted) : config(wanted) {
    auto made = data::makeSource(config.data);
    REQUIRE(made);
    source = std::move(*made);
    REQUIRE(train::resolve(config, *source));
    stepper = std::make_unique<train::Stepper>(config, *source, pool);
    stepper->begin();
    while (stepper->made() < config.schedule.steps) {
      REQUIRE(stepper->step(config.schedule.steps));
      if (stepper->made() % 200 == 0) answers.push_back(*stepper->answer());
    }
  }
  /// Mean reverse accuracy at 600, 800 and 1,000 steps, because single values fluctuate.
  double reverse() const {
    return std::accumulate(answers.begin() + 2, answers.end(), 0.0,
                           [](double sum, const auto& one) { return sum + one.reverse.accuracy / 3; });
  }
  double forward() const { return answers.back().forward.accuracy; }
  reversal::AccuracyReport with(const reversal::Switches& switches) const {
    const auto pairs = reversal::allPairs(config.model.length);
    const auto report = reversal::measureSwitched(config.model, stepper->theta(), pairs, switches);
    REQUIRE(report);
    return **report;
  }

  train::RunConfig config;
  std::unique_ptr<data::Source> source;
  ThreadPool pool{2};
  std::unique_ptr<train::Stepper> stepper;
  std::vector<reversal::AccuracyReport> answers;
};

}  // namespace

TEST_CASE("With frozen storage a model does not learn, and with frozen routing it answers in reverse, on three seeds",
          "[reversal]") {
  double free = 0, routing = 0;
  for (const std::uint64_t seed : {0, 1, 2}) {
    const Followed plain(smallRadd(seed)), noStorage(smallRadd(seed, {"storage"})),
        noRouting(smallRadd(seed, {"routing"}));
    WARN("seed " << seed << ": forward/reverse " << plain.forward() << "/" << plain.reverse() << ", storage frozen "
                 << noStorage.forward() << "/" << noStorage.reverse() << ", routing frozen " << noRouting.forward()
                 << "/" << noRouting.reverse());
    CHECK(plain.forward() > 0.9);
    CHECK(noStorage.forward() < 0.4);
    CHECK(noStorage.reverse() < 0.3);
    CHECK(noRouting.forward() > 0.9);
    CHECK(noRouting.reverse() > 0.5);
    free += plain.reverse() / 3;
    routing += noRouting.reverse() / 3;

    // Under RoPE only the attention depends on the direction.
    reversal::Switches transplant, blind;
    transplant.transplant = true;
    blind.positions = nn::Positions::None;
    const reversal::AccuracyReport own = plain.with({}), exchanged = plain.with(transplant), none = plain.with(blind);
    CHECK(exchanged.reverse.accuracy == own.forward.accuracy);
    CHECK(exchanged.forward.accuracy == own.reverse.accuracy);
    CHECK(exchanged.reverse.accuracy > 0.9);
    CHECK(none.forward.accuracy == none.reverse.accuracy);
  }
  CHECK(routing > free + 0.05);  // queries and keys learn what lowers the reverse accuracy
}

TEST_CASE("A branch freezes parameters that its parent trained, and its record states it", "[reversal]") {
  const tests::TemporaryFolder folder;
  train::TrainerOptions options;
  options.background = false;
  train::RunConfig config = smallRadd(1);
  config.schedule.steps = 40;
  config.schedule.saveEvery = 20;
  options.folder = folder / "parent";
  REQUIRE((*train::Trainer::start(config, options))->finish());
  config.optimisation.frozen = {"routing"};
  options.folder = folder / "branch";
  REQUIRE((*train::Trainer::branch(folder / "parent", 20, config, options))->finish());

  const auto modelOf = [&](const std::string& run, std::int64_t step) {
    const auto place = train::findSaved(folder / run, step);
    REQUIRE(place);
    const auto saved = train::readSaved(*place, *train::savedConfig(*place));
    if (!saved) FAIL(saved.error().message);
    return *saved;
  };
  const train::SavedModel before = modelOf("parent", 20), after = modelOf("branch", 40), other = modelOf("parent", 40);
  CHECK(after.config.optimisation.frozen == std::vector<std::string>{"routing"});
  const nn::ParameterLayout layout(before.config.model);
  for (const nn::Parameter& parameter : layout.all()) {
    INFO(parameter.name);
    const auto of = [&](const train::SavedModel& model) {
      return std::span(model.theta).subspan(parameter.offset, parameter.size());
    };
    const bool routing = parameter.role == nn::ParameterRole::Query || parameter.role == nn::ParameterRole::Key;
    CHECK(std::ranges::equal(of(before), of(after)) == routing);
    CHECK(!std::ranges::equal(of(before), of(other)));
  }
}

TEST_CASE("The time of a run's answers is measured and reported", "[.][time]") {
  using Clock = std::chrono::steady_clock;
  for (const int length : {10, 20}) {
    auto config = train::readRunConfig(tests::sourceFolder() + "/assets/configs/reversal-radd-rope.json");
    REQUIRE(config);
    config->model.length = length;
    const auto source = data::makeSource(config->data);
    REQUIRE(train::resolve(*config, **source));
    ThreadPool pool{2};
    train::Stepper stepper(*config, **source, pool);
    stepper.begin();
    const auto seconds = [](auto&& work) {
      const Clock::time_point from = Clock::now();
      work();
      return std::chrono::duration<double>(Clock::now() - from).count();
    };
    for (int i = 0; i < 5; ++i)
      REQUIRE(stepper.step(3000));
    const double step = seconds([&] {
                          for (int i = 0; i < 20; ++i)
                            REQUIRE(stepper.step(3000));
                        }) /
                        20;
    const double validation = seconds([&] { stepper.validate(), stepper.validateAverage(); });
    const double answers = seconds([&] { stepper.answer(), stepper.answerAverage(); });
    WARN("L = " << length << ": a step " << 1e3 * step << " ms, both validations " << 1e3 * validation
                << " ms, both answers " << 1e3 * answers << " ms: " << 100 * answers / (100 * step)
                << " % of the time at one evaluation in 100 steps");
  }
}
