// SPDX-License-Identifier: Apache-2.0
// Shares c threads between several trainers. Each of the n trainers that are training has max(1, c/n) threads. If n > c
// they take turns, and the one that has computed least goes first, so that at most c threads compute at a time. The
// number of threads does not change what a trainer computes. Any thread.
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
  /// The largest number of threads in use at one time so far.
  int most() const;

 private:
  friend class BudgetShare;
  const int threads_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int free_, most_ = 0;
  int training_ = 0;  ///< shares that are training
  std::vector<BudgetShare*> waiting_;
};

/// The share of one trainer. Used by the trainer's thread.
class BudgetShare {
 public:
  explicit BudgetShare(std::shared_ptr<TrainerBudget> budget) : budget_(std::move(budget)) {}
  ~BudgetShare() { rest(); }
  BudgetShare(const BudgetShare&) = delete;
  BudgetShare& operator=(const BudgetShare&) = delete;

  /// Waits for a turn, or keeps the current one while no other share waits. Returns how many threads may compute, or 0
  /// if `cancelled` (called fifty times a second) returned true.
  int turn(const std::function<bool()>& cancelled);
  /// Gives the threads back before a short sleep.
  void giveBack();
  /// The trainer does not train for a while: its threads go to the others.
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  int part() const;  // called with the lock held, like all that follow
  bool first() const;
  void release();

  std::shared_ptr<TrainerBudget> budget_;
  bool trains_ = false;
  int held_ = 0;
  double used_ = 0;  ///< thread-seconds
  Clock::time_point since_{};
};

}  // namespace sepx::train
