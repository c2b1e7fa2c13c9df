// SPDX-License-Identifier: Apache-2.0
// The processes that train one run together, each on its part of every batch (group_run.h): ranks 0 to size() - 1. Rank
// 0 has the Trainer, the others run follow() (follower.h). All ranks make the same calls in the same order, and a call
// waits for the other ranks. Called by one thread at a time, and not on the frame path. Implemented within one process
// (thread_group.h) and over MPI (engine/mpi).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "engine/core/result.h"

namespace sepx::train {

class ProcessGroup {
 public:
  ProcessGroup() = default;
  virtual ~ProcessGroup() = default;
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  virtual int rank() const = 0;  ///< 0 is the leader
  virtual int size() const = 0;  ///< number of ranks

  /// Element-wise sum over all ranks, in place. Every rank passes the same number of values and receives the same bits.
  Result<void> sum(std::span<float> values);
  Result<void> sum(std::span<double> values);
  /// Copies from rank `root` to all. Every rank passes the same number of bytes.
  Result<void> broadcast(std::span<std::byte> bytes, int root = 0);

  /// `stop` is polled while a call waits, on the waiting thread. After it returns true the other ranks have `patience`
  /// to answer, then the call fails with Interrupted. So a program that ends a run on a signal does not hang on a rank
  /// that is gone.
  void onStop(std::function<bool()> stop, std::chrono::milliseconds patience);
  /// This rank leaves early: calls of the others fail if the implementation can notify them.
  void abandon();
  /// A call failed, or this rank has left. Further calls fail at once, and the values of the failed call are undefined.
  bool broken() const { return broken_; }

 protected:
  virtual Result<void> doSum(std::span<float> values) = 0;                     ///< over all ranks, in place
  virtual Result<void> doSum(std::span<double> values) = 0;                    ///< over all ranks, in place
  virtual Result<void> doBroadcast(std::span<std::byte> bytes, int root) = 0;  ///< from `root` to all ranks
  virtual void doAbandon() {}  ///< makes calls of the others fail at once
  /// For implementations while they wait: whether to give up, because `patience` has passed since `stop` first returned
  /// true.
  bool givesUp();

 private:
  template <class Call>
  Result<void> guarded(const Call& call);

  std::function<bool()> stop_;
  std::chrono::milliseconds patience_{0};
  std::chrono::steady_clock::time_point stopped_{};
  bool broken_ = false;
};

/// The error of a rank whose call was not answered.
Error noAnswer();

/// Success if every rank passes success. Otherwise every rank gets the error of the first rank that has one, with the
/// number of that rank if it is not rank 0.
Result<void> agree(ProcessGroup& group, const Result<void>& mine);
/// Returns the text of rank `root` on all ranks.
Result<std::string> broadcastText(ProcessGroup& group, const std::string& text, int root = 0);

}  // namespace sepx::train
