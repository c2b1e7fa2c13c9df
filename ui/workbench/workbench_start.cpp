// SPDX-License-Identifier: Apache-2.0
// The Workbench and its start page: what the page lists, when it goes, and what a choice on it means. While it is shown
// no pane has a place, so that nothing is computed behind it; the person's document is not touched.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/exhibits.h"
#include "ui/properties/tr.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

std::string folderOf(const std::string& path) {
  return fs::path(path).parent_path().string();
}

}  // namespace

std::vector<StartEntry> Workbench::Impl::startEntries() {
  std::vector<StartEntry> entries;
  for (const auto& [autosave, name] : options.leftovers) {
    std::error_code gone;
    if (fs::exists(autosave, gone)) {
      entries.push_back({StartEntry::Kind::Restore, autosave, name, tr("Unsaved work, as it was just before.")});
    }
  }
  const auto& without = options.without;
  const bool opens = std::find(without.begin(), without.end(), "file.open") == without.end();
  for (const auto& one : pane(1).exhibits)
    entries.push_back({StartEntry::Kind::Exhibit, one->key(), one->name(), one->about()});
  for (const auto& [path, name] : options.lessons)
    entries.push_back({StartEntry::Kind::Lesson, path, name, {}});
  if (opens) {
    entries.push_back(
        {StartEntry::Kind::Open, "file.open", tr("Open…"),
         tr("A session, a lesson, a checkpoint, a figure made here, a table of points; or drop it anywhere.")});
  }
  if (!options.settings) return entries;
  for (const RecentFile& recent : options.settings->recent())
    entries.push_back({StartEntry::Kind::Recent, recent.path, recent.title, folderOf(recent.path)});
  return entries;
}

void Workbench::Impl::showStart() {
  startPage.show(startEntries(), std::make_unique<Showpiece>(std::move(makeExhibits().front())));
  startRevision = history.revision();
  startAsked.clear();
  settling = kSettlingFrames;
}

/// Before the frame is laid out: a document that changed by another way than the page wants to be seen.
void Workbench::Impl::followStart() {
  if (!startPage.shown() || startRevision == history.revision()) return;
  startPage.close();
  settling = kSettlingFrames;
}

bool Workbench::Impl::startKey(const KeyPressed& press, bool textActive) {
  if (!startPage.shown() || !press.down || textActive) return false;
  if (press.key == Key::Escape && (dismissCards() || chrome.dismiss())) return true;
  return startPage.key(press);
}

void Workbench::Impl::updateStart(bool parametersShown) {
  ExhibitContext like = context(1);
  like.area = layout.picture;
  startPage.update(like, parametersShown);
  if (const Showpiece* picture = startPage.showpiece())
    scenes.push_back({&picture->scene(), startPage.pictureArea().min});
}

void Workbench::Impl::drawStart() {
  const StartPage::Answer answer = startPage.draw(*theme, controls);
  if (answer.close) startPage.close();
  if (answer.chosen) chooseStart(*answer.chosen);
  if (answer.close || answer.chosen) settling = kSettlingFrames;
  if (!startPage.shown()) scenes.clear();  // its picture is gone
}

/// An untouched window opens on the state that the page showed: something to drag. Work that is there stays.
Result<void> Workbench::Impl::enterExhibit(const std::string& key) {
  const bool untouched =
      file.empty() && !lesson.lesson() && withoutCarried(history.present()) == withoutCarried(Document{});
  if (untouched) {
    for (const auto& one : pane(1).exhibits) {
      if (one->key() == key) history.reset(one->exampleState().with("exhibit", key));
    }
    saved = withoutCarried(history.present());
  }
  return active().exhibit().key() == key || untouched ? Result<void>() : active().set("exhibit", key);
}

/// What would take the place of unsaved work is asked for twice: the first time the page says what is at stake.
bool Workbench::Impl::startMayReplace(const StartEntry& entry) {
  const bool replaces = entry.kind != StartEntry::Kind::Exhibit && entry.kind != StartEntry::Kind::Open;
  if (!replaces || options.scripted || !self.modified()) return true;
  if (std::exchange(startAsked, entry.what) == entry.what) return true;
  self.say(
      {Message::Level::Note, fmt::format(fmt::runtime(tr("There is unsaved work: Esc goes back to it, Ctrl+S saves "
                                                         "it; choose \"{}\" again to go on without it.")),
                                         entry.title)});
  return false;
}

void Workbench::Impl::chooseStart(const StartEntry& entry) {
  if (!startMayReplace(entry)) return;
  Result<void> done;
  switch (entry.kind) {
    case StartEntry::Kind::Restore:
      done = self.restore(entry.what);
      break;
    case StartEntry::Kind::Exhibit:
      done = enterExhibit(entry.what);
      if (!done) say(done.error().sentence);
      break;
    case StartEntry::Kind::Open:
      done = run(entry.what);
      if (done) return;  // the page stays until something was opened
      break;
    case StartEntry::Kind::Lesson:
    case StartEntry::Kind::Recent:
      done = self.open(entry.what);
      break;
  }
  if (done) startPage.close();  // open() and restore() have said what was wrong; the page stays
}

}  // namespace sepx::ui
