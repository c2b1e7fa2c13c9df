// SPDX-License-Identifier: Apache-2.0
// See messages_dialog.h.
#include "app/studio/messages_dialog.h"
#include "app/studio/text.h"

#include "ui/properties/tr.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kKind = 0, kSentence = 1;

QString lineOf(const QTreeWidgetItem& item) {
  return item.text(kKind) + QStringLiteral(": ") + item.text(kSentence);
}

}  // namespace

MessagesDialog::MessagesDialog(const ui::Workbench& workbench, QString about, QWidget* parent)
    : QDialog(parent), workbench_(workbench), about_(std::move(about)) {
  setObjectName(QStringLiteral("messages"));
  setWindowTitle(text(N_("Messages")));
  auto* column = new QVBoxLayout(this);
  list_ = new QTreeWidget;
  list_->setObjectName(QStringLiteral("messages.list"));
  list_->setAccessibleName(text(N_("Messages, latest first")));
  list_->setHeaderLabels({text(N_("Kind")), text(N_("Message"))});
  list_->setRootIsDecorated(false);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->header()->setSectionResizeMode(kKind, QHeaderView::ResizeToContents);
  column->addWidget(list_, 3);
  whole_ = new QPlainTextEdit;
  whole_->setReadOnly(true);
  whole_->setTabChangesFocus(true);
  whole_->setAccessibleName(text(N_("Selected message")));
  whole_->setPlaceholderText(text(N_("No message is selected.")));
  column->addWidget(whole_, 1);
  connect(list_, &QTreeWidget::currentItemChanged, this,
          [this](QTreeWidgetItem* item) { whole_->setPlainText(item ? item->text(kSentence) : QString()); });
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->button(QDialogButtonBox::Close)->setText(text(N_("Close")));
  auto* copy = buttons->addButton(text(N_("Copy details")), QDialogButtonBox::ActionRole);
  copy->setObjectName(QStringLiteral("messages.copy"));
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(details()); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  column->addWidget(buttons);
  resize(fontMetrics().horizontalAdvance(u'0') * 90, fontMetrics().height() * 24);
  refresh();
}

void MessagesDialog::refresh() {
  const auto& messages = workbench_.messages();
  // Messages are only ever added; the latest is at the top.
  for (auto at = std::size_t(list_->topLevelItemCount()); at < messages.size(); ++at) {
    const bool error = messages[at].level == ui::Message::Level::Error;
    auto* item =
        new QTreeWidgetItem({error ? text(N_("Error")) : text(N_("Note")), QString::fromStdString(messages[at].text)});
    item->setToolTip(kSentence, item->text(kSentence));
    list_->insertTopLevelItem(0, item);
  }
  if (!list_->currentItem() && list_->topLevelItemCount() > 0) list_->setCurrentItem(list_->topLevelItem(0));
}

QString MessagesDialog::details() const {
  QStringList lines;
  const auto chosen = list_->selectedItems();
  if (chosen.size() > 1) {
    for (const auto* item : chosen)
      lines << lineOf(*item);
  } else {
    for (int i = 0; i < list_->topLevelItemCount(); ++i)
      lines << lineOf(*list_->topLevelItem(i));
  }
  lines << QString() << about_;
  return lines.join(u'\n');
}

}  // namespace sepx::app
