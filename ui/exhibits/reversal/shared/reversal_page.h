// SPDX-License-Identifier: Apache-2.0
// A page of the Reversal exhibit: a view of the runs of a race (ui/race) at the step of the slider. If the document
// names no run, the race consists of shipped runs, so that a page has something to show at once. A page above the
// transport is a RacePage. Names of lanes begin with "reversal.". Frame thread.
//
// How a page gets a model, once a frame in ask():
//   frame.shared.requestModel();                             // a run that trains here then reports its parameters
//   const RacingRun* racing = shownRun(frame.shared);     // the chosen run (reversal.run)
//   auto request = modelRequest(*racing, frame.shared, {}, data_, before, sentence);     // ui/race/run_model.h
// and in a job: readModel(*request). `sentence` says why there is no model.
#pragma once

#include "ui/race/race_page.h"

namespace sepx::ui {

using ReversalFrame = RaceFrame;
using ReversalPage = RacePage;
using ReversalShared = RaceShared;

/// The run that a page about one model shows: the selected one. If all runs are selected, it is the first that has a
/// model at the step shown, or else the first. Null if the race has no run.
const RacingRun* shownRun(const ReversalShared& shared);

/// The index of that run; -1: none.
int shownIndex(const ReversalShared& shared);

}  // namespace sepx::ui
