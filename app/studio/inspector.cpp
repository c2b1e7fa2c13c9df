// SPDX-License-Identifier: Apache-2.0
// See inspector.h.
#include "app/studio/inspector.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/studio/icons.h"
#include "app/studio/points_table.h"
#include "app/studio/text.h"
#include "ui/properties/tr.h"

#include <QAction>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr std::string_view kListMark = "[]";
/// A line may end behind any part of a path: a long word must not widen the dock.
QString breakable(QString words) {
  constexpr qsizetype kLong = 20;
  if (words.size() > kLong) words.replace(QLatin1Char('/'), QStringLiteral("/\u200b"));
  return words;
}

constexpr int kLeastDigits = 38;     // of a row
constexpr int kBetweenColumns = 10;  // of makeForm()

/// No value, or a sentence that there is no reason to say.
bool saysNothing(const ui::Value& value) {
  const auto* const words = std::get_if<std::string>(&value);
  return std::holds_alternative<std::monostate>(value) || (words && words->empty());
}

}  // namespace

Inspector::Inspector(ui::Workbench& workbench, QWidget* parent) : QScrollArea(parent), workbench_(workbench) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(text(N_("Inspector")));
  build();
}

/// "SECTION.GROUP.NAME" is in GROUP, "SECTION.NAME" in "".
std::string Inspector::groupOf(const std::string& key) const {
  const std::string rest = key.substr(exhibit_.size() + 1);
  const auto dot = rest.find('.');
  const std::string group = dot == std::string::npos ? std::string() : rest.substr(0, dot);
  const ui::PropertyGroup* const known = knownGroup(group);
  return known && !known->into.empty() ? known->into : group;
}

const ui::PropertyGroup* Inspector::knownGroup(const std::string& group) const {
  const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const auto& one) { return one.key == group; });
  return found == groups_.end() ? nullptr : &*found;
}

/// A group without a title is titled by its own name.
QString Inspector::titleOf(const std::string& group) const {
  if (const ui::PropertyGroup* const known = knownGroup(group)) return text(known->title);
  QString name = QString::fromStdString(group);
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return name;
}

void Inspector::build() {
  exhibit_ = workbench_.exhibitKey();
  const ui::Exhibit& exhibit = workbench_.exhibit(workbench_.activePane());
  groups_ = exhibit.groups();
  placed_ = exhibit.placed();
  sections_.clear();
  order_.clear();
  first_.reset();
  points_ = nullptr;
  declared_.clear();
  auto* content = new QWidget;
  content->setAccessibleName(text(N_("Parameters and numbers")));
  column_ = new QVBoxLayout(content);
  column_->setContentsMargins(12, 8, 12, 8);
  column_->setSpacing(12);
  pane_ = new QLabel;
  pane_->setObjectName(QStringLiteral("inspector.pane"));
  pane_->setVisible(false);
  column_->addWidget(pane_);
  const std::string prefix = exhibit_ + ".";
  const auto elsewhere = [&](const std::string& key) {
    if (key.rfind(prefix, 0) != 0 || (placed_ && key == placed_->selected)) return true;
    const ui::PropertyGroup* const known = knownGroup(groupOf(key));
    return known && known->elsewhere;
  };
  for (const auto& property : workbench_.properties().properties()) {
    if (elsewhere(property.key)) continue;
    if (placed_ && !points_ && property.key.find(kListMark) != std::string::npos) addPoints();
    addProperty(property);
  }
  for (const auto& readOut : workbench_.properties().readOuts()) {
    if (!elsewhere(readOut.key)) addReadOut(readOut);
  }
  column_->addStretch(1);
  setWidget(content);  // deletes the one before
  refresh();
}

Inspector::Section& Inspector::section(const std::string& key) {
  auto [at, fresh] = sections_.try_emplace(key);
  if (!fresh) return at->second;
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  auto* title = new QLabel(titleOf(key));
  title->setProperty("role", "section");
  column->addWidget(title);
  auto* form = makeForm();
  column->addLayout(form);
  box->setAccessibleName(titleOf(key));
  column_->addWidget(box);
  order_.push_back(key);
  at->second.box = box;
  at->second.form = form;
  return at->second;
}

void Inspector::addPoints() {
  Section& into = section(groupOf(placed_->list + "."));
  points_ = new PointsTable(workbench_, *placed_);
  into.form->addWidget(points_, 0, 0, 1, 2);
  connect(points_, &PointsTable::chosen, this, [this](int index) {
    if (workbench_.set(fullKey(placed_->selected), double(index))) emit edited();
  });
  into.rows.push_back({.key = {}, .line = points_, .show = [this] { return points_->refresh(selected()); }});
}

void Inspector::addDetails(Section& section, const QString& title) {
  section.unfold = new QToolButton;
  section.unfold->setText(text(N_("Details of %1")).arg(title));
  section.unfold->setCheckable(true);
  section.unfold->setAutoRaise(true);
  section.unfold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  section.unfold->setArrowType(Qt::RightArrow);
  section.details = new QWidget;
  section.detailForm = makeForm();
  section.details->setLayout(section.detailForm);
  section.details->setVisible(false);
  auto* column = static_cast<QVBoxLayout*>(section.box->layout());
  column->addWidget(section.unfold);
  column->addWidget(section.details);
  connect(section.unfold, &QToolButton::toggled, this, [this, unfold = section.unfold](bool open) {
    unfold->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    refresh();
  });
}

void Inspector::place(Row row, const std::string& sectionKey, const QString& help) {
  Section& into = section(sectionKey);
  if (row.detail && !into.details) addDetails(into, titleOf(sectionKey));
  row.name = placeField(row.detail ? into.detailForm : into.form, row.line, help);
  // Also of what is not shown yet: the width counts it.
  if (row.called) nameField(row.line, row.name, QString::fromStdString(row.called(workbench_.paneDocument())));
  into.rows.push_back(std::move(row));
}

void Inspector::addProperty(const ui::Property& declared) {
  if (!isWorthAField(declared)) return;
  // A copy: the registry belongs to a pane, which may be closed.
  const auto& property = declared_.emplace_back(std::make_unique<ui::Property>(declared));
  const std::string key = property->key;
  const Field field = makeField(
      *property,
      {.get = [this, key] { return present(key); },
       .set = [this, key](const ui::Value& value, const std::string& group) { return commit(key, value, group); },
       .seal = [this] { workbench_.seal(); }});
  Row row{.key = key, .line = field.line, .show = field.show, .detail = property->detail, .parameter = true};
  row.applies = property->applies;
  row.called = [&property = *property](const ui::Document& document) { return ui::nameOf(property, document); };
  const std::string group = groupOf(key);
  if (!sections_.contains(group)) addCommands(group, property->applies);
  place(std::move(row), group, helpOf(property->help, property->equation, property->unit));
}

void Inspector::addCommands(const std::string& group, const std::function<bool(const ui::Document&)>& applies) {
  QHBoxLayout* across = nullptr;
  int room = 0;  // left on the line of `across`
  const auto commands = workbench_.commands();
  const ui::PropertyGroup* const known = knownGroup(group);
  if (!known) return;
  for (const auto& [key, label] : known->commands) {
    const auto command = std::find_if(commands.begin(), commands.end(), [&](const auto& at) { return at.key == key; });
    if (command == commands.end()) continue;
    auto* button = new QPushButton(text(label));
    button->setObjectName(QString::fromStdString(key));
    button->setAccessibleName(QString::fromStdString(command->label));
    button->setToolTip(QString::fromStdString(command->label));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, key] {
      if (const auto done = workbench_.run(key); !done)
        workbench_.say({ui::Message::Level::Error, done.error().sentence});
      emit edited();
    });
    button->ensurePolished();  // the style sheet pads it
    const int width = button->sizeHint().width();
    if (!across || room < width) {
      auto* line = new QWidget;
      across = new QHBoxLayout(line);
      across->setContentsMargins(0, 0, 0, 0);
      room = leastRow();
      Section& into = section(group);
      into.form->addWidget(line, into.form->rowCount(), 0, 1, 2);
      Row row{.key = {}, .line = line};
      row.applies = applies;
      row.show = [] { return true; };
      into.rows.push_back(std::move(row));
    }
    across->addWidget(button);
    room -= width + across->spacing();
  }
}

void Inspector::addReadOut(const ui::ReadOut& declared) {
  auto readOut = std::make_shared<ui::ReadOut>(declared);
  readOut->get = {};  // of the pane's own exhibit; values come through the workbench
  readOut->withNumbers = {};
  const std::string key = readOut->key;
  auto* line = new QWidget;
  auto* across = new QHBoxLayout(line);
  across->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel;
  label->setObjectName(QString::fromStdString(key));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* copy = new QAction(text(N_("Copy")), label);
  connect(copy, &QAction::triggered, this, [this, key] { copyNumber(key); });
  label->addAction(copy);
  label->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* explain = new QToolButton;
  explain->setObjectName(QString::fromStdString(key + "#explain"));
  explain->setIcon(commandIcon("help.explain"));
  explain->setAutoRaise(true);
  explain->setToolTip(text(N_("Explain this number")));
  connect(explain, &QToolButton::clicked, this, [this, key] { emit explainAsked(fullKey(key)); });
  across->addWidget(label, 1);
  across->addWidget(explain, 0, Qt::AlignTop);
  const QString unit = readOut->unit.empty() ? QString() : QStringLiteral(" ") + text(readOut->unit);
  const auto show = [this, key, unit, label, explain, readOut] {
    // The card is drawn in the picture; a screen reader has it here.
    if (explain->hasFocus())
      explain->setAccessibleDescription(
          QString::fromStdString(workbench_.explanation(fullKey(key)).value_or(std::string())));
    const ui::Value value = present(key);
    if (saysNothing(value)) return false;
    const QString now = breakable(QString::fromStdString(ui::formatValue(*readOut, value))) +
                        (std::holds_alternative<double>(value) ? unit : QString());
    if (label->text() != now) label->setText(now);
    return true;
  };
  Row row{.key = key, .line = line, .show = show, .detail = readOut->detail};
  row.called = [readOut, label, explain](const ui::Document& document) {
    const std::string name = ui::nameOf(*readOut, document);
    const QString spoken = QString::fromStdString(name);
    if (label->accessibleName() != spoken) {
      label->setAccessibleName(spoken);
      explain->setAccessibleName(text(N_("Explain %1")).arg(spoken));
    }
    return name;
  };
  row.applies = readOut->applies;
  place(std::move(row), groupOf(key), helpOf(readOut->help, readOut->equation, readOut->unit));
}

void Inspector::copyNumber(const std::string& declared) {
  // Every digit, and as programs read it.
  QGuiApplication::clipboard()->setText(QString::fromStdString(ui::toString(present(declared))));
}

int Inspector::selected() const {
  if (!placed_) return -1;
  const ui::Value value = workbench_.properties().get(workbench_.paneDocument(), placed_->selected);
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
  if (!done) workbench_.say({ui::Message::Level::Error, done.error().sentence});
  emit edited();
  return done.has_value();
}

const ui::Document& Inspector::withEveryToggle() {
  const std::uint64_t revision = workbench_.history().revision();
  if (std::exchange(toggledAt_, revision) == revision) return toggled_;
  toggled_ = workbench_.paneDocument();
  for (const auto& property : declared_) {
    if (property->kind == ui::Kind::Toggle && property->key.find(kListMark) == std::string::npos)
      toggled_ = toggled_.with(property->key, true);
  }
  return toggled_;
}

Inspector::Shown Inspector::refreshRow(Row& row) {
  const ui::Document& document = workbench_.paneDocument();
  const bool applies = !row.applies || row.applies(document);
  if (!applies && (!row.parameter || !row.applies(withEveryToggle()))) return Shown::No;
  if (!row.show()) return Shown::No;
  if (row.called) nameField(row.line, row.name, QString::fromStdString(row.called(document)));
  return applies ? Shown::Yes : Shown::Disabled;
}

void Inspector::refreshPane() {
  const int panes = workbench_.panes();
  const QString title = QString::fromStdString(workbench_.exhibit(workbench_.activePane()).title());
  pane_->setVisible(panes > 1);
  const QString words = text(N_("Pane %1 of %2: %3")).arg(workbench_.activePane()).arg(panes).arg(title);
  if (pane_->text() != words) pane_->setText(words);
}

std::vector<Inspector::Reachable> Inspector::reachable() const {
  std::vector<Reachable> all;
  const ui::Document& document = workbench_.paneDocument();
  for (const auto& property : declared_) {
    if (property->applies && !property->applies(document)) continue;
    const ui::Value value = present(property->key);
    if (std::holds_alternative<std::monostate>(value)) continue;
    all.push_back({property->key, QString::fromStdString(ui::nameOf(*property, document)),
                   QString::fromStdString(ui::formatValue(*property, value))});
  }
  return all;
}

bool Inspector::goTo(const std::string& declared) {
  for (auto& [name, part] : sections_) {
    for (Row& row : part.rows) {
      if (row.key != declared) continue;
      if (row.detail && part.unfold) part.unfold->setChecked(true);
      ensureWidgetVisible(row.line);
      QWidget* field = keyboardOf(row.line);
      field->setFocus(Qt::ShortcutFocusReason);
      return true;
    }
  }
  return false;
}

void Inspector::goToFirst() {
  for (const auto& one : reachable()) {
    if (goTo(one.key)) return;
  }
}

void Inspector::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitted_ = false;
}

/// What belongs to the page in sight alone stands above what belongs to all of them; where there are points, the
/// parameters and the points are above both.
void Inspector::pageFirst() {
  const std::vector<std::string> first =
      workbench_.exhibit(workbench_.activePane()).groupsInSight(workbench_.paneDocument());
  if (std::exchange(first_, first) == first) return;
  const std::string points = placed_ ? groupOf(placed_->list + ".") : std::string();
  const auto rank = [&](const std::string& key) {
    if (points_ && (key.empty() || key == points || key == points + std::string(kListMark))) return 0;
    return std::count(first.begin(), first.end(), key) > 0 ? 1 : 2;
  };
  int place = 1;  // below the name of the pane
  for (int now = 0; now <= 2; ++now) {
    for (const std::string& key : order_) {
      if (rank(key) != now) continue;
      QWidget* const box = sections_.at(key).box;
      column_->removeWidget(box);
      column_->insertWidget(place++, box);
    }
  }
}

/// Parameters of what is out of sight would be taken for those of the picture.
bool Inspector::hidden() {
  if (!workbench_.paneHidden()) return false;
  for (auto& [key, part] : sections_)
    part.box->setVisible(false);
  pane_->setText(text(N_("The start page shows an example. Choose what to open, or press Esc to go back.")));
  pane_->setWordWrap(true);
  pane_->setVisible(true);
  return true;
}

void Inspector::refresh() {
  if (exhibit_ != workbench_.exhibitKey()) return build();
  if (hidden()) return;
  const bool fresh = !std::exchange(fitted_, true);
  refreshPane();
  const auto setVisible = [](QWidget* widget, bool visible) {
    if (!widget || widget->isVisibleTo(widget->parentWidget()) == visible) return;
    widget->setVisible(visible);
  };
  for (auto& [key, part] : sections_) {
    bool any = false, anyDetail = false;
    for (Row& row : part.rows) {
      const Shown shown = refreshRow(row);
      for (QWidget* widget : {row.line, static_cast<QWidget*>(row.name)}) {
        setVisible(widget, shown != Shown::No);
        if (widget && widget->isEnabled() != (shown == Shown::Yes)) widget->setEnabled(shown == Shown::Yes);
      }
      // A section of disabled rows alone is not shown.
      (row.detail ? anyDetail : any) |= shown == Shown::Yes;
    }
    setVisible(part.unfold, anyDetail);
    setVisible(part.details, anyDetail && part.unfold->isChecked());
    setVisible(part.box, any || anyDetail);
  }
  pageFirst();
  if (fresh) setMinimumWidth(widthOfRows());
}

int Inspector::leastRow() const {
  return fontMetrics().horizontalAdvance(u'0') * kLeastDigits;
}

/// Nothing may be cut off at the right, and tabs must not slide away under the pointer when another page has other
/// rows: the dock is as wide as the widest of all rows, shown or not, and no wider than a person makes it.
int Inspector::widthOfRows() const {
  for (QWidget* child : widget()->findChildren<QWidget*>())
    child->ensurePolished();  // also of rows that were never shown
  int names = 0, lines = 0, alone = 0;
  for (const auto& [key, part] : sections_) {
    if (part.unfold) alone = std::max(alone, part.unfold->sizeHint().width());
    for (const Row& row : part.rows) {
      const int line = row.line->minimumSizeHint().width();
      if (row.name) {
        names = std::max(names, row.name->minimumSizeHint().width());
        lines = std::max(lines, line);
      } else {
        alone = std::max(alone, line);
      }
    }
  }
  const QMargins margins = column_->contentsMargins();
  return std::max({leastRow(), names + kBetweenColumns + lines, alone}) + margins.left() + margins.right() +
         verticalScrollBar()->sizeHint().width();
}

}  // namespace sepx::app
