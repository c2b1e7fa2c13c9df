// SPDX-License-Identifier: Apache-2.0
// Commands of the window and their keys, to which exhibits and parts add their own, and the read-outs of the window
// itself.
#include <algorithm>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/language_choice.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {

bool Workbench::Impl::takeKey(const KeyPressed& press, bool textActive) {
  if (!press.down) return false;
  const bool escape = press.key == Key::Escape && !textActive;
  if (escape && (files.cancelOpening() || stateSheet.close() || cards.dismiss() || chrome.dismiss())) return true;
  if (start.shown() && !textActive && start.key(press)) return true;
  const bool reads = reader.reads();
  if (!textActive && reader.key(press)) return true;
  if (escape) return false;
  const std::string command = commands().meaning(press, textActive);
  if (command.empty()) return !textActive && !reads && reader.begin(press);
  if (command == "file.new" && !files.confirmDiscard()) return true;
  if (auto done = self.run(command); !done && done.error().kind != ErrorKind::CheckFailed) {
    window.error(done.error().message);
  }
  return true;
}

void Workbench::Impl::addEditCommands(Commands& to) {
  const char* const kEdit = tr("Edit");
  const auto undo = window.history.undoLabel(), redo = window.history.redoLabel();
  to.add({"edit.undo", undo ? trFormat("Undo {}", *undo) : tr("Undo"), "Ctrl+Z", kEdit, undo.has_value()},
         [this] { self.undo(); });
  to.add({"edit.redo", redo ? trFormat("Redo {}", *redo) : tr("Redo"), "Ctrl+Shift+Z", kEdit, redo.has_value()},
         [this] { self.redo(); });
  figures.addCommands(to);
  stateSheet.addCommands(to);
  to.add({"edit.preferences", tr("Preferences…"), "Ctrl+,", kEdit, true},
         [this] { window.request = HostRequest::Preferences; });
}

/// Adds the commands of the active exhibit, then one per exhibit, in the order of the tabs.
void Workbench::Impl::addExhibitCommands(Commands& to) {
  Pane& pane = panes.active();
  for (const auto& one : pane.exhibit().commands(pane.document())) {
    to.add({one.key, one.label, one.shortcut, one.menu, one.enabled}, [this, act = one.act] {
      ExhibitContext now = panes.context(panes.activeNumber());
      if (act) act(now);
    });
  }
  const std::string present = pane.exhibit().key();
  int number = 0;
  for (const auto& one : pane.exhibits()) {
    const std::string chord = fmt::format("Alt+{}", ++number);
    to.add({"exhibit." + one->key(), one->name(), chord, tr("Exhibit"), true, !start.shown() && one->key() == present},
           [this, key = one->key()] { return start.enterExhibit(key); });
  }
}

void Workbench::Impl::addViewCommands(Commands& to) {
  const char* const kView = tr("View");
  start.addCommands(to);
  panes.addCommands(to);
  to.add({"view.palette", tr("Command palette…"), "Ctrl+K", kView, true},
         [this] { window.request = HostRequest::Palette; });
  to.add({"view.full-screen", tr("Full screen"), "F11", kView, true},
         [this] { window.request = HostRequest::FullScreen; });
  to.add({"view.chrome", tr("Panels and bars"), "Ctrl+B", kView, true, window.chromeShown},
         [this] { window.chromeShown = !window.chromeShown; });
  to.add({"view.theme", tr("Next theme"), "Ctrl+T", kView, true}, [this] { return nextTheme(); });
  addLanguageCommands(to, window);
}

/// Resumes the interrupted runs, and shows them in the exhibit that shows runs.
Result<void> Workbench::Impl::resumeRuns() {
  constexpr std::string_view kShow = "runs.show";
  chrome.dismissMessages();  // the offer was accepted
  SEPX_TRY(window.options.runs->resumeInterrupted());
  Pane& pane = panes.active();
  for (const auto& exhibit : pane.exhibits()) {
    const std::vector<ExhibitCommand> known = exhibit->commands(pane.document());
    if (std::ranges::none_of(known, [&](const ExhibitCommand& one) { return one.key == kShow; })) continue;
    SEPX_TRY(start.enterExhibit(exhibit->key()));
    return self.run(kShow);
  }
  return {};
}

/// Adds the command that resumes runs which an earlier session left interrupted.
void Workbench::Impl::addRunCommands(Commands& to) {
  if (!ownsRuns || window.options.runs->interrupted().empty()) return;
  to.add({"runs.resume", tr("Resume interrupted runs"), "", tr("Run"), true}, [this] { return resumeRuns(); });
}

Commands Workbench::Impl::commands() {
  Commands all;
  if (window.options.presents) presenter.addCommands(all);
  files.addCommands(all);
  addEditCommands(all);
  addExhibitCommands(all);
  // The jobs that the visible page waits for: that of the active pane, or the start page.
  const std::vector<JobHandle>& awaited = (start.shown() ? panes.at(1) : panes.active()).awaited();
  const bool waits = !files.opening().empty() ||
                     !std::all_of(awaited.begin(), awaited.end(), [](const JobHandle& job) { return job.ended(); });
  all.add({"jobs.cancel-page", tr("Cancel the jobs of this page"), "Ctrl+.", tr("Run"), waits}, [this, awaited] {
    files.cancelOpening();
    for (const JobHandle& job : awaited)
      job.cancel();
  });
  all.add({"jobs.cancel", tr("Cancel all jobs"), "", tr("Run"), !jobs.idle() || !figures.idle()}, [this] {
    figures.cancelAll();
    files.cancelOpening();
    jobs.cancelAll();
  });
  addRunCommands(all);
  addViewCommands(all);
  lesson.addCommands(all);
  all.add({"help.guide", tr("Guide"), "F1", tr("Help"), true, chrome.guideOpen()}, [this] { chrome.toggleGuide(); });
  all.add({"help.keys", tr("Keys and pointer"), "Shift+F1", tr("Help"), true}, [this] { chrome.toggleHelp(); });
  cards.addCommands(all, !start.shown());
  all.remove(window.options.without);
  // Everything else is done in the other window.
  if (window.options.follows) all.keepOnly({"help.keys", "view.full-screen", "file.quit"});
  if (presenter.active()) all.clearShadowedShortcuts();
  return all;
}

/// The chosen theme is also kept for the next start.
Result<void> Workbench::Impl::nextTheme() {
  const auto keys = themeKeys();
  const auto at = std::find(keys.begin(), keys.end(), window.theme->key);
  const std::string next = at == keys.end() || at + 1 == keys.end() ? keys.front() : *(at + 1);
  if (auto done = self.setTheme(next); !done) return done;
  if (!window.options.settings || window.options.scripted) return {};
  return window.options.settings->set("settings.theme", next);
}

void Workbench::Impl::declareReadOuts(PropertyRegistry& registry) {
  const auto of = gettersOf(*this);
  const auto lessonSteps = [](const Impl& impl) { return impl.lesson.lesson()->steps.size(); };
  const Getters open([this](int) { return lesson.lesson() ? this : nullptr; });
  // clang-format off
  ui::declareReadOuts(registry, {.prefix = "workbench."}, {
      {.key = "theme", .label = N_("Theme"), .help = N_("Colours of the interface."), .digits = 0,
       .get = of([](const Impl& impl) { return impl.window.theme->key; })},
      {.key = "chrome", .label = N_("Chrome"),
       .help = N_("Whether panels and bars are shown around the picture."), .digits = 0,
       .get = of([](const Impl& impl) { return impl.window.chromeShown; })},
      {.key = "lesson.step", .label = N_("Lesson step"), .help = N_("Number of the step shown, from 1."), .digits = 0,
       .get = open([](const Impl& impl) { return impl.lesson.step() + 1; })},
      {.key = "lesson.steps", .label = N_("Lesson steps"), .help = N_("How many steps the open lesson has."),
       .digits = 0, .get = open(lessonSteps)},
      {.key = "undo", .label = N_("Undo"), .help = N_("What undo would revert; empty if there is nothing to undo."),
       .digits = 0, .get = of([](const Impl& impl) { return impl.window.history.undoLabel(); })},
      {.key = "redo", .label = N_("Redo"), .help = N_("What redo would restore; empty if there is nothing to redo."),
       .digits = 0, .get = of([](const Impl& impl) { return impl.window.history.redoLabel(); })}});
  // clang-format on
}

std::vector<Workbench::Command> Workbench::commands() const {
  return impl_->commands().list();
}

std::vector<Workbench::Command> Workbench::commandsOf(std::string_view exhibit) const {
  std::vector<Command> all;
  Pane& pane = impl_->panes.active();
  for (const auto& one : pane.exhibits()) {
    if (one->key() != exhibit) continue;
    for (const ExhibitCommand& command : one->commands(pane.document()))
      all.push_back({command.key, command.label, command.shortcut, command.menu, command.enabled});
  }
  return all;
}

std::optional<Workbench::Command> Workbench::commandAt(render::Point place) const {
  const float scale = impl_->window.scale;
  const auto keys =
      impl_->window.controls.controlsAt({static_cast<float>(place.x) / scale, static_cast<float>(place.y) / scale});
  if (!keys) return std::nullopt;
  for (Command& command : commands())
    if (std::ranges::count(*keys, inPane(command.key, activePane())) > 0) return std::move(command);
  return std::nullopt;
}

Result<void> Workbench::run(std::string_view command) {
  const auto act = impl_->commands().find(command);
  if (!act) return tl::unexpected(act.error());
  impl_->window.redraw();
  return (*act)();
}

}  // namespace sepx::ui
