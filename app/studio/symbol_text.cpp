// SPDX-License-Identifier: Apache-2.0
// See symbol_text.h.
#include "app/studio/symbol_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ui/properties/symbols.h"

#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>

namespace sepx::app {

namespace {

using ui::SymbolRun;

QString wordsOf(const SymbolRun& run) {
  return QString::fromStdString(run.slanted ? ui::slantedLetters(run.text) : run.text);
}

QFont fontOf(const SymbolRun& run, QFont font) {
  if (run.script == SymbolRun::Script::None) return font;
  if (font.pixelSize() > 0)
    font.setPixelSize(std::max(1, qRound(font.pixelSize() * ui::kSymbolScript)));
  else
    font.setPointSizeF(font.pointSizeF() * ui::kSymbolScript);
  return font;
}

/// The text as it is painted: the letters of a name's symbol are slanted.
QString slantedSymbol(const QString& text) {
  const NameParts parts = partsOf(text);
  if (parts.symbol.isEmpty()) return text;
  return parts.label + QLatin1String("  ") + QString::fromStdString(ui::slantedName(parts.symbol.toStdString()));
}

double widthOf(const std::vector<SymbolRun>& runs, const QFont& font) {
  double width = 0;
  for (const SymbolRun& run : runs)
    width += QFontMetricsF(fontOf(run, font)).horizontalAdvance(wordsOf(run)) - run.back * QFontInfo(font).pixelSize();
  return width;
}

}  // namespace

NameParts partsOf(const QString& name) {
  const auto apart = name.lastIndexOf(QLatin1String("  "));
  return apart < 0 ? NameParts{name, {}} : NameParts{name.left(apart), name.mid(apart + 2)};
}

QString setText(const QString& text, bool symbol) {
  const std::string plain = text.toStdString();
  QString set;
  for (const SymbolRun& run : ui::symbolRuns(symbol ? ui::slantedName(plain) : plain)) {
    const QString words = wordsOf(run).toHtmlEscaped();
    set += run.script == SymbolRun::Script::Below   ? QStringLiteral("<sub>%1</sub>").arg(words)
           : run.script == SymbolRun::Script::Above ? QStringLiteral("<sup>%1</sup>").arg(words)
                                                    : words;
  }
  return set;
}

QString typesetName(const QString& name) {
  const NameParts parts = partsOf(name);
  if (parts.symbol.isEmpty()) return setText(name);
  return setText(parts.label) + QStringLiteral("&nbsp; ") + setText(parts.symbol, true);
}

bool containsSymbols(const QString& text) {
  return ui::containsSymbols(text.toStdString()) || slantedSymbol(text) != text;
}

double typesetWidth(const QString& text, const QFont& font) {
  return widthOf(ui::symbolRuns(slantedSymbol(text).toStdString()), font);
}

void paintTypeset(QPainter& painter, const QRect& box, int flags, const QString& text) {
  const QFont font = painter.font();
  const QFontMetricsF metrics(font);
  QString whole = slantedSymbol(text), shown = whole;
  while (whole.size() > 1 && widthOf(ui::symbolRuns(shown.toStdString()), font) > box.width() + 1) {
    whole.chop(whole.back().isLowSurrogate() ? 2 : 1);
    shown = whole + u'…';
  }
  const std::vector<SymbolRun> runs = ui::symbolRuns(shown.toStdString());
  const double width = widthOf(runs, font), room = box.width() - width;
  double x = box.left() + (flags & Qt::AlignRight ? room : flags & Qt::AlignHCenter ? room / 2 : 0);
  const double top = flags & Qt::AlignTop      ? box.top()
                     : flags & Qt::AlignBottom ? box.bottom() + 1 - metrics.height()
                                               : box.top() + (box.height() - metrics.height()) / 2;
  const double baseline = std::round(top + metrics.ascent()), em = QFontInfo(font).pixelSize();
  for (const SymbolRun& run : runs) {
    const double moved = run.script == SymbolRun::Script::Below   ? ui::kSymbolBelow
                         : run.script == SymbolRun::Script::Above ? -ui::kSymbolAbove
                                                                  : 0;
    x -= run.back * em;
    painter.setFont(fontOf(run, font));
    painter.drawText(QPointF(x, baseline + moved * em), wordsOf(run));
    x += QFontMetricsF(painter.font()).horizontalAdvance(wordsOf(run));
  }
  painter.setFont(font);
}

void showTypeset(QLabel* label, const QString& set, const QString& plain) {
  if (label->text() == set) return;
  label->setTextFormat(Qt::RichText);
  label->setText(set);
  label->setAccessibleName(plain);
}

}  // namespace sepx::app
