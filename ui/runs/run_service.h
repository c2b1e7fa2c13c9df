// SPDX-License-Identifier: Apache-2.0
// The thread of a window's runs: reads folders, follows those that other programs write, waits for trainers that end,
// and writes the marks of runs. Requests and reports go through rings without locks; the frame thread never waits for
// it but in waitForReport(). Internal to ui/runs.
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

/// Adds what lies beyond the end of each series.
void addSeries(SeriesMap& to, const std::vector<train::Series>& from);

inline constexpr std::int64_t kFromTheStart = std::numeric_limits<std::int64_t>::min();

/// The mark of a run (runs_kept.cpp), to be made or removed.
struct RunMark {
  std::string file;
  bool wanted = true;
};
/// Makes or removes it, for the run in `folder`. What fails is not said.
void keepMark(const RunMark& mark, const std::string& folder);

/// What is wanted of the thread.
struct RunRequest {
  std::string folder;
  std::uint64_t number = 0;              ///< comes back in the report
  std::unique_ptr<train::Trainer> ends;  ///< waited for first: it stops and saves
  bool lists = true;                     ///< checkpoints and stored matrices
  bool record = true;
  bool used = false;                    ///< first: a person uses the run now (train::noteUse)
  std::optional<std::int64_t> after{};  ///< metrics beyond this step
  /// From now on: whether what other programs write there is reported without being asked.
  std::optional<bool> follow{};
  /// In place of all that: from now on whether anything changes in the runs of this folder, or none any more.
  std::optional<bool> watch{};
  std::optional<RunMark> mark{};  ///< in place of all that
  bool removes = false;           ///< in place of all that: the folder is removed
};

/// What a folder said.
struct RunReport {
  std::string folder;
  std::uint64_t number = 0;  ///< 0: nobody asked, somebody else wrote
  bool ended = false;        ///< the trainer of the request is gone
  std::string failure;       ///< why it cannot be read; the rest is then empty
  std::optional<train::RunRecord> record{};
  std::optional<train::RunConfig> config{};
  std::string configFailure;
  std::optional<std::int64_t> after{};  ///< of `series`
  std::vector<train::Series> series;
  bool overview = false;  ///< `series` are a few steps of many; `whole` comes later
  /// Of a long run, put together where no frame waits for it, up to step `last`.
  std::optional<SeriesMap> whole{};
  std::int64_t last = kFromTheStart;
  bool more = false;  ///< another report of this number follows
  bool listed = false;
  std::vector<std::int64_t> saved, stored;
  bool alive = false;   ///< a program trains in it
  bool news = false;    ///< of a folder that is watched: something changed
  bool marked = false;  ///< the mark or the folder of the request is made or removed; nothing of the run was read
};

class RunService {
 public:
  /// `wake`: called from the thread after each report. The thread begins with the first request.
  explicit RunService(std::function<void()> wake);
  /// Waits for what has been asked for; what it says of that is dropped.
  ~RunService();
  RunService(const RunService&) = delete;
  RunService& operator=(const RunService&) = delete;

  /// Frame thread. The number that the report will carry.
  std::uint64_t ask(RunRequest request);
  /// Frame thread: the oldest report, or none.
  std::unique_ptr<RunReport> take();
  /// Frame thread: as take(), but waits until there is one. For scripts, while something was asked for. Throws the
  /// std::system_error of a thread that is refused: nothing would come.
  std::unique_ptr<RunReport> waitForReport();
  /// The system refuses the thread. What was asked for waits for it; ask() and take() try again.
  bool refused() const { return asked_ > 0 && !thread_.joinable(); }

 private:
  using Clock = std::chrono::steady_clock;
  /// A folder whose changes are reported: what was told of it last.
  struct Followed {
    std::int64_t step = kFromTheStart;
    std::string stamp, resumed;
    bool alive = false, lost = false;
    bool more = false;  ///< the next look goes on from `step`
    Clock::time_point next{};
  };

  /// Metrics that come in portions, so that others who ask need not wait for a long run.
  struct Reading {
    RunRequest request;
    std::unique_ptr<train::RunReader> reader;
    std::int64_t last = kFromTheStart;
    std::optional<SeriesMap> whole{};  ///< after an overview
    std::string stamp, resumed;        ///< when it began
  };

  void hand();
  void begin();
  void run();
  void serve(RunRequest request);
  Result<void> read(const RunRequest& request, RunReport& answer);
  Result<void> readOverview(RunReport& answer, const train::RunReader& reader);
  void readOn();
  void follow(const RunRequest& request, const std::string& stamp, const std::string& resumed, std::int64_t last);
  void poll();
  void look(const std::string& folder, Followed& at);
  Result<void> readNews(Followed& at, RunReport& answer, const train::RunReader& reader);
  void lookAtLibrary();
  void report(std::unique_ptr<RunReport> what);
  std::optional<Clock::duration> pause() const;

  std::function<void()> wake_;
  std::uint64_t asked_ = 0;
  std::deque<std::unique_ptr<RunRequest>> overflow_;  ///< frame thread: what the ring had no room for
  CommandRing<std::unique_ptr<RunRequest>, 64> requests_;
  CommandRing<std::unique_ptr<RunReport>, 64> reports_;
  std::counting_semaphore<> bell_{0};
  std::atomic<unsigned> reported_{0};
  std::atomic<bool> ending_{false};
  std::map<std::string, Followed> followed_;  ///< the thread's, as what follows
  std::string library_;                       ///< a folder of runs that is watched; empty: none
  Followed libraryAt_;
  std::deque<Reading> readings_;
  std::thread thread_;
};

}  // namespace sepx::ui
