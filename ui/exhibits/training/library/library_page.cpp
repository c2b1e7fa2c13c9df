// SPDX-License-Identifier: Apache-2.0
// The actions of the page Library.
#include "ui/exhibits/training/library/library_page.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

#include "engine/core/local_time.h"
#include "ui/exhibits/training/shared/experiments.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

namespace {

std::string wholePath(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(folder, error).lexically_normal();
  if (error || whole.empty()) return folder;
  return (whole.has_filename() ? whole : whole.parent_path()).string();
}

constexpr const char* kTrash = "training.library.trash";

std::string today() {
  return train::shownTime(utcOf(std::time(nullptr))).substr(0, 10);
}

/// The title of a run as it was last listed. The run may no longer exist.
std::string titleIn(const train::RunList& runs, const std::string& folder) {
  const std::string name = folder.substr(folder.find_last_of('/') + 1);
  const auto found = std::ranges::find_if(runs, [&folder](const auto& run) { return run->folder == folder; });
  return found == runs.end() ? name : runTitle((*found)->record.name, name);
}

void toggle(std::vector<std::string>& names, const std::string& name) {
  if (std::erase(names, name) == 0) names.push_back(name);
}

}  // namespace

void LibraryPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  state_ = readLibraryState(document, registry);
  sweep_.read(document, registry);
  found_.clear();
  for (const char* const key : {"training.library.search", "training.library.filter"})
    if (std::optional<FieldRow> row = fieldRow(registry, document, key)) found_.push_back(*std::move(row));
}

/// Writes the typed tags and notes to the files, and shows them at once.
void LibraryPage::takeEdits() {
  for (const Edit& edit : std::exchange(edits_, {})) {
    const train::RunList chosen = view_.named(edit.names);
    const std::vector<std::string> wanted = train::tagsOf(edit.text), all = train::tagsOf(sharedTags(chosen));
    for (const auto& run : chosen) {
      train::RunNotes notes = run->own;
      if (edit.tags) {
        std::erase_if(notes.tags, [&](const std::string& tag) {
          return std::ranges::find(all, tag) != all.end() || std::ranges::find(wanted, tag) != wanted.end();
        });
        notes.tags.insert(notes.tags.begin(), wanted.begin(), wanted.end());
      } else {
        notes.notes = edit.text;
      }
      store_.write(*run, std::move(notes));
    }
    view_.update(store_.runs(), store_.revision(), {store_.folder(), store_.lessons()}, state_, today());
  }
}

void LibraryPage::take(ExhibitContext& context, const LibraryActionResult& done) {
  if (!done.failure.empty()) return context.editor.say(done.failure);
  if (done.action.kind == LibraryAction::Newest) return openWeights(context, done.place);
  if (done.action.kind == LibraryAction::Branch) return editBranch(context, done);
  if (done.action.kind == LibraryAction::Trash && done.action.deletion > 0) deleted_.push_back(done.action.folder);
}

/// After all deletions have ended, tells the user which runs were deleted and offers to put them back. This is one undo
/// step, whose Undo puts them back. The race continues without them.
void LibraryPage::sayDeleted(ExhibitContext& context) {
  constexpr std::size_t kMostNamed = 4;
  if (deleted_.empty() || !store_.actionsComplete()) return;
  const std::vector<std::string> folders = std::exchange(deleted_, {});
  std::vector<std::string> left = racing_, ids = state_.deleted;
  std::string all;
  for (const std::string& folder : folders) {
    std::erase(left, folder);
    all += (all.empty() ? "" : ", ") + titleIn(view_.all(), folder);
  }
  std::ranges::copy(store_.newestDeleted(), std::back_inserter(ids));
  Document next = context.editor.document().with(kTrash, joinedNames(ids));
  if (left != racing_) next = withRuns(trainingRaces(), next, left);
  context.editor.seal();
  context.editor.commit(std::move(next), folders.size() == 1 ? tr("delete a run") : tr("delete runs"));
  context.editor.seal();
  context.editor.note({folders.size() == 1 ? trFormat("Deleted {}. The run is in the trash.", all)
                       : folders.size() <= kMostNamed
                           ? trFormat("Deleted {} runs: {}. They are in the trash.", folders.size(), all)
                           : trFormat("Deleted {} runs. They are in the trash.", folders.size()),
                       "training.library-put-back", tr("Put back")});
}

void LibraryPage::putBack(ExhibitContext& context) {
  std::vector<std::string> left = state_.deleted;
  for (const std::string& id : store_.putBack())
    std::erase(left, id);
  if (left == state_.deleted) return;
  context.editor.seal();
  context.editor.commit(context.editor.document().with(kTrash, joinedNames(left)), tr("put back a run"));
  context.editor.seal();
}

void LibraryPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  racing_ = frame.shared.state.folders;
  const std::string own = context.runs ? context.runs->folder() : std::string();
  const std::string folder = state_.folder.empty() ? own : wholePath(state_.folder);
  const std::string lessons = context.runs && state_.folder.empty() ? context.runs->lessonRunsFolder() : std::string();
  takeEdits();
  for (const LibraryActionResult& done :
       store_.update(context, folder, lessons, state_.look == LibraryMode::Sweep ? 1 : 2))
    take(context, done);
  if (store_.actionsComplete() && deleted_.empty()) store_.follow(state_.deleted);
  sayDeleted(context);
  view_.update(store_.runs(), store_.revision(), {store_.folder(), store_.lessons()}, state_, today());
  if (state_.look == LibraryMode::Sweep) sweep_.update(context, store_, view_, state_);
  results_.follow(Digest().add(view_.revision(), store_.read(), store_.trashed(), sweep_.revision()).value());
}

/// Makes the chosen runs the race, which shows their curves, matrices and everything else side by side.
void LibraryPage::open(ExhibitContext& context) {
  const train::RunList& chosen = view_.chosen();
  if (chosen.empty()) return context.editor.say(tr("Choose a run first."));
  if (chosen.size() > kMostRuns)
    return context.editor.say(
        trFormat("{} runs are selected; at most {} can be shown side by side.", chosen.size(), kMostRuns));
  std::vector<std::string> folders;
  for (const auto& run : chosen) {
    if (!run->failure.empty()) return context.editor.say(run->failure);
    folders.push_back(run->folder);
  }
  noteUse(context);
  context.editor.seal();
  context.editor.commit(with(context.editor.document(), ShowRuns{folders}),
                        folders.size() == 1 ? tr("open a run") : tr("open runs"));
  context.editor.seal();
}

/// Records that the chosen runs are used. No-op in a script, which leaves nothing behind.
void LibraryPage::noteUse(const ExhibitContext& context) {
  if (context.scripted || !context.runs) return;
  for (const auto& run : view_.chosen())
    store_.act({.kind = LibraryAction::Use, .folder = run->folder, .place = context.runs->folder(), .notes = {}});
}

void LibraryPage::openWeights(ExhibitContext& context, const std::string& checkpoint) {
  context.editor.seal();
  context.editor.commit(with(context.editor.document(), OpenInWeights{checkpoint}), tr("open a run in Weights"));
  context.editor.seal();
}

/// Also makes the run the race, so that the branch trains beside it.
void LibraryPage::editBranch(ExhibitContext& context, const LibraryActionResult& of) {
  const std::string& folder = of.action.folder;
  context.editor.seal();
  context.editor.commit(with(with(context.editor.document(), ShowRuns{{folder}}), EditRun{folder, of.step}),
                        tr("edit a branch"));
  context.editor.seal();
}

std::vector<std::string> LibraryPage::shownNames() const {
  std::vector<std::string> names;
  if (state_.look == LibraryMode::Table) {
    for (const LibraryRows::Row& row : view_.rows())
      names.push_back(row.run ? view_.nameOf(*view_.shown()[*row.run]) : std::string());
    return names;
  }
  if (state_.look != LibraryMode::Sweep) {
    for (const auto& run : view_.shown())
      names.push_back(view_.nameOf(*run));
    return names;
  }
  for (const std::string& folder : sweep_.folders())
    names.push_back(folder.empty() ? folder : view_.nameOf(folder));
  return names;
}

void LibraryPage::moveChoice(ExhibitContext& context, int by) {
  const std::vector<std::string> names = shownNames();
  const auto last =
      view_.chosen().empty() ? names.end() : std::ranges::find(names, view_.nameOf(*view_.chosen().back()));
  auto at = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(anchor_), std::ssize(names) - 1);
  if (last != names.end()) {
    at = std::clamp<std::ptrdiff_t>(last - names.begin() + by, 0, std::ssize(names) - 1);
  }
  while (at >= 0 && at < std::ssize(names) && names[static_cast<std::size_t>(at)].empty())
    at += by < 0 ? -1 : 1;  // skip rows that cannot be chosen
  if (at < 0 || at >= std::ssize(names)) return;
  anchor_ = static_cast<std::size_t>(at);
  context.editor.replace(withChosen(context.editor.document(), {names[anchor_]}));
  board().reveal("runs", anchor_);
}

/// Chooses only this row. With Ctrl it is added to the choice or removed from it. With Shift all rows from the anchor
/// to this one are chosen.
void LibraryPage::chooseRow(ExhibitContext& context, const std::vector<std::string>& all, std::size_t row,
                            const Modifiers& modifiers) {
  std::vector<std::string> names;
  if (modifiers.ctrl || modifiers.super) {
    for (const auto& run : view_.chosen())
      names.push_back(view_.nameOf(*run));
    toggle(names, all[row]);
    anchor_ = row;
  } else if (modifiers.shift) {
    const std::size_t from = std::min(anchor_, all.size() - 1);
    for (std::size_t i = std::min(from, row); i <= std::max(from, row); ++i)
      if (!all[i].empty()) names.push_back(all[i]);
  } else {
    names = {all[row]};
    anchor_ = row;
  }
  context.editor.replace(withChosen(context.editor.document(), names));
}

void LibraryPage::sortBy(ExhibitContext& context, std::size_t field) const {
  const std::string& key = view_.fields().keys()[field];
  const bool turns = field == view_.sortField();
  // A new sort field starts with the largest value for times and steps, and with the smallest for losses and names.
  const bool descending = turns ? !state_.descending : key == "created" || key == "used" || key == "step";
  context.editor.replace(
      context.editor.document().with("training.library.sort", key).with("training.library.descending", descending));
}

/// Opens the chosen runs, including those that were chosen in this frame.
void LibraryPage::openChosen(ExhibitContext& context) {
  view_.update(store_.runs(), store_.revision(), {store_.folder(), store_.lessons()},
               readLibraryState(context.editor.document(), context.editor.properties()), today());
  open(context);
}

void LibraryPage::take(const RaceFrame& frame, ExhibitContext& context, const ViewPress& press) {
  const bool sweep = state_.look == LibraryMode::Sweep;
  if (press.view != "runs") return pressCell(context, press);
  if (press.head && sweep) return sweep_.sortBy(context, press.index, frame.theme, board().boxOf("runs"));
  if (press.head)
    return sortBy(context,
                  press.index == 0 ? view_.fields().find("folder").value_or(0) : view_.columns()[press.index - 1]);
  const std::vector<std::string> names = shownNames();
  if (press.index >= names.size()) return;
  if (names[press.index].empty() && !sweep) return;  // the heading of a group
  if (names[press.index].empty()) return context.editor.say(sweep_.stateOf(press.index));
  chooseRow(context, names, press.index, press.modifiers);
  if (press.twice) openChosen(context);
}

/// A press on a point of the chart chooses all its runs.
void LibraryPage::pressCell(ExhibitContext& context, const ViewPress& press) {
  std::vector<std::string> names;
  if (press.modifiers.ctrl || press.modifiers.super)
    for (const auto& run : view_.chosen())
      names.push_back(view_.nameOf(*run));
  const std::vector<std::string> folders = sweep_.foldersOf(press.index);
  for (const std::string& folder : folders)
    if (std::ranges::find(names, view_.nameOf(folder)) == names.end()) names.push_back(view_.nameOf(folder));
  context.editor.replace(withChosen(context.editor.document(), names));
  const std::vector<std::string> all = sweep_.folders();
  if (!folders.empty())
    board().reveal("runs", static_cast<std::size_t>(std::ranges::find(all, folders.front()) - all.begin()));
  if (press.twice) openChosen(context);
}

void LibraryPage::openNewest(ExhibitContext& context) {
  if (view_.chosen().size() != 1) return context.editor.say(tr("Choose one run first."));
  noteUse(context);
  store_.act({.kind = LibraryAction::Newest, .folder = view_.chosen().front()->folder, .notes = {}});
}

void LibraryPage::branchNewest(ExhibitContext& context) {
  if (view_.chosen().size() != 1) return context.editor.say(tr("Choose one run first."));
  noteUse(context);
  store_.act({.kind = LibraryAction::Branch, .folder = view_.chosen().front()->folder, .notes = {}});
}

void LibraryPage::deleteChosen(ExhibitContext& context) {
  if (view_.chosen().empty()) context.editor.say(tr("Choose a run first."));
  store_.trash(view_.chosen());
}

void LibraryPage::showDifferences(ExhibitContext& context) {
  if (view_.chosen().size() < 2) context.editor.say(tr("Choose two or more runs first: hold Ctrl and click."));
  context.editor.replace(context.editor.document().with("training.library.view", "differences"));
}

std::vector<RacePage::Command> LibraryPage::commands(const RaceShared&, const Document&) {
  const char* const menu = tr("Run");
  const std::size_t chosen = view_.chosen().size();
  const bool any = !view_.shown().empty(), narrowed = !state_.search.empty() || !state_.filter.empty();
  const auto with = [this](void (LibraryPage::*act)(ExhibitContext&)) {
    return [this, act](ExhibitContext& context) { (this->*act)(context); };
  };
  const auto show = [](const char* word) {
    return [word](ExhibitContext& context) {
      context.editor.replace(context.editor.document().with("training.library.view", word));
    };
  };
  const auto readAgain = [this] {
    store_.readAgain();
    sweep_.readAgain();
  };
  const auto showAll = [](ExhibitContext& context) {
    context.editor.replace(
        context.editor.document().with("training.library.search", "").with("training.library.filter", ""));
  };
  const auto columns = [this] {
    columnsShown_ = !columnsShown_;
    results_.changed();
  };
  const auto lessons = [this](ExhibitContext& context) {
    context.editor.replace(context.editor.document().with("training.library.lessons", !state_.lessons));
  };
  const auto move = [this](int by) { return [this, by](ExhibitContext& context) { moveChoice(context, by); }; };
  const int across = state_.look == LibraryMode::Cards ? static_cast<int>(board().inRow("runs")) : 1;
  return {
      {"training.library-open", tr("Open the selected runs"), "Enter", menu, chosen > 0, with(&LibraryPage::open)},
      {"training.library-branch", tr("Branch from the last step of the selected run…"), "", menu, chosen == 1,
       with(&LibraryPage::branchNewest)},
      {"training.library-weights", tr("Open the selected run in Weights"), "", menu, chosen == 1,
       with(&LibraryPage::openNewest)},
      {"training.library-differences", tr("What differs between the selected runs"), "", menu, chosen > 1,
       with(&LibraryPage::showDifferences)},
      {"training.library-delete", tr("Move the selected runs to the trash"), "Delete", menu, chosen > 0,
       with(&LibraryPage::deleteChosen)},
      {"training.library-put-back", tr("Put back what was deleted last"), "", menu, store_.trashed() > 0,
       with(&LibraryPage::putBack)},
      {"training.library-read", tr("Read the library again"), "Ctrl+Shift+R", menu, true, readAgain},
      {"training.library-cards", tr("Runs as cards"), "", menu, state_.look != LibraryMode::Cards, show("cards")},
      {"training.library-table", tr("Runs as a table"), "", menu, state_.look != LibraryMode::Table, show("table")},
      {"training.library-sweep", tr("The sweep of this folder"), "", menu, state_.look != LibraryMode::Sweep,
       show("sweep")},
      {"training.library-columns", tr("Columns of the table"), "", menu, state_.look == LibraryMode::Table, columns},
      {"training.library-lessons", tr("Runs of lessons"), "", menu, view_.ofLessons() > 0 || state_.lessons, lessons},
      {"training.library-all", tr("Show all runs"), "", menu, narrowed, showAll},
      {"training.library-next", tr("Next run"), "Right", menu, any, move(1)},
      {"training.library-previous", tr("Previous run"), "Left", menu, any, move(-1)},
      {"training.library-below", tr("Run below"), "Down", menu, any, move(across)},
      {"training.library-above", tr("Run above"), "Up", menu, any, move(-across)}};
}

Numbers LibraryPage::numbers(const RaceShared&) const {
  if (state_.look == LibraryMode::Sweep) return sweep_.numbers();
  Numbers numbers;
  if (view_.shown().empty()) return numbers;
  Table& table = numbers.tables.emplace_back();
  table.name = "runs";
  std::vector<std::string> names;
  for (const auto& run : view_.shown())
    names.push_back(view_.nameOf(*run));
  table.columns.push_back({"run", "", std::move(names)});
  for (const std::size_t field : view_.columns()) {
    std::vector<train::RunValue> values;
    for (const auto& run : view_.shown())
      values.push_back(view_.fields().of(*run, field));
    table.columns.push_back(exportColumn(view_.fields().keys()[field], view_.fields().isNumber(field), values));
  }
  return numbers;
}

std::string LibraryPage::caption(const RaceShared&) const {
  if (state_.look == LibraryMode::Sweep) return sweep_.caption(board().boxOf("sweep.chart"));
  return trFormat("{} of {} runs.", view_.shown().size(), view_.all().size());
}

std::vector<std::pair<std::string, std::string>> LibraryPage::gestures() const {
  return {{tr("click a run"), tr("choose it; with Ctrl add it, with Shift choose all up to it")},
          {tr("double click, Enter"), tr("show the curves of the selected runs")},
          {tr("click a column header"), tr("order by it")},
          {tr("arrow keys, wheel"), tr("choose another run, scroll")}};
}

void LibraryPage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  const bool sweep = state_.look == LibraryMode::Sweep;
  if (sweep) sweep_.panel(context, panel);
  panel.group(tr("Library"), "training.library.", {"search", "filter"});
  for (const char* const key : {"sort", "descending"})
    panel.row((sweep ? "training.library.sweep." : "training.library.") + std::string(key));
  for (const std::string& problem : view_.problems())
    panel.sentence(problem);
  panel.row("training.library.folder");
  const train::RunList& chosen = view_.chosen();
  if (chosen.empty()) {
    panel.heading(tr("Selected run"));
    return panel.sentence(tr("Click a run to choose it; hold Ctrl to choose several."));
  }
  panel.heading(chosen.size() == 1 ? view_.titleOf(*chosen.front()) : trFormat("{} runs selected", chosen.size()));
  panel.rows("training.library.", {"tags", "notes"});
  if (panel.button(tr("Open"), "training.library-open.panel")) open(context);
  panel.sameLine();
  if (panel.button(tr("In Weights"), "training.library-weights.panel", chosen.size() == 1))
    run(frame, context, "training.library-weights");
  if (chosen.size() != 1) return;
  const train::RunSummary& one = *chosen.front();
  if (!one.failure.empty()) return panel.sentence(sentenceCase(one.failure));
  if (!one.record.sentence.empty()) panel.sentence(sentenceCase(one.record.sentence));
  if (one.killed)
    panel.sentence(tr("Training was interrupted. Open the run and press Start to continue from the last checkpoint."));
  if (!one.record.note.empty()) panel.sentence(one.record.note);
  if (!one.record.parent.empty()) panel.sentence(trFormat("A branch of {}.", one.record.parent));
}

std::unique_ptr<RacePage> makeLibraryPage() {
  return std::make_unique<LibraryPage>();
}

}  // namespace sepx::ui
