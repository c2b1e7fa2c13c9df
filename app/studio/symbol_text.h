// SPDX-License-Identifier: Apache-2.0
// Typesets symbols in the texts of the studio (ui/properties/symbols.h): as rich text for Qt's labels, and painted by
// StudioStyle wherever a widget shows plain text.
#pragma once

#include <QString>

class QFont;
class QLabel;
class QPainter;
class QRect;

namespace sepx::app {

/// A name as ui::nameOf() returns it: a label, followed by two spaces and a symbol.
struct NameParts {
  QString label, symbol;
};
NameParts partsOf(const QString& name);

/// `text` as rich text: its symbols are typeset, everything else is as written. `symbol`: the whole text is a symbol,
/// even if it is a single letter.
QString setText(const QString& text, bool symbol = false);
/// The same for a whole name.
QString typesetName(const QString& name);

/// Whether a text has symbols to typeset.
bool containsSymbols(const QString& text);
/// Width of one line in `font` with its symbols typeset, pixels.
double typesetWidth(const QString& text, const QFont& font);
/// Paints one line in the painter's font and pen, with its symbols typeset. `flags`: alignment. Text that does not fit
/// ends in "…".
void paintTypeset(QPainter& painter, const QRect& box, int flags, const QString& text);

/// Shows `set`, which setText() or typesetName() made of `plain`; screen readers get the plain text.
void showTypeset(QLabel* label, const QString& set, const QString& plain);

}  // namespace sepx::app
