// SPDX-License-Identifier: Apache-2.0
// See library_store.h.
#include "ui/exhibits/training/library/library_store.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/train/trash.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

namespace {

constexpr double kOwnPause = 0.3;  // seconds between two readings after a run of this window changed

/// Resolves symbolic links, so that two names of one folder are equal.
bool liesBelow(const std::string& folder, const std::string& above) {
  std::error_code error;
  const std::string real = std::filesystem::canonical(folder, error).string();
  if (error || above.empty()) return false;
  const std::string top = std::filesystem::canonical(above, error).string();
  return !error && real.starts_with(top + "/");
}

LibraryActionResult done(const LibraryAction& action) {
  LibraryActionResult made{action, {}, {}, 0};
  const auto take = [&made](Result<std::string> result) {
    if (result)
      made.place = std::move(*result);
    else
      made.failure = result.error().message;
  };
  switch (action.kind) {
    case LibraryAction::Write:
      if (const auto written = train::writeNotes(action.folder, action.notes); !written)
        made.failure = written.error().message;
      break;
    case LibraryAction::Trash:
      if (train::runIsAlive(action.folder))
        made.failure = trFormat("{}: is being trained; stop it before you delete it", action.folder);
      else
        take(train::moveToTrash(action.folder));
      break;
    case LibraryAction::PutBack:
      take(train::putBack(action.place, action.folder));
      break;
    case LibraryAction::Use:
      // As in Runs::open(), nothing is written into shipped runs or into runs from elsewhere.
      if (liesBelow(action.folder, action.place)) train::noteUse(action.folder);
      break;
    case LibraryAction::Newest:
    case LibraryAction::Branch:
      if (const auto steps = train::savedSteps(action.folder); !steps.empty()) {
        made.step = steps.back();
        made.place = train::checkpointFolder(action.folder, made.step);
      } else {
        made.failure = trFormat("{}: this training run has saved no weights yet", action.folder);
      }
      break;
  }
  return made;
}

/// The runs of the folder, followed by those of lessons. Only the former are worth a cache.
template <class Output>
train::RunList readBoth(const std::string& folder, const std::string& lessons, const std::string& cache,
                        const train::RunList& known, ThreadPool* pool, Output& output) {
  train::RunList own, ofLessons;
  for (const auto& run : known)
    (!lessons.empty() && run->folder.starts_with(lessons + "/") ? ofLessons : own).push_back(run);
  if (!lessons.empty()) ofLessons = train::readLibrary(lessons, {.known = std::move(ofLessons), .pool = pool});
  const auto both = [&ofLessons](train::RunList list) {
    list.insert(list.end(), ofLessons.begin(), ofLessons.end());
    return list;
  };
  const auto tell = [&](const train::RunList& some) { return output.publish(both(some)); };
  return both(train::readLibrary(folder, {cache, std::move(own), pool, tell}));
}

}  // namespace

void LibraryStore::act(LibraryAction action) {
  action.number = ++number_;
  actions_.push_back(std::move(action));
}

void LibraryStore::trash(const train::RunList& runs) {
  ++deletion_;
  for (const auto& run : runs)
    act({.kind = LibraryAction::Trash, .folder = run->folder, .notes = {}, .deletion = deletion_});
}

std::size_t LibraryStore::trashed() const {
  return static_cast<std::size_t>(std::ranges::count(deleted_, Deleted::InTrash, &Deleted::state));
}

void LibraryStore::putBack(Deleted& one) {
  one.state = Deleted::Moving;
  act({.kind = LibraryAction::PutBack, .folder = one.folder, .place = one.place, .notes = {}});
}

bool LibraryStore::isNewest(const Deleted& one) const {
  std::uint64_t newest = 0;
  for (const Deleted& other : deleted_)
    if (other.state == Deleted::InTrash) newest = std::max(newest, other.deletion);
  return one.state == Deleted::InTrash && one.deletion == newest;
}

std::vector<std::string> LibraryStore::newestDeleted() const {
  std::vector<std::string> ids;
  for (const Deleted& one : deleted_)
    if (isNewest(one)) ids.push_back(one.id);
  return ids;
}

std::vector<std::string> LibraryStore::putBack() {
  const std::vector<std::string> ids = newestDeleted();
  for (Deleted& one : deleted_)
    if (std::ranges::find(ids, one.id) != ids.end()) putBack(one);
  return ids;
}

void LibraryStore::follow(const std::vector<std::string>& deleted) {
  for (Deleted& one : deleted_) {
    const bool wanted = std::ranges::find(deleted, one.id) != deleted.end();
    if (!wanted && one.listed && one.state == Deleted::InTrash) putBack(one);
    if (wanted && one.listed && one.state == Deleted::Restored) {
      one.state = Deleted::Moving;
      act({.kind = LibraryAction::Trash, .folder = one.folder, .notes = {}});
    }
    one.listed = one.listed || wanted;
  }
}

/// Records where a run was moved to. A run that could not be moved stays where it was until the next command.
void LibraryStore::take(const LibraryActionResult& done) {
  const auto moved = std::ranges::find_if(deleted_, [&done](const Deleted& one) {
    return one.state == Deleted::Moving && one.folder == done.action.folder;
  });
  const bool failed = !done.failure.empty(), trash = done.action.kind == LibraryAction::Trash;
  if (trash && done.action.deletion > 0) {
    if (failed) return;
    std::erase_if(deleted_, [&done](const Deleted& one) { return one.id == done.place; });  // put back in the meantime
    deleted_.push_back({done.place, done.action.folder, done.place, done.action.deletion});
  } else if (moved != deleted_.end() && (trash || done.action.kind == LibraryAction::PutBack)) {
    moved->state = trash != failed ? Deleted::InTrash : Deleted::Restored;
    if (trash && !failed) moved->place = done.place;
    if (failed) moved->listed = false;
  }
}

void LibraryStore::write(const train::RunSummary& run, train::RunNotes notes) {
  const auto there = std::ranges::find_if(runs_, [&run](const auto& one) { return one.get() == &run; });
  LibraryAction action{.kind = LibraryAction::Write, .folder = run.folder, .notes = notes};
  if (there != runs_.end()) {
    auto changed = std::make_shared<train::RunSummary>(run);
    changed->own = std::move(notes);
    *there = std::move(changed);
    ++revision_;
  }
  reading_.cancel();  // it may have read the old notes
  act(std::move(action));
}

bool LibraryStore::isDue(const ExhibitContext& context, double pause) const {
  if (due_) return true;
  if (context.figure) return false;
  const double passed = context.seconds - since_;
  const bool own = context.runs && context.runs->revision() != runsSeen_;
  return passed > pause || passed < 0 || (own && passed > kOwnPause);
}

void LibraryStore::startAction(ExhibitContext& context) {
  if (actions_.empty() || !doing_.complete()) return;
  LibraryAction next = std::move(actions_.front());
  actions_.pop_front();
  doing_.start(context.jobs, std::move(next), "", [](const LibraryAction& action, auto&) { return done(action); });
}

std::vector<LibraryActionResult> LibraryStore::update(ExhibitContext& context, const std::string& folder,
                                                      const std::string& lessons, double pause) {
  std::vector<LibraryActionResult> all;
  if (doing_.refresh(context.jobs)) {
    const LibraryActionResult& one = *doing_.result();
    all.push_back(one);
    take(one);
    due_ = due_ || (one.action.kind != LibraryAction::Newest && one.action.kind != LibraryAction::Branch);
  }
  startAction(context);
  if (folder != folder_ || lessons != lessons_) {
    folder_ = folder;
    lessons_ = lessons;
    reading_.clear();
    runs_.clear();
    read_ = false;
    due_ = true;
    ++revision_;
  }
  if (reading_.refresh(context.jobs) && reading_.fresh() && (!read_ || reading_.finished())) {
    read_ = read_ || reading_.finished();
    if (*reading_.result() != runs_) {
      runs_ = *reading_.result();
      ++revision_;
    }
  }
  if (context.runs && !context.scripted && !context.figure && !folder_.empty()) context.runs->watch(folder_);
  if (folder_.empty()) read_ = true;
  if (folder_.empty() || !reading_.complete() || !actions_.empty() || !doing_.complete() || !isDue(context, pause))
    return all;
  due_ = false;
  since_ = context.seconds;
  if (context.runs) runsSeen_ = context.runs->revision();
  // A script or a figure does not use or write the cache, so that it leaves nothing behind.
  const bool ours = !context.scripted && !context.figure;
  reading_.start(context.jobs, {folder_, lessons_, ours ? train::defaultLibraryCache() : std::string()},
                 read_ ? "" : tr("reading the library of runs"),
                 [pool = &context.pool, known = runs_](const Request& request, auto& output) {
                   return readBoth(request.folder, request.lessons, request.cache, known, pool, output);
                 });
  return all;
}

}  // namespace sepx::ui
