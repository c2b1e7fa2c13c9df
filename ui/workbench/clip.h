// SPDX-License-Identifier: Apache-2.0
// What goes to the clipboard as text: one number at its full precision, or the table of what a person placed, as a
// spreadsheet takes it. Frame thread.
#pragma once

#include "engine/core/result.h"
#include "ui/workbench/figure.h"

namespace sepx::ui {

/// What the pointer shows over the active picture, else the coordinates of the selected point, tab between them.
/// CheckFailed with a sentence when there is neither.
Result<Clip> numberClip(const Workbench& of);
/// The first table of the active pane, with tabs. CheckFailed when the exhibit has none.
Result<Clip> tableClip(const Workbench& of);

}  // namespace sepx::ui
