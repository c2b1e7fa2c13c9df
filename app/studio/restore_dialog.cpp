// SPDX-License-Identifier: Apache-2.0
// See restore_dialog.h.
#include "app/studio/restore_dialog.h"

#include <algorithm>

#include "app/studio/text.h"
#include "ui/properties/tr.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kIndexRole = Qt::UserRole;

QString nameOf(const RecoveryFile& one) {
  const QString title = QString::fromStdString(one.title);
  return title.isEmpty() ? text(N_("Untitled")) : title;
}

}  // namespace

RestoreDialog::RestoreDialog(std::vector<RecoveryFile> recoveryFiles, QWidget* parent)
    : QDialog(parent), recoveryFiles_(std::move(recoveryFiles)) {
  setObjectName(QStringLiteral("restore"));
  setWindowTitle(text(N_("Unsaved work")));
  auto* column = new QVBoxLayout(this);
  const bool asked =
      std::all_of(recoveryFiles_.begin(), recoveryFiles_.end(), [](const RecoveryFile& one) { return one.asked; });
  auto* words = new QLabel(asked ? text(N_("The system closed Separatrix. This work was not saved:"))
                                 : text(N_("Separatrix ended unexpectedly. This work was not saved:")));
  words->setWordWrap(true);
  column->addWidget(words);
  list_ = new QTreeWidget;
  list_->setObjectName(QStringLiteral("restore.list"));
  list_->setAccessibleName(text(N_("Unsaved work")));
  list_->setHeaderLabels({text(N_("Name")), text(N_("Last change")), text(N_("File"))});
  list_->setRootIsDecorated(false);
  for (int i = 0; i < int(recoveryFiles_.size()); ++i) {
    const RecoveryFile& one = recoveryFiles_[std::size_t(i)];
    const QString when = QLocale().toString(QDateTime::fromSecsSinceEpoch(one.when), QLocale::ShortFormat);
    const QString path = one.path.empty() ? text(N_("never saved")) : QString::fromStdString(one.path);
    auto* item = new QTreeWidgetItem(list_, {nameOf(one), when, path});
    item->setData(0, kIndexRole, i);
    item->setToolTip(2, path);
  }
  for (const int narrow : {0, 1})
    list_->header()->setSectionResizeMode(narrow, QHeaderView::ResizeToContents);
  list_->setCurrentItem(list_->topLevelItem(0));
  column->addWidget(list_);
  auto* buttons = new QDialogButtonBox;
  restore_ = buttons->addButton(text(N_("Restore")), QDialogButtonBox::AcceptRole);
  buttons->addButton(text(N_("Not now")), QDialogButtonBox::RejectRole);
  auto* away = buttons->addButton(text(N_("Discard")), QDialogButtonBox::DestructiveRole);
  restore_->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(away, &QPushButton::clicked, this, &RestoreDialog::discard);
  connect(list_, &QTreeWidget::itemActivated, this, &QDialog::accept);
  column->addWidget(buttons);
  const int rows = std::clamp(int(recoveryFiles_.size()), 2, 8);
  const int wanted = fontMetrics().height() * (8 + 2 * rows);
  resize(fontMetrics().horizontalAdvance(u'0') * 80,
         parent ? std::min(wanted, parent->window()->height() / 2 - 1) : wanted);
}

std::optional<RecoveryFile> RestoreDialog::chosen() const {
  const QTreeWidgetItem* item = list_->currentItem();
  if (!item) return std::nullopt;
  return recoveryFiles_[std::size_t(item->data(0, kIndexRole).toInt())];
}

void RestoreDialog::discard() {
  const auto one = chosen();
  if (!one) return;
  emit discarded(*one);
  delete list_->currentItem();
  if (list_->topLevelItemCount() == 0) reject();
}

}  // namespace sepx::app
