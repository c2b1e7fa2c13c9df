// SPDX-License-Identifier: Apache-2.0
// A run that trains on its own thread. The frame path calls send(), refresh(), latest() and frameBegins()/frameEnds();
// none of them waits. Everything reported is in the run store before it is shown. A step is a pure function of the
// state before it: the same seed gives the same metrics on any thread count of one CPU level, also across a kill and
// resume.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/run_config.h"
#include "engine/train/snapshot.h"

namespace sepx::train {

struct TrainerOptions {
  std::string folder;          ///< of the run; empty: nothing is kept (previews, tests)
  bool resume = false;         ///< from the newest checkpoint of the folder that is whole
  int threads = 0;             ///< 0: one per core
  bool background = true;      ///< lets frames go first (frameBegins); false: headless
  std::function<void()> wake;  ///< called from the trainer's thread after each publication; may be empty
};

enum class CommandKind { Pause, Continue, Step, Stop, SetRate, SetSteps, Save, Watch, StepsPerFrame };
struct Command {
  CommandKind kind = CommandKind::Pause;
  double number = 0;               ///< Step: how many; SetRate: factor of the schedule; SetSteps: the new end
  std::vector<std::string> names;  ///< Watch: parameters wanted in the snapshot
};

class Trainer {
 public:
  /// Checks the config, makes or opens the run folder and starts the thread. One sentence when that cannot be.
  static Result<std::unique_ptr<Trainer>> start(const RunConfig& config, const TrainerOptions& options);
  /// A new run that begins as `run` stood at its saved step (weights, optimiser, generators), with another config where
  /// it says so (rates, schedule, data); its record names where it came from.
  static Result<std::unique_ptr<Trainer>> branch(const std::string& run, std::int64_t step, const RunConfig& config,
                                                 const TrainerOptions& options);
  /// Stops at the end of the step, saves, joins.
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Frame thread. False when too many commands wait (64). The last of a kind counts.
  bool send(Command command);
  bool refresh();
  const Snapshot& latest() const;
  /// Around a frame: between them the trainer waits at its next layer boundary (for at most 50 ms).
  void frameBegins();
  void frameEnds();
  /// Scripts: blocks until `steps` more steps are made or the run ended.
  void runSteps(std::int64_t steps);
  /// Headless: blocks until the run ended or was stopped; the reason as a Result (Interrupted after Stop).
  Result<void> finish();

 private:
  struct Impl;
  explicit Trainer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::train
