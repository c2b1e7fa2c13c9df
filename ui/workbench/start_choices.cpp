// SPDX-License-Identifier: Apache-2.0
// Entries of the start page and their meaning.
#include "ui/workbench/start_choices.h"

#include <filesystem>
#include <utility>

#include "ui/exhibits/exhibits.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/settings.h"

namespace sepx::ui {
namespace fs = std::filesystem;

std::vector<StartEntry> StartChoices::entries() {
  std::vector<StartEntry> all;
  const WorkbenchOptions& options = window_.options;
  for (const auto& [file, name] : options.recoveryFiles) {
    std::error_code gone;
    if (fs::exists(file, gone)) {
      all.push_back({StartEntry::Kind::Restore, file, name, tr("Unsaved work, as it was just before.")});
    }
  }
  for (const auto& one : panes_.at(1).exhibits())
    all.push_back({StartEntry::Kind::Exhibit, one->key(), one->name(), one->about()});
  for (const auto& [path, name] : options.lessons)
    all.push_back({StartEntry::Kind::Lesson, path, name, {}});
  if (window_.hasCommand("file.open")) {
    all.push_back(
        {StartEntry::Kind::Open, "file.open", tr("Open…"),
         tr("A session, a lesson, a checkpoint, a figure made here, a table of points; or drop it anywhere.")});
  }
  if (!options.settings) return all;
  for (const RecentFile& recent : options.settings->recent())
    all.push_back({StartEntry::Kind::Recent, recent.path, recent.title, fs::path(recent.path).parent_path().string()});
  return all;
}

void StartChoices::show() {
  page_.show(entries(), std::make_unique<StartPicture>(std::move(makeExhibits().front())));
  revision_ = window_.history.revision();
  asked_.clear();
  window_.redraw();
}

void StartChoices::follow() {
  if (!shown() || revision_ == window_.history.revision()) return;
  page_.close();
  window_.redraw();
}

const render::PlacedScene* StartChoices::update(bool parametersShown) {
  ExhibitContext like = panes_.context(1);
  like.area = window_.layout.picture;
  page_.update(like, parametersShown);
  const StartPicture* picture = page_.picture();
  if (!picture) return nullptr;
  picture_ = {&picture->scene(), page_.pictureArea().min};
  return &picture_;
}

bool StartChoices::draw() {
  const StartPage::Answer answer = page_.draw(*window_.theme, window_.controls);
  if (answer.close) page_.close();
  if (answer.chosen) choose(*answer.chosen);
  if (answer.close || answer.chosen) window_.redraw();
  return shown();
}

void StartChoices::addCommands(Commands& to) {
  to.add({"view.start", tr("Start page"), "Home", tr("View"), true, shown()},
         [this] { shown() ? page_.close() : show(); });
}

Result<void> StartChoices::enterExhibit(const std::string& key) {
  page_.close();
  const bool untouched = files_.untouched();
  if (untouched) {
    for (const auto& one : panes_.at(1).exhibits()) {
      if (one->key() == key) files_.beginWith(one->exampleState().with("exhibit", key));
    }
  }
  return panes_.active().exhibit().key() == key ? Result<void>() : panes_.active().set("exhibit", key);
}

/// What would take the place of unsaved work is asked for twice: the first time the page says what is at stake.
bool StartChoices::mayReplace(const StartEntry& entry) {
  const bool replaces = entry.kind != StartEntry::Kind::Exhibit && entry.kind != StartEntry::Kind::Open;
  if (!replaces || window_.options.scripted || !files_.modified()) return true;
  if (std::exchange(asked_, entry.what) == entry.what) return true;
  window_.note(
      trFormat("There is unsaved work: Esc goes back to it, Ctrl+S saves it; choose "
               "\"{}\" again to go on without it.",
               entry.title));
  return false;
}

void StartChoices::choose(const StartEntry& entry) {
  if (!mayReplace(entry)) return;
  Result<void> done;
  switch (entry.kind) {
    case StartEntry::Kind::Restore:
      done = files_.restore(entry.what);
      break;
    case StartEntry::Kind::Exhibit:
      done = enterExhibit(entry.what);
      if (!done) window_.error(done.error().sentence);
      return;
    case StartEntry::Kind::Open:
      window_.request = HostRequest::OpenDialog;
      return;  // the page stays until something was opened
    case StartEntry::Kind::Lesson:
    case StartEntry::Kind::Recent:
      files_.startOpening({entry.what}, TakeOpened::WhenRead);
      return;  // and closes when the document is another one
  }
  if (done) page_.close();  // what was wrong has been said; the page stays
}

}  // namespace sepx::ui
