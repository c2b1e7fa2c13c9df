// SPDX-License-Identifier: Apache-2.0
// Runs strict steps in simulated time: frame n is at n/60 s, and jobs advance by one publication before each frame.
#include "ui/workbench/script_runner.h"

#include <algorithm>
#include <utility>

#include "ui/runs/runs.h"

namespace sepx::ui {
namespace {

constexpr double kFramesPerSecond = 60;
constexpr std::uint64_t kFirstFrames = 2;  // until the positions of canvas and controls are known

bool isExpectation(const ScriptStep& step) {
  return step.kind == StepKind::Expect || step.kind == StepKind::ExpectError || step.kind == StepKind::WaitFor;
}

}  // namespace

ScriptRunner::ScriptRunner(Script script, Workbench& workbench, ScriptHost& host, std::string outDir, bool ofLesson)
    : workbench_(workbench),
      played_{script.steps.size(),
              static_cast<std::size_t>(std::count_if(script.steps.begin(), script.steps.end(), isExpectation))},
      machine_(std::move(script.steps), script.name,
               StepSurroundings{workbench, &host, std::move(outDir), [&workbench] { return workbench.settled(); },
                                false, ofLesson}),
      simulated_(host.simulated()) {}

ScriptRunner::~ScriptRunner() {
  release();
}

/// Ends the pacing of jobs, so that it does not delay a user who continues.
void ScriptRunner::release() {
  if (paced_) {
    workbench_.jobLanes().runFree();
    if (!simulated_) workbench_.runs().setPaced(false);
  }
  paced_ = false;
}

void ScriptRunner::showLessonStep() {
  if (lessonStarts_.empty()) return;
  const auto after = std::upper_bound(lessonStarts_.begin(), lessonStarts_.end(), machine_.position());
  const auto step = static_cast<std::size_t>(after - lessonStarts_.begin()) - 1;
  if (workbench_.lessonStep() != step) workbench_.enterLessonStep(step, false);
}

std::unique_ptr<ScriptRunner> ScriptRunner::ofOpenLesson(Workbench& workbench, ScriptHost& host, std::string outDir) {
  const Lesson& lesson = *workbench.lesson();
  auto runner = std::make_unique<ScriptRunner>(lessonScript(lesson), workbench, host, std::move(outDir), true);
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    runner->lessonStarts_.push_back(lessonScript(lesson, i).steps.size());
  }
  runner->played_.steps = lesson.steps.size();
  workbench.enterLessonStep(0, false);
  return runner;
}

void ScriptRunner::beforeFrame(HostFrame& host) {
  if (!std::exchange(paced_, true)) workbench_.runs().setPaced(true);
  // A job that never publishes does not block the script forever, because the time of the step runs out.
  const double left = machine_.stepTimeLeft();
  workbench_.jobLanes().waitForPublications(std::min(left, jobTimeout_.value_or(left)));
  host.seconds = static_cast<double>(frames_++) / kFramesPerSecond;
  host.events.clear();
  if (frames_ <= kFirstFrames) return;
  host.events = machine_.before(host.seconds);
  showLessonStep();
}

void ScriptRunner::afterFrame() {
  if (frames_ > kFirstFrames) machine_.after();
  if (!running()) release();
}

Result<void> ScriptRunner::outcome() const {
  if (machine_.error()) return tl::unexpected(*machine_.error());
  return {};
}

}  // namespace sepx::ui
