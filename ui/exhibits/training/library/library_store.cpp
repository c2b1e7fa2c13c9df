// SPDX-License-Identifier: Apache-2.0
// See library_store.h.
#include "ui/exhibits/training/library/library_store.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/train/trash.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

namespace {

constexpr double kOwnPause = 0.3;  // after something happened to a run of this window

LibraryDone done(const LibraryAction& action) {
  LibraryDone made{action, {}, {}};
  const auto take = [&made](Result<std::string> result) {
    if (result)
      made.place = std::move(*result);
    else
      made.failure = result.error().sentence;
  };
  switch (action.kind) {
    case LibraryAction::Write:
      if (const auto written = train::writeNotes(action.folder, action.notes); !written)
        made.failure = written.error().sentence;
      break;
    case LibraryAction::Trash:
      if (train::runIsAlive(action.folder))
        made.failure = trFormat("{}: is being trained; stop it before you delete it", action.folder);
      else
        take(train::moveToTrash(action.folder));
      break;
    case LibraryAction::PutBack:
      take(train::putBack(action.folder));
      break;
    case LibraryAction::Newest:
      if (const auto steps = train::savedSteps(action.folder); !steps.empty())
        made.place = train::checkpointFolder(action.folder, steps.back());
      else
        made.failure = trFormat("{}: this training run has saved no weights yet", action.folder);
      break;
  }
  return made;
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

void LibraryStore::putBack() {
  const std::uint64_t last = trashed_.empty() ? 0 : trashed_.back().deletion;
  while (!trashed_.empty() && trashed_.back().deletion == last) {
    act({.kind = LibraryAction::PutBack, .folder = trashed_.back().place, .notes = {}, .deletion = last});
    trashed_.pop_back();
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
  reading_.cancel();  // it may have read what was there before
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

std::vector<LibraryDone> LibraryStore::update(ExhibitContext& context, const std::string& folder, double pause) {
  std::vector<LibraryDone> all;
  if (doing_.refresh(context.jobs)) {
    const LibraryDone& one = *doing_.result();
    all.push_back(one);
    if (one.failure.empty() && one.action.kind == LibraryAction::Trash)
      trashed_.push_back({one.place, one.action.deletion});
    if (!one.failure.empty() && one.action.kind == LibraryAction::PutBack)  // to be tried again
      trashed_.push_back({one.action.folder, one.action.deletion});
    due_ = due_ || one.action.kind != LibraryAction::Newest;
  }
  startAction(context);
  if (folder != folder_) {
    folder_ = folder;
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
  // A script reads what is there, and leaves nothing behind.
  const bool ours = !context.scripted && !context.figure;
  reading_.start(context.jobs, {folder_, ours ? train::defaultLibraryCache() : std::string()},
                 read_ ? "" : tr("reading the library of runs"),
                 [pool = &context.pool, known = runs_](const Request& request, auto& output) {
                   const auto tell = [&output](const train::RunList& some) { return output.publish(some); };
                   return train::readLibrary(request.folder, {request.cache, known, pool, tell});
                 });
  return all;
}

}  // namespace sepx::ui
