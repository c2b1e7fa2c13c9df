// SPDX-License-Identifier: Apache-2.0
// The implementation of Trainer: the state that its two sides share, and the state of the trainer's thread only.
// Internal to engine/train. trainer.cpp has the caller's side, trainer_open.cpp the start of a run, trainer_impl.cpp
// its loop.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/core/command_ring.h"
#include "engine/core/exchange.h"
#include "engine/train/run_store.h"
#include "engine/train/step.h"
#include "engine/train/step_clock.h"
#include "engine/train/stop_rule.h"
#include "engine/train/trainer.h"

namespace sepx::train {

// Kinds of events in the run store that a resume reads.
inline constexpr std::string_view kDataEvent = "data";  ///< fingerprint of the data with which the run was started
inline constexpr std::string_view kRateEvent = "rate";  ///< the new factor, exactly
inline constexpr std::string_view kEndEvent = "steps";  ///< the new last step
// For people only.
inline constexpr std::string_view kRanksEvent = "ranks";  ///< how many processes train the run from here on

struct Trainer::Impl {
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kCommands = 64;

  struct Origin {
    std::string run;
    std::int64_t step = 0;
  };

  Impl(RunConfig wanted, TrainerOptions given, std::optional<Origin> from)
      : config(std::move(wanted)),
        options(std::move(given)),
        origin(std::move(from)),
        paced(options.paced),
        mode(options.paused ? Mode::Paused : Mode::Continuous),
        stopRule(config.schedule) {}
  ~Impl();
  /// Fails with Internal if the system does not give a thread.
  static Result<std::unique_ptr<Trainer>> begin(std::unique_ptr<Impl> impl);

  // Set before the thread starts, then used by the thread only.
  RunConfig config;
  TrainerOptions options;
  std::optional<Origin> origin;

  // Shared by the frame path and the trainer, without locks.
  CommandRing<Command, kCommands> commands;
  Exchange<Snapshot> exchange;
  std::atomic<int> bell{0};           ///< counts up at each command, stop and allowance
  std::atomic<bool> stopping{false};  ///< set by the destructor, or as soon as a Stop is sent
  std::atomic<std::uint64_t> framesRead{0};
  std::atomic<bool> paced;

  // Shared by callers that block and the trainer.
  std::mutex mutex;
  std::condition_variable changed;
  std::int64_t allowance = 0;   ///< steps that runSteps() waits for
  bool resting = false;         ///< the trainer waits for a command
  bool over = false;            ///< Finished, Stopped or Failed
  std::optional<Error> reason;  ///< of Stopped and Failed
  bool gone() const { return over && reason; }

  void ring();
  std::thread thread;

  // The trainer's thread only, from here on.
  void run();

  // The start of a run (trainer_open.cpp).
  Result<void> open();
  Result<void> prepare();
  Result<void> openFolder();
  void releaseGroup();
  Result<void> openNew();
  Result<void> openAgain();
  Result<void> openBranch();
  Result<void> checkSame(const RunRecord& record);
  Result<void> checkData(const RunReader& reader) const;
  Result<void> planChanges(const RunReader& reader, std::int64_t from);
  Result<void> recallLosses(const RunReader& reader, std::int64_t from);
  std::string stretch(std::int64_t from, std::int64_t before, std::int64_t after) const;
  void addNotice(const std::string& told);
  void noticeNoLock();
  Result<void> create();
  Result<void> recordStart();
  Result<std::int64_t> loadNewest(const RunRecord& record);
  RunRecord record() const;

  // The loop of a run (trainer_impl.cpp).
  enum class Mode { Continuous, Stepping, Paused };
  struct PendingCommands;  // the commands since the last step
  Result<void> loop();
  Result<void> takeCommands(bool& stop);
  Result<void> applyCommands(const PendingCommands& wanted);
  bool mayStep();
  bool waitForTurn(int rung);
  void useThreads(int count);
  void rest(int rung);
  void waitForFrame();
  Result<void> setRate(double factor);
  Result<void> setEnd(std::int64_t end);
  Result<void> repeatChange();
  Result<void> makeStep();
  Result<void> measure();
  Result<void> saveIfDue();
  Result<void> save(bool byTime);
  Result<void> flush();
  Result<void> enter(RunState next);
  Result<void> reachEnd();
  Result<void> stopRun();
  Result<void> checkSavedExists() const;
  void publish();
  void snapshotMatrices();
  void failWith(const Error& why);
  void finishAsFailed(Error why);
  void dropMatrices();
  bool whileReading(double done);
  void note(std::string_view name, std::int64_t step, double value);
  Result<void> recordEvent(std::string_view kind, const std::string& text);
  void setOver(bool ended, std::optional<Error> why);

  std::unique_ptr<data::Source> source;
  std::optional<BudgetShare> share;  ///< of options.budget
  int threads = 0;                   ///< of `pool`
  std::optional<ThreadPool> pool;
  std::unique_ptr<Stepper> stepper;
  bool sharedOut = false;             ///< the ranks of options.group wait for orders
  bool stoppedByRank = false;         ///< another rank was told to stop, or is gone
  std::unique_ptr<RunWriter> writer;  ///< null: nothing is saved
  std::vector<std::string> words;     ///< of the vocabulary, for checkpoints

  RunState state = RunState::Preparing;
  Mode mode;
  std::int64_t steps = 0;           ///< the last step
  std::int64_t requestedSteps = 0;  ///< steps left in Mode::Stepping
  StopRule stopRule;
  std::int64_t stepsPerFrame = 0, stepsSinceFrame = 0;
  std::uint64_t publishedFrame = 0;
  std::vector<std::string> watched;
  struct Change {
    std::optional<double> rate;
    std::optional<std::int64_t> end;
  };
  std::map<std::int64_t, Change> changes;  ///< by step: those made before a kill that are to be repeated

  Snapshot measured;            ///< the numbers of the last step
  Snapshot shown;               ///< the numbers of the next publication
  std::vector<Metric> pending;  ///< measured, not yet in the store
  std::vector<StoredMatrix> pendingMatrices;
  std::vector<Metric> recent;    ///< in the store, for the snapshot
  std::uint64_t recentFrom = 0;  ///< index of recent.front() among all metrics of this trainer
  std::int64_t savedStep = -1, timedSaveStep = -1;
  Clock::time_point lastShown{}, lastSave{};
  Clock::time_point nextSpectra{};  ///< when the spectra of the watched matrices are due
  StepClock clock;
};

}  // namespace sepx::train
