// SPDX-License-Identifier: Apache-2.0
// See points_table.h.
#include "app/studio/points_table.h"

#include <algorithm>

#include "ui/properties/tr.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>

namespace sepx::app {

namespace {

constexpr int kMostLines = 6;  // more than these scroll
constexpr int kIconSize = 12;  // points
constexpr int kLinePadding = 4;
constexpr int kLeastLine = 24;  // points, for use with a pointer
constexpr int kLabelRole = Qt::UserRole;
void setWords(QTreeWidgetItem* item, int column, const std::string& words) {
  const QString now = QString::fromStdString(words);
  if (item->text(column) != now) item->setText(column, now);
}

void paintShape(QPainter& painter, render::Shape shape, const QRectF& box) {
  if (shape == render::Shape::Square) return painter.drawRect(box.adjusted(1, 1, -1, -1));
  if (shape == render::Shape::Diamond) {
    return static_cast<void>(painter.drawPolygon(
        QPolygonF({QPointF(box.center().x(), box.top()), QPointF(box.right(), box.center().y()),
                   QPointF(box.center().x(), box.bottom()), QPointF(box.left(), box.center().y())})));
  }
  if (shape == render::Shape::Triangle) {
    return static_cast<void>(
        painter.drawPolygon(QPolygonF({QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()})));
  }
  painter.drawEllipse(box);
}

}  // namespace

PointsTable::PointsTable(ui::Workbench& workbench, ui::PlacedList list, QWidget* parent)
    : PlainList(parent), workbench_(workbench), list_(std::move(list)) {
  const std::string start = list_.list + "[].";
  for (const auto& property : workbench.properties().properties()) {
    if (property.key.rfind(start, 0) != 0) continue;
    const std::string member = property.key.substr(start.size());
    if (member.find('.') != std::string::npos) continue;
    if (property.kind == ui::Kind::Text && property.color) colored_ = true;
    if (property.kind == ui::Kind::Text && !property.color && !name_) name_ = property;
    if (property.kind == ui::Kind::Real) columns_.push_back({property, std::nullopt, member});
  }
  addReadOuts();
  setObjectName(QString::fromStdString(list_.list));
  setColumnCount(int(columns_.size()) + 1);
  headerItem()->setText(0, QString());  // instead of Qt's number
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setIconSize(QSize(kIconSize, kIconSize));
  setAccessibleName(QString::fromUtf8(ui::tr("Points")));
  header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  header()->setResizeContentsPrecision(0);  // of the visible rows, not of a thousand
  header()->setStretchLastSection(true);
  header()->setMinimumSectionSize(20);
  header()->setSectionsClickable(false);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    if (!filling_) showVisible();
  });
  connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, &PointsTable::fitHeight);
  connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    if (item) emit chosen(indexOfTopLevelItem(item));
  });
}

void PointsTable::addReadOuts() {
  for (const std::string& member : list_.columns) {
    const auto found = workbench_.properties().find(list_.key(0, member));
    if (!found || !found->readOut) continue;
    Column column{std::nullopt, *found->readOut, member};
    column.readOut->get = {};  // belongs to one pane's exhibit; values come through the workbench
    column.readOut->withNumbers = {};
    columns_.push_back(std::move(column));
  }
}

bool PointsTable::isEnd(const std::string& member) const {
  return std::find(list_.outcomes.begin(), list_.outcomes.end(), member) != list_.outcomes.end();
}

bool PointsTable::applies(const Column& column) const {
  const auto& when = column.property ? column.property->applies : column.readOut->applies;
  return !when || when(workbench_.paneDocument());
}

QString PointsTable::titleOf(const Column& column) const {
  if (isEnd(column.member)) return QString::fromUtf8(ui::tr("ends in"));
  if (column.readOut) return QString::fromStdString(ui::nameOf(*column.readOut, workbench_.paneDocument()));
  const ui::Property& coordinate = *column.property;
  const std::string called = coordinate.liveLabel ? ui::nameOf(coordinate, workbench_.paneDocument()) : "";
  const std::string symbol = coordinate.symbol.empty() ? coordinate.label : coordinate.symbol;
  return QString::fromStdString(called.empty() ? symbol : called.substr(called.rfind(' ') + 1));
}

ui::Value PointsTable::value(int index, const std::string& member) const {
  const std::string key = list_.key(static_cast<std::size_t>(index), member);
  return workbench_.get(workbench_.inPane(key, workbench_.activePane())).value_or(ui::Value());
}

QIcon PointsTable::endIcon(const std::string& label) const {
  const ui::Theme* theme = ui::findTheme(workbench_.theme());
  if (!theme) return {};
  const auto mark = list_.mark ? list_.mark(label, *theme) : std::optional<ui::Mark>();
  if (!mark) return {};
  const double ratio = devicePixelRatioF();
  QPixmap pixmap(QSize(kIconSize, kIconSize) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(QColor::fromRgbF(0, 0, 0), 1));
  painter.setBrush(QColor::fromRgbF(mark->color.r, mark->color.g, mark->color.b));
  paintShape(painter, mark->shape, QRectF(1, 1, kIconSize - 2, kIconSize - 2));
  painter.end();
  QIcon icon(pixmap);
  icon.addPixmap(pixmap, QIcon::Selected);
  return icon;
}

void PointsTable::showName(int index) {
  constexpr int kColorRole = Qt::UserRole + 1;
  QTreeWidgetItem* item = topLevelItem(index);
  if (name_) setWords(item, 0, ui::toString(value(index, name_->key.substr(list_.list.size() + 3))));
  const QString color = colored_ ? QString::fromStdString(ui::toString(value(index, list_.color))) : QString();
  if (item->data(0, kColorRole).toString() == color) return;
  item->setData(0, kColorRole, color);
  QIcon icon;
  if (!color.isEmpty()) {
    QPixmap pixmap(kIconSize, kIconSize);
    pixmap.fill(QColor(color));
    icon = QIcon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);
  }
  item->setIcon(0, icon);
}

void PointsTable::showEnd(int index, int column, const Column& shown) {
  QTreeWidgetItem* item = topLevelItem(index);
  const ui::Value end = value(index, shown.member);
  const std::string label = ui::toString(end);
  setWords(item, column, ui::formatValue(*shown.readOut, end));
  const QString mark = QString::fromStdString(label + " " + workbench_.theme());
  if (item->data(column, kLabelRole).toString() == mark) return;
  item->setData(column, kLabelRole, mark);
  item->setIcon(column, endIcon(label));
}

void PointsTable::showPoint(int index) {
  showName(index);
  QTreeWidgetItem* item = topLevelItem(index);
  int column = 0;
  for (const Column& shown : columns_) {
    ++column;
    if (isColumnHidden(column)) continue;
    if (isEnd(shown.member)) {
      showEnd(index, column, shown);
      continue;
    }
    item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    const ui::Value now = value(index, shown.member);
    setWords(item, column,
             shown.property ? ui::formatValue(*shown.property, now) : ui::formatValue(*shown.readOut, now));
  }
}

void PointsTable::setCount(int count) {
  const int before = topLevelItemCount();
  if (count == before) return;
  setUpdatesEnabled(false);
  filling_ = true;
  // One change of the model instead of one for each row, so that the view lays itself out once.
  if (count < before) {
    model()->removeRows(count, before - count);
  } else {
    QList<QTreeWidgetItem*> fresh;
    fresh.reserve(count - before);
    for (int i = before; i < count; ++i)
      fresh.append(new QTreeWidgetItem);
    addTopLevelItems(fresh);
  }
  filling_ = false;
  setUpdatesEnabled(true);
}

bool PointsTable::refresh(int selected) {
  const QSignalBlocker quiet(this);
  const int count = int(workbench_.paneDocument().list(list_.list).size());
  const int before = topLevelItemCount();
  setCount(count);
  for (int column = 1; column <= int(columns_.size()); ++column) {
    const Column& shown = columns_[std::size_t(column - 1)];
    const bool hidden = !applies(shown);
    if (isColumnHidden(column) != hidden) setColumnHidden(column, hidden);
    const QString title = titleOf(shown);
    if (headerItem()->text(column) != title) headerItem()->setText(column, title);
  }
  QTreeWidgetItem* current = selected >= 0 && selected < count ? topLevelItem(selected) : nullptr;
  if (currentItem() != current) setCurrentItem(current);
  if (current && !current->isSelected()) current->setSelected(true);
  if (!current) clearSelection();
  const int line = std::max(kLeastLine, fontMetrics().height() + kLinePadding);
  if (count > 0 && (count != before || line != line_)) {
    line_ = line;
    topLevelItem(0)->setSizeHint(0, QSize(0, line));  // all rows are as high as the first
  }
  showVisible();
  fitHeight();
  return count > 0;
}

void PointsTable::fitHeight() {
  const int count = topLevelItemCount();
  if (count == 0) return;
  const bool scrolls = header()->length() > viewport()->width();
  const int bar = scrolls ? horizontalScrollBar()->sizeHint().height() : 0;
  const int row = rowHeight(model()->index(0, 0));  // a style may make it higher than line_
  const int height = header()->sizeHint().height() + row * std::min(count, kMostLines) + 2 + bar;
  if (minimumHeight() != height) setFixedHeight(height);
}

void PointsTable::showVisible() {
  // With many thousand points, only the visible rows are updated.
  const QModelIndex top = indexAt(QPoint(1, 1));
  const int first = top.isValid() ? top.row() : 0;
  const int last = std::min(topLevelItemCount(), first + kMostLines + 2);
  for (int index = first; index < last; ++index)
    showPoint(index);
}

}  // namespace sepx::app
