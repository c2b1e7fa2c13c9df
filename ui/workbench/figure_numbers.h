// SPDX-License-Identifier: Apache-2.0
// The numbers of several panes in one file. Pure, any thread; numbersOf() on the frame thread.
#pragma once

#include "engine/core/table.h"

namespace sepx::ui {

/// Side by side, for a file of many tables: those of pane 2 are called "points@2".
void addNumbers(Numbers& all, Numbers more, int pane);

/// One table of each name, for a file that holds one: the rows of all panes below each other, the pane's number in a
/// first column `pane`.
void joinNumbers(Numbers& all, const Numbers& more, int pane);

class Workbench;
/// Of all panes of a figure: one table of each name, or side by side.
Numbers numbersOf(const Workbench& figure, bool joined);

}  // namespace sepx::ui
