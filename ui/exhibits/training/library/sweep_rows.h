// SPDX-License-Identifier: Apache-2.0
// The table of a sweep: a row for each run with the swept fields, metrics and state, with as many columns as have room;
// and the line above it that counts the runs by state. Pure; lengths are points of the page.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ui/exhibits/training/library/sweep_picture.h"
#include "ui/plots/table.h"

namespace sepx::ui {

struct SweepRows {
  TableView table;
  std::vector<std::size_t> columns;  ///< of SweepPicture::columns, by column of the table
};
/// `chosen`: folders of the runs that are chosen.
SweepRows makeSweepRows(std::shared_ptr<const SweepPicture> picture, const std::set<std::string>& chosen,
                        const Theme& theme, double width);

/// The colour of a state, and of the mark beside its word.
render::Color progressColor(sweep::RunProgress progress, const Theme& theme);

/// "64 runs: 60 finished, 2 running, …" over a bar in the colours of the states.
void addSweepProgress(std::vector<render::Item>& items, const sweep::SweepReading& reading, const render::Rect& box,
                      const Theme& theme);
double sweepProgressHeight(const Theme& theme);

}  // namespace sepx::ui
