// SPDX-License-Identifier: Apache-2.0
// Long work that the user can watch and cancel. Every lane is one thread that runs the latest job started on it:
// starting a job on a lane cancels the previous one (latest wins). The frame thread calls start, cancel, list and idle.
// None of them waits for a worker or takes a lock of this program (start allocates, and starts a thread on the first
// use of a lane). Results are passed through an Exchange (exchange.h), never through the job.
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

/// The job as seen by its work. Worker thread only.
class JobContext {
 public:
  virtual ~JobContext() = default;
  /// Whether the job was cancelled or replaced. The work should then return as soon as convenient.
  virtual bool cancelled() const = 0;
  /// Reports the completed share, 0 to 1.
  virtual void progress(double share) = 0;
  /// Reports that a result, possibly a coarse one, was put into its exchange, and wakes the host's window.
  virtual void published() = 0;
};

enum class JobState { Queued, Running, Done, Cancelled, Failed };  ///< Done, Cancelled and Failed are final

/// A snapshot of one job for the status bar and the list of jobs.
struct JobStatus {
  std::string lane;
  std::string name;  ///< shown to the user, already translated
  JobState state = JobState::Queued;
  double share = 0.0;                 ///< 0 to 1
  std::optional<double> secondsLeft;  ///< empty until it can be estimated
  std::string failure;                ///< sentence when Failed
};

struct JobRecord;

/// A handle of a job for the code that started it. An empty handle behaves like a finished job. Copies refer to the
/// same job, and may outlive Jobs. Frame thread.
class JobHandle {
 public:
  JobHandle() = default;
  explicit JobHandle(std::shared_ptr<JobRecord> record) : record_(std::move(record)) {}
  JobState state() const;  ///< any thread
  /// The job will publish no more results; earlier ones are available in its exchange.
  bool ended() const { return state() > JobState::Running; }
  double share() const;         ///< completed share, 0 to 1
  std::string failure() const;  ///< sentence when Failed
  void cancel() const;

 private:
  std::shared_ptr<JobRecord> record_;
};

/// All lanes of one Workbench. Owned by the frame thread; the destructor cancels and joins.
class Jobs {
 public:
  using Work = std::function<Result<void>(JobContext&)>;  ///< runs on a worker thread

  /// `wake` is called from worker threads for each publication and at the end of each job (hosts post an event), and by
  /// start() for a job that fails there. It may be empty.
  explicit Jobs(std::function<void()> wake = {});
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Starts `work` on `lane` and cancels the job that runs there. Never waits for a worker and takes no lock of this
  /// program. It allocates the task, and the first use of a lane starts its thread (some tens of microseconds).
  /// If the system refuses the thread, the job has Failed with noThread() (engine/core/resource_limits.h) on return,
  /// and the next job of the lane tries again to start a thread.
  JobHandle start(std::string_view lane, std::string name, Work work);
  /// Whether the latest job of some lane failed because the system refused a thread.
  bool refused() const;
  void cancel(std::string_view lane);
  void cancelAll();  ///< does not allocate
  /// The latest job of every lane, in the order in which lanes were first used.
  std::vector<JobStatus> list() const;
  /// True if no job is queued or running.
  bool idle() const;

  /// For scripts: blocks until every queued or running job has published once more or ended (and wake was called for
  /// it), so that simulated time is the same on every machine. From the first call on, jobs are paced: after each
  /// publication a job waits for the next call, so that jobs proceed equally far per frame on every machine. Returns
  /// false if `seconds` of wall time passed without progress of the awaited job; the jobs then continue, and the caller
  /// reports it. Throws std::system_error if refused(), since a script has no result without that job.
  bool waitForPublications(double seconds = std::numeric_limits<double>::infinity());
  /// Ends pacing after a script; jobs run freely again.
  void runFree();
  /// For scripts, exports and the command line: blocks until idle() and until wake was called for every end.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx
