// SPDX-License-Identifier: Apache-2.0
// Builds the entries of the start page and carries out the one that is chosen.
#include "ui/workbench/start_choices.h"

#include <array>
#include <filesystem>
#include <utility>

#include "ui/exhibits/exhibits.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/language_choice.h"
#include "ui/workbench/settings.h"

namespace sepx::ui {
namespace fs = std::filesystem;

std::vector<StartEntry> StartChoices::entries() {
  std::vector<StartEntry> all;
  const WorkbenchOptions& options = window_.options;
  for (const auto& [file, name] : options.recoveryFiles) {
    std::error_code gone;
    if (fs::exists(file, gone)) {
      all.push_back({StartEntry::Kind::Restore, file, name, tr("Unsaved changes from an earlier session.")});
    }
  }
  for (const auto& one : panes_.at(1).exhibits())
    all.push_back({StartEntry::Kind::Exhibit, one->key(), one->name(), one->about()});
  for (const auto& [path, name] : lessonsInLanguage(options.lessons))
    all.push_back({StartEntry::Kind::Lesson, path, name, {}});
  if (window_.hasCommand("file.open")) {
    all.push_back({StartEntry::Kind::Open, "file.open", tr("Open…"),
                   tr("A session, lesson, checkpoint, training run, exported figure or table of points. You can also "
                      "drop a file anywhere.")});
  }
  if (!options.settings) return all;
  for (const RecentFile& recent : options.settings->recent()) {
    const bool addsToCurrent = recent.kind == toString(FileKind::Checkpoint) ||
                               recent.kind == toString(FileKind::Run) || recent.kind == toString(FileKind::Sweep);
    all.push_back({StartEntry::Kind::Recent, recent.path, recent.title, fs::path(recent.path).parent_path().string(),
                   addsToCurrent});
  }
  return all;
}

void StartChoices::show() {
  std::vector<StartEntry> all = entries();
  language_ = languageRevision();
  page_.show(std::move(all), std::make_unique<StartPicture>(std::move(makeExhibits().front())));
  revision_ = window_.history.revision();
  warnedChoice_.clear();
  window_.redraw();
}

void StartChoices::follow() {
  if (shown() && !gesture_ && language_ != languageRevision()) show();
  if (!shown() || gesture_ || revision_ == window_.history.revision()) return;
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
  if (answer.pressed) takeOver(*answer.pressed);
  if (answer.close || answer.chosen || answer.pressed) window_.redraw();
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

/// In a window that the user has changed, only the exhibit is opened and the press ends, because it was on the picture
/// of another state.
void StartChoices::takeOver(render::Point pressed) {
  const StartPicture* const picture = page_.picture();
  if (!picture) return;
  const std::string exhibit = panes_.at(1).exhibits().front()->key();
  if (!files_.untouched()) {
    if (auto done = enterExhibit(exhibit); !done) window_.error(done.error().message);
    return;
  }
  const render::Scene& scene = picture->scene();
  const render::Point origin = page_.pictureArea().min;
  const auto placed = [&origin](render::Point at) { return render::Point{at.x + origin.x, at.y + origin.y}; };
  gesture_ = Gesture{pressed, {placed(scene.plot.min), placed(scene.plot.max)}, scene.window};
  files_.beginWith(picture->document().with("exhibit", exhibit));
  page_.hold();
}

std::optional<render::Rect> StartChoices::heldPicture() const {
  return gesture_ ? std::optional(page_.pictureArea()) : std::nullopt;
}

void StartChoices::endGesture() {
  gesture_.reset();
  page_.close();
  Pane& pane = panes_.at(1);
  const std::string view = pane.exhibit().viewSection();
  if (!view.empty() && pane.document().has(view)) pane.replace(pane.document().without(view));
  window_.redraw();
}

std::optional<render::Point> StartChoices::resumeGesture() {
  Pane& pane = panes_.at(1);
  gesture_->begun = true;
  if (!pane.scene() || panes_.places().empty()) return std::nullopt;
  const Gesture* const gesture = &*gesture_;
  const render::Point origin = panes_.places().front().picture.min;
  const render::Rect& plot = pane.scene()->plot;
  const render::Rect &before = gesture->plot, &window = gesture->window;
  const auto x = [&](double at) {
    return window.min.x + (at + origin.x - before.min.x) / before.width() * window.width();
  };
  const auto y = [&](double at) {
    return window.max.y - (at + origin.y - before.min.y) / before.height() * window.height();
  };
  const std::string view = pane.exhibit().viewSection();
  const std::array<std::pair<const char*, double>, 4> edges{
      {{".xMin", x(plot.min.x)}, {".xMax", x(plot.max.x)}, {".yMin", y(plot.max.y)}, {".yMax", y(plot.min.y)}}};
  Document moved = pane.document();
  for (const auto& [name, value] : edges) {
    if (!pane.properties().find(view + name)) return std::nullopt;
    moved = moved.with(view + name, value);
  }
  pane.replace(std::move(moved));
  return gesture->pressed;
}

/// An entry that would replace unsaved work has to be chosen twice; the first time, a note says what would be lost.
bool StartChoices::mayReplace(const StartEntry& entry) {
  const bool replaces = entry.kind != StartEntry::Kind::Exhibit && entry.kind != StartEntry::Kind::Open;
  if (!replaces || entry.addsToCurrent || window_.options.scripted || !files_.modified()) return true;
  if (window_.options.stage && files_.inLesson()) return true;  // on a stage, changes in a lesson are not worth saving
  if (std::exchange(warnedChoice_, entry.what) == entry.what) return true;
  window_.note(trFormat(
      "There are unsaved changes. Esc goes back to them, Ctrl+S saves them; choose \"{}\" again to discard them.",
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
      if (!done) window_.error(done.error().message);
      return;
    case StartEntry::Kind::Open:
      window_.request = HostRequest::OpenDialog;
      return;  // the page stays until something was opened
    case StartEntry::Kind::Lesson:
    case StartEntry::Kind::Recent:
      files_.startOpening({entry.what}, ApplyOpened::WhenRead);
      return;  // the page closes when the document has changed
  }
  if (done) page_.close();  // after a failure, which was reported, the page stays
}

}  // namespace sepx::ui
