// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads train one run: the losses, parameters and validations are those of one process, for every
// objective and number of ranks. All ranks agree on errors, and a lost rank ends the run, which can resume with other
// ranks.
#include <array>
#include <atomic>
#include <thread>

#include <catch2/catch.hpp>

#include "engine/train/follower.h"
#include "engine/train/group_run.h"
#include "engine/train/step.h"
#include "engine/train/thread_group.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// Calls work(group) on a thread for each rank except 0, and on this thread for rank 0.
template <class Work>
void onRanks(int size, const Work& work) {
  auto members = makeThreadGroup(size);
  std::vector<std::thread> others;
  for (std::size_t rank = 1; rank < members.size(); ++rank)
    others.emplace_back([&work, member = std::move(members[rank])] { work(*member); });
  work(*members[0]);
  for (std::thread& one : others)
    one.join();
}

/// A run on `size` ranks with the config configOf(rank): its result on rank 0, and the errors of the other ranks.
struct Shared {
  Result<void> ended;
  std::vector<Result<void>> followed;
};
template <class ConfigOf>
Shared trainShared(int size, TrainerOptions options, const ConfigOf& configOf) {
  Shared shared;
  shared.followed.resize(static_cast<std::size_t>(size));
  onRanks(size, [&](ProcessGroup& group) {
    if (group.rank() > 0) {
      shared.followed[static_cast<std::size_t>(group.rank())] = follow(configOf(group.rank()), group, 1);
      return;
    }
    options.group = &group;
    auto trainer = Trainer::start(configOf(0), options);
    REQUIRE(trainer);
    shared.ended = (*trainer)->finish();
  });
  return shared;
}

/// Checks the largest difference of the numbers of two runs, relative to the number and its metric.
void checkSameNumbers(const Numbers& one, const Numbers& other, double tolerance) {
  REQUIRE(one.size() == other.size());
  for (const auto& [key, value] : one) {
    const auto found = other.find(key);
    REQUIRE(found != other.end());
    INFO(std::get<0>(key) << " layer " << std::get<1>(key) << " step " << std::get<3>(key));
    CHECK(found->second == Approx(value).epsilon(tolerance).margin(tolerance));
  }
}

RunConfig withObjective(nn::ObjectiveKind kind) {
  const nn::ObjectiveInfo& info = nn::objectiveInfo(kind);
  RunConfig config = info.classifies ? smallImages() : smallDiffusion();
  config.objective.kind = kind;
  config.model.causal = info.causal;
  config.optimisation.rule.rule = nn::Rule::Sgd;  // no division by small gradients, which would amplify rounding errors
  config.optimisation.rule.learningRate = 0.05;
  return config;
}

}  // namespace

TEST_CASE("A group of threads sums, broadcasts and agrees") {
  for (const int size : {1, 2, 5}) {
    onRanks(size, [size](ProcessGroup& group) {
      std::vector<double> values{1.0, static_cast<double>(group.rank())};
      std::vector<float> floats(3, 0.5F);
      const bool summed = group.sum(values) && group.sum(floats);
      const auto text = broadcastText(group, "of rank " + std::to_string(group.rank()), size - 1);
      const Result<void> fine = agree(group, {});
      const bool last = group.rank() == size - 1;
      const Result<void> wrong = agree(group, last ? fail(ErrorKind::BadInput, "no file") : Result<void>{});
      if (group.rank() != 0) return;
      CHECK(summed);
      CHECK(values == std::vector<double>{1.0 * size, size * (size - 1) / 2.0});
      CHECK(floats == std::vector<float>(3, 0.5F * static_cast<float>(size)));
      REQUIRE(text);
      CHECK(*text == "of rank " + std::to_string(size - 1));
      CHECK(fine);
      REQUIRE_FALSE(wrong);
      CHECK(wrong.error().kind == ErrorKind::BadInput);
      CHECK(wrong.error().message == (size == 1 ? "no file" : "rank " + std::to_string(size - 1) + ": no file"));
    });
  }
}

TEST_CASE("A lost rank ends the calls of the others, and a stop does not wait for it longer than specified") {
  auto members = makeThreadGroup(2);
  std::vector<double> values(1);
  members[0]->onStop([] { return true; }, milliseconds(20));
  const auto before = std::chrono::steady_clock::now();
  CHECK(members[0]->sum(values).error().kind == ErrorKind::Interrupted);
  CHECK(std::chrono::steady_clock::now() - before >= milliseconds(20));
  CHECK(members[0]->broken());
  CHECK_FALSE(members[0]->sum(values));
  auto others = makeThreadGroup(2);
  others[1].reset();
  CHECK_FALSE(others[0]->sum(values));
}

TEST_CASE("Ranks have the losses and the parameters of one process, for every objective") {
  for (std::size_t kind = 0; kind < nn::kObjectiveCount; ++kind) {
    const RunConfig config = withObjective(static_cast<nn::ObjectiveKind>(kind));
    INFO(nn::objectives()[kind].word);
    const RunFolder folder;
    REQUIRE(trainShared(1, headless(in(folder, "one")), [&](int) { return config; }).ended);
    finished(*started(config, headless(in(folder, "alone"))));
    const Numbers alone = numbers(in(folder, "alone"));
    CHECK(numbers(in(folder, "one")) == alone);  // one rank gives the same bits
    for (const int size : {2, 3, 11}) {          // 8 sequences: not divisible by 3, fewer than 11
      INFO(size << " ranks");
      const std::string run = in(folder, std::to_string(size));
      const Shared shared = trainShared(size, headless(run), [&](int) { return config; });
      INFO((shared.ended ? "" : shared.ended.error().message));
      REQUIRE(shared.ended);
      for (const Result<void>& one : shared.followed)
        CHECK(one);
      checkSameNumbers(alone, numbers(run), 2e-5);
    }
  }
}

TEST_CASE("Ranks share a batch without dropout by sequences, and the first gradients are those of one process") {
  RunConfig config = smallMarkov();
  config.schedule.batch = 7;
  config.schedule.gradientsEvery = 1;
  const RunFolder folder;
  finished(*started(config, headless(in(folder, "alone"))));
  const Numbers alone = numbers(in(folder, "alone"));
  for (const int size : {2, 3, 9}) {
    const std::string run = in(folder, std::to_string(size));
    REQUIRE(trainShared(size, headless(run), [&](int) { return config; }).ended);
    for (const auto& [key, value] : numbers(run)) {
      const auto& [name, layer, head, step] = key;
      if (name == "gradient_norm" && step == 1) CHECK(value == Approx(alone.at(key)).epsilon(1e-6));
      if (name == "loss") CHECK(value == Approx(alone.at(key)).epsilon(1e-5));
    }
  }
}

TEST_CASE("Ranks with another config or other data end with one message and leave no run") {
  const RunFolder folder;
  const auto other = [](int rank) {
    RunConfig config = smallMarkov();
    if (rank == 2) config.optimisation.rule.learningRate = 0.5;
    return config;
  };
  const std::string run = in(folder, "run");
  Shared shared = trainShared(3, headless(run), other);
  REQUIRE_FALSE(shared.ended);
  CHECK(shared.ended.error().kind == ErrorKind::Usage);
  CHECK(shared.ended.error().message.find("rank 2: its config has optimisation.learning_rate 0.5") == 0);
  CHECK_FALSE(std::filesystem::exists(run));
  for (const int rank : {1, 2}) {
    REQUIRE_FALSE(shared.followed[static_cast<std::size_t>(rank)]);
    CHECK(shared.followed[static_cast<std::size_t>(rank)].error().message == shared.ended.error().message);
  }
  // One rank cannot read its data.
  const auto without = [](int rank) {
    RunConfig config = smallMarkov();
    if (rank == 1) {
      config.data.kind = data::SourceKind::Text;
      config.data.path = "/nowhere/text.txt";
    }
    return config;
  };
  shared = trainShared(2, headless(run), without);
  REQUIRE_FALSE(shared.ended);
  CHECK(shared.ended.error().kind == ErrorKind::BadInput);
  CHECK(shared.ended.error().message.find("rank 1: /nowhere/text.txt") == 0);
  CHECK_FALSE(std::filesystem::exists(run));
}

TEST_CASE("A stop on one rank stops the run, which resumes with another number of ranks") {
  RunConfig config = smallMarkov();
  config.schedule.steps = 4000;
  const RunFolder folder;
  const std::string run = in(folder, "run");
  std::atomic<bool> stop{false};
  Result<void> ended, followed;
  onRanks(2, [&](ProcessGroup& group) {
    if (group.rank() > 0) {
      followed = follow(config, group, 1, [&stop] { return stop.load(); });
      return;
    }
    TrainerOptions options = headless(run);
    options.group = &group;
    auto trainer = Trainer::start(config, options);
    REQUIRE(trainer);
    look(**trainer, [](const Snapshot& now) { return now.step > 10; });
    stop = true;
    ended = (*trainer)->finish();
  });
  CHECK(followed);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().kind == ErrorKind::Interrupted);
  CHECK(ended.error().message.find("saved; --resume") != std::string::npos);
  const std::int64_t made = recordOf(run).step;
  CHECK(made > 10);
  REQUIRE(made < 3900);
  // Resumes from the same checkpoint with three ranks and with one process.
  const std::string alone = in(folder, "alone");
  std::filesystem::copy(run, alone, std::filesystem::copy_options::recursive);
  TrainerOptions again = headless(run);
  again.resume = true;
  again.steps = made + 60;
  REQUIRE(trainShared(3, again, [&](int) { return config; }).ended);
  again.folder = alone;
  finished(*started(config, again));
  const Numbers shared = numbers(run);
  checkSameNumbers(numbers(alone), shared, 1e-4);
  CHECK(shared.contains({"loss", -1, -1, made + 60}));
  const auto events = (*RunReader::open(run))->events();
  REQUIRE(events);
  std::vector<std::string> ranks;
  for (const RunEvent& event : *events)
    if (event.kind == "ranks") ranks.push_back(event.text);
  CHECK(ranks == std::vector<std::string>{"2", "3"});
}

TEST_CASE("If a rank ends, the run is saved and ends with a message") {
  RunConfig config = smallMarkov();
  config.schedule.steps = 100000;
  const RunFolder folder;
  const std::string run = in(folder, "run");
  auto members = makeThreadGroup(2);
  TrainerOptions options = headless(run);
  options.group = members[0].get();
  // The other rank takes part in 25 steps, then ends in the middle of a step.
  bool followed = false;
  std::thread other([&config, &followed, member = std::move(members[1])]() mutable {
    const auto source = std::move(*data::makeSource(config.data));
    ThreadPool pool(1);
    Stepper stepper(config, *source, pool);
    TrainState state;
    if (!compareRanks(*member, {}, config, source.get()) || !agree(*member, {}) || !shareState(*member, state)) return;
    stepper.load(std::move(state));
    stepper.share(*member);
    for (int step = 0; step < 25; ++step) {
      const auto order = shareOrder(*member);
      if (!order || !stepper.step(order->steps)) return;
    }
    followed = shareOrder(*member).has_value();
    member.reset();
  });
  auto trainer = started(config, options);
  const std::string sentence = failure(*trainer, ErrorKind::Interrupted);
  other.join();
  CHECK(followed);
  CHECK(sentence.find("stopped after step 25") != std::string::npos);
  CHECK(sentence.find("no longer answer") != std::string::npos);
  CHECK(savedSteps(run).back() == 25);
}

TEST_CASE("Ranks whose parameters or sequences have become different end the run at once") {
  onRanks(2, [](ProcessGroup& group) {
    PartOutcome mine;
    mine.loss = 0.5;
    std::vector<float> gradient(4, 1.0F);
    Result<double> loss = sumStep(group, mine, 3, gradient);
    const std::vector<float> summed = gradient;
    const std::array<int, 1> rank{group.rank()};
    mine.mark.add(std::as_bytes(std::span(rank)));
    const Result<double> apart = sumStep(group, mine, 4, gradient);
    mine = {};
    mine.cancelled = group.rank() == 1;
    const Result<double> cancelled = sumStep(group, mine, 5, gradient);
    if (group.rank() != 0) return;
    REQUIRE(loss);
    CHECK(*loss == 1.0);
    CHECK(summed == std::vector<float>(4, 2.0F));
    REQUIRE_FALSE(apart);
    CHECK(apart.error().kind == ErrorKind::CheckFailed);
    CHECK(apart.error().message.find("in step 4 rank 1 has different") == 0);
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().kind == ErrorKind::Interrupted);
  });
}
