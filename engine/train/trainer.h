// SPDX-License-Identifier: Apache-2.0
// A run that trains on its own thread. The frame path calls send(), refresh() and latest(); none of them waits. While a
// window makes a frame, a trainer in the background waits at its next layer boundary (engine/core/frame_gate.h).
// Everything reported is in the run store before it is shown. A step is a pure function of the state before it: the
// same seed gives the same metrics on any thread count of one CPU level, also across a kill and resume.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/run_config.h"
#include "engine/train/snapshot.h"
#include "engine/train/trainer_budget.h"

namespace sepx::train {

class ProcessGroup;

struct TrainerOptions {    ///< of a new trainer
  std::string folder;      ///< of the run; empty: nothing is kept (previews, tests)
  bool resume = false;     ///< from the newest checkpoint of the folder that is whole
  std::int64_t steps = 0;  ///< where the run ends; 0: as the config says, of a resume: as the run was told last
  int threads = 0;         ///< 0: one per core
  std::shared_ptr<TrainerBudget> budget{};  ///< of threads that trainers share; null: this one is alone
  bool background = true;                   ///< lets frames and other programs go first; false: headless
  bool paced = false;                       ///< makes steps within runSteps() only: scripts
  bool paused = false;                      ///< begins with a pause, before its first step
  std::string build;                        ///< of the program, for the run's record: "separatrix 0.1.0"
  /// Of the processes that train this run together, as rank 0 of which this trainer is; the others follow (follower.h).
  /// It is the trainer's thread that calls it, until the trainer is destroyed, which the group outlives. Null: alone.
  ProcessGroup* group = nullptr;
  /// Asked on the trainer's thread before something is kept; false: another program has the run now, and this trainer
  /// fails and writes nothing more. Empty: nobody else can have it.
  std::function<bool()> held;
  std::function<void()> wake;  ///< called from the trainer's thread after each publication; may be empty
};
/// What a person can ask of it.
enum class CommandKind { Pause, Continue, Step, Stop, SetRate, SetSteps, Save, Watch, StepsPerFrame };
struct Command {  ///< one request
  CommandKind kind = CommandKind::Pause;
  /// Step: how many, then a pause; SetRate: factor of the schedule; SetSteps: the new end; StepsPerFrame: steps between
  /// two refresh() (0: as many as there is time for; a window that looks away for 100 ms is not waited for).
  double number = 0;
  std::vector<std::string> names;  ///< Watch: parameters wanted in the snapshot
};

class Trainer {
 public:
  /// Checks the config and starts the thread, which reads the data and makes or opens the run's folder: what goes wrong
  /// there ends the run as Failed with its sentence.
  static Result<std::unique_ptr<Trainer>> start(const RunConfig& config, const TrainerOptions& options);
  /// A new run that begins as `run` stood at its saved step (weights, optimiser, generators), with another config where
  /// it says so (rates, schedule, data); its record names where it came from. The model must be the same.
  static Result<std::unique_ptr<Trainer>> branch(const std::string& run, std::int64_t step, const RunConfig& config,
                                                 const TrainerOptions& options);
  /// Stops at the end of the step, saves, joins.
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Frame thread. False when too many commands wait (64). They are obeyed between two steps; the last of a kind counts
  /// (Pause, Continue and Step are one kind, but steps add up), and a number outside its range changes nothing. A run
  /// that reached its end goes on when SetSteps moves it.
  bool send(Command command);
  bool refresh();
  const Snapshot& latest() const;

  /// Whether steps are made within runSteps() only, from now on; as TrainerOptions::paced.
  void setPaced(bool paced);
  /// Scripts: blocks until `steps` more steps are made, or the run is paused or ended.
  void runSteps(std::int64_t steps);
  /// Headless: blocks until the run ended or `time` passed; whether it ended.
  bool waitFor(std::chrono::milliseconds time);
  /// Headless: blocks until the run ended; the reason as a Result (Interrupted after Stop).
  Result<void> finish();

 private:
  struct Impl;
  explicit Trainer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// What Trainer::branch() refuses and can be known without a look at the data: a folder without checkpoints, a step
/// that is not saved, another model, an end that does not lie after the step. Reads a small file.
Result<void> checkBranch(const std::string& run, std::int64_t step, const RunConfig& config);
/// Of this, what concerns the model and the end: `theirs` is the model of the parent, `run` what it is called. Reads no
/// file.
Result<void> checkBranchModel(const std::string& run, nn::ModelConfig theirs, std::int64_t step,
                              const RunConfig& config);

}  // namespace sepx::train
