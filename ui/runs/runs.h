// SPDX-License-Identifier: Apache-2.0
// The runs of a window, which has one object of this class. It owns the trainers, reads and follows runs of other
// processes, and returns one RunPointer per folder, so that a run is the same in every pane and in an exported figure.
// Closing a pane does not stop a run. All trainers share one thread budget. Frame thread only. Calls do not wait unless
// stated, because another thread reads and stops runs. Under a script (setPaced) update() advances the trainers by
// exactly the steps of setStepsPerFrame() and blocks until they are done.
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
  std::string folder;      ///< new runs are created in it; empty: train::defaultRunsFolder()
  bool temporary = false;  ///< instead of `folder`: one that is created for the first run and removed with the window
  int threads = 0;         ///< of all trainers together; 0: all cores
  std::string build;       ///< build of the program, for the records of runs
  std::string marks;       ///< folder of the marks of runs that train here, read at the next start; empty: no marks
  std::chrono::milliseconds unused{30'000};  ///< the numbers of a run that nobody holds are dropped after this time
  std::function<void()> wake;                ///< called from other threads when a frame should be drawn; may be empty
};

class Runs {
 public:
  explicit Runs(RunsOptions options);
  /// Stops and saves the runs that train here, and waits for them.
  ~Runs();
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  /// Starts a new run in a new folder below the runs folder, named after the config ("small-encoder-3"). It trains at
  /// once, or starts paused. Fails before a thread starts if check(config) fails or the folder cannot be created.
  Result<RunPointer> start(const train::RunConfig& config, bool paused = false);
  /// Starts a new run from a saved step of another run (Trainer::branch). Fails before a thread starts as start() does,
  /// and if checkBranch() fails.
  Result<RunPointer> branch(const Run& run, std::int64_t step, const train::RunConfig& config, bool paused = false);
  /// Continues a run that was stopped or killed, from its newest checkpoint. Usage error while it trains anywhere.
  Result<void> resume(const Run& run);
  /// The run in a folder; the same object if it is already open. Whether it can be read is known later: failure(). The
  /// numbers of a run that has ended and that nobody holds are dropped after a while, and read again by the next
  /// open().
  RunPointer open(const std::string& folder);
  /// Call in every frame that shows a list of the runs of a folder. revision() then changes, and a frame is requested,
  /// within about a second after any program has written there.
  void watch(const std::string& folder);
  /// Call in every frame in which a page shows this run. live() then includes it while it trains here.
  void see(const Run& run);
  /// Reports of the trainers of the runs in sight, at most kMostLiveRuns; the same pointers while nothing is new.
  std::vector<LiveRun> live();
  /// For a window that shows the same as another window: takes the current reports of the trainers of that window. A
  /// run that is no longer in the list is followed through its folder again.
  void follow(const std::vector<LiveRun>& live);
  /// Pause, Continue, Step, Stop, SetRate, SetSteps, Save, Watch. Usage error for a run that does not train here.
  Result<void> send(const Run& run, train::Command command);

  /// Unfinished runs that were training here when the previous program was killed or ended, and that no program trains
  /// now. They are open. A run that is not resumed here is not offered again.
  std::vector<RunPointer> interrupted() const;
  /// Resumes all of them. Stops at the first error.
  Result<void> resumeInterrupted();
  /// Stops and saves the runs that train here, waits for them, and continues each one in a separate process that
  /// outlives this program. `sepx`: path of the command-line program. For the end of a window.
  Result<void> keepTraining(const std::string& sepx);

  /// Takes over the reports of trainers and of the reading thread. Call once per frame, before exhibits are updated.
  /// True if something changed.
  bool update();
  /// For a script: see the top of this file.
  void setPaced(bool paced);
  bool paced() const;
  void setStepsPerFrame(std::int64_t steps);
  /// From now on new runs are those of a lesson and not the user's work: they are created in the temporary folder,
  /// which is removed with the window, and no later start offers them.
  void setLessonRuns(bool lessonRuns);
  /// Stops the runs of lessons that are training.
  void stopLessonRuns();
  /// Removes the temporary folder in the background; busy() until it is gone. For a window that ends while another one
  /// still draws frames. Its runs may no longer be used. False if there is none or if it was called before.
  bool removeTemporary();

  /// A lesson in this folder controls the window. Its runs (below `folder`), runs that it starts and runs that start
  /// with their data may read data only in `dataFolders`. Empty: no lesson does; open runs keep their restriction.
  void restrictData(const std::string& folder, std::vector<std::string> dataFolders);

  /// The runs that were opened, in that order. Series and matrices of a run that nobody holds may be gone: see open().
  const std::vector<RunPointer>& all() const;
  /// Number of runs that train here and are not paused.
  int training() const;
  /// Number of these that stay when the window ends.
  int trainingUserRuns() const;
  /// Whether a request is pending, such as a run being read or a stop. Trainers that continue do not count.
  bool busy() const;
  /// Whether the system refuses the thread that reads and stops runs. Every update() tries again.
  bool refused() const;
  /// Where new runs are created; empty: in a temporary folder that does not exist yet.
  const std::string& folder() const;
  /// Where runs of lessons are created (setLessonRuns()); empty: there are none yet.
  const std::string& lessonRunsFolder() const;
  std::uint64_t revision() const;  ///< changes when any run changes

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
