// SPDX-License-Identifier: Apache-2.0
// See palette.h.
#include "app/studio/palette.h"

#include <QColor>

namespace sepx::app {

namespace {

QColor qt(const render::Color& color) {
  return QColor::fromRgbF(color.r, color.g, color.b, color.a);
}

/// The colour half way between two tokens, for disabled text.
QColor between(const QColor& a, const QColor& b) {
  return QColor::fromRgbF((a.redF() + b.redF()) / 2, (a.greenF() + b.greenF()) / 2, (a.blueF() + b.blueF()) / 2);
}

}  // namespace

QPalette paletteOf(const ui::Theme& theme) {
  QPalette palette;
  palette.setColor(QPalette::Window, qt(theme.surface));
  palette.setColor(QPalette::WindowText, qt(theme.text));
  palette.setColor(QPalette::Base, qt(theme.surfaceRaised));
  palette.setColor(QPalette::AlternateBase, qt(theme.surface));
  palette.setColor(QPalette::Text, qt(theme.text));
  palette.setColor(QPalette::Button, qt(theme.surfaceRaised));
  palette.setColor(QPalette::ButtonText, qt(theme.text));
  palette.setColor(QPalette::ToolTipBase, qt(theme.surfaceRaised));
  palette.setColor(QPalette::ToolTipText, qt(theme.text));
  palette.setColor(QPalette::PlaceholderText, qt(theme.textMuted));
  palette.setColor(QPalette::Highlight, qt(theme.accent));
  palette.setColor(QPalette::HighlightedText, qt(theme.textOnAccent));
  palette.setColor(QPalette::Link, qt(theme.accent));
  palette.setColor(QPalette::BrightText, qt(theme.error));
  palette.setColor(QPalette::Mid, qt(theme.border));
  palette.setColor(QPalette::Light, qt(theme.surfaceRaised));
  palette.setColor(QPalette::Dark, qt(theme.border));
  const QColor disabled = between(qt(theme.text), qt(theme.surface));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, disabled);
  }
  return palette;
}

QString styleSheetOf(const ui::Theme& theme, double type) {
  const QString border = qt(theme.border).name(), muted = qt(theme.textMuted).name(), error = qt(theme.error).name();
  return QStringLiteral(
             "QWidget { font-size: %5pt; }"
             "QMainWindow::separator { background: %1; width: 1px; height: 1px; }"
             "QStatusBar { border-top: 1px solid %1; } QStatusBar::item { border: none; }"
             "QMenuBar { border-bottom: 1px solid %1; } QMenuBar::item { padding: 4px 8px; background: transparent; }"
             "QMenuBar::item:selected { background: %7; color: %8; }"
             "QLabel[role=\"section\"], QToolButton[role=\"section\"] { color: %2; font-weight: 600; }"
             "QToolButton[role=\"section\"], QToolButton[role=\"name\"] { border: 1px solid transparent; }"
             "QToolButton[role=\"section\"]:hover, QToolButton[role=\"name\"]:hover { background: %4; border-color: %1; }"
             "QToolButton[role=\"section\"]:focus, QToolButton[role=\"name\"]:focus { border-color: %6; }"
             "QToolBar { border: none; border-bottom: 1px solid %1; spacing: 2px; padding: 1px 4px; }"
             "QToolBar::separator { background: %1; width: 1px; height: 1px; margin: 4px 5px; }"
             "QLabel[role=\"name\"], QToolButton[role=\"name\"] { color: %2; }"
             "QLabel[role=\"error\"] { color: %3; }"
             "QAbstractItemView { selection-background-color: %7; selection-color: %8; }")
      .arg(border, muted, error, qt(theme.surfaceRaised).name(), QString::number(type, 'f', 2), qt(theme.accent).name(),
           qt(theme.selectionMuted).name(), qt(theme.text).name());
}

}  // namespace sepx::app
