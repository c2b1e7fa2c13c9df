// SPDX-License-Identifier: Apache-2.0
// Symbols in the texts of the studio (ui/properties/symbols.h): as the rich text of Qt's labels, and painted by
// StudioStyle wherever a widget shows a plain text.
#pragma once

#include <QString>

class QFont;
class QLabel;
class QPainter;
class QRect;

namespace sepx::app {

/// A name as ui::nameOf() gives it: a label, and behind two spaces a symbol.
struct SpokenName {
  QString label, symbol;
};
SpokenName partsOf(const QString& name);

/// `text` as rich text: its symbols set, all else as written. `symbol`: all of it is one, also a letter that stands
/// alone.
QString setText(const QString& text, bool symbol = false);
/// The same of a whole name.
QString setName(const QString& name);

/// Whether a text has symbols to set.
bool holdsSymbols(const QString& text);
/// Of one line in `font`, its symbols set, pixels.
double setWidth(const QString& text, const QFont& font);
/// One line in the painter's font and pen, its symbols set. `flags`: of alignment. An end that does not fit is "…".
void paintSet(QPainter& painter, const QRect& box, int flags, const QString& text);

/// Shows `set`, which setText() or setName() made of `plain`; screen readers have the plain text.
void showSet(QLabel* label, const QString& set, const QString& plain);

}  // namespace sepx::app
