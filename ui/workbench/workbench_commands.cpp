// SPDX-License-Identifier: Apache-2.0
// Commands: the same list for menus, keys, scripts and the sheet of keys. Exhibits add theirs.
#include <algorithm>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/chord.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

constexpr std::string_view kExhibitCommand = "exhibit.";

/// Ctrl chords that belong to a text field while it is edited.
bool editsText(const Chord& chord) {
  const auto is = [&](Key key) { return chord.key == key; };
  return chord.modifiers.ctrl && (is(Key::A) || is(Key::C) || is(Key::V) || is(Key::X) || is(Key::Y) || is(Key::Z));
}

}  // namespace

void Workbench::Impl::addFileCommands(Commands& to) {
  const char* const kFile = tr("File");
  const char* const kEdit = tr("Edit");
  const auto undo = history.undoLabel();
  const auto redo = history.redoLabel();
  to.push_back({"file.new", tr("New"), "Ctrl+N", kFile, true});
  to.push_back({"file.open", tr("Open…"), "Ctrl+O", kFile, true});
  to.push_back({"file.save", tr("Save"), "Ctrl+S", kFile, true});
  to.push_back({"file.save-as", tr("Save as…"), "Ctrl+Shift+S", kFile, true});
  to.push_back({"file.export", tr("Export…"), "Ctrl+E", kFile, true});
  to.push_back({"file.quit", tr("Quit"), "Ctrl+Q", kFile, true});
  to.push_back({"edit.undo", undo ? fmt::format(fmt::runtime(tr("Undo {}")), *undo) : tr("Undo"), "Ctrl+Z", kEdit,
                undo.has_value()});
  to.push_back({"edit.redo", redo ? fmt::format(fmt::runtime(tr("Redo {}")), *redo) : tr("Redo"), "Ctrl+Shift+Z", kEdit,
                redo.has_value()});
  to.push_back({"edit.copy-number", tr("Copy number"), "Ctrl+C", kEdit, bool(options.copy)});
  to.push_back({"edit.copy-picture", tr("Copy picture"), "Ctrl+Shift+C", kEdit, bool(options.copy)});
  to.push_back({"edit.copy-table", tr("Copy table"), "", kEdit, bool(options.copy)});
  to.push_back({"edit.preferences", tr("Preferences…"), "Ctrl+,", kEdit, true});
}

void Workbench::Impl::addViewCommands(Commands& to) {
  const char* const kView = tr("View");
  const int count = shown();
  to.push_back({"view.start", tr("Start page"), "Home", kView, true, startPage.shown()});
  to.push_back({"view.split-one", tr("One pane"), "Ctrl+1", kView, true, count == 1});
  to.push_back({"view.split-two", tr("Two panes"), "Ctrl+2", kView, true, count == 2});
  to.push_back({"view.split-four", tr("Four panes"), "Ctrl+4", kView, true, count == 4});
  to.push_back({"view.next-pane", tr("Next pane"), "F6", kView, count > 1});
  to.push_back({"view.link-cameras", tr("Link cameras"), "Ctrl+L", kView, count > 1,
                history.present().at("panes.linked") == true});
  to.push_back({"view.share-limits", tr("Share colour limits"), "Ctrl+Shift+L", kView, count > 1,
                history.present().at("panes.limits") == "shared"});
  to.push_back({"view.palette", tr("Command palette…"), "Ctrl+K", kView, true});
  to.push_back({"view.full-screen", tr("Full screen"), "F11", kView, true});
  to.push_back({"view.chrome", tr("Panels and bars"), "Ctrl+B", kView, true, chromeShown});
  to.push_back({"view.theme", tr("Next theme"), "Ctrl+T", kView, true});
}

void Workbench::Impl::addLessonCommands(Commands& to) {
  const char* const kLesson = tr("Lesson");
  const bool open = lesson.lesson() != nullptr;
  to.push_back({"lesson.next", tr("Next step"), "N", kLesson, lesson.hasNext()});
  to.push_back({"lesson.previous", tr("Previous step"), "B", kLesson, lesson.hasPrevious()});
  to.push_back({"lesson.restart", tr("Start the lesson again"), "", kLesson, open});
  to.push_back({"lesson.close", tr("Close the lesson"), "", kLesson, open});
}

/// What the page in view waits for: that of the active pane, or the start page.
const std::vector<JobHandle>& Workbench::Impl::awaited() {
  return startPage.shown() ? pane(1).awaited : active().awaited;
}

/// One a exhibit, in the order of the tabs.
void Workbench::Impl::addExhibitCommands(Commands& to) {
  const std::string present = active().exhibit().key();
  int number = 0;
  for (const auto& one : active().exhibits) {
    const std::string chord = fmt::format("Alt+{}", ++number);
    to.push_back({std::string(kExhibitCommand) + one->key(), one->name(), chord, tr("Exhibit"), true,
                  !startPage.shown() && one->key() == present});
  }
}

Workbench::Impl::Commands Workbench::Impl::commands() {
  Commands result;
  addFileCommands(result);
  for (auto& one : active().exhibit().commands(active().document())) {
    result.push_back({one.key, one.label, one.shortcut, one.menu, one.enabled});
  }
  addExhibitCommands(result);
  const std::vector<JobHandle>& waited = awaited();
  result.push_back({"jobs.cancel-page", tr("Cancel the work of this page"), "Ctrl+.", tr("Run"),
                    !std::all_of(waited.begin(), waited.end(), [](const JobHandle& job) { return job.ended(); })});
  result.push_back({"jobs.cancel", tr("Cancel all jobs"), "", tr("Run"), !jobs.idle() || !figures.empty()});
  addViewCommands(result);
  addLessonCommands(result);
  result.push_back({"help.keys", tr("Keys and pointer"), "F1", tr("Help"), true});
  result.push_back({"help.explain", tr("Explain this number"), "F2", tr("Help"), !startPage.shown(), card.isOpen()});
  result.push_back({"help.explain-next", tr("Explain the next number"), "F3", tr("Help"), !startPage.shown()});
  result.push_back(
      {"help.explain-previous", tr("Explain the number before"), "Shift+F3", tr("Help"), !startPage.shown()});
  result.push_back({"help.errata", tr("Errata of the papers"), "Shift+F2", tr("Help"), true, errataSheet.isOpen()});
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
  settling = kSettlingFrames;
  const int number = activeNumber();
  const auto own = pane(number).exhibit().commands(pane(number).document());
  if (std::any_of(own.begin(), own.end(), [&](const Exhibit::Command& one) { return one.key == command; })) {
    ExhibitContext now = context(number);
    return pane(number).exhibit().run(now, command);
  }
  if (command.starts_with("file.") || command.starts_with("edit.")) return runFile(command);
  if (command.starts_with("view.")) return runView(command);
  if (command.starts_with("lesson.")) return runLesson(command);
  if (command.starts_with(kExhibitCommand)) {
    if (startPage.shown()) startPage.close();
    return enterExhibit(std::string(command.substr(kExhibitCommand.size())));
  }
  if (command == "jobs.cancel-page") {
    for (const JobHandle& job : awaited())
      job.cancel();
    return {};
  }
  if (command == "jobs.cancel") {
    cancelFigures();
    for (const JobStatus& job : jobs.list())
      jobs.cancel(job.lane);
    return {};
  }
  return runHelp(command);
}

Result<void> Workbench::Impl::runFile(std::string_view command) {
  if (command == "file.new") {
    startAnew();
  } else if (command == "file.open") {
    wish = HostFrame::Wish::OpenDialog;
  } else if (command == "file.save-as" || (command == "file.save" && file.empty())) {
    wish = HostFrame::Wish::SaveDialog;
  } else if (command == "file.save") {
    auto done = self.save(file);
    if (!done && done.error().kind == ErrorKind::CheckFailed) say(done.error().sentence);
    return done;
  } else if (command == "file.export") {
    wish = HostFrame::Wish::ExportDialog;
  } else if (command == "file.quit") {
    wish = HostFrame::Wish::Quit;
  } else if (command == "edit.undo") {
    self.undo();
  } else if (command == "edit.redo") {
    self.redo();
  } else if (command == "edit.preferences") {
    wish = HostFrame::Wish::Preferences;
  } else if (command.starts_with("edit.copy-")) {
    return copy(command);
  }
  return {};
}

Result<void> Workbench::Impl::runView(std::string_view command) {
  if (command == "view.split-one") return self.set("panes.layout", "one");
  if (command == "view.split-two") return self.set("panes.layout", "two");
  if (command == "view.split-four") return self.set("panes.layout", "four");
  if (command == "view.link-cameras") return self.set("panes.linked", history.present().at("panes.linked") != true);
  if (command == "view.share-limits") {
    return self.set("panes.limits", history.present().at("panes.limits") == "shared" ? "own" : "shared");
  }
  if (command == "view.theme") return nextTheme();
  if (command == "view.start") {
    startPage.shown() ? startPage.close() : showStart();
    return {};
  }
  if (command == "view.next-pane") {
    nextPane();
  } else if (command == "view.palette") {
    wish = HostFrame::Wish::Palette;
  } else if (command == "view.full-screen") {
    wish = HostFrame::Wish::FullScreen;
  } else if (command == "view.chrome") {
    chromeShown = !chromeShown;
  }
  return {};
}

/// A person's choice of theme is also what they want next time.
Result<void> Workbench::Impl::nextTheme() {
  const auto keys = themeKeys();
  const auto at = std::find(keys.begin(), keys.end(), theme->key);
  const std::string next = at == keys.end() || at + 1 == keys.end() ? keys.front() : *(at + 1);
  if (auto done = self.setTheme(next); !done) return done;
  if (!options.settings || options.scripted) return {};
  return options.settings->set("settings.theme", next);
}

Result<void> Workbench::Impl::runLesson(std::string_view command) {
  if (command == "lesson.next") {
    lesson.next();
  } else if (command == "lesson.previous") {
    lesson.previous();
  } else if (command == "lesson.close") {
    lesson.close();
  } else if (command == "lesson.restart") {
    lesson.restart();
  }
  return {};
}

/// A key alone does not throw unsaved work away: the first time it says what is at stake. Hosts with dialogs ask
/// themselves and call run().
bool Workbench::Impl::newIsMeant() {
  if (options.scripted || !self.modified() || newAsked == history.revision()) return true;
  newAsked = history.revision();
  self.say({Message::Level::Note, tr("There is unsaved work: Ctrl+S saves it; Ctrl+N once more goes on without it.")});
  return false;
}

bool Workbench::Impl::runShortcut(const KeyPressed& press, bool textActive) {
  if (press.key == Key::Escape && !textActive) return dismissCards() || chrome.dismiss();
  const auto go = [this](std::string_view command) {
    if (command == "file.new" && !newIsMeant()) return true;
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
