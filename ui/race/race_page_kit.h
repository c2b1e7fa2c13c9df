// SPDX-License-Identifier: Apache-2.0
// What several pages of an exhibit with a race need beyond ui/views/page_kit.h: numbers of a run at a step, words,
// sentences for what is missing, what is declared once for all, the strip. Frame thread.
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

/// The last value at or before a step; nothing before the first, and where it is NaN.
std::optional<double> valueAtStep(const RunSeries* series, std::int64_t step);
/// Of a run: "symmetry" of layer 0 at a step. `head` -1: of the whole layer.
std::optional<double> scoreAt(const Run& run, std::string_view metric, int layer, int head, std::int64_t step);

/// Why there is nothing to show; empty where there are runs.
std::string noRunsSentence(const RaceShared& shared);
/// Why the last start was refused and, `ofRuns`, what went wrong with single runs: a sentence each.
std::vector<std::string> failuresOf(const RaceShared& shared, bool ofRuns);

/// The height of the box that says them; 0 where there are none and in a figure, which has no messages.
double failuresHeight(const PageArea& area, const std::vector<std::string>& failures);
/// These in a box at the top of `area`, failuresHeight() high, cut after the last line that has room. `name`: of the
/// layer.
void addFailures(PageLayers& layers, std::vector<render::Layer>& into, const PageArea& area, const std::string& name,
                 const std::vector<std::string>& failures);
/// Every value of every series of every run: a row each.
Numbers runNumbers(const RaceShared& shared);
/// "Encoder against decoder. Small encoder, small decoder at step 1,240; W_qk of layer 0, all heads."
std::string raceCaption(const RaceShared& shared);

/// (T - t)/T of Attention-Structure, Table 1: t is the first step at which the validation loss of `fast` is at most the
/// last one of `plain`, T the number of steps of `plain`. Nothing while `plain` goes on or `fast` has not got there.
struct SpeedUp {
  double share = 0;
  std::int64_t at = 0;  ///< t
  double loss = 0;      ///< the final validation loss of `plain`
};
std::optional<SpeedUp> speedUpOf(const Run& fast, const Run& plain);

/// Parameters and read-outs that all pages share. The referents outlive the registry.
void declareRaceShared(PropertyRegistry& registry, const RaceShared& live, Property page);
/// Called by declareRaceShared() last.
void declareRaceReadOuts(PropertyRegistry& registry, const RaceShared& live);

/// The strip above every page: experiment, tabs, layer and head. `ownTitle`: of the page (PageFacts::title).
Strip layoutRaceStrip(const RaceShared& shared, const std::vector<StripButton>& tabs,
                      const std::optional<std::string>& ownTitle, double width, double height, const Theme& theme);

}  // namespace sepx::ui
