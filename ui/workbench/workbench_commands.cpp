// SPDX-License-Identifier: Apache-2.0
// Commands: the same list for menus, keys, scripts and the sheet of keys. Exhibits add theirs.
#include <algorithm>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/chord.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

/// Ctrl chords that belong to a text field while it is edited.
bool editsText(const Chord& chord) {
  const auto is = [&](Key key) { return chord.key == key; };
  return chord.modifiers.ctrl && (is(Key::A) || is(Key::C) || is(Key::V) || is(Key::X) || is(Key::Y) || is(Key::Z));
}

}  // namespace

std::vector<Workbench::Command> Workbench::Impl::commands() const {
  const char* const kFile = tr("File");
  const char* const kEdit = tr("Edit");
  const char* const kView = tr("View");
  const char* const kLesson = tr("Lesson");
  const auto undo = history.undoLabel();
  const auto redo = history.redoLabel();
  std::vector<Command> result{
      {"file.new", tr("New"), "Ctrl+N", kFile, true},
      {"file.open", tr("Open…"), "Ctrl+O", kFile, true},
      {"file.save", tr("Save"), "Ctrl+S", kFile, true},
      {"file.save-as", tr("Save as…"), "Ctrl+Shift+S", kFile, true},
      {"file.quit", tr("Quit"), "Ctrl+Q", kFile, true},
      {"edit.undo", undo ? fmt::format(fmt::runtime(tr("Undo: {}")), *undo) : tr("Undo"), "Ctrl+Z", kEdit,
       undo.has_value()},
      {"edit.redo", redo ? fmt::format(fmt::runtime(tr("Redo: {}")), *redo) : tr("Redo"), "Ctrl+Shift+Z", kEdit,
       redo.has_value()},
  };
  for (auto& one : exhibit().commands(history.present())) {
    result.push_back({one.key, one.label, one.shortcut, one.menu, one.enabled});
  }
  result.push_back({"view.theme", tr("Next theme"), "Ctrl+T", kView, true});
  result.push_back({"view.chrome", tr("Panels and bars"), "Ctrl+B", kView, true});
  result.push_back({"lesson.next", tr("Next step"), "N", kLesson, lesson.hasNext()});
  result.push_back({"lesson.previous", tr("Previous step"), "B", kLesson, lesson.hasPrevious()});
  result.push_back({"lesson.restart", tr("Start the lesson again"), "", kLesson, lesson.lesson() != nullptr});
  result.push_back({"lesson.close", tr("Close the lesson"), "", kLesson, lesson.lesson() != nullptr});
  result.push_back({"help.keys", tr("Keys and pointer"), "F1", tr("Help"), true});
  std::erase_if(result, [this](const Command& one) {
    return std::find(options.without.begin(), options.without.end(), one.key) != options.without.end();
  });
  return result;
}

Result<void> Workbench::Impl::run(std::string_view command) {
  const auto all = commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Command& one) { return one.key == command; });
  if (found == all.end()) return fail(ErrorKind::Usage, std::string(command) + ": " + tr("there is no such command"));
  if (!found->enabled) return fail(ErrorKind::CheckFailed, found->label + ": " + tr("not possible now"));
  settling = 3;
  if (command == "file.new") {
    startAnew();
  } else if (command == "file.open") {
    wish = HostFrame::Wish::OpenDialog;
  } else if (command == "file.save-as" || (command == "file.save" && file.empty())) {
    wish = HostFrame::Wish::SaveDialog;
  } else if (command == "file.save") {
    return self.save(file);
  } else if (command == "file.quit") {
    wish = HostFrame::Wish::Quit;
  } else if (command == "edit.undo") {
    self.undo();
  } else if (command == "edit.redo") {
    self.redo();
  } else if (command == "view.theme") {
    const auto keys = themeKeys();
    const auto at = std::find(keys.begin(), keys.end(), theme->key);
    return self.setTheme(at == keys.end() || at + 1 == keys.end() ? keys.front() : *(at + 1));
  } else if (command == "view.chrome") {
    chromeShown = !chromeShown;
  } else if (command == "lesson.next") {
    lesson.next();
  } else if (command == "lesson.previous") {
    lesson.previous();
  } else if (command == "lesson.close") {
    lesson.close();
  } else if (command == "lesson.restart") {
    lesson.restart();
  } else if (command == "help.keys") {
    chrome.toggleHelp();
  } else {
    ExhibitContext now = context();
    return exhibit().run(now, command);
  }
  return {};
}

bool Workbench::Impl::runShortcut(const KeyPressed& press, bool textActive) {
  if (press.key == Key::Escape && !textActive) return chrome.dismiss();
  const auto go = [this](std::string_view command) {
    if (auto done = run(command); !done && done.error().kind != ErrorKind::CheckFailed) say(done.error().sentence);
    return true;
  };
  for (const Command& command : commands()) {
    const auto chord = command.shortcut.empty() ? std::nullopt : parseChord(command.shortcut);
    if (!chord || !matches(*chord, press.key, press.modifiers)) continue;
    if (textActive && (!chord->modifiers.ctrl || editsText(*chord)) && chord->key != Key::F1) return false;
    return command.enabled ? go(command.key) : false;
  }
  if (textActive || press.modifiers.ctrl || press.modifiers.alt) return false;
  const std::string_view further = furtherCommand(press.key);
  return !further.empty() && go(further);
}

std::vector<Workbench::Command> Workbench::commands() const {
  return impl_->commands();
}
const std::vector<std::pair<std::string, std::string>>& Workbench::hostKeys() const {
  return impl_->options.hostKeys;
}
Result<void> Workbench::run(std::string_view command) {
  return impl_->run(command);
}

}  // namespace sepx::ui
