// SPDX-License-Identifier: Apache-2.0
// See library.h.
#include "app/studio/library.h"

#include "app/data_files.h"
#include "ui/properties/tr.h"

namespace sepx::app {

namespace {
constexpr int kPathRole = Qt::UserRole;
constexpr QSize kSize(190, 200);  // points; the picture needs the room
}  // namespace

Library::Library(QWidget* parent) : PlainList(parent) {
  setObjectName(QStringLiteral("lessons"));
  setHeaderHidden(true);
  setIndentation(8);
  setRootIsDecorated(false);
  setFrameShape(QFrame::NoFrame);
  setTextElideMode(Qt::ElideRight);
  viewport()->setAutoFillBackground(false);  // a list, not a field to type in
  setAccessibleName(QString::fromUtf8(ui::tr("Library")));
  auto* group = new QTreeWidgetItem(this, {QString::fromUtf8(ui::tr("Lessons"))});
  group->setFlags(Qt::ItemIsEnabled);
  for (const auto& lesson : lessons()) {
    auto* item = new QTreeWidgetItem(group, {QString::fromStdString(lesson.title)});
    item->setData(0, kPathRole, QString::fromStdString(lesson.path));
    item->setToolTip(0, QString::fromStdString(lesson.title));
  }
  group->setExpanded(true);
  connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item, int) { activate(item); });
  connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int) { activate(item); });
}

QSize Library::sizeHint() const {
  return kSize;
}

void Library::activate(QTreeWidgetItem* item) {
  const QString path = item->data(0, kPathRole).toString();
  if (!path.isEmpty()) emit chosen(path);
}

}  // namespace sepx::app
