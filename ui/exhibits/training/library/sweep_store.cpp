// SPDX-License-Identifier: Apache-2.0
// See sweep_store.h.

#include "ui/exhibits/training/library/sweep_store.h"

#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kSweepPause = 1;  // seconds between two readings of the claims and failures of the runs

bool isSame(const sweep::SweepReading& a, const sweep::SweepReading& b) {
  return a.plan == b.plan && a.rows == b.rows && a.unplannedFolders == b.unplannedFolders && a.metrics == b.metrics;
}

}  // namespace

void SweepStore::startReading(ExhibitContext& context, const LibraryStore& runs) {
  due_ = false;
  since_ = context.seconds;
  runsSeen_ = runs.revision();
  reading_.start(context.jobs, {folder_, runsSeen_}, read_ ? "" : tr("reading the sweep"),
                 [list = runs.runs(), before = read_](const ReadRequest& request, auto&) -> ReadResult {
                   if (!sweep::isSweepFolder(request.folder))
                     return {nullptr, trFormat("There is no sweep in {}. Open the folder of a sweep with File > Open; "
                                               "sepx sweep PLAN.json --run FOLDER creates one.",
                                               request.folder)};
                   auto made = sweep::readSweep(request.folder, list, before);
                   if (!made) return {nullptr, sentenceCase(made.error().message)};
                   if (before && isSame(*made, *before)) return {before, {}};
                   return {std::make_shared<const sweep::SweepReading>(std::move(*made)), {}};
                 });
}

void SweepStore::takeReading(ExhibitContext& context) {
  if (!reading_.refresh(context.jobs) || !reading_.fresh() || !reading_.finished()) return;
  const ReadResult& result = *reading_.result();
  if (result.reading == read_ && result.failure == failure_) return;
  read_ = result.reading;
  failure_ = result.failure;
  ++revision_;
  if (read_) return;
  picture_ = nullptr;
  drawing_.clear();
}

void SweepStore::update(ExhibitContext& context, const LibraryStore& runs, const LibraryRows& view,
                        const LibraryState& state, const SweepChoice& choice) {
  if (runs.folder() != folder_) {
    folder_ = runs.folder();
    reading_.clear();
    drawing_.clear();
    read_ = nullptr;
    picture_ = nullptr;
    failure_.clear();
    due_ = true;
    ++revision_;
  }
  if (folder_.empty()) {
    failure_ = tr("There is no sweep here. Open the folder of a sweep with File > Open.");
    return;
  }
  takeReading(context);
  const double passed = context.seconds - since_;
  const bool again = !context.figure && (passed > kSweepPause || passed < 0);
  if (runs.read() && reading_.complete() && (due_ || again || runs.revision() != runsSeen_))
    startReading(context, runs);
  if (drawing_.refresh(context.jobs) && drawing_.fresh() && *drawing_.result() != picture_) {
    picture_ = *drawing_.result();
    ++revision_;
  }
  if (!read_) return;
  std::shared_ptr<std::set<std::string>> passing;
  const bool narrowed = !state.search.empty() || !state.filter.empty();
  DrawRequest wanted{read_, choice, state.search, state.filter};
  if (drawing_.isFor(wanted)) return;
  if (narrowed) {
    passing = std::make_shared<std::set<std::string>>();
    for (const auto& run : view.shown())
      passing->insert(run->folder);
  }
  drawing_.start(context.jobs, std::move(wanted), "", [passing](const DrawRequest& request, auto&) -> PicturePointer {
    return std::make_shared<const SweepPicture>(makeSweepPicture(request.reading, request.choice, passing.get()));
  });
}

}  // namespace sepx::ui
