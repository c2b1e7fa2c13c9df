// SPDX-License-Identifier: Apache-2.0
// Trains a run on its own thread. The frame path calls send(), refresh() and latest(), which never block. While a
// window draws a frame, a trainer in the background waits at its next layer boundary (engine/core/frame_gate.h).
// Everything reported is in the run store before it is shown. A step is a pure function of the previous state: the same
// seed gives the same metrics for any number of threads on one CPU level, also across a kill and resume.
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

struct TrainerOptions {                     ///< of a new trainer
  std::string folder;                       ///< of the run; empty: nothing is saved (previews, tests)
  bool resume = false;                      ///< from the newest complete checkpoint in the folder
  std::int64_t steps = 0;                   ///< the last step; 0: that of the config, for a resume the last one set
  int threads = 0;                          ///< 0: one per core
  std::shared_ptr<TrainerBudget> budget{};  ///< threads that several trainers share; null: not shared
  bool background = true;                   ///< lets frames and other programs go first; false: headless
  bool paced = false;                       ///< makes steps only within runSteps(), for scripts
  bool paused = false;                      ///< starts paused, before its first step
  std::string build;                        ///< of the program, for the run's record: "separatrix 0.1.0"
  /// The processes that train this run together: this trainer is rank 0, the others run follow() (follower.h). Only the
  /// trainer's thread calls the group, which must outlive the trainer. Null: a single process.
  ProcessGroup* group = nullptr;
  /// Called on the trainer's thread before something is saved. If it returns false, another program has the run now,
  /// and this trainer fails and writes nothing more. Empty: no other program can have it.
  std::function<bool()> held;
  std::function<void()> wake;  ///< called from the trainer's thread after each publication; may be empty
};
/// The commands for a trainer.
enum class CommandKind { Pause, Continue, Step, Stop, SetRate, SetSteps, Save, Watch, StepsPerFrame };
struct Command {  ///< one command
  CommandKind kind = CommandKind::Pause;
  /// Step: number of steps, then a pause; SetRate: factor on the schedule; SetSteps: the new last step; StepsPerFrame:
  /// steps between two calls of refresh() (0: no limit; the trainer waits for a call at most 100 ms).
  double number = 0;
  std::vector<std::string> names;  ///< Watch: parameters to include in the snapshot
};

class Trainer {
 public:
  /// Checks the config and starts the thread, which reads the data and creates or opens the run's folder. An error on
  /// the thread ends the run as Failed with its message.
  static Result<std::unique_ptr<Trainer>> start(const RunConfig& config, const TrainerOptions& options);
  /// Starts a new run from a saved step of `run` (weights, optimiser, generators). `config` may differ from that of
  /// `run` in rates, schedule and data, but the model must be the same. The record of the new run names its origin.
  static Result<std::unique_ptr<Trainer>> branch(const std::string& run, std::int64_t step, const RunConfig& config,
                                                 const TrainerOptions& options);
  /// Stops the run (a step in progress may be abandoned), saves, joins the thread.
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Frame thread. False if too many commands are waiting (64). Commands are applied between two steps. The last of a
  /// kind counts (Pause, Continue and Step are one kind, but steps add up), and a number out of range changes nothing.
  /// A run that has reached its end continues if SetSteps moves the end.
  bool send(Command command);
  bool refresh();
  const Snapshot& latest() const;

  /// Whether steps are made only within runSteps() from now on; as TrainerOptions::paced.
  void setPaced(bool paced);
  /// For scripts: blocks until `steps` more steps are made, or the run is paused or has ended.
  void runSteps(std::int64_t steps);
  /// For headless use: blocks until the run has ended or `time` has passed. Returns whether it has ended.
  bool waitFor(std::chrono::milliseconds time);
  /// For headless use: blocks until the run has ended. Returns the reason as a Result (Interrupted after Stop).
  Result<void> finish();

 private:
  struct Impl;
  explicit Trainer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Checks what Trainer::branch() refuses, as far as it can be known without the data: a folder without checkpoints, a
/// step that is not saved, another model, an end that is not after the step. Reads a small file.
Result<void> checkBranch(const std::string& run, std::int64_t step, const RunConfig& config);
/// The part of checkBranch() about the model and the end. `theirs` is the model of the parent, and `run` its name in
/// messages. Reads no file.
Result<void> checkBranchModel(const std::string& run, nn::ModelConfig theirs, std::int64_t step,
                              const RunConfig& config);

}  // namespace sepx::train
