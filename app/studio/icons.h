// SPDX-License-Identifier: Apache-2.0
// The studio's own icons: lines on a 16 x 16 grid in the theme's text colour, drawn on demand, so that no theme or
// scale needs image files. GUI thread.
#pragma once

#include <string_view>
#include <vector>

#include <QIcon>
#include <QPointF>

namespace sepx::app {

using IconLine = std::vector<QPointF>;
using IconDrawing = std::vector<IconLine>;

QIcon lineIcon(IconDrawing drawing);
/// The icon of a command ("edit.undo"); null where there is none, and the command is shown by its text.
QIcon commandIcon(std::string_view command);
/// The icon of something that can be opened: "lesson", "playing" (a lesson), "model", "layer", "run", "session"; else a
/// sheet.
QIcon kindIcon(std::string_view kind);

}  // namespace sepx::app
