// SPDX-License-Identifier: Apache-2.0
// The Fusion style with these changes: icons are lines in the palette's text colour, so that docks and file dialogs fit
// both themes; symbols in texts are typeset (symbol_text.h) in labels, buttons, check boxes, tabs, lists and menus;
// rows are high enough for a pointer. Labels, message boxes and tool tips have plain text, so that the name of a file
// or a run is shown as it is written, and no text makes Qt read a file. GUI thread.
#pragma once

#include <QPalette>
#include <QProxyStyle>
#include <QStyleOptionViewItem>

namespace sepx::app {

class StudioStyle final : public QProxyStyle {
  Q_OBJECT

 public:
  StudioStyle();

  /// Font size relative to that at zoom 1: boxes, sliders and icons scale with it.
  static void setTypeFactor(double factor);

  using QProxyStyle::polish;
  /// Makes the text of a label plain unless the label sets a format itself.
  void polish(QWidget* widget) override;
  QIcon standardIcon(StandardPixmap which, const QStyleOption* option = nullptr,
                     const QWidget* widget = nullptr) const override;
  QPixmap standardPixmap(StandardPixmap which, const QStyleOption* option = nullptr,
                         const QWidget* widget = nullptr) const override;
  QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                  const QWidget* widget = nullptr) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget = nullptr) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
  void drawItemText(QPainter* painter, const QRect& box, int flags, const QPalette& palette, bool enabled,
                    const QString& text, QPalette::ColorRole role = QPalette::NoRole) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                         const QWidget* widget = nullptr) const override;
  int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                QStyleHintReturn* answer = nullptr) const override;

 private:
  void drawItem(const QStyleOptionViewItem& item, QPainter& painter, const QWidget* widget) const;
  void drawMenuItem(const QStyleOptionMenuItem& item, QPainter& painter, const QWidget* widget) const;
};

}  // namespace sepx::app
