// SPDX-License-Identifier: Apache-2.0
// Translates Qt's events to the neutral events of ui/canvas/input.h. Positions become window pixels (device pixel ratio
// applied). Stateless: the same Qt event always gives the same neutral events. GUI thread.
#pragma once

#include <vector>

#include "ui/canvas/input.h"
#include "ui/page/exhibit_context.h"

#include <Qt>

class QEvent;
class QKeyEvent;

namespace sepx::app {

/// Translates `event`; empty when it has no meaning here. `pixelRatio`: device pixels per Qt point.
std::vector<ui::InputEvent> translate(const QEvent& event, double pixelRatio);

/// Whether this key edits text: characters, the arrows, Return and so on, and the editing shortcuts with Ctrl. Such a
/// key belongs to a text field even if the field cannot use it at the moment.
bool editsText(const QKeyEvent& event);

ui::Key translateKey(int qtKey);
ui::Modifiers translateModifiers(Qt::KeyboardModifiers modifiers);
Qt::CursorShape translateCursor(ui::Cursor cursor);

}  // namespace sepx::app
