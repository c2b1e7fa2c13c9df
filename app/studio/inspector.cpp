// SPDX-License-Identifier: Apache-2.0
// See inspector.h.
#include "app/studio/inspector.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/studio/fields.h"
#include "app/studio/text.h"
#include "ui/page/page_key.h"
#include "ui/properties/tr.h"
#include "ui/workbench/settings.h"

#include <QCoreApplication>
#include <QEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr std::string_view kListMark = "[]";
constexpr int kLeastDigits = 38;     // of a row, minimum
constexpr int kBetweenColumns = 10;  // spacing of makeForm()
constexpr const char* kGroupsKey = "studio.groups";

}  // namespace

Inspector::Inspector(ui::Workbench& workbench, QWidget* parent) : QScrollArea(parent), workbench_(workbench) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(text(N_("Inspector")));
  if (const ui::Settings* const settings = workbench_.options().settings) {
    const QJsonObject kept = QJsonDocument::fromJson(QByteArray::fromStdString(settings->kept(kGroupsKey))).object();
    for (auto at = kept.begin(); at != kept.end(); ++at)
      open_[at.key().toStdString()] = at.value().toBool();
  }
  makeSearch();
  build();
}

void Inspector::makeSearch() {
  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("inspector.search"));
  search_->setPlaceholderText(text(N_("Search this page")));
  search_->setAccessibleName(text(N_("Search this page")));
  search_->setAccessibleDescription(text(N_("Shows the entries with these words in their name, symbol, key or help")));
  search_->setClearButtonEnabled(true);
  search_->setAcceptDrops(false);  // files are dropped on the window
  search_->installEventFilter(this);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& now) {
    searchWords_ = now.split(u' ', Qt::SkipEmptyParts);
    refresh();
  });
}

bool Inspector::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress) return QScrollArea::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Escape && !search_->text().isEmpty()) return search_->clear(), true;
  if (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Down) return false;
  goToFound();
  return true;
}

bool Inspector::matchesSearch(const InspectorRow& row, const InspectorGroup& group) const {
  if (searchWords_.isEmpty()) return true;
  QString all = QString::fromStdString(row.key) + u'\n' + row.about + u'\n' + group.title();
  if (row.called) all += u'\n' + QString::fromStdString(row.called(workbench_.paneDocument()));
  return std::all_of(searchWords_.begin(), searchWords_.end(),
                     [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

/// Moves the keyboard focus to the first row that was found.
void Inspector::goToFound() {
  if (searchWords_.isEmpty()) return;
  for (int i = 0; i < rows_.column->count(); ++i) {
    const auto* const group = qobject_cast<InspectorGroup*>(rows_.column->itemAt(i)->widget());
    if (!group || !group->isVisibleTo(widget())) continue;
    for (QWidget* const stop : group->tabStops()) {
      if (qobject_cast<QToolButton*>(stop) && stop->property("role").isValid()) continue;  // folds a group
      if (!stop->isVisibleTo(widget()) || !stop->isEnabled()) continue;
      ensureWidgetVisible(stop);
      return stop->setFocus(Qt::ShortcutFocusReason);
    }
  }
}

int Inspector::selected() const {
  if (!rows_.placed) return -1;
  const ui::Value value = workbench_.properties().get(workbench_.paneDocument(), rows_.placed->selected);
  const auto* index = std::get_if<double>(&value);
  return index ? static_cast<int>(*index) : -1;
}

std::string Inspector::fullKey(const std::string& declared) const {
  std::string key = declared;
  if (const auto mark = declared.find(kListMark); mark != std::string::npos) {
    const int index = selected();
    const auto& list = workbench_.paneDocument().at(declared.substr(0, mark));
    if (index < 0 || !list.is_array() || index >= static_cast<int>(list.size())) return {};
    key = declared.substr(0, mark + 1) + std::to_string(index) + declared.substr(mark + 1);
  }
  return workbench_.inPane(key, workbench_.activePane());
}

ui::Value Inspector::present(const std::string& declared) const {
  const std::string key = fullKey(declared);
  if (key.empty()) return {};
  return workbench_.get(key).value_or(ui::Value());
}

bool Inspector::commit(const std::string& declared, const ui::Value& value, const std::string& group) {
  const std::string key = fullKey(declared);
  if (key.empty()) return false;
  const auto done = workbench_.set(key, value, group.empty() ? group : key);
  if (!done) workbench_.say({ui::Message::Level::Error, done.error().message});
  emit edited();
  return done.has_value();
}

const ui::Document& Inspector::withEveryToggle() {
  const std::uint64_t revision = workbench_.history().revision();
  if (std::exchange(toggledAt_, revision) == revision) return toggled_;
  toggled_ = workbench_.paneDocument();
  for (const auto& property : rows_.declared) {
    if (property->kind == ui::Kind::Toggle && property->key.find(kListMark) == std::string::npos)
      toggled_ = toggled_.with(property->key, true);
  }
  return toggled_;
}

Inspector::Shown Inspector::refreshRow(InspectorRow& row) {
  const ui::Document& document = workbench_.paneDocument();
  const bool applies = !row.applies || row.applies(document);
  if (!applies && (!row.parameter || !row.applies(withEveryToggle()))) return Shown::No;
  if (!row.show()) return Shown::No;
  if (row.called) {
    const std::string name = row.called(document);
    if (!row.result()) nameField(row.line, row.name, QString::fromStdString(name));
  }
  return applies ? Shown::Yes : Shown::Disabled;
}

void Inspector::refreshPane() {
  const int panes = workbench_.panes();
  const QString title = QString::fromStdString(workbench_.exhibit(workbench_.activePane()).title());
  rows_.pane->setVisible(panes > 1);
  const QString words = text(N_("Pane %1 of %2: %3")).arg(workbench_.activePane()).arg(panes).arg(title);
  if (rows_.pane->text() != words) rows_.pane->setText(words);
}

std::vector<Inspector::Reachable> Inspector::reachable() const {
  std::vector<Reachable> all;
  const ui::Document& document = workbench_.paneDocument();
  for (const auto& property : rows_.declared) {
    if (property->applies && !property->applies(document)) continue;
    const ui::Value value = present(property->key);
    if (std::holds_alternative<std::monostate>(value)) continue;
    all.push_back({property->key, QString::fromStdString(ui::nameOf(*property, document)),
                   QString::fromStdString(ui::formatValue(*property, value))});
  }
  return all;
}

bool Inspector::goTo(const std::string& declared) {
  search_->clear();
  for (auto& [key, part] : rows_.sections) {
    for (const InspectorRow& row : part.group->rows()) {
      if (row.key != declared || row.result()) continue;
      if (row.detail) part.group->openDetails();
      if (!part.shown.open) fold(key, true);
      settleLayout();
      ensureWidgetVisible(row.line);
      keyboardOf(row.line)->setFocus(Qt::ShortcutFocusReason);
      return true;
    }
  }
  return false;
}

/// Applies the layout now, so that a row that was just unfolded has its place before it is scrolled to.
void Inspector::settleLayout() {
  widget()->layout()->activate();
  QEvent placed(QEvent::LayoutRequest);
  QCoreApplication::sendEvent(widget(), &placed);
}

void Inspector::goToFirst() {
  for (int i = 0; i < rows_.column->count(); ++i) {
    const auto* const group = qobject_cast<InspectorGroup*>(rows_.column->itemAt(i)->widget());
    if (group && group->isVisibleTo(widget())) return group->tabStops().front()->setFocus(Qt::ShortcutFocusReason);
  }
}

void Inspector::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) rows_.fitted = false;
}

/// 0: the parameters and the points, if there are points; 1: groups of the visible page; 2: all others.
int Inspector::rankOf(const std::string& group) const {
  const std::string points = rows_.placed ? groupOf(rows_.placed->list + ".") : std::string();
  if (rows_.points && (group.empty() || group == points || group == points + std::string(kListMark))) return 0;
  return rows_.first && std::count(rows_.first->begin(), rows_.first->end(), group) > 0 ? 1 : 2;
}

void Inspector::pageFirst() {
  const std::vector<std::string> first =
      workbench_.exhibit(workbench_.activePane()).groupsInSight(workbench_.paneDocument());
  if (std::exchange(rows_.first, first) == first) return;
  int place = 2;  // below the label of the pane and the one for an empty search
  for (int now = 0; now <= 2; ++now) {
    for (const std::string& key : rows_.order) {
      if (rankOf(key) != now) continue;
      QWidget* const box = rows_.sections.at(key).group;
      rows_.column->removeWidget(box);
      rows_.column->insertWidget(place++, box);
    }
  }
  setTabStops();
}

/// Tab follows the visual order, not the order of declaration.
void Inspector::setTabStops() {
  QWidget* before = nullptr;
  for (int i = 0; i < rows_.column->count(); ++i) {
    const auto* const group = qobject_cast<InspectorGroup*>(rows_.column->itemAt(i)->widget());
    if (!group) continue;
    for (QWidget* const stop : group->tabStops()) {
      if (before) setTabOrder(before, stop);
      before = stop;
    }
  }
}

void Inspector::toTopOfPage() {
  const std::string key = ui::pageKey(exhibit_);
  const std::string page = exhibit_ + ' ' + ui::toString(workbench_.properties().get(workbench_.paneDocument(), key)) +
                           ' ' + std::to_string(workbench_.activePane());
  if (std::exchange(page_, page) != page) verticalScrollBar()->setValue(0);
}

/// The group that is open beside the one without a name if no group belongs to this page alone: the first that not
/// every page has. Empty: none.
std::string Inspector::defaultOpenGroup() const {
  for (const std::string& key : rows_.order) {
    const Section& part = rows_.sections.at(key);
    if (!key.empty() && part.paged && part.shown.rows && rankOf(key) == 2) return key;
  }
  return {};
}

bool Inspector::isOpen(const std::string& group, const std::string& alsoOpen) const {
  if (const auto userChoice = open_.find(exhibit_ + "." + group); userChoice != open_.end()) return userChoice->second;
  if (rankOf(group) < 2) return true;
  const bool own = std::any_of(rows_.sections.begin(), rows_.sections.end(), [this](const auto& one) {
    return rankOf(one.first) == 1 && (one.second.shown.rows || one.second.shown.details);
  });
  return !own && (group.empty() || group == alsoOpen);
}

void Inspector::fold(const std::string& group, bool open) {
  if (!searchWords_.isEmpty()) return refresh();  // what was found stays visible
  open_[exhibit_ + "." + group] = open;
  ui::Settings* const settings = workbench_.options().settings;
  if (settings && !workbench_.options().scripted) {
    QJsonObject kept;
    for (const auto& [key, value] : open_)
      kept[QString::fromStdString(key)] = value;
    // If it cannot be stored, it still applies to this window.
    settings->keep(kGroupsKey, QJsonDocument(kept).toJson(QJsonDocument::Compact).toStdString());
  }
  refresh();
}

/// Hides the parameters of a hidden pane, because they would be taken for those of the picture.
bool Inspector::hidden() {
  if (!workbench_.paneHidden()) return false;
  for (auto& [key, part] : rows_.sections)
    part.group->present({});
  rows_.none->setVisible(false);
  rows_.pane->setText(text(N_("The start page shows an example. Choose what to open, or press Esc to go back.")));
  rows_.pane->setVisible(true);
  return true;
}

void Inspector::refreshRows(Section& part) {
  part.shown = {};
  for (InspectorRow& row : part.group->rows()) {
    Shown shown = refreshRow(row);
    if (!matchesSearch(row, *part.group)) shown = Shown::No;
    for (QWidget* widget :
         {row.line, static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.symbol), row.explain}) {
      if (!widget) continue;
      if (widget->isVisibleTo(widget->parentWidget()) != (shown != Shown::No)) widget->setVisible(shown != Shown::No);
      if (widget->isEnabled() != (shown == Shown::Yes)) widget->setEnabled(shown == Shown::Yes);
    }
    // A section with only disabled rows is not shown.
    (row.detail ? part.shown.details : part.shown.rows) |= shown == Shown::Yes;
  }
}

void Inspector::refresh() {
  if (exhibit_ != workbench_.exhibitKey()) return build();
  if (hidden()) return;
  const bool fresh = !std::exchange(rows_.fitted, true);
  refreshPane();
  toTopOfPage();
  for (auto& [key, part] : rows_.sections)
    refreshRows(part);
  pageFirst();
  const std::string beside = defaultOpenGroup();
  bool any = false;
  for (auto& [key, part] : rows_.sections) {
    part.shown.open = isOpen(key, beside);
    part.shown.searched = !searchWords_.isEmpty();
    part.group->present(part.shown);
    any = any || part.shown.rows || part.shown.details;
  }
  rows_.none->setVisible(!any && !searchWords_.isEmpty());
  if (fresh) setMinimumWidth(widthOfRows());
}

int Inspector::leastRow() const {
  return fontMetrics().horizontalAdvance(u'0') * kLeastDigits;
}

/// Nothing may be cut off at the right, and tabs must not move under the pointer when another page has other rows.
/// Therefore the dock is at least as wide as the widest of all rows, shown or not; only the user makes it wider.
int Inspector::widthOfRows() const {
  for (QWidget* child : widget()->findChildren<QWidget*>())
    child->ensurePolished();  // also the rows that were never shown
  InspectorGroup::Widths least;
  for (const auto& [key, part] : rows_.sections)
    least.add(part.group->leastWidths());
  const QMargins margins = rows_.column->contentsMargins();
  return std::max({leastRow(), least.names + kBetweenColumns + least.lines, least.alone}) + margins.left() +
         margins.right() + verticalScrollBar()->sizeHint().width();
}

}  // namespace sepx::app
