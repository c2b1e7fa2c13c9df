// SPDX-License-Identifier: Apache-2.0
// Checks what a lesson may do, for its steps and for the events that they become. A position or a key is judged by what
// it would reach in the window as it is now, no matter who opened what is there.
#include <filesystem>
#include <string>

#include "engine/core/try.h"
#include "ui/document/script.h"
#include "ui/exhibits/lesson_list.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

Result<void> beyond(const std::string& what) {
  return fail(
      ErrorKind::Usage,
      trFormat("a lesson may not use {}: a lesson must not change anything that remains after it is closed", what));
}

/// `key`: of a control, with or without the part after "#".
Result<void> allowedControl(const PropertyRegistry& registry, std::string_view key) {
  const std::size_t cut = std::min(key.find('#'), key.size());
  const std::string_view control = key.substr(0, cut);
  if (key.substr(cut) == "#explain" || inLessons(control)) return {};
  const auto whose = splitPaneKey(control);
  const auto found = whose ? registry.find(whose->key) : std::nullopt;
  if (found && found->readOut) return {};  // a press opens its card
  return beyond(std::string(control));
}

Result<void> allowedParameter(Panes& panes, const std::string& key) {
  const auto found = panes.find(key);
  const bool known = found && found->property;  // the step itself reports what is wrong with another key
  return known && !inLessons(found->property->key) ? beyond(key) : Result<void>();
}

/// Whether the key copies. The clipboard belongs to the user, so a lesson may not change it.
bool copies(const KeyPressed& press) {
  return press.modifiers.ctrl && (press.key == Key::C || press.key == Key::X);
}

}  // namespace

Result<void> Workbench::Impl::allowedStep(const ScriptStep& step) {
  const PropertyRegistry& registry = panes.active().properties();
  switch (step.kind) {
    case StepKind::Set:
    case StepKind::Vary:
    case StepKind::SetControl: {
      SEPX_TRY(allowedParameter(panes, step.text));
      for (std::size_t i = 0; i < step.words.size(); i += 2)
        SEPX_TRY(allowedParameter(panes, step.words[i]));
      return {};
    }
    case StepKind::ClickControl:
      return allowedControl(registry, step.text);
    case StepKind::Undo:
    case StepKind::Redo:
      return beyond(step.source);  // a lesson may not undo what the user did
    case StepKind::Play:
    case StepKind::Pause:
    case StepKind::StepFrames:
      return inLessons("play.toggle") ? Result<void>() : beyond(step.source);
    // The events of these steps are checked one by one.
    case StepKind::Type:
    case StepKind::Key:
    case StepKind::Drag:
    case StepKind::Click:
    case StepKind::Hover:
    case StepKind::Press:
    case StepKind::Release:
    case StepKind::Scroll:
    // These only change the picture, or only look. What a lesson opens is only read, and Files checks it against the
    // list.
    case StepKind::Open:
    case StepKind::Drop:
    case StepKind::Exhibit:
    case StepKind::AddPoint:
    case StepKind::Theme:
    case StepKind::Resize:
    case StepKind::Scale:
    case StepKind::WaitSettled:
    case StepKind::WaitFrames:
    case StepKind::WaitTrained:
    case StepKind::WaitRunEnded:
    case StepKind::WaitFor:
    case StepKind::Expect:
    case StepKind::ExpectError:
    // These have their own rules: they write only into the folder of --out-dir, and never overwrite a file.
    case StepKind::Save:
    case StepKind::Shot:
    case StepKind::Export:
      return {};
  }
  return beyond(step.source);
}

Result<void> Workbench::Impl::allowedPress(const PointerPressed& press) {
  if (!press.down) return {};
  if (start.shown()) return beyond(tr("the start page"));
  const render::Point at{press.x / window.scale, press.y / window.scale};
  const auto reached = window.controls.controlsAt({static_cast<float>(at.x), static_cast<float>(at.y)});
  if (!reached) return beyond(tr("this part of the window"));
  for (const std::string& key : *reached)
    SEPX_TRY(allowedControl(panes.active().properties(), key));
  const int number = panes.paneAt(at);
  if (!reached->empty() || number == 0) return {};
  // The places of buttons in a picture are known only for the active pane.
  if (number != panes.activeNumber()) return beyond(tr("a pane that is not active"));
  return allowedPicture(number);
}

Result<void> Workbench::Impl::allowedPicture(int number) {
  const Pane& pane = panes.at(number);
  if (pictureInLessons(pane.exhibit().key(), pane.document(), pane.properties())) return {};
  return beyond(trFormat("the picture of {}", pane.exhibit().title()));
}

/// Typed text goes into the field that is being edited, no matter who began to edit it.
Result<void> Workbench::Impl::allowedTyping() {
  const std::string field = window.controls.edited();
  return field.empty() ? beyond(tr("this text field")) : allowedControl(panes.active().properties(), field);
}

Result<void> Workbench::Impl::allowedKey(const KeyPressed& press) {
  if (!press.down || press.key == Key::Escape) return {};
  if (start.shown()) return beyond(tr("the start page"));
  const bool typing = ImGui::GetIO().WantTextInput;
  const std::string command = commands().meaning(press, typing);
  if (!command.empty()) return inLessons(command) ? Result<void>() : beyond(command);
  if (!typing) return allowedPicture(panes.activeNumber());
  if (copies(press)) return beyond(tr("the clipboard"));
  return allowedTyping();
}

Result<void> Workbench::beginHomework(const std::string& name) {
  return impl_->lesson.beginHomework(name);
}

Result<Workbench::HomeworkFile> Workbench::homeworkAnswers() const {
  if (!impl_->lesson.homework().begun())
    return fail(ErrorKind::Usage, tr("the homework has not been started; enter your name first"));
  Answers answers = impl_->lesson.homeworkAnswers();
  const std::string folder = std::filesystem::path(lesson()->name).parent_path().string();
  for (auto& [place, answer] : answers.given) {
    if (!answer.state) continue;
    answer.state = withSharedPaths(withRelativePaths(*std::move(answer.state), properties(), folder), properties(),
                                   options().assets);
  }
  std::string name;
  for (const char c : plainName(answers.name) + " " + answers.title)
    name += c == '/' || c == ' ' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '-' : c;
  return HomeworkFile{answersText(answers), name + ".json"};
}

Result<void> Workbench::allowedInLesson(const ScriptStep& step) const {
  return impl_->allowedStep(step);
}

Result<void> Workbench::allowedInLesson(const InputEvent& event) const {
  impl_->imgui.makeCurrent();
  if (const auto* const press = std::get_if<PointerPressed>(&event)) return impl_->allowedPress(*press);
  if (const auto* const key = std::get_if<KeyPressed>(&event)) return impl_->allowedKey(*key);
  const bool typed = std::holds_alternative<TextTyped>(event) && ImGui::GetIO().WantTextInput;
  return typed ? impl_->allowedTyping() : Result<void>();
}

}  // namespace sepx::ui
