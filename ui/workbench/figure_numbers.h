// SPDX-License-Identifier: Apache-2.0
// The numbers of several panes in one file. Pure, any thread; numbersOf() on the frame thread.
#pragma once

#include "engine/core/table.h"

namespace sepx::ui {

/// Adds tables and grids side by side, for a file with many tables; those of pane 2 are named "points@2".
void addNumbers(Numbers& all, Numbers more, int pane);

/// Appends rows to one table of each name, for a file with one table: the rows of all panes below each other, with the
/// number of the pane in the first column, `pane`.
void joinNumbers(Numbers& all, const Numbers& more, int pane);

class Workbench;
/// The numbers of all panes of a figure. `joined`: one table of each name; otherwise side by side.
Numbers numbersOf(const Workbench& figure, bool joined);

}  // namespace sepx::ui
