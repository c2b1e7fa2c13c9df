// SPDX-License-Identifier: Apache-2.0
// Runs a script (ui/document/script.h) against a Workbench in any host, in simulated time: one frame is 1/60 s, and
// before each frame every job runs to its next publication. Pointer steps become neutral input events at the pixels
// where the canvas or control is, so that a script uses the same code path as a user. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/workbench/step_machine.h"

namespace sepx::ui {

/// Counts of a successful run: steps of the lesson or of the script, and expectations (including waits for a value).
struct Played {
  std::size_t steps = 0, expectations = 0;
};

class ScriptRunner {
 public:
  /// `outDir`: folder for the files of shot, export and save; empty: such steps are refused (a lesson that a user opens
  /// never writes).
  ScriptRunner(Script script, Workbench& workbench, ScriptHost& host, std::string outDir, bool ofLesson = false);
  /// Runs every step of the lesson that is open in the workbench; each step is shown while its lines run.
  static std::unique_ptr<ScriptRunner> ofOpenLesson(Workbench& workbench, ScriptHost& host, std::string outDir);
  ~ScriptRunner();

  /// Host loop:  while (runner.running()) { runner.beforeFrame(host); workbench.frame(target, host);
  /// runner.afterFrame(); }
  bool running() const { return machine_.running(); }
  /// Replaces the frame's events and time by those of the script.
  void beforeFrame(HostFrame& host);
  void afterFrame();
  /// After the end: success, or an error that names the script, the line, what was expected and what was found.
  Result<void> outcome() const;
  const Played& played() const { return played_; }
  /// Wall-clock time after which a step fails the script, seconds; 60 by default.
  void setStepTimeout(double seconds) { machine_.setStepTimeout(seconds); }
  /// Wall-clock time that a frame waits for the next publication of a job, seconds; by default what is left of the
  /// step's patience. To be set low for a script that runs beside a job that computes for minutes.
  void setJobTimeout(double seconds) { jobTimeout_ = seconds; }
  /// Index of the step that runs.
  std::size_t position() const { return machine_.position(); }

 private:
  void release();
  void showLessonStep();

  Workbench& workbench_;
  Played played_;
  StepMachine machine_;
  std::vector<std::size_t> lessonStarts_;  ///< first script step of each lesson step; empty for a script
  std::uint64_t frames_ = 0;
  std::optional<double> jobTimeout_;
  bool paced_ = false, simulated_ = false;
};

}  // namespace sepx::ui
