// SPDX-License-Identifier: Apache-2.0
// What each step of a script does: changes through the workbench, waits, expectations and files.
#include <algorithm>
#include <filesystem>

#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "ui/document/lesson_file.h"
#include "ui/document/state_text.h"
#include "ui/page/exhibit.h"
#include "ui/properties/compare.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/script_value.h"
#include "ui/workbench/step_machine.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

Result<void> nothingToDo(const char* what) {
  return fail(ErrorKind::CheckFailed, trFormat("there is nothing to {}", what));
}

std::string found(const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return tr("nothing");
  if (std::holds_alternative<std::string>(value))
    return "\"" + excerpt(std::get<std::string>(value), kQuotedPath) + "\"";
  return toString(value);
}

}  // namespace

Result<void> StepMachine::start(const ScriptStep& step) {
  if (ofLesson()) SEPX_TRY(surroundings_.workbench.allowedInLesson(step));
  switch (step.kind) {
    case StepKind::Drag:
    case StepKind::Click:
    case StepKind::Hover:
    case StepKind::Press:
    case StepKind::Release:
    case StepKind::Scroll:
      return startPointer(step);
    case StepKind::ClickControl:
    case StepKind::SetControl:
      controlKey_ = step.text;
      return useControl(step);
    case StepKind::Type:
      return typeText(step.text);
    case StepKind::Key:
      return pressChord(step.text);
    case StepKind::Resize:
    case StepKind::Scale:
      return startWindow(step);
    case StepKind::WaitSettled:
    case StepKind::WaitFor:
    case StepKind::WaitFrames:
    case StepKind::StepFrames:
      return wait(step);
    case StepKind::WaitTrained:
    case StepKind::WaitRunEnded:
      return waitForRuns(step);
    case StepKind::Expect:
      return surroundings_.live ? Result<void>{} : expect(step);
    case StepKind::ExpectError:
      return surroundings_.live ? Result<void>{} : expectError(step);
    case StepKind::Shot:
    case StepKind::Export:
    case StepKind::Save:
      return surroundings_.live ? Result<void>{} : write(step);
    default:
      return change(step);
  }
}

Result<void> StepMachine::change(const ScriptStep& step) {
  Workbench& workbench = surroundings_.workbench;
  // Read-outs are updated in the next frame. A list of points is drawn once all of them are added.
  const bool more =
      step.kind == StepKind::AddPoint && step_ + 1 < steps_.size() && steps_[step_ + 1].kind == StepKind::AddPoint;
  if (!more) frame();
  const std::size_t times = step.numbers.empty() ? 1 : static_cast<std::size_t>(step.numbers[0]);
  switch (step.kind) {
    case StepKind::Open:
    case StepKind::Drop: {
      if (isStateText(step.text)) return open(step.text);
      SEPX_ASSIGN(const std::string path, inputPath(step.text));
      return open(path);
    }
    case StepKind::Exhibit:
      return workbench.set(workbench.inPane("exhibit", workbench.activePane()), step.text);
    case StepKind::Set:
    case StepKind::Vary:
      return set(step);
    case StepKind::Undo:
      for (std::size_t i = 0; i < times; ++i) {
        if (!workbench.undo()) return nothingToDo(tr("undo"));
      }
      return {};
    case StepKind::Redo:
      for (std::size_t i = 0; i < times; ++i) {
        if (!workbench.redo()) return nothingToDo(tr("redo"));
      }
      return {};
    case StepKind::AddPoint:
      return addPoint(step);
    case StepKind::Theme:
      return workbench.setTheme(step.text);
    case StepKind::Play:
      return setPlaying(true);
    case StepKind::Pause:
      return setPlaying(false);
    default:
      return fail(ErrorKind::Internal, "a step without an action");
  }
}

Result<void> StepMachine::open(const std::string& path) {
  Workbench& workbench = surroundings_.workbench;
  if (!surroundings_.live) return workbench.open(path);
  if (auto begun = workbench.startOpening({path}, ApplyOpened::ByCaller); !begun) return begun;
  waiting_ = [&workbench]() -> Result<bool> {
    if (workbench.openingRead()) {
      if (const auto opened = workbench.finishOpening(true); !opened) return tl::unexpected(opened.error());
    }
    return workbench.opening().empty();
  };
  return {};
}

Result<void> StepMachine::addPoint(const ScriptStep& step) {
  Workbench& workbench = surroundings_.workbench;
  if (step.canvas.empty()) return workbench.addPoint(step.numbers);
  const auto canvas = splitPaneKey(step.canvas);
  if (!canvas || !workbench.toPixels(step.canvas, {})) {
    return fail(ErrorKind::Usage, trFormat("there is no canvas \"{}\" on screen", excerpt(step.canvas, kQuotedName)));
  }
  return workbench.addPoint(step.numbers, canvas->pane);
}

Result<void> StepMachine::setPlaying(bool playing) {
  Workbench& workbench = surroundings_.workbench;
  const std::optional<bool> now = workbench.exhibit(workbench.activePane()).playing();
  if (!now) return fail(ErrorKind::Usage, trFormat("{} has nothing to play", workbench.exhibitKey()));
  return *now == playing ? Result<void>() : workbench.run("play.toggle");
}

Result<void> StepMachine::startWindow(const ScriptStep& step) {
  if (!surroundings_.host) return {};  // a live lesson does not change the user's window
  frames(2);
  if (step.kind == StepKind::Scale) return surroundings_.host->setScale(static_cast<float>(step.numbers[0]));
  return surroundings_.host->resize(
      {static_cast<std::uint32_t>(step.numbers[0]), static_cast<std::uint32_t>(step.numbers[1])});
}

Result<void> StepMachine::wait(const ScriptStep& step) {
  if (step.kind == StepKind::WaitFrames) {
    frames(static_cast<std::size_t>(step.numbers[0]));
    return {};
  }
  if (step.kind == StepKind::StepFrames) {
    if (auto playing = setPlaying(true); !playing) return playing;
    frames(static_cast<std::size_t>(step.numbers[0]));
    waiting_ = [this]() -> Result<bool> {
      if (auto paused = setPlaying(false); !paused) return tl::unexpected(paused.error());
      return true;
    };
    return {};
  }
  frames(1);
  if (step.kind == StepKind::WaitSettled) {
    waiting_ = [this]() -> Result<bool> { return surroundings_.settled(); };
    return {};
  }
  const double deadline = now_ + step.seconds;
  waiting_ = [this, &step, deadline]() -> Result<bool> {
    auto now = expect(step);
    if (now) return true;
    if (now.error().kind != ErrorKind::CheckFailed) return tl::unexpected(now.error());
    // In a live lesson the time counts from the last progress, because users' machines differ in speed.
    const bool over = watch_ ? watch_->idle() > step.seconds : now_ > deadline;
    if (over) return tl::unexpected(now.error());
    return false;
  };
  return {};
}

/// Waits for runs of this window. A run that is paused or has ended is not waited for, because nothing in this step
/// would continue it.
Result<void> StepMachine::waitForRuns(const ScriptStep& step) {
  const Runs& runs = surroundings_.workbench.runs();
  if (runs.all().empty()) return fail(ErrorKind::CheckFailed, tr("there is no run"));
  if (step.kind == StepKind::WaitRunEnded) {
    frames(1);
    waiting_ = [this, &runs]() -> Result<bool> {
      if (auto failure = failedRun(); !failure) return tl::unexpected(failure.error());
      return runs.training() == 0 && !runs.busy();
    };
    return {};
  }
  std::vector<std::pair<RunPointer, std::int64_t>> goals;
  for (const RunPointer& run : runs.all())
    if (run->trains()) goals.emplace_back(run, run->step() + static_cast<std::int64_t>(step.numbers[0]));
  if (goals.empty()) return fail(ErrorKind::CheckFailed, tr("no run is training"));
  waiting_ = [this, goals = std::move(goals)]() -> Result<bool> {
    if (auto failure = failedRun(); !failure) return tl::unexpected(failure.error());
    return std::ranges::all_of(
        goals, [](const auto& goal) { return !goal.first->trains() || goal.first->step() >= goal.second; });
  };
  return {};
}

/// Whether a run that a live lesson waits for has failed: the lesson does not go on without it. A script detects this
/// by its own expectations.
Result<void> StepMachine::failedRun() const {
  const std::string failure = watch_ ? watch_->failure() : std::string();
  return failure.empty() ? Result<void>() : fail(ErrorKind::CheckFailed, failure);
}

Result<void> StepMachine::expect(const ScriptStep& step) const {
  const auto value = scriptValue(surroundings_.workbench, step.text);
  if (!value) return tl::unexpected(value.error());
  const auto held = holds(*value, step.op, step.value, step.tolerance);
  if (!held) return tl::unexpected(held.error());
  if (*held) return {};
  return fail(ErrorKind::CheckFailed, trFormat("found {}", found(*value)));
}

Result<void> StepMachine::expectError(const ScriptStep& step) {
  const auto& messages = surroundings_.workbench.messages();
  std::string seen;
  const auto contains = [&](const std::string& sentence) {
    seen += (seen.empty() ? "" : "; ") + sentence;
    return sentence.find(step.text) != std::string::npos;
  };
  bool met = pending_ && contains(pending_->message);
  for (std::size_t i = messagesSeen_; i < messages.size() && !met; ++i) {
    met = messages[i].level == Message::Level::Error && contains(messages[i].text);
  }
  if (!met && !controlKey_.empty()) {
    const auto refusal = surroundings_.workbench.refusal(controlKey_);
    met = refusal && contains(*refusal);
  }
  pending_.reset();
  messagesSeen_ = messages.size();
  if (met) return {};
  return fail(ErrorKind::CheckFailed, seen.empty() ? tr("there was no error") : trFormat("the error was: {}", seen));
}

Result<std::string> StepMachine::outputPath(const ScriptStep& step) {
  if (surroundings_.outDir.empty() && surroundings_.ofLesson)
    return fail(ErrorKind::Usage, tr("a lesson writes no files unless --out-dir names a folder for them"));
  if (surroundings_.outDir.empty()) return fail(ErrorKind::Usage, tr("this run writes no files; give --out-dir"));
  std::error_code error;
  fs::create_directories(surroundings_.outDir, error);
  if (error) return fail(ErrorKind::OutputFailed, surroundings_.outDir + ": " + error.message());
  const fs::path path = fs::path(surroundings_.outDir) / step.text;
  if (!surroundings_.ofLesson) return path.string();
  if (step.kind == StepKind::Save && path.extension() != ".sepx")
    return fail(ErrorKind::Usage, trFormat("{}: a lesson saves sessions only; the name must end in .sepx",
                                           excerpt(step.text, kQuotedPath)));
  if (fs::exists(fs::symlink_status(path, error)) && !written_.contains(path.string())) {
    return fail(ErrorKind::OutputFailed,
                trFormat("{}: this file already exists and the lesson did not write it; remove it, or give another "
                         "--out-dir",
                         excerpt(path.string(), kQuotedPath)));
  }
  written_.insert(path.string());
  return path.string();
}

bool StepMachine::isFileKey(const std::string& key) const {
  const auto found = surroundings_.workbench.find(key);
  return found && found->property && found->property->file;
}

Result<std::string> StepMachine::inputPath(const std::string& path) const {
  if (path.empty()) return path;
  std::error_code error;
  const fs::path folder = fs::path(name_).parent_path(), beside = folder / path;
  const bool there = fs::exists(beside, error);
  // The file may be one that an earlier `save` of this script wrote.
  const fs::path written = fs::path(surroundings_.outDir) / path;
  if (!there && !surroundings_.outDir.empty() && fs::exists(written, error)) return written.string();
  if (!ofLesson()) return there ? beside.string() : path;
  if (isInAnyFolder(beside.string(),
                    {folder.empty() ? "." : folder.string(), surroundings_.workbench.options().assets}))
    return beside.string();
  return fail(
      ErrorKind::Usage,
      trFormat("a lesson may open only files of its own folder and those that ship with the program; {} is neither",
               excerpt(beside.string(), kQuotedPath)));
}

Result<void> StepMachine::write(const ScriptStep& step) {
  const auto path = outputPath(step);
  if (!path) return tl::unexpected(path.error());
  if (step.kind == StepKind::Save) return surroundings_.workbench.save(*path);
  if (!surroundings_.host) return fail(ErrorKind::Usage, tr("no picture can be saved here"));
  if (step.kind == StepKind::Shot) {
    shot_ = *path;  // taken after the next frame
    frame();
    return {};
  }
  // A figure of the size of the window, made by a separate workbench, as `sepx render` does for this state.
  Workbench& workbench = surroundings_.workbench;
  FigureRequest request = windowFigure(workbench, surroundings_.host->extent(), surroundings_.host->scale(), *path);
  for (const std::string& word : step.words) {
    if (word.find('=') != std::string::npos) {
      SEPX_ASSIGN(request.sweep, parseSweep(word));
    } else if (word == "lesson") {
      request.lesson = true;
    } else {
      request.views.push_back(word);
    }
  }
  request.part = !step.whole;
  if (!step.preset.empty()) {
    if (auto known = applyPreset(request, step.preset); !known) return known;
  }
  std::string remark;
  auto made = makeFigure(workbench, workbench.gpu(), std::move(request), &remark);
  if (!made) return tl::unexpected(made.error());
  if (!remark.empty()) workbench.say({.text = std::move(remark), .passes = true});
  return {};
}

}  // namespace sepx::ui
