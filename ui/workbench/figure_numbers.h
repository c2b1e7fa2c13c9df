// SPDX-License-Identifier: Apache-2.0
// The numbers of several panes in one file. Pure; any thread.
#pragma once

#include "engine/core/table.h"

namespace sepx::ui {

/// Side by side, for a file of many tables: those of pane 2 are called "points@2".
void addNumbers(Numbers& all, Numbers more, int pane);

/// One table of each name, for a file that holds one: the rows of all panes below each other, the pane's number in a
/// first column `pane`.
void joinNumbers(Numbers& all, const Numbers& more, int pane);

}  // namespace sepx::ui
