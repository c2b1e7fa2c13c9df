// SPDX-License-Identifier: Apache-2.0
// The processes that train one run together, each on its share of every batch (group_run.h): ranks 0, 1, ..., size()
// - 1. Rank 0 has the Trainer, the others follow (follower.h). All ranks make the same calls in the same order; a call
// waits for the others. One thread at a time calls; not the frame path. In one process: thread_group.h; over MPI:
// engine/mpi.
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

  virtual int rank() const = 0;  ///< 0 leads
  virtual int size() const = 0;  ///< how many there are

  /// Element by element over all ranks, in place; every rank passes as many and receives the same bits.
  Result<void> sum(std::span<float> values);
  Result<void> sum(std::span<double> values);
  /// From rank `root` to all; every rank passes as many.
  Result<void> broadcast(std::span<std::byte> bytes, int root = 0);

  /// `stop` is asked while a call waits, from the thread that waits. After it says yes the other ranks have `patience`
  /// to answer, then the call fails as Interrupted: whoever ends a run on a signal is not held by a rank that is gone.
  void onStop(std::function<bool()> stop, std::chrono::milliseconds patience);
  /// This rank leaves out of turn: calls of the others fail where the implementation can tell them.
  void abandon();
  /// A call failed, or this rank has left. Further calls fail at once, and the values of that call are worth nothing.
  bool broken() const { return broken_; }

 protected:
  virtual Result<void> doSum(std::span<float> values) = 0;                     ///< over all, in place
  virtual Result<void> doSum(std::span<double> values) = 0;                    ///< over all, in place
  virtual Result<void> doBroadcast(std::span<std::byte> bytes, int root) = 0;  ///< from `root` to all
  virtual void doAbandon() {}                                                  ///< lets others fail at once
  /// For implementations while they wait: whether to give up. The time since `stop` said yes counts.
  bool givesUp();

 private:
  template <class Call>
  Result<void> guarded(const Call& call);

  std::function<bool()> stop_;
  std::chrono::milliseconds patience_{0};
  std::chrono::steady_clock::time_point stopped_{};
  bool broken_ = false;
};

/// What a rank that waited in vain says.
Error noAnswer();

/// Success where every rank passes success; otherwise every rank gets the error of the first rank that has one, with
/// the number of that rank where it is not rank 0.
Result<void> agree(ProcessGroup& group, const Result<void>& mine);
/// Rank `root`'s text on all ranks.
Result<std::string> broadcastText(ProcessGroup& group, const std::string& text, int root = 0);

}  // namespace sepx::train
