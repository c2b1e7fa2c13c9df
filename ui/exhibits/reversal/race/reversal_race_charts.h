// SPDX-License-Identifier: Apache-2.0
// The charts of the page Race: accuracy or probability of the groups of runs over steps, and a sentence about what the
// accuracy alone does not show. Pure.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/reversal/race/seed_groups.h"
#include "ui/exhibits/reversal/shared/reversal_read_outs.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// Which answers count.
enum class AnswersShown { Both, All, Letters };

/// One direction, all groups. Accuracy: solid lines for all tokens, dashed lines for letters only. Probability: one
/// line per group.
struct RaceChart {
  bool probability = false;
  reversal::Direction direction = reversal::Direction::Forward;
  AnswersShown answers = AnswersShown::Both;
};
LineChart raceChart(const ReversalShared& shared, const std::vector<SeedGroup>& groups, const RaceChart& wanted,
                    const Theme& theme, bool compact);
/// One group, both directions.
LineChart groupChart(const ReversalShared& shared, const SeedGroup& group, bool probability, AnswersShown answers,
                     const Theme& theme, bool compact);

/// The legend of the charts by group.
std::vector<LegendEntry> groupLegend(AnswersShown answers, const Theme& theme);

/// What the accuracy alone does not show at the step shown: "MDM, RoPE at step 3,000: …"; empty without numbers.
std::string hiddenSentence(const ReversalShared& shared, const std::vector<SeedGroup>& groups);

}  // namespace sepx::ui
