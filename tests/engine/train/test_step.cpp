// SPDX-License-Identifier: Apache-2.0
// A step as a function of its state: compared with slow arithmetic written here, and the same on any number of threads.
#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>

#include "engine/data/pairs.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/step_clock.h"
#include "tests/engine/train/small_runs.h"

using namespace sepx;
using namespace sepx::train;

namespace {

/// A run without a Trainer.
struct Bench {
  RunConfig config;
  std::unique_ptr<data::Source> source;
  ThreadPool pool;
  std::unique_ptr<Stepper> stepper;

  explicit Bench(RunConfig wanted, int threads = 1) : config(std::move(wanted)), pool(threads) {
    auto made = data::makeSource(config.data);
    REQUIRE(made);
    source = std::move(*made);
    const Result<void> fine = resolve(config, *source);
    INFO((fine ? "" : fine.error().message));
    REQUIRE(fine);
    stepper = std::make_unique<Stepper>(config, *source, pool);
    stepper->begin();
  }
  StepReport step() {
    const Result<StepReport> report = stepper->step(config.schedule.steps);
    REQUIRE(report);
    return *report;
  }
};

double largest(std::span<const float> a, std::span<const float> b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return most;
}

}  // namespace

TEST_CASE("Steps on one, two and three threads leave the same bits") {
  for (const RunConfig& config : {test::smallMarkov(), test::smallDiffusion()}) {
    Bench one(config, 1), two(config, 2), three(config, 3);
    for (int i = 0; i < 8; ++i) {
      const StepReport a = one.step(), b = two.step(), c = three.step();
      CHECK(a.loss == b.loss);
      CHECK(a.loss == c.loss);
      CHECK(a.gradientNorm == b.gradientNorm);
    }
    CHECK(one.stepper->validate() == two.stepper->validate());
    CHECK(one.stepper->state() == two.stepper->state());
    CHECK(one.stepper->state() == three.stepper->state());
  }
}

TEST_CASE("Another stepper continues from a state bit for bit") {
  for (const RunConfig& config : {test::smallMarkov(), test::smallDiffusion()}) {
    Bench whole(config), first(config), second(config);
    for (int i = 0; i < 5; ++i)
      first.step();
    second.step();  // its earlier steps have no effect
    second.stepper->load(first.stepper->state());
    for (int i = 0; i < 10; ++i)
      whole.step();
    for (int i = 0; i < 5; ++i)
      second.step();
    CHECK(whole.stepper->state() == second.stepper->state());
    CHECK(whole.stepper->made() == 10);
  }
}

TEST_CASE("Two accumulated batches of four make the step of one batch of eight") {
  RunConfig whole = test::smallMarkov();
  whole.optimisation.rule = {nn::Rule::Sgd, 0.1};
  RunConfig halves = whole;
  halves.schedule.batch = whole.schedule.batch / 2;
  halves.optimisation.accumulate = 2;
  Bench a(whole), b(halves);
  for (int i = 0; i < 10; ++i)
    CHECK(a.step().loss == Approx(b.step().loss).epsilon(1e-5));
  CHECK(largest(a.stepper->theta(), b.stepper->theta()) < 1e-5);
  CHECK(a.stepper->state().sequence == b.stepper->state().sequence);
  Bench untouched(whole);
  CHECK(largest(a.stepper->theta(), untouched.stepper->theta()) > 1e-3);
}

TEST_CASE("The length of a clipped step is given by the clip") {
  RunConfig config = test::smallMarkov();
  config.optimisation.rule = {nn::Rule::Sgd, 0.5};
  config.optimisation.clip = 1e-3;
  Bench bench(config);
  const TrainState before = bench.stepper->state();
  const StepReport report = bench.step();
  REQUIRE(report.gradientNorm > 1e-2);
  double square = 0;
  for (std::size_t i = 0; i < before.theta.size(); ++i)
    square += std::pow(static_cast<double>(bench.stepper->theta()[i]) - static_cast<double>(before.theta[i]), 2);
  CHECK(std::sqrt(square) == Approx(0.5 * 1e-3).epsilon(1e-3));
}

TEST_CASE("Weight decay of matrices only leaves biases and gains unchanged") {
  RunConfig plain = test::smallDiffusion();
  plain.optimisation.rule.weightDecay = 0;
  plain.optimisation.warmUp = 0;
  RunConfig decayed = plain;
  decayed.optimisation.rule.weightDecay = 0.5;
  Bench a(plain), b(decayed);
  const TrainState start = a.stepper->state();
  const double rate = a.step().rate;
  b.step();
  int matrices = 0, others = 0;
  for (const nn::Parameter& parameter : a.stepper->layout().all()) {
    INFO(parameter.name);
    const bool matrix = parameter.kind == nn::ParameterKind::Weight || parameter.kind == nn::ParameterKind::Embedding;
    (matrix ? matrices : others) += 1;
    for (std::size_t i = parameter.offset; i < parameter.offset + parameter.size(); ++i) {
      const double shrunk = matrix ? rate * 0.5 * static_cast<double>(start.theta[i]) : 0;
      REQUIRE(static_cast<double>(a.stepper->theta()[i]) - static_cast<double>(b.stepper->theta()[i]) ==
              Approx(shrunk).margin(2e-7));
    }
  }
  CHECK(matrices > 0);
  CHECK(others > 0);
}

TEST_CASE("The average follows the parameters with the warm-up of the public code") {
  Bench bench(test::smallDiffusion());
  std::vector<double> average(bench.stepper->theta().begin(), bench.stepper->theta().end());
  for (int n = 1; n <= 12; ++n) {
    bench.step();
    const double decay = std::min(0.999, (1.0 + n) / (10.0 + n));
    for (std::size_t i = 0; i < average.size(); ++i)
      average[i] = decay * average[i] + (1 - decay) * static_cast<double>(bench.stepper->theta()[i]);
  }
  const TrainState state = bench.stepper->state();
  REQUIRE(state.average.size() == average.size());
  for (std::size_t i = 0; i < average.size(); ++i)
    REQUIRE(static_cast<double>(state.average[i]) == Approx(average[i]).epsilon(1e-5).margin(1e-7));
  CHECK(largest(state.average, state.theta) > 1e-5);
  const MeanLoss now = bench.stepper->validate();
  const auto averaged = bench.stepper->validateAverage();
  REQUIRE(averaged);
  CHECK(averaged->value != now.value);
  CHECK(bench.stepper->state() == state);
  CHECK_FALSE(Bench(test::smallMarkov()).stepper->validateAverage());
}

TEST_CASE("A loss or gradient that is not finite changes nothing and gives a message") {
  RunConfig config = test::smallMarkov();
  config.optimisation.rule = {nn::Rule::Sgd, 1e30};
  Bench bench(config);
  for (int i = 0; i < 20; ++i) {
    const TrainState before = bench.stepper->state();
    const Result<StepReport> report = bench.stepper->step(100);
    if (report) continue;
    CHECK(report.error().kind == ErrorKind::CheckFailed);
    INFO(report.error().message);
    CHECK(report.error().message.find("optimisation.learning_rate") != std::string::npos);
    const TrainState after = bench.stepper->state();
    CHECK(after.step == before.step);
    CHECK(after.sequence == before.sequence);
    CHECK(std::memcmp(after.theta.data(), before.theta.data(), after.theta.size() * sizeof(float)) == 0);
    return;
  }
  FAIL("a learning rate of 1e30 diverges");
}

TEST_CASE("Validation always uses the same sequences") {
  Bench bench(test::smallDiffusion());
  const MeanLoss before = bench.stepper->validate();
  CHECK(bench.stepper->validate() == before);
  const TrainState start = bench.stepper->state();
  for (int i = 0; i < 3; ++i)
    bench.step();
  CHECK(bench.stepper->validate().value != before.value);
  bench.stepper->load(start);
  CHECK(bench.stepper->validate() == before);
}

TEST_CASE("The error of a mean loss is that of independent sequences") {
  // Without effective parameters the model predicts pi, and the loss of a sequence is the mean of its 15 terms -log pi.
  RunConfig config = test::smallMarkov();
  config.initial.scheme = nn::InitialScheme::Gaussian;
  config.initial.sigma = 0;
  config.data.p = 0.5, config.data.q = 0.5;
  config.schedule.evaluateSequences = 100;
  Bench bench(config);
  const MeanLoss mean = bench.stepper->validate();
  CHECK(mean.value == Approx(std::log(2.0)));
  CHECK(mean.error < 1e-6);
  config.initial.sigma = 0.5;
  Bench other(config);
  std::vector<double> parts;
  for (int i = 0; i < 10; ++i) {  // the spread of ten other samples, by another seed of the data
    RunConfig again = config;
    again.data.seed = 100 + static_cast<std::uint64_t>(i);
    parts.push_back(Bench(again).stepper->validate().value);
  }
  double average = 0, square = 0;
  for (const double part : parts)
    average += part / 10;
  for (const double part : parts)
    square += (part - average) * (part - average) / 9;
  const double error = other.stepper->validate().error;
  CHECK(error > std::sqrt(square) / 3);
  CHECK(error < std::sqrt(square) * 3);
}

TEST_CASE("A state with the optimiser memory of another rule resets that memory") {
  Bench adam(test::smallMarkov());
  adam.step();
  RunConfig config = test::smallMarkov();
  config.optimisation.rule = {nn::Rule::Sgd, 0.1};
  Bench sgd(config);
  sgd.stepper->load(adam.stepper->state());
  CHECK(sgd.stepper->state().first.empty());
  CHECK(sgd.stepper->state().second.empty());
  CHECK(sgd.stepper->made() == 1);
  sgd.step();
}

TEST_CASE("Values that only the data determine are filled in, and missing data are reported") {
  RunConfig config = test::smallDiffusion();
  auto source = data::makeSource(config.data);
  REQUIRE(source);
  REQUIRE(resolve(config, **source));
  CHECK(config.model.vocabulary == 54);
  CHECK(config.objective.maskToken == 53);
  config.model.vocabulary = 20;
  REQUIRE_FALSE(resolve(config, **source));
  CHECK(resolve(config, **source).error().message.find("model.vocabulary is 20; the data have 54") == 0);
}

TEST_CASE("A watched parameter that the model lacks is refused with the nearest name") {
  const nn::ParameterLayout layout(test::smallMarkov().model);
  RunConfig config = test::smallMarkov();
  CHECK(checkWatch(config, layout));
  config.schedule.watch = {"layers.0.attention.W_Q.weight", "layers.0.feed_forward.W1.weight"};
  const Result<void> refused = checkWatch(config, layout);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::Usage);
  CHECK(refused.error().message ==
        "schedule.watch: the model has no parameter \"layers.0.feed_forward.W1.weight\"; the nearest is "
        "layers.0.feed_forward.W_1.weight");
  config.schedule.watch.pop_back();
  CHECK(checkWatch(config, layout));
}

TEST_CASE("The reference lines of a loss are those of its objective") {
  RunConfig config = test::smallDiffusion();
  auto pairs = data::makeSource(config.data);
  REQUIRE(pairs);
  const std::vector<data::Bound> bounds = boundsOf(config, **pairs);
  REQUIRE_FALSE(bounds.empty());
  CHECK(bounds.back().name == "H(sequence)");
  CHECK(bounds.back().value == Approx(std::log(26.0 * 15)));  // letters times pairs of six places
  config.objective.kind = nn::ObjectiveKind::NextToken;
  REQUIRE(boundsOf(config, **pairs).size() == 1);
  CHECK(boundsOf(config, **pairs)[0].name == "H(x_{n+1} | x_1..x_n)");
  CHECK(boundsOf(config, **pairs)[0].value == Approx(data::pairNextEntropy(6)));
  config.objective.kind = nn::ObjectiveKind::Diffusion;
  config.objective.weighted = false;
  CHECK(boundsOf(config, **pairs).empty());
  config = test::smallMarkov();
  auto chain = data::makeSource(config.data);
  REQUIRE(chain);
  CHECK(boundsOf(config, **chain).size() == 2);
}

TEST_CASE("A run that needs more memory than available reports how much and which values to lower") {
  RunConfig config = test::smallMarkov();
  CHECK(checkMemory(config));
  const Result<void> small = checkMemory(config, 1000);
  REQUIRE_FALSE(small);
  CHECK(small.error().kind == ErrorKind::Usage);
  CHECK(small.error().message.find("schedule.batch") != std::string::npos);
  config.schedule.batch = 1 << 24;
  config.model.length = 1 << 20;
  CHECK_FALSE(checkMemory(config));
  // Activations are stored for some sequences at a time, but the batch itself is stored as a whole.
  config.schedule.batch = 1 << 20;
  config.model.length = 64;
  CHECK_FALSE(checkMemory(config, std::uint64_t{1} << 29));
}

TEST_CASE("A config with slow steps gives a warning before the first step") {
  RunConfig config = test::smallMarkov();
  CHECK(slowStep(config, 1).empty());
  config.model.length = 1 << 20;
  const std::string slow = slowStep(config, 1);
  CHECK(slow.find("model.length = 1048576") != std::string::npos);
  CHECK(slow.find("100 % of it is attention") != std::string::npos);
  CHECK(slow.find('\n') == std::string::npos);
  CHECK_FALSE(slow.empty());
  config.model.length = 16;
  CHECK(slowStep(config, 1).empty());
}

TEST_CASE("Random streams of different purposes and numbers differ") {
  CHECK(drawStream(1, Draw::Batch, 0).next64() != drawStream(1, Draw::Validation, 0).next64());
  CHECK(drawStream(1, Draw::Batch, 0).next64() != drawStream(1, Draw::Batch, 1).next64());
  CHECK(drawStream(1, Draw::Batch, 0).next64() != drawStream(2, Draw::Batch, 0).next64());
  CHECK(drawStream(1, Draw::Batch, 3).next64() == drawStream(1, Draw::Batch, 3).next64());
}

TEST_CASE("The remaining time is estimated from typical steps and ignores a single long step") {
  StepClock clock;
  CHECK_FALSE(clock.left(10));
  CHECK(clock.median() == 0);
  for (int i = 0; i < 100; ++i)
    clock.made(0.01);
  CHECK(clock.median() == Approx(0.01));
  CHECK(*clock.left(100) == Approx(1.0));
  clock.made(3600);  // as after a suspended computer
  CHECK(*clock.left(100) < 1.3);
  for (std::size_t i = 0; i < StepClock::kKept; ++i)
    clock.made(i % 10 == 9 ? 0.03 : 0.01);  // every tenth step evaluates
  CHECK(*clock.left(1000) == Approx(12).epsilon(0.02));
  CHECK(*clock.left(0) == 0);
}

TEST_CASE("Frozen parameters keep their bits under momentum and decay, and only the other parameters are clipped") {
  RunConfig config = test::smallDiffusion();
  config.optimisation.rule = {nn::Rule::AdamW, 0.01};
  config.optimisation.rule.weightDecay = 0.1;
  config.optimisation.clip = 1e-3;
  Bench free(config);
  for (int i = 0; i < 3; ++i)
    free.step();
  config.optimisation.frozen = {"routing"};
  Bench frozen(config);
  frozen.stepper->load(free.stepper->state());  // with the momenta of the frozen parameters
  const std::vector<float> before(free.stepper->theta().begin(), free.stepper->theta().end());
  const double whole = free.step().gradientNorm, part = frozen.step().gradientNorm;
  CHECK(part < whole);
  CHECK(part > 0);
  bool otherwise = false;
  for (const nn::Parameter& parameter : frozen.stepper->layout().all()) {
    INFO(parameter.name);
    const auto old = std::span(before).subspan(parameter.offset, parameter.size());
    const bool kept = std::ranges::equal(old, frozen.stepper->theta().subspan(parameter.offset, parameter.size()));
    const bool routing = parameter.role == nn::ParameterRole::Query || parameter.role == nn::ParameterRole::Key;
    if (routing) CHECK(kept);
    if (routing) CHECK(!std::ranges::equal(old, free.stepper->theta().subspan(parameter.offset, parameter.size())));
    if (parameter.role == nn::ParameterRole::Value && parameter.kind == nn::ParameterKind::Weight) CHECK(!kept);
    otherwise = otherwise || !kept;
  }
  CHECK(otherwise);
}

TEST_CASE("Parameters that cannot be frozen are refused before a run begins") {
  RunConfig config = test::smallDiffusion();
  config.model.vocabulary = data::kPairVocabulary;
  const nn::ParameterLayout layout(config.model);
  config.optimisation.frozen = {"storage", "routing"};
  CHECK(checkFrozen(config, layout));
  config.optimisation.frozen = {"storige"};
  CHECK(checkFrozen(config, layout).error().message ==
        "optimisation.frozen: there is no parameter and no group \"storige\"; the nearest is storage");
  config.optimisation.frozen.clear();
  for (const nn::Parameter& parameter : layout.all())
    config.optimisation.frozen.push_back(parameter.name);
  CHECK(checkFrozen(config, layout).error().message ==
        "optimisation.frozen names every parameter of the model; leave one to train");
}
