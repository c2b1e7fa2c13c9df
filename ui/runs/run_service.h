// SPDX-License-Identifier: Apache-2.0
// The worker thread for the runs of a window. It reads folders, follows folders that other programs write to, waits for
// trainers that end, and writes the marks of runs. Requests and reports go through lock-free ring buffers; the frame
// thread waits for it only in waitForReport(). Internal to ui/runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "engine/core/command_ring.h"
#include "engine/train/run_store.h"
#include "engine/train/trainer.h"
#include "ui/runs/run.h"

namespace sepx::ui {

/// Appends the values after the last step of each series.
void addSeries(SeriesMap& to, const std::vector<train::Series>& from);

inline constexpr std::int64_t kFromTheStart = std::numeric_limits<std::int64_t>::min();

/// The mark of a run (runs_kept.cpp) that is to be created or removed.
struct RunMark {
  std::string file;
  bool wanted = true;
};
/// Creates or removes the mark of the run in `folder`. Failures are ignored.
void keepMark(const RunMark& mark, const std::string& folder);

/// A request to the thread.
struct RunRequest {
  std::string folder;
  std::uint64_t number = 0;              ///< returned in the report
  std::unique_ptr<train::Trainer> ends;  ///< a trainer that stops and saves; the thread waits for it first
  bool lists = true;                     ///< read the lists of checkpoints and stored matrices
  bool record = true;
  bool used = false;                    ///< first note that the user uses the run now (train::noteUse)
  std::optional<std::int64_t> after{};  ///< read the metrics after this step
  /// Sets whether changes that other programs make there are reported from now on without a request.
  std::optional<bool> follow{};
  /// Instead of all that: starts (true) or ends (false) reports about any change in the runs of this folder.
  std::optional<bool> watch{};
  std::optional<RunMark> mark{};  ///< instead of all that
  bool removes = false;           ///< instead of all that: remove the folder
};

/// The contents of a folder as the thread has read them.
struct RunReport {
  std::string folder;
  std::uint64_t number = 0;  ///< of the request; 0: there was no request, another program wrote to the folder
  bool ended = false;        ///< the trainer of the request has ended
  std::string failure;       ///< why the folder cannot be read; the rest is then empty
  std::optional<train::RunRecord> record{};
  std::optional<train::RunConfig> config{};
  std::string configFailure;
  std::optional<std::int64_t> after{};  ///< `series` has the metrics after this step
  std::vector<train::Series> series;
  bool overview = false;  ///< `series` has only a few of many steps; `whole` comes later
  /// All series of a long run up to step `last`, assembled by the thread so that no frame waits for it.
  std::optional<SeriesMap> whole{};
  std::int64_t last = kFromTheStart;
  bool more = false;  ///< another report with this number follows
  bool listed = false;
  std::vector<std::int64_t> saved, stored;
  bool alive = false;   ///< a program trains the run
  bool news = false;    ///< something changed in a watched folder
  bool marked = false;  ///< the mark was created or removed, or the folder was removed; nothing of the run was read
};

class RunService {
 public:
  /// `wake`: called from the thread after each report. The thread starts with the first request.
  explicit RunService(std::function<void()> wake);
  /// Waits until all requests have been processed. Their reports are dropped.
  ~RunService();
  RunService(const RunService&) = delete;
  RunService& operator=(const RunService&) = delete;

  /// Frame thread. Adds a request and returns the number that its report will have.
  std::uint64_t ask(RunRequest request);
  /// Frame thread: the oldest report, or null.
  std::unique_ptr<RunReport> take();
  /// Frame thread: as take(), but waits for a report. For scripts, while a request is pending. Throws std::system_error
  /// if the system refuses the thread, because no report would come.
  std::unique_ptr<RunReport> waitForReport();
  /// Whether the system refuses to create the thread. Requests are kept, and ask() and take() try again.
  bool refused() const { return lastRequest_ > 0 && !thread_.joinable(); }

 private:
  using Clock = std::chrono::steady_clock;
  /// The last reported state of a folder whose changes are reported.
  struct Followed {
    std::int64_t step = kFromTheStart;
    std::string stamp, resumed;
    bool alive = false, lost = false;
    bool more = false;  ///< the next check continues from `step`
    Clock::time_point next{};
  };

  /// Metrics that are read in portions, so that other requests do not wait for a long run.
  struct Reading {
    RunRequest request;
    std::unique_ptr<train::RunReader> reader;
    std::int64_t last = kFromTheStart;
    std::optional<SeriesMap> whole{};  ///< used after an overview
    std::string stamp, resumed;        ///< at the start of the read
  };

  void submitOverflow();
  void begin();
  void run();
  void serve(RunRequest request);
  Result<void> read(const RunRequest& request, RunReport& answer);
  Result<void> readOverview(RunReport& answer, const train::RunReader& reader);
  void continueReading();
  void follow(const RunRequest& request, const std::string& stamp, const std::string& resumed, std::int64_t last);
  void poll();
  void look(const std::string& folder, Followed& at);
  Result<void> readChanges(Followed& at, RunReport& answer, const train::RunReader& reader);
  void checkLibrary();
  void report(std::unique_ptr<RunReport> what);
  std::optional<Clock::duration> pause() const;

  std::function<void()> wake_;
  std::uint64_t lastRequest_ = 0;
  std::deque<std::unique_ptr<RunRequest>> overflow_;  ///< frame thread: requests that did not fit into the ring buffer
  CommandRing<std::unique_ptr<RunRequest>, 64> requests_;
  CommandRing<std::unique_ptr<RunReport>, 64> reports_;
  std::counting_semaphore<> wakeSemaphore_{0};
  std::atomic<unsigned> reported_{0};
  std::atomic<bool> ending_{false};
  std::map<std::string, Followed> followed_;  ///< used by the thread alone, as are the next three
  std::string library_;                       ///< watched folder of runs; empty: none
  Followed libraryAt_;
  std::deque<Reading> readings_;
  std::thread thread_;
};

}  // namespace sepx::ui
