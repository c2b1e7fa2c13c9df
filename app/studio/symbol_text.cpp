// SPDX-License-Identifier: Apache-2.0
// See symbol_text.h.
#include "app/studio/symbol_text.h"

#include <string>

#include "ui/properties/symbols.h"

#include <QLabel>

namespace sepx::app {

SpokenName partsOf(const QString& name) {
  const auto apart = name.lastIndexOf(QLatin1String("  "));
  return apart < 0 ? SpokenName{name, {}} : SpokenName{name.left(apart), name.mid(apart + 2)};
}

QString setText(const QString& text, bool symbol) {
  const std::string plain = text.toStdString();
  QString set;
  for (const ui::SymbolRun& run : ui::symbolRuns(symbol ? ui::slantedName(plain) : plain)) {
    const QString words = QString::fromStdString(run.slanted ? ui::slantedLetters(run.text) : run.text).toHtmlEscaped();
    set += run.script == ui::SymbolRun::Script::Below   ? QStringLiteral("<sub>%1</sub>").arg(words)
           : run.script == ui::SymbolRun::Script::Above ? QStringLiteral("<sup>%1</sup>").arg(words)
                                                        : words;
  }
  return set;
}

QString setName(const QString& name) {
  const SpokenName parts = partsOf(name);
  if (parts.symbol.isEmpty()) return setText(name);
  return setText(parts.label) + QStringLiteral("&nbsp; ") + setText(parts.symbol, true);
}

void showSet(QLabel* label, const QString& set, const QString& plain) {
  if (label->text() == set) return;
  label->setTextFormat(Qt::RichText);
  label->setText(set);
  label->setAccessibleName(plain);
}

}  // namespace sepx::app
