// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trainer_budget.h"

#include <algorithm>
#include <thread>

namespace sepx::train {
namespace {

constexpr std::chrono::milliseconds kTurn{10};  // shorter turns would be spent on waking threads
constexpr std::chrono::milliseconds kAsk{20};

}  // namespace

TrainerBudget::TrainerBudget(int threads)
    : threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      free_(threads_) {}

int TrainerBudget::most() const {
  const std::lock_guard lock(mutex_);
  return most_;
}

int BudgetShare::part() const {
  return std::max(1, budget_->threads_ / std::max(1, budget_->training_));
}

bool BudgetShare::first() const {
  const auto& waiting = budget_->waiting_;  // in the order of arrival
  return *std::ranges::min_element(waiting, {}, &BudgetShare::used_) == this;
}

void BudgetShare::release() {
  if (held_ == 0) return;
  used_ += held_ * std::chrono::duration<double>(Clock::now() - since_).count();
  budget_->free_ += held_;
  held_ = 0;
  budget_->changed_.notify_all();
}

int BudgetShare::turn(const std::function<bool()>& cancelled) {
  TrainerBudget& all = *budget_;
  std::unique_lock lock(all.mutex_);
  const bool wanted = !all.waiting_.empty() && Clock::now() - since_ >= kTurn;
  if (held_ > 0 && held_ == part() && !wanted) return held_;
  release();
  if (!trains_) {
    trains_ = true;
    ++all.training_;
    // A share that returns from a rest does not take precedence over those that are waiting.
    if (!all.waiting_.empty())
      used_ = std::max(used_, (*std::ranges::min_element(all.waiting_, {}, &BudgetShare::used_))->used_);
  }
  all.waiting_.push_back(this);
  bool given = true;
  while (!(first() && all.free_ >= part())) {
    if (cancelled()) {
      given = false;
      break;
    }
    all.changed_.wait_for(lock, kAsk);
  }
  std::erase(all.waiting_, this);
  if (given) {
    held_ = part();
    all.free_ -= held_;
    all.most_ = std::max(all.most_, all.threads_ - all.free_);
    since_ = Clock::now();
  }
  all.changed_.notify_all();  // another share may be first now
  return held_;
}

void BudgetShare::giveBack() {
  const std::lock_guard lock(budget_->mutex_);
  release();
}

void BudgetShare::rest() {
  const std::lock_guard lock(budget_->mutex_);
  release();
  if (!trains_) return;
  trains_ = false;
  --budget_->training_;
  budget_->changed_.notify_all();
}

}  // namespace sepx::train
