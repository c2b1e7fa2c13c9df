// SPDX-License-Identifier: Apache-2.0
// Functions that several pages of an exhibit with a race need beyond ui/views/page_kit.h: numbers of a run at a step,
// texts and messages, the shared parameters and read-outs, and the strip above the page. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/properties/declarations.h"
#include "ui/race/race_page.h"
#include "ui/runs/state_words.h"
#include "ui/views/page_kit.h"
#include "ui/views/strip.h"

namespace sepx::ui {

/// The last value at or before a step. Empty before the first value, and if that value is not finite.
std::optional<double> valueAtStep(const RunSeries* series, std::int64_t step);
/// A score of a run at a step, such as "symmetry" of layer 0. `head` -1: of the whole layer.
std::optional<double> scoreAt(const Run& run, std::string_view metric, int layer, int head, std::int64_t step);

/// Why nothing can be trained or shown; empty if runs are open.
std::string noRunsSentence(const RaceShared& shared);
/// Why the last start was refused and, with `ofRuns`, the failures of single runs; one sentence each.
std::vector<std::string> failuresOf(const RaceShared& shared, bool ofRuns);

/// The height of the box that lists the failures. 0 if there are none, and in a figure, which shows no messages.
double failuresHeight(const PageArea& area, const std::vector<std::string>& failures);
/// Adds a box with the failures at the top of `area`, failuresHeight() high, cut after the last line that fits. `name`:
/// name of the layer.
void addFailures(PageLayers& layers, std::vector<render::Layer>& into, const PageArea& area, const std::string& name,
                 const std::vector<std::string>& failures);
/// Every value of every series of every run, one row each.
Numbers runNumbers(const RaceShared& shared);
/// "Encoder against decoder. Small encoder, small decoder at step 1,240; W_qk of layer 0, all heads."
std::string raceCaption(const RaceShared& shared);

/// (T - t)/T of Attention-Structure, Table 1: t is the first step at which the validation loss of `fast` is at most the
/// last one of `plain`, T the number of steps of `plain`. Empty while `plain` has not finished or `fast` has not
/// reached that loss.
struct SpeedUp {
  double share = 0;
  std::int64_t at = 0;  ///< t
  double loss = 0;      ///< the final validation loss of `plain`
};
std::optional<SpeedUp> speedUpOf(const Run& fast, const Run& plain);

/// Parameters and read-outs that all pages share. `live` outlives the registry.
void declareRaceShared(PropertyRegistry& registry, const RaceShared& live, Property page);
/// Called by declareRaceShared() last.
void declareRaceReadOuts(PropertyRegistry& registry, const RaceShared& live);

/// The strip above every page: experiment, tabs, layer and head. `ownTitle`: title of the page (PageFacts::title).
Strip layoutRaceStrip(const RaceShared& shared, const std::vector<StripButton>& tabs,
                      const std::optional<std::string>& ownTitle, double width, double height, const Theme& theme);

}  // namespace sepx::ui
