// SPDX-License-Identifier: Apache-2.0
// Long work that a person can watch and cancel. Every lane is one thread that runs the latest job started on it:
// starting a job on a lane cancels the one before (latest wins). The frame thread calls start, cancel, list and idle;
// none of them waits for a worker or takes a lock of ours (start allocates, and begins a thread on the first use of a
// lane). Results travel through an Exchange (exchange.h), never through the Job.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"

namespace sepx {

/// What the work sees of its job. Worker thread only.
class JobContext {
 public:
  virtual ~JobContext() = default;
  /// True as soon as the job was cancelled or replaced; the work returns at its next convenient place.
  virtual bool cancelled() const = 0;
  /// Share done, 0 to 1.
  virtual void progress(double share) = 0;
  /// Says that a result (also a coarse one) was put into its exchange; wakes the host's window.
  virtual void published() = 0;
};

enum class JobState { Queued, Running, Done, Cancelled, Failed };  ///< Done, Cancelled and Failed are ends

/// A snapshot of one job for the status bar and the list of jobs.
struct JobStatus {
  std::string lane;
  std::string name;  ///< for the person, already translated
  JobState state = JobState::Queued;
  double share = 0.0;                 ///< 0 to 1
  std::optional<double> secondsLeft;  ///< once it can be estimated
  std::string failure;                ///< sentence when Failed
};

struct JobRecord;

/// One job for whoever started it; an empty handle is that of a job that is done. Copies are of the same job, and may
/// outlive Jobs. Frame thread.
class JobHandle {
 public:
  JobHandle() = default;
  explicit JobHandle(std::shared_ptr<JobRecord> record) : record_(std::move(record)) {}
  JobState state() const;  ///< any thread
  /// It will publish nothing more; what it published before is there to be taken over.
  bool ended() const { return state() > JobState::Running; }
  double share() const;         ///< done so far, 0 to 1
  std::string failure() const;  ///< sentence when Failed
  void cancel() const;

 private:
  std::shared_ptr<JobRecord> record_;
};

/// All lanes of one Workbench. Owned by the frame thread; the destructor cancels and joins.
class Jobs {
 public:
  using Work = std::function<Result<void>(JobContext&)>;  ///< runs on a worker

  /// `wake` is called from worker threads after each publication and at each end (hosts post an event), and by start()
  /// for a job that fails there; may be empty.
  explicit Jobs(std::function<void()> wake = {});
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Starts `work` on `lane`, cancelling what runs there. Never waits for a worker and takes no lock of ours; it
  /// allocates the task, and a lane's first use starts its thread (some tens of microseconds).
  /// Where the system refuses that thread the job has Failed with noThread() (engine/core/resource_limits.h) when this
  /// returns; the next job of the lane asks for a thread again.
  JobHandle start(std::string_view lane, std::string name, Work work);
  /// The latest job of some lane failed because the system refused a thread.
  bool refused() const;
  void cancel(std::string_view lane);
  void cancelAll();  ///< takes no memory
  /// The latest job of every lane, in the order in which lanes were first used.
  std::vector<JobStatus> list() const;
  /// True when nothing is queued or running.
  bool idle() const;

  /// Scripts only: blocks until every job queued or running has published once more or ended (and wake was called for
  /// it), so that simulated time is the same on every machine. From the first call on jobs are paced: a job waits after
  /// each publication for the next call, so that no machine gets further than another in one frame. False: `seconds` of
  /// wall time passed before without any progress of the one waited for; the jobs go on, and the caller says so. Throws
  /// std::system_error where refused(): a script has no result without that job.
  bool runToPublication(double seconds = std::numeric_limits<double>::infinity());
  /// Ends pacing: the script is over and jobs run freely again.
  void runFree();
  /// Scripts, exports and the command line: blocks until idle and wake was called for every end.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx
