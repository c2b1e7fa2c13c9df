// SPDX-License-Identifier: Apache-2.0
// See studio_style.h.
#include "app/studio/studio_style.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/studio/icons.h"
#include "app/studio/symbol_text.h"

#include <QLabel>
#include <QPaintEngine>
#include <QPainter>
#include <QRegularExpression>
#include <QStyleOption>
#include <QWidget>

namespace sepx::app {

namespace {

using Line = IconLine;

const Line kFolder{{1.5, 13}, {1.5, 3.5}, {6, 3.5}, {7.5, 5.5}, {14.5, 5.5}, {14.5, 13}, {1.5, 13}};
const Line kSheet{{3.5, 1.5}, {9.5, 1.5}, {12.5, 4.5}, {12.5, 14.5}, {3.5, 14.5}, {3.5, 1.5}};
const Line kScreen{{1.5, 2.5}, {14.5, 2.5}, {14.5, 11.5}, {1.5, 11.5}, {1.5, 2.5}};

/// Empty: Fusion's own icon is used.
IconDrawing drawingOf(QStyle::StandardPixmap which) {
  switch (which) {
    case QStyle::SP_TitleBarCloseButton:
    case QStyle::SP_DockWidgetCloseButton:
      return {{{4, 4}, {12, 12}}, {{12, 4}, {4, 12}}};
    case QStyle::SP_TitleBarNormalButton:
      return {{{3.5, 6}, {10, 6}, {10, 12.5}, {3.5, 12.5}, {3.5, 6}},
              {{6, 6}, {6, 3.5}, {12.5, 3.5}, {12.5, 10}, {10, 10}}};
    case QStyle::SP_DirIcon:
    case QStyle::SP_DirClosedIcon:
    case QStyle::SP_DirOpenIcon:
    case QStyle::SP_DirLinkIcon:
      return {kFolder};
    case QStyle::SP_FileDialogNewFolder:
      return {kFolder, {{8, 7}, {8, 11.5}}, {{5.75, 9.25}, {10.25, 9.25}}};
    case QStyle::SP_FileIcon:
    case QStyle::SP_FileLinkIcon:
      return {kSheet, {{9.5, 1.5}, {9.5, 4.5}, {12.5, 4.5}}};
    case QStyle::SP_ComputerIcon:
    case QStyle::SP_DesktopIcon:
      return {kScreen, {{5, 14}, {11, 14}}, {{8, 11.5}, {8, 14}}};
    case QStyle::SP_DriveHDIcon:
    case QStyle::SP_DriveNetIcon:
    case QStyle::SP_DriveCDIcon:
    case QStyle::SP_DriveFDIcon:
      return {{{1.5, 5}, {14.5, 5}, {14.5, 11.5}, {1.5, 11.5}, {1.5, 5}}, {{10.5, 8.25}, {12.5, 8.25}}};
    case QStyle::SP_DirHomeIcon:
      return {{{1.5, 8}, {8, 2}, {14.5, 8}}, {{3.5, 6.5}, {3.5, 14}, {12.5, 14}, {12.5, 6.5}}};
    case QStyle::SP_FileDialogBack:
    case QStyle::SP_ArrowBack:
    case QStyle::SP_ArrowLeft:
      return {{{14, 8}, {2.5, 8}}, {{7, 3.5}, {2.5, 8}, {7, 12.5}}};
    case QStyle::SP_ArrowForward:
    case QStyle::SP_ArrowRight:
      return {{{2, 8}, {13.5, 8}}, {{9, 3.5}, {13.5, 8}, {9, 12.5}}};
    case QStyle::SP_FileDialogToParent:
    case QStyle::SP_ArrowUp:
      return {{{8, 14}, {8, 2.5}}, {{3.5, 7}, {8, 2.5}, {12.5, 7}}};
    case QStyle::SP_FileDialogListView:
      return {{{2, 4}, {14, 4}}, {{2, 8}, {14, 8}}, {{2, 12}, {14, 12}}};
    case QStyle::SP_FileDialogDetailedView:
      return {{{2, 4}, {3, 4}},  {{2, 8}, {3, 8}},  {{2, 12}, {3, 12}},
              {{6, 4}, {14, 4}}, {{6, 8}, {14, 8}}, {{6, 12}, {14, 12}}};
    default:
      return {};
  }
}

constexpr int kLeastTarget = 24;  // points, for use with a pointer
double typeFactor = 1;            // for the whole application, like its font

bool followsType(QStyle::PixelMetric metric) {
  switch (metric) {
    case QStyle::PM_IndicatorWidth:
    case QStyle::PM_IndicatorHeight:
    case QStyle::PM_ExclusiveIndicatorWidth:
    case QStyle::PM_ExclusiveIndicatorHeight:
    case QStyle::PM_SmallIconSize:
    case QStyle::PM_ButtonIconSize:
    case QStyle::PM_ListViewIconSize:
    case QStyle::PM_ScrollBarExtent:
    case QStyle::PM_SliderThickness:
    case QStyle::PM_SliderControlThickness:
    case QStyle::PM_SliderLength:
    case QStyle::PM_MenuButtonIndicator:
    case QStyle::PM_ToolBarExtensionExtent:
    case QStyle::PM_ToolBarHandleExtent:
      return true;
    default:
      return false;
  }
}

bool oneLineWithSymbols(const QString& text) {
  return containsSymbols(text) && !text.contains(u'\n');
}

QString withoutKeyMark(QString text) {
  static const QRegularExpression mark(QStringLiteral("&(.)"));
  return text.replace(mark, QStringLiteral("\\1"));
}

/// Records where and how a style draws the first text; nothing is painted.
class FirstText final : public QPaintDevice, private QPaintEngine {
 public:
  FirstText() : QPaintEngine(AllFeatures) {}
  struct Found {
    double left = 0;
    QPen pen;
    QFont font;
  };
  std::optional<Found> found;

  QPaintEngine* paintEngine() const override { return const_cast<FirstText*>(this); }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    constexpr int kSide = 1 << 14, kDots = 96;
    switch (metric) {
      case PdmWidth:
      case PdmHeight:
        return kSide;
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return kDots;
      case PdmDevicePixelRatioScaled:
        return int(devicePixelRatioFScale());
      default:
        return 1;
    }
  }

 private:
  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawRects(const QRect*, int) override {}
  void drawRects(const QRectF*, int) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
  void drawTextItem(const QPointF& at, const QTextItem&) override {
    if (!found) found = Found{at.x(), painter()->pen(), painter()->font()};
  }
  Type type() const override { return User; }
};

}  // namespace

void StudioStyle::setTypeFactor(double factor) {
  typeFactor = factor;
}

int StudioStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  const int plain = QProxyStyle::pixelMetric(metric, option, widget);
  // A dock's buttons are as high as its icons plus twice this margin.
  if (metric == PM_DockWidgetTitleBarButtonMargin)
    return std::max(plain, (kLeastTarget + 1 - pixelMetric(PM_SmallIconSize, option, widget)) / 2);
  return followsType(metric) ? int(std::lround(plain * typeFactor)) : plain;
}

/// Widens the buttons of a dock's title, which Qt makes less wide than high.
QRect StudioStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  const QRect plain = QProxyStyle::subElementRect(element, option, widget);
  const bool close = element == SE_DockWidgetCloseButton, other = element == SE_DockWidgetFloatButton;
  if (plain.isNull() || !(close || other || element == SE_DockWidgetTitleBarText)) return plain;
  const QStyle* const base = baseStyle();
  QRect box = visualRect(option->direction, option->rect, plain);
  const QRect button = close || other ? box
                                      : visualRect(option->direction, option->rect,
                                                   base->subElementRect(SE_DockWidgetCloseButton, option, widget));
  const int wider = std::max(0, kLeastTarget - button.width());
  if (close) {
    box.setLeft(box.left() - wider);
  } else if (other) {
    box.adjust(-2 * wider, 0, -wider, 0);
  } else {
    box.setRight(box.right() - 2 * wider);
  }
  if (close || other) {
    box.setTop(option->rect.center().y() - kLeastTarget / 2);
    box.setHeight(std::max(kLeastTarget, button.height()));
  }
  return visualRect(option->direction, option->rect, box);
}

StudioStyle::StudioStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

/// Qt guesses the format of a label's text (AutoText), and takes a name with a tag in it for HTML. It reads the images
/// that the HTML names on the GUI thread, and waits forever if one is a FIFO. A label is polished before it is
/// measured, and a tool tip, which is a label too, before it has its text. Message boxes and file dialogs of Qt create
/// their labels themselves, so this is done in the style. A label with rich text sets that format itself.
void StudioStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  auto* const label = qobject_cast<QLabel*>(widget);
  if (label && label->textFormat() == Qt::AutoText) label->setTextFormat(Qt::PlainText);
}

QIcon StudioStyle::standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
  IconDrawing drawing = drawingOf(which);
  if (drawing.empty()) return QProxyStyle::standardIcon(which, option, widget);
  return lineIcon(std::move(drawing));
}

QPixmap StudioStyle::standardPixmap(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
  const IconDrawing drawing = drawingOf(which);
  if (drawing.empty()) return QProxyStyle::standardPixmap(which, option, widget);
  const int side = pixelMetric(PM_SmallIconSize, option, widget);
  return lineIcon(drawing).pixmap(QSize(side, side));
}

void StudioStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  const bool title = element == CE_DockWidgetTitle && widget;
  const QFont before = painter->font();
  if (title) painter->setFont(widget->font());  // Qt keeps the font from the start of the program
  const auto* const item =
      element == CE_ItemViewItem ? qstyleoption_cast<const QStyleOptionViewItem*>(option) : nullptr;
  const auto* const entry = element == CE_MenuItem ? qstyleoption_cast<const QStyleOptionMenuItem*>(option) : nullptr;
  if (item && oneLineWithSymbols(item->text))
    drawItem(*item, *painter, widget);
  else if (entry && oneLineWithSymbols(entry->text.section(u'\t', 0, 0)))
    drawMenuItem(*entry, *painter, widget);
  else
    QProxyStyle::drawControl(element, option, painter, widget);
  if (title) painter->setFont(before);
}

/// Draws a row of a list whose text has symbols; Qt draws everything but the text.
void StudioStyle::drawItem(const QStyleOptionViewItem& item, QPainter& painter, const QWidget* widget) const {
  QStyleOptionViewItem rest(item);
  rest.text.clear();
  QProxyStyle::drawControl(CE_ItemViewItem, &rest, &painter, widget);
  const int margin = pixelMetric(PM_FocusFrameHMargin, &item, widget) + 1;
  const QRect box = subElementRect(SE_ItemViewItemText, &item, widget).adjusted(margin, 0, -margin, 0);
  const QPalette::ColorGroup group = !(item.state & State_Enabled)  ? QPalette::Disabled
                                     : !(item.state & State_Active) ? QPalette::Inactive
                                                                    : QPalette::Normal;
  const bool chosen = (item.state & State_Selected) != 0;
  painter.save();
  painter.setClipRect(item.rect);
  painter.setFont(item.font);
  painter.setPen(item.palette.color(group, chosen ? QPalette::HighlightedText : QPalette::Text));
  paintTypeset(painter, box, int(visualAlignment(item.direction, item.displayAlignment)), item.text);
  painter.restore();
}

/// Draws a row of a menu, or of the list of a combo box. Only the style knows the position of its text.
void StudioStyle::drawMenuItem(const QStyleOptionMenuItem& item, QPainter& painter, const QWidget* widget) const {
  const qsizetype tab = item.text.indexOf(u'\t');
  const QString key = tab < 0 ? QString() : item.text.mid(tab);
  QStyleOptionMenuItem other(item);
  FirstText place;
  {
    QPainter onto(&place);
    onto.setFont(painter.font());
    other.text = QStringLiteral("x");
    QProxyStyle::drawControl(CE_MenuItem, &other, &onto, widget);
  }
  other.text = key;
  QProxyStyle::drawControl(CE_MenuItem, &other, &painter, widget);
  if (!place.found) return;
  QRect box = item.rect;
  box.setLeft(int(std::lround(place.found->left)));
  painter.save();
  painter.setFont(place.found->font);
  painter.setPen(place.found->pen);
  paintTypeset(painter, box, Qt::AlignLeft | Qt::AlignVCenter,
               withoutKeyMark(item.text.left(tab < 0 ? item.text.size() : tab)));
  painter.restore();
}

void StudioStyle::drawItemText(QPainter* painter, const QRect& box, int flags, const QPalette& palette, bool enabled,
                               const QString& text, QPalette::ColorRole role) const {
  if (!oneLineWithSymbols(text)) return QProxyStyle::drawItemText(painter, box, flags, palette, enabled, text, role);
  QString shown = text;
  if (flags & (Qt::TextShowMnemonic | Qt::TextHideMnemonic)) shown = withoutKeyMark(shown);
  // Text that needs several lines is drawn by Qt.
  if ((flags & Qt::TextWordWrap) && typesetWidth(shown, painter->font()) > box.width() + 1)
    return QProxyStyle::drawItemText(painter, box, flags, palette, enabled, text, role);
  const QPen before = painter->pen();
  if (role != QPalette::NoRole) painter->setPen(QPen(palette.brush(role), before.widthF()));
  paintTypeset(*painter, box, int(visualAlignment(painter->layoutDirection(), Qt::Alignment(flags))), shown);
  painter->setPen(before);
}

/// Fusion's edge of a check box is hardly visible on a dark background.
void StudioStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck) return;
  QColor edge = option->palette.color(QPalette::WindowText);
  edge.setAlphaF(0.55f);
  painter->save();
  painter->setPen(edge);
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
  painter->restore();
}

/// Sets minimum heights for rows of lists and menus, headers and tabs.
QSize StudioStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                    const QWidget* widget) const {
  constexpr int kAround = 8;  // points
  QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
  const auto* const entry = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
  const bool row = type == CT_ItemViewItem ||
                   (type == CT_MenuItem && entry && entry->menuItemType != QStyleOptionMenuItem::Separator);
  if (row) size.setHeight(std::max({size.height(), kLeastTarget, option->fontMetrics.height() + kAround}));
  if (type == CT_HeaderSection || type == CT_TabBarTab) size.setHeight(std::max(size.height(), kLeastTarget));
  return size;
}

int StudioStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* answer) const {
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;  // the text is enough
  return QProxyStyle::styleHint(hint, option, widget, answer);
}

}  // namespace sepx::app
