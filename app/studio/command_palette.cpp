// SPDX-License-Identifier: Apache-2.0
// See command_palette.h.
#include "app/studio/command_palette.h"

#include <algorithm>
#include <utility>

#include "app/studio/fuzzy.h"
#include "app/studio/text.h"
#include "ui/properties/tr.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMetaObject>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kIndexRole = Qt::UserRole;
constexpr int kTitle = 0, kGroup = 1, kDetail = 2;
constexpr int kLines = 14;       // shown at once
constexpr int kCharacters = 84;  // width in digits
constexpr int kMostRows = 400;   // of the best
constexpr int kLeastRow = 24;    // points, for a pointer

struct Ranked {
  int index;
  int score;
};

/// Best first; entries that cannot be used now after all that can.
std::vector<Ranked> ranked(const std::vector<PaletteEntry>& entries, const QString& typed) {
  std::vector<Ranked> found;
  for (int i = 0; i < int(entries.size()); ++i) {
    const PaletteEntry& entry = entries[std::size_t(i)];
    auto match = fuzzyMatch(typed, entry.title);
    // "file open" and "errata" find it by its menu and its key as well, a little worse than by its own words.
    for (const QString& also : {entry.grey() + u' ' + entry.title, entry.key}) {
      auto other = fuzzyMatch(typed, also);
      if (other) other->score -= 6;
      if (other && (!match || other->score > match->score)) match = other;
    }
    if (match) found.push_back({i, match->score - (entry.enabled ? 0 : 1000)});
  }
  std::stable_sort(found.begin(), found.end(), [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  return found;
}

}  // namespace

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), entries_(std::move(entries)) {
  setObjectName(QStringLiteral("palette"));
  setWindowTitle(text(N_("Commands")));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  field_ = new QLineEdit;
  field_->setObjectName(QStringLiteral("palette.field"));
  field_->setPlaceholderText(text(N_("Command, page, parameter, file, run, lesson, layer or tensor")));
  field_->setAccessibleName(text(N_("Find a command")));
  field_->installEventFilter(this);
  column->addWidget(field_);
  list_ = new QTreeWidget;
  list_->setObjectName(QStringLiteral("palette.list"));
  list_->setAccessibleName(text(N_("Commands found")));
  list_->setColumnCount(3);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setFocusPolicy(Qt::NoFocus);  // the field keeps the keyboard and moves the choice
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(kTitle, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(kGroup, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(kDetail, QHeaderView::ResizeToContents);
  column->addWidget(list_);
  none_ = new QLabel(text(N_("Nothing matches.")));
  none_->setVisible(false);
  column->addWidget(none_);
  const int line = std::max(kLeastRow, fontMetrics().height() + 6);
  // Inside the window below it.
  const QSize room = parent ? parent->size() - QSize(3 * line, 6 * line) : QSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
  list_->setMinimumSize(std::min(fontMetrics().horizontalAdvance(u'0') * kCharacters, room.width()),
                        std::min(line * kLines, room.height()));
  connect(field_, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::choose);
  filter();
  field_->setFocus();
}

void CommandPalette::filter() {
  list_->clear();
  const int height = std::max(kLeastRow, fontMetrics().height() + 6);
  for (const Ranked& one : ranked(entries_, field_->text())) {
    if (list_->topLevelItemCount() >= kMostRows) break;
    const PaletteEntry& entry = entries_[std::size_t(one.index)];
    auto* item = new QTreeWidgetItem(list_, {entry.title, entry.grey(), entry.detail});
    item->setData(kTitle, kIndexRole, one.index);
    item->setSizeHint(kTitle, QSize(0, height));
    item->setTextAlignment(kDetail, Qt::AlignRight | Qt::AlignVCenter);
    item->setForeground(kGroup, palette().placeholderText());
    item->setToolTip(kTitle, entry.title + u'\n' + entry.grey());
    if (!entry.enabled) item->setDisabled(true);
  }
  QTreeWidgetItem* first = list_->topLevelItem(0);
  if (first && !first->isDisabled()) list_->setCurrentItem(first);
  none_->setVisible(first == nullptr);
}

void CommandPalette::choosePast(int by) {
  const int count = list_->topLevelItemCount();
  const int from = list_->indexOfTopLevelItem(list_->currentItem());
  for (int step = 1; step <= count; ++step) {
    auto* item = list_->topLevelItem(std::clamp(from + by * step, 0, count - 1));
    if (item->isDisabled()) continue;
    list_->setCurrentItem(item);
    // Only the list tells a screen reader what is chosen; the field is described by it.
    field_->setAccessibleDescription(item->text(kTitle));
    return;
  }
}

void CommandPalette::choose() {
  QTreeWidgetItem* item = list_->currentItem();
  if (!item || item->isDisabled()) return;
  const auto run = entries_[std::size_t(item->data(kTitle, kIndexRole).toInt())].run;
  accept();
  if (run) QMetaObject::invokeMethod(parent() ? parent() : this, run, Qt::QueuedConnection);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != field_ || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
      return choosePast(1), true;
    case Qt::Key_Up:
      return choosePast(-1), true;
    case Qt::Key_PageDown:
      return choosePast(kLines), true;
    case Qt::Key_PageUp:
      return choosePast(-kLines), true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return choose(), true;
    default:
      return QDialog::eventFilter(watched, event);
  }
}

}  // namespace sepx::app
