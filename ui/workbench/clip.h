// SPDX-License-Identifier: Apache-2.0
// Text for the clipboard: numbers at full precision, or the table of what the user placed, in a form that spreadsheets
// accept. Frame thread.
#pragma once

#include "engine/core/result.h"
#include "ui/workbench/figure.h"

namespace sepx::ui {

/// The number that the pointer shows over the active picture, otherwise the coordinates of the selected point,
/// separated by a tab. CheckFailed with a sentence if there is neither.
Result<Clip> numberClip(const Workbench& of);
/// The first table of the active pane, tab-separated. CheckFailed if the exhibit has none.
Result<Clip> tableClip(const Workbench& of);

}  // namespace sepx::ui
