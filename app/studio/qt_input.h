// SPDX-License-Identifier: Apache-2.0
// Qt's events as the neutral events of ui/canvas/input.h. Positions become window pixels (device pixel ratio applied).
// No state: the same Qt event always gives the same neutral events. GUI thread.
#pragma once

#include <vector>

#include "ui/canvas/input.h"
#include "ui/page/exhibit_context.h"

#include <Qt>

class QEvent;
class QKeyEvent;

namespace sepx::app {

/// What `event` means; empty when it means nothing here. `pixelRatio`: device pixels per Qt point.
std::vector<ui::InputEvent> translate(const QEvent& event, double pixelRatio);

/// Whether a text field edits with this key: characters, the arrows, Return and so on, and the Ctrl chords of editing.
/// Such a key is the field's also where it has no use for it just now.
bool editsText(const QKeyEvent& event);

ui::Key translateKey(int qtKey);
ui::Modifiers translateModifiers(Qt::KeyboardModifiers modifiers);
Qt::CursorShape translateCursor(ui::Cursor cursor);

}  // namespace sepx::app
