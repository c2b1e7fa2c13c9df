// SPDX-License-Identifier: Apache-2.0
// Runs a script (ui/document/script.h) against a Workbench in any host, in simulated time: one frame is 1/60 s, and
// before each frame every job runs to its next publication. Pointer steps become neutral input events at the pixels
// where the canvas or control is, so that a script walks the same path as a person. Frame thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/workbench/step_machine.h"

namespace sepx::ui {

/// What a run that held has done: steps of the lesson or of the script, and expectations (waits for a value too).
struct Played {
  std::size_t steps = 0, expectations = 0;
};

class ScriptRunner {
 public:
  /// `outDir`: where shot, export and save go; empty: such steps are refused (a lesson opened by a person never
  /// writes).
  ScriptRunner(Script script, Workbench& workbench, ScriptHost& host, std::string outDir, bool ofLesson = false);
  /// Every step of the lesson that is open in the workbench, each shown while its lines run.
  static std::unique_ptr<ScriptRunner> ofOpenLesson(Workbench& workbench, ScriptHost& host, std::string outDir);
  ~ScriptRunner();

  /// Host loop:  while (runner.running()) { runner.beforeFrame(host); workbench.frame(target, host);
  /// runner.afterFrame(); }
  bool running() const { return machine_.running(); }
  /// Replaces the frame's events and time by the script's.
  void beforeFrame(HostFrame& host);
  void afterFrame();
  /// After the end: nothing, or the sentence naming script, line, what was expected and what was found.
  Result<void> outcome() const;
  const Played& played() const { return played_; }
  /// Wall clock that a step may take before the script has failed, seconds; 60 when not said.
  void setPatience(double seconds) { machine_.setPatience(seconds); }
  /// Wall clock that a frame waits for what a job publishes next, seconds; what is left of the step's patience when not
  /// said. A script that goes on beside a job that computes for minutes says little here.
  void setJobPatience(double seconds) { jobPatience_ = seconds; }
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
  std::optional<double> jobPatience_;
  bool paced_ = false, simulated_ = false;
};

}  // namespace sepx::ui
