// SPDX-License-Identifier: Apache-2.0
// Runs a script (ui/document/script.h) against a Workbench in any host, in simulated time: one frame is 1/60 s, and
// before each frame every job runs to its next publication. Pointer steps become neutral input events at the pixels
// where the canvas or control is, so that a script walks the same path as a person. Frame thread only.
#pragma once

#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"
#include "ui/document/script.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

/// What a script needs of its host beyond frames.
class ScriptHost {
 public:
  virtual ~ScriptHost() = default;
  virtual gpu::Extent extent() const = 0;  ///< of the viewport, pixels
  virtual float scale() const = 0;
  virtual Result<void> resize(gpu::Extent extent) = 0;
  virtual Result<void> setScale(float scale) = 0;
  /// The picture of the last frame.
  virtual Result<gpu::Pixels> capture() = 0;
};

/// What a run that held has done: steps of the lesson or of the script, and expectations (waits for a value too).
struct Played {
  std::size_t steps = 0, expectations = 0;
};

class ScriptRunner {
 public:
  /// `outDir`: where shot, export and save go; empty: such steps are refused (a lesson opened by a person never
  /// writes).
  ScriptRunner(Script script, Workbench& workbench, ScriptHost& host, std::string outDir);
  /// Every step of the lesson that is open in the workbench, each shown while its lines run.
  static std::unique_ptr<ScriptRunner> ofOpenLesson(Workbench& workbench, ScriptHost& host, std::string outDir);
  ~ScriptRunner();

  /// Host loop:  while (runner.running()) { runner.beforeFrame(host); workbench.frame(target, host);
  /// runner.afterFrame(); }
  bool running() const;
  /// Replaces the frame's events and time by the script's.
  void beforeFrame(HostFrame& host);
  void afterFrame();
  /// After the end: nothing, or the sentence naming script, line, what was expected and what was found.
  Result<void> outcome() const;
  Played played() const;
  /// Wall clock that a step may take before the script has failed, seconds; 60 when not said.
  void setPatience(double seconds);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
