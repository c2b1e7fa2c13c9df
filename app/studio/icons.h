// SPDX-License-Identifier: Apache-2.0
// The studio's own icons: lines on a 16 x 16 grid in the colour of the theme's text, drawn when they are needed, so
// that theme and scale need no files. GUI thread.
#pragma once

#include <string_view>
#include <vector>

#include <QIcon>
#include <QPointF>

namespace sepx::app {

using IconLine = std::vector<QPointF>;
using IconDrawing = std::vector<IconLine>;

QIcon lineIcon(IconDrawing drawing);
/// Of a command ("edit.undo"); null where there is none: its words stand for it.
QIcon commandIcon(std::string_view command);
/// Of something that can be opened: "lesson", "playing" (a lesson), "model", "layer", "run", "session"; else a sheet.
QIcon kindIcon(std::string_view kind);

}  // namespace sepx::app
