// SPDX-License-Identifier: Apache-2.0
// Trainers that share the threads of one machine.
#include <atomic>

#include "engine/train/trainer_budget.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

namespace {
bool never() {
  return false;
}
}  // namespace

TEST_CASE("Threads are divided among the trainers that train") {
  const auto budget = std::make_shared<TrainerBudget>(4);
  BudgetShare one(budget), two(budget), three(budget);
  CHECK(one.turn(never) == 4);
  CHECK(one.turn(never) == 4);
  // The second gets its part after the first has returned the threads above its own part.
  std::atomic<int> given{0};
  std::thread second([&] { given = two.turn(never); });
  while (one.turn(never) == 4)
    std::this_thread::sleep_for(milliseconds(1));
  second.join();
  CHECK(given == 2);
  CHECK(one.turn(never) == 2);
  one.rest();
  CHECK(two.turn(never) == 4);
  CHECK(three.turn([] { return true; }) == 0);  // no thread is free, and this caller does not wait
  three.rest();
  two.rest();
  CHECK(budget->most() == 4);
  CHECK(TrainerBudget(0).threads() >= 1);
}

TEST_CASE("More trainers than threads take turns, never compute on more threads than exist, and all progress") {
  const auto budget = std::make_shared<TrainerBudget>(2);
  std::atomic<int> computing{0}, most{0};
  std::atomic<bool> over{false};
  constexpr int kTrainers = 5;
  std::array<std::atomic<int>, kTrainers> rounds{};
  std::vector<std::thread> threads;
  for (int i = 0; i < kTrainers; ++i)
    threads.emplace_back([&, i] {
      BudgetShare share(budget);
      while (!over) {
        const int count = share.turn([&] { return over.load(); });
        if (count == 0) break;
        const int now = computing += count;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(milliseconds(2));
        computing -= count;
        ++rounds[static_cast<std::size_t>(i)];
      }
    });
  CHECK(tests::eventually([&] { return std::ranges::any_of(rounds, [](const auto& count) { return count >= 100; }); }));
  over = true;
  for (std::thread& thread : threads)
    thread.join();
  CHECK(most == 2);
  CHECK(budget->most() == 2);
  int least = 1 << 30, largest = 0;
  for (const auto& count : rounds) {
    least = std::min(least, count.load());
    largest = std::max(largest, count.load());
  }
  INFO(least << " to " << largest << " rounds");
  CHECK(least > 0);
  CHECK(2 * least > largest);
}

TEST_CASE("Trainers that share threads compute the numbers of a single trainer") {
  const RunFolder folder;
  finished(*started(smallDiffusion(), headless(in(folder, "alone"))));
  const auto budget = std::make_shared<TrainerBudget>(2);
  std::vector<std::unique_ptr<Trainer>> trainers;
  for (const char* name : {"a", "b", "c"}) {
    TrainerOptions options = headless(in(folder, name), 0);
    options.budget = budget;
    trainers.push_back(started(smallDiffusion(), options));
  }
  for (const auto& trainer : trainers)
    finished(*trainer);
  CHECK(budget->most() <= 2);
  for (const char* name : {"a", "b", "c"})
    requireSameRun(in(folder, "alone"), in(folder, name), 24);
}

TEST_CASE("A paused trainer gives its threads to the others, and a stop does not wait for a turn") {
  const auto budget = std::make_shared<TrainerBudget>(1);
  RunConfig config = smallMarkov();
  config.schedule.steps = 100'000'000;
  TrainerOptions options;
  options.budget = budget;
  const auto one = started(config, options);
  auto two = started(config, options);
  look(*one, [](const Snapshot& s) { return s.step > 20; });
  look(*two, [](const Snapshot& s) { return s.step > 20; });
  one->send({CommandKind::Pause, 0, {}});
  look(*one, [](const Snapshot& s) { return s.state == RunState::Paused; });
  BudgetShare third(budget);
  two->send({CommandKind::Pause, 0, {}});
  look(*two, [](const Snapshot& s) { return s.state == RunState::Paused; });
  CHECK(third.turn(never) == 1);  // both have returned their threads
  one->send({CommandKind::Continue, 0, {}});
  one->send({CommandKind::Stop, 0, {}});
  CHECK(one->waitFor(tests::kPatience));
  two.reset();
}
