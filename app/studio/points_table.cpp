// SPDX-License-Identifier: Apache-2.0
// See points_table.h.
#include "app/studio/points_table.h"

#include <algorithm>
#include <array>

#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/flow_scene.h"
#include "ui/properties/tr.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>

namespace sepx::app {

namespace {

constexpr int kMostLines = 6;  // more scroll
constexpr int kIconSize = 12;  // points
constexpr int kLinePadding = 4;
constexpr int kLabelRole = Qt::UserRole;
constexpr std::array kKinds{markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin,  markov::LimitKind::Saddle,
                            markov::LimitKind::LocalMax,  markov::LimitKind::Attractor, markov::LimitKind::Undecided};

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

PointsTable::PointsTable(ui::Workbench& workbench, QWidget* parent) : PlainList(parent), workbench_(workbench) {
  list_ = workbench.exhibitKey() + ".points";
  const std::string member = list_ + "[].";
  const auto inList = [&](const std::string& key) {
    return key.rfind(member, 0) == 0 && key.find('.', member.size()) == std::string::npos;
  };
  for (const auto& property : workbench.properties().properties()) {
    if (!inList(property.key)) continue;
    if (property.kind == ui::Kind::Text && !name_) name_ = property;
    if (property.kind == ui::Kind::Real) coordinates_.push_back(property);
  }
  if (const auto end = workbench.properties().find(list_ + "[0].basin"); end && end->readOut) {
    end_ = *end->readOut;
    end_->get = {};  // of one pane's exhibit; values come through the workbench
    end_->withNumbers = {};
  }
  setObjectName(QString::fromStdString(list_));
  setColumnCount(int(coordinates_.size()) + 2);
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setIconSize(QSize(kIconSize, kIconSize));
  setAccessibleName(QString::fromUtf8(ui::tr("Points")));
  header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  header()->setStretchLastSection(true);
  header()->setMinimumSectionSize(20);
  header()->setSectionsClickable(false);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &PointsTable::showVisible);
  connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    if (item) emit chosen(indexOfTopLevelItem(item));
  });
}

QIcon PointsTable::endIcon(const std::string& label) const {
  const ui::Theme* theme = ui::findTheme(workbench_.theme());
  if (!theme) return {};
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](markov::LimitKind one) {
    return label == markov::limitName(one) || (one == markov::LimitKind::Attractor && label == "attractor");
  });
  if (kind == kKinds.end()) return {};
  const double ratio = devicePixelRatioF();
  QPixmap pixmap(QSize(kIconSize, kIconSize) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  const render::Color color = ui::kindColor(*theme, *kind);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(QColor::fromRgbF(0, 0, 0), 1));
  painter.setBrush(QColor::fromRgbF(color.r, color.g, color.b));
  paintShape(painter, ui::kindShape(*kind), QRectF(1, 1, kIconSize - 2, kIconSize - 2));
  painter.end();
  QIcon icon(pixmap);
  icon.addPixmap(pixmap, QIcon::Selected);
  return icon;
}

void PointsTable::showPoint(int index) {
  QTreeWidgetItem* item = topLevelItem(index);
  const std::string at = workbench_.inPane(list_, workbench_.activePane()) + "[" + std::to_string(index) + "].";
  const auto value = [&](const std::string& declared) {
    return workbench_.get(at + declared.substr(declared.rfind('.') + 1)).value_or(ui::Value());
  };
  const auto setText = [item](int column, const std::string& words) {
    const QString now = QString::fromStdString(words);
    if (item->text(column) != now) item->setText(column, now);
  };
  if (name_) setText(0, ui::toString(value(name_->key)));
  int column = 1;
  for (const auto& coordinate : coordinates_) {
    item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    setText(column++, ui::formatValue(coordinate, value(coordinate.key)));
  }
  if (!end_) return;
  const ui::Value end = value(end_->key);
  const std::string label = ui::toString(end);
  setText(column, ui::formatValue(*end_, end));
  const QString mark = QString::fromStdString(label + " " + workbench_.theme());
  if (item->data(column, kLabelRole).toString() == mark) return;
  item->setData(column, kLabelRole, mark);
  item->setIcon(column, endIcon(label));
}

bool PointsTable::refresh(int selected) {
  const QSignalBlocker quiet(this);
  const auto& list = workbench_.paneDocument().at(list_);
  const int count = list.is_array() ? int(list.size()) : 0;
  const int before = topLevelItemCount();
  while (topLevelItemCount() > count)
    delete takeTopLevelItem(topLevelItemCount() - 1);
  while (topLevelItemCount() < count)
    addTopLevelItem(new QTreeWidgetItem);
  QStringList titles{QString()};
  for (const auto& coordinate : coordinates_) {
    const std::string called = coordinate.liveLabel ? ui::nameOf(coordinate, workbench_.paneDocument()) : "";
    const std::string symbol = coordinate.symbol.empty() ? coordinate.label : coordinate.symbol;
    titles << QString::fromStdString(called.empty() ? symbol : called.substr(called.rfind(' ') + 1));
  }
  titles << QString::fromUtf8(ui::tr("ends in"));
  for (int column = 0; column < titles.size(); ++column) {
    if (headerItem()->text(column) != titles[column]) headerItem()->setText(column, titles[column]);
  }
  QTreeWidgetItem* current = selected >= 0 && selected < count ? topLevelItem(selected) : nullptr;
  if (currentItem() != current) setCurrentItem(current);
  if (current && !current->isSelected()) current->setSelected(true);
  if (!current) clearSelection();
  const int line = fontMetrics().height() + kLinePadding;
  const int height = header()->sizeHint().height() + line * std::min(count, kMostLines) + 2;
  if (count > 0 && (count != before || line != line_)) {
    line_ = line;
    topLevelItem(0)->setSizeHint(0, QSize(0, line));  // all rows are as high as the first
    setFixedHeight(height);
  }
  showVisible();
  return count > 0;
}

void PointsTable::showVisible() {
  // Of many thousand points only the rows that are seen are brought up to date.
  const QModelIndex top = indexAt(QPoint(1, 1));
  const int first = top.isValid() ? top.row() : 0;
  const int last = std::min(topLevelItemCount(), first + kMostLines + 2);
  for (int index = first; index < last; ++index)
    showPoint(index);
}

}  // namespace sepx::app
