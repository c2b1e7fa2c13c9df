// SPDX-License-Identifier: Apache-2.0
// The one service of runs of a window: it owns the trainers, reads and follows runs of other processes, and hands out
// one RunPointer a folder, so that a run is the same in every pane and in an exported figure. Closing a pane stops
// nothing. All trainers share one budget of threads. Frame thread only; nothing waits: reading and stopping happen on
// the service's own thread. Under a script (setPaced) update() makes trainers go forward exactly stepsPerFrame() steps
// and blocks until they have.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/trainer.h"
#include "ui/runs/live_run.h"
#include "ui/runs/run.h"

namespace sepx::ui {

struct RunsOptions {
  std::string folder;      ///< new runs are made in it; empty: train::defaultRunsFolder()
  bool temporary = false;  ///< in place of `folder`: one that is made for the first run, and goes with the window
  int threads = 0;         ///< of all trainers together; 0: all cores
  std::string build;       ///< of the program, for the records of runs
  std::string marks;       ///< folder that says which runs train here, for the start after a kill; empty: nothing does
  std::chrono::milliseconds unused{30'000};  ///< the numbers of a run that nobody holds are dropped after this
  std::function<void()> wake;                ///< called from other threads when a frame is worth drawing; may be empty
};

class Runs {
 public:
  explicit Runs(RunsOptions options);
  /// Stops and saves what trains here, and waits for it.
  ~Runs();
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  /// A new run in a new folder below the runs folder, called after the config ("small-encoder-3"). It trains at once,
  /// or begins paused. Refused before a thread starts: what check(config) refuses, a folder that cannot be made.
  Result<RunPointer> start(const train::RunConfig& config, bool paused = false);
  /// A new run from a saved step of another (Trainer::branch). Refused before a thread starts: what checkBranch()
  /// refuses too.
  Result<RunPointer> branch(const Run& run, std::int64_t step, const train::RunConfig& config, bool paused = false);
  /// Goes on with a run that stopped or was killed, from its newest checkpoint. Usage while it trains anywhere.
  Result<void> resume(const Run& run);
  /// The run in a folder; one that is open already is the same. What cannot be read is found out later: failure().
  /// The numbers of a run that ended and that nobody holds are dropped after a while, and read again by the next
  /// open().
  RunPointer open(const std::string& folder);
  /// To be called every frame in which a person sees a list of the runs of a folder: revision() then changes, and a
  /// frame is asked for, within about a second after any program wrote there.
  void watch(const std::string& folder);
  /// To be called every frame in which a page shows this run: live() then has it, while it trains here.
  void see(const Run& run);
  /// What the trainers of the runs in sight report, at most kMostLiveRuns; the same pointers while nothing is new.
  std::vector<LiveRun> live();
  /// Of a window that shows what another one shows: what that one's trainers report now. A run that is in it no longer
  /// is followed in its folder again.
  void follow(const std::vector<LiveRun>& live);
  /// Pause, Continue, Step, Stop, SetRate, SetSteps, Save, Watch. Usage for a run that does not train here.
  Result<void> send(const Run& run, train::Command command);

  /// Unfinished runs that trained here when the last program was killed or ended, and that nobody trains now. They are
  /// open; one that is not resumed here is not offered again.
  std::vector<RunPointer> interrupted() const;
  /// All of them; the first that is refused ends it.
  Result<void> resumeInterrupted();
  /// Stops and saves what trains here, waits for it, and goes on with it in programs of their own, which outlive this
  /// one: `sepx` is the path of the command line. For the end of a window.
  Result<void> keepTraining(const std::string& sepx);

  /// Takes over what trainers and readers have reported; once a frame, before exhibits are updated. True: something
  /// changed.
  bool update();
  /// Of a script: see above.
  void setPaced(bool paced);
  bool paced() const;
  void setStepsPerFrame(std::int64_t steps);
  /// From now on new runs are nobody's work (a lesson's): they are made in the temporary folder, which goes with the
  /// window, and no later start offers them.
  void setPassing(bool passing);
  /// Stops those of them that train.
  void stopPassing();
  /// The temporary folder goes in the background, and this is busy() until it has: for a window that ends while frames
  /// of another go on. No run of it is used any more. False: there is none, or it was asked for before.
  bool removeTemporary();

  /// A lesson in this folder acts on the window: its runs (those below `folder`), what it starts and what is started
  /// with their data reads data in `reach` alone. Empty: no lesson does; the runs that are open keep what they have.
  void confine(const std::string& folder, std::vector<std::string> reach);

  /// Those that were opened, in that order. Of one that nobody holds, series and matrices may be gone: see open().
  const std::vector<RunPointer>& all() const;
  /// How many train here and are not paused.
  int training() const;
  /// Of these, those that stay when the window ends.
  int trainingToStay() const;
  /// Something that was asked for has not arrived: a run that is read, a stop. Trainers that go on do not count.
  bool busy() const;
  /// The system refuses the thread that reads and stops runs; every update() asks for it again.
  bool refused() const;
  /// Where new runs are made; empty: in a temporary folder that is not made yet.
  const std::string& folder() const;
  /// Where runs of lessons are made (setPassing()); empty: there are none yet.
  const std::string& passingFolder() const;
  std::uint64_t revision() const;  ///< changes with any run

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
