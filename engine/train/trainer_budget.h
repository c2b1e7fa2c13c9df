// SPDX-License-Identifier: Apache-2.0
// Threads that several trainers share: of c threads each of n trainers that train has max(1, c/n), and where n > c they
// take turns, those first that have computed least, so that never more than c threads compute. What a trainer computes
// is the same on any number of threads. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace sepx::train {

class BudgetShare;

class TrainerBudget {
 public:
  /// 0: one per core.
  explicit TrainerBudget(int threads = 0);
  int threads() const { return threads_; }
  /// Most threads that were given out at one time.
  int most() const;

 private:
  friend class BudgetShare;
  const int threads_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int free_, most_ = 0;
  int training_ = 0;  ///< shares that train
  std::vector<BudgetShare*> waiting_;
};

/// What one trainer has of it. For the trainer's thread.
class BudgetShare {
 public:
  explicit BudgetShare(std::shared_ptr<TrainerBudget> budget) : budget_(std::move(budget)) {}
  ~BudgetShare() { rest(); }
  BudgetShare(const BudgetShare&) = delete;
  BudgetShare& operator=(const BudgetShare&) = delete;

  /// Waits for a turn, or goes on with the present one while nobody waits for it. How many threads may compute; 0:
  /// `cancelled` said so (asked fifty times a second).
  int turn(const std::function<bool()>& cancelled);
  /// What sleeps for a moment gives its threads back.
  void giveBack();
  /// It does not train for a while: the others have its threads.
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  int part() const;  // with the lock held, as all that follow
  bool first() const;
  void release();

  std::shared_ptr<TrainerBudget> budget_;
  bool trains_ = false;
  int held_ = 0;
  double used_ = 0;  ///< seconds of one thread
  Clock::time_point since_{};
};

}  // namespace sepx::train
