// SPDX-License-Identifier: Apache-2.0
// Strict steps in simulated time: frame n is at n/60 s, and jobs advance by one publication before each.
#include "ui/workbench/script_runner.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ui/workbench/step_machine.h"

namespace sepx::ui {
namespace {

constexpr double kFramesPerSecond = 60;
constexpr std::uint64_t kFirstFrames = 2;  // until canvas and controls know where they are

bool isExpectation(const ScriptStep& step) {
  return step.kind == StepKind::Expect || step.kind == StepKind::ExpectError || step.kind == StepKind::WaitFor;
}

}  // namespace

struct ScriptRunner::Impl {
  Workbench& workbench;
  Played played;
  StepMachine machine;
  std::vector<std::size_t> lessonStarts;  // first script step of each lesson step; empty for a script
  std::uint64_t frames = 0;
  bool paced = false;

  Impl(Script script, Workbench& bench, ScriptHost& host, std::string outDir)
      : workbench(bench),
        played{script.steps.size(),
               static_cast<std::size_t>(std::count_if(script.steps.begin(), script.steps.end(), isExpectation))},
        machine(std::move(script.steps), script.name,
                StepSurroundings{bench, &host, std::move(outDir), [&bench] { return bench.settled(); }, false}) {}

  /// Ends the pacing of jobs, so that a person who goes on does not wait for it.
  void release() {
    if (paced) workbench.jobLanes().runFree();
    paced = false;
  }

  void showLessonStep() {
    if (lessonStarts.empty()) return;
    const auto after = std::upper_bound(lessonStarts.begin(), lessonStarts.end(), machine.position());
    const auto step = static_cast<std::size_t>(after - lessonStarts.begin()) - 1;
    if (workbench.lessonStep() != step) workbench.enterLessonStep(step, false);
  }
};

ScriptRunner::ScriptRunner(Script script, Workbench& workbench, ScriptHost& host, std::string outDir)
    : impl_(std::make_unique<Impl>(std::move(script), workbench, host, std::move(outDir))) {}

ScriptRunner::~ScriptRunner() {
  impl_->release();
}

std::unique_ptr<ScriptRunner> ScriptRunner::ofOpenLesson(Workbench& workbench, ScriptHost& host, std::string outDir) {
  const Lesson& lesson = *workbench.lesson();
  auto runner = std::make_unique<ScriptRunner>(lessonScript(lesson), workbench, host, std::move(outDir));
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    runner->impl_->lessonStarts.push_back(lessonScript(lesson, i).steps.size());
  }
  runner->impl_->played.steps = lesson.steps.size();
  workbench.enterLessonStep(0, false);
  return runner;
}

bool ScriptRunner::running() const {
  return impl_->machine.running();
}

void ScriptRunner::beforeFrame(HostFrame& host) {
  impl_->paced = true;
  // A job that never publishes does not hold the script for ever: the step's time runs out.
  impl_->workbench.jobLanes().runToPublication(impl_->machine.patienceLeft());
  host.seconds = static_cast<double>(impl_->frames++) / kFramesPerSecond;
  host.events.clear();
  if (impl_->frames <= kFirstFrames) return;
  host.events = impl_->machine.before(host.seconds);
  impl_->showLessonStep();
}

void ScriptRunner::afterFrame() {
  if (impl_->frames > kFirstFrames) impl_->machine.after();
  if (!running()) impl_->release();
}

void ScriptRunner::setPatience(double seconds) {
  impl_->machine.setPatience(seconds);
}

Played ScriptRunner::played() const {
  return impl_->played;
}

Result<void> ScriptRunner::outcome() const {
  if (impl_->machine.error()) return tl::unexpected(*impl_->machine.error());
  return {};
}

}  // namespace sepx::ui
