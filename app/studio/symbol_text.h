// SPDX-License-Identifier: Apache-2.0
// Symbols in the texts of the studio (ui/properties/symbols.h), as the rich text of Qt's labels.
#pragma once

#include <QString>

class QLabel;

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

/// Shows `set`, which setText() or setName() made of `plain`; screen readers have the plain text.
void showSet(QLabel* label, const QString& set, const QString& plain);

}  // namespace sepx::app
