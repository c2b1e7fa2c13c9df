// SPDX-License-Identifier: Apache-2.0
// Creates the groups and rows of the inspector from the declarations of the exhibit. See inspector.h.
#include <algorithm>
#include <utility>

#include "app/studio/fields.h"
#include "app/studio/inspector.h"
#include "app/studio/points_table.h"
#include "app/studio/symbol_text.h"
#include "app/studio/text.h"
#include "ui/properties/tr.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr std::string_view kElement = "[]";
constexpr int kBetweenGroups = 12;  // points
constexpr int kLeastButton = 24;    // points, for use with a pointer

/// Allows a line break after each part of a path, so that a long word does not widen the dock.
QString breakable(QString words) {
  constexpr qsizetype kLong = 20;
  if (words.size() > kLong) words.replace(QLatin1Char('/'), QStringLiteral("/\u200b"));
  return words;
}

/// No value, or an empty text.
bool isEmptyValue(const ui::Value& value) {
  const auto* const words = std::get_if<std::string>(&value);
  return std::holds_alternative<std::monostate>(value) || (words && words->empty());
}

void setWords(QLabel* label, const QString& words) {
  if (label->text() != words) label->setText(words);
}

QLabel* resultLabel(const char* role) {
  auto* label = new QLabel;
  label->setProperty("role", role);
  label->setWordWrap(true);
  return label;
}

}  // namespace

/// "SECTION.GROUP.NAME" is in GROUP, "SECTION.NAME" in "". A group without its own heading is shown in another one.
std::string Inspector::groupOf(const std::string& key) const {
  const std::string rest = key.substr(exhibit_.size() + 1);
  const auto dot = rest.find('.');
  const std::string group = dot == std::string::npos ? std::string() : rest.substr(0, dot);
  const ui::PropertyGroup* const known = knownGroup(group);
  if (!known || known->elsewhere || (known->into.empty() && *known->title)) return group;
  return known->into;
}

const ui::PropertyGroup* Inspector::knownGroup(const std::string& group) const {
  const auto found =
      std::find_if(rows_.groups.begin(), rows_.groups.end(), [&](const auto& one) { return one.key == group; });
  return found == rows_.groups.end() ? nullptr : &*found;
}

/// A group without a declared title is titled by its key.
QString Inspector::titleOf(const std::string& group) const {
  if (const ui::PropertyGroup* const known = knownGroup(group)) return text(known->title);
  QString name = QString::fromStdString(group);
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return name;
}

// Rows are kept, not deleted. Deleting them would also cost memory: while an application has a style sheet, Qt 6.4
// keeps what it computed for drawing a spin box's line edit and a combo box's list, about 0.7 KB each, after they are
// deleted.
void Inspector::build() {
  if (widget()) {
    rows_.hiddenWidgets.reset(takeWidget());
    cachedRows_[exhibit_] = std::move(rows_);
  }
  exhibit_ = workbench_.exhibitKey();
  toggledAt_ = ~0ull;
  if (auto before = cachedRows_.extract(exhibit_); !before.empty()) {
    rows_ = std::move(before.mapped());
    rows_.fitted = false;
    setWidget(rows_.hiddenWidgets.release());
  } else {
    rows_ = {};
    setWidget(makeRows());
  }
  refresh();
}

QWidget* Inspector::makeRows() {
  const ui::Exhibit& exhibit = workbench_.exhibit(workbench_.activePane());
  rows_.groups = exhibit.groups();
  rows_.placed = exhibit.placed();
  auto* content = new QWidget;
  content->setAccessibleName(text(N_("Parameters and numbers")));
  rows_.column = new QVBoxLayout(content);
  rows_.column->setContentsMargins(12, 8, 12, 8);
  rows_.column->setSpacing(kBetweenGroups);
  rows_.pane = new QLabel;
  rows_.pane->setObjectName(QStringLiteral("inspector.pane"));
  rows_.pane->setWordWrap(true);
  rows_.pane->setVisible(false);
  rows_.column->addWidget(rows_.pane);
  rows_.none = new QLabel(text(N_("Nothing on this page contains these words. Ctrl+K finds parameters of all pages.")));
  rows_.none->setWordWrap(true);
  rows_.none->setVisible(false);
  rows_.column->addWidget(rows_.none);
  const std::string prefix = exhibit_ + ".";
  const auto elsewhere = [&](const std::string& key) {
    if (key.rfind(prefix, 0) != 0 || (rows_.placed && key == rows_.placed->selected)) return true;
    const ui::PropertyGroup* const known = knownGroup(groupOf(key));
    return known && known->elsewhere;
  };
  for (const auto& property : workbench_.properties().properties()) {
    if (elsewhere(property.key)) continue;
    if (rows_.placed && !rows_.points && property.key.find(kElement) != std::string::npos) addPoints();
    addProperty(property);
  }
  for (const auto& readOut : workbench_.properties().readOuts()) {
    if (!elsewhere(readOut.key)) addReadOut(readOut);
  }
  rows_.column->addStretch(1);
  return content;
}

Inspector::Section& Inspector::section(const std::string& key) {
  auto [at, fresh] = rows_.sections.try_emplace(key);
  if (!fresh) return at->second;
  auto* const group = at->second.group = new InspectorGroup(titleOf(key));
  group->setObjectName(QString::fromStdString("inspector.group." + key));
  rows_.column->addWidget(group);
  rows_.order.push_back(key);
  connect(group, &InspectorGroup::folded, this, [this, key](bool open) { fold(key, open); });
  connect(group, &InspectorGroup::unfolded, this, &Inspector::refresh);
  return at->second;
}

void Inspector::addPoints() {
  rows_.points = new PointsTable(workbench_, *rows_.placed);
  connect(rows_.points, &PointsTable::chosen, this, [this](int index) {
    if (workbench_.set(fullKey(rows_.placed->selected), double(index))) emit edited();
  });
  section(groupOf(rows_.placed->list + ".")).group->addAlone({.key = {}, .line = rows_.points, .show = [this] {
                                                                return rows_.points->refresh(selected());
                                                              }});
}

void Inspector::place(InspectorRow row, const std::string& sectionKey, const QString& help) {
  Section& into = section(sectionKey);
  into.paged = into.paged || row.applies;
  into.group->add(std::move(row), help);
  // Also for rows that are not shown yet, because they count for the width.
  const InspectorRow& placed = into.group->rows().back();
  const QString name = QString::fromStdString(placed.called(workbench_.paneDocument()));
  if (!placed.result()) nameField(placed.line, placed.name, name);
}

void Inspector::addProperty(const ui::Property& declared) {
  if (!needsField(declared)) return;
  // A copy, because a registry may move its properties. What their functions refer to belongs to the pane and exists
  // until the window closes.
  const auto& property = rows_.declared.emplace_back(std::make_unique<ui::Property>(declared));
  const std::string key = property->key;
  const Field field = makeField(
      *property,
      {.get = [this, key] { return present(key); },
       .set = [this, key](const ui::Value& value, const std::string& group) { return commit(key, value, group); },
       .seal = [this] { workbench_.seal(); }});
  InspectorRow row{.key = key, .line = field.line, .show = field.show, .detail = property->detail, .parameter = true};
  row.applies = property->applies;
  row.called = [&property = *property](const ui::Document& document) { return ui::nameOf(property, document); };
  const std::string group = groupOf(key);
  if (!rows_.sections.contains(group)) addCommands(group, property->applies);
  place(std::move(row), group, helpOf(property->help, property->equation, property->unit));
}

void Inspector::addCommands(const std::string& group, const std::function<bool(const ui::Document&)>& applies) {
  QHBoxLayout* across = nullptr;
  int room = 0;  // width left on the line of `across`
  const auto commands = workbench_.commands();
  const ui::PropertyGroup* const known = knownGroup(group);
  if (!known) return;
  for (const auto& [name, label] : known->commands) {
    const auto& key = name;  // Clang 14 cannot capture a structured binding
    const auto command = std::find_if(commands.begin(), commands.end(), [&](const auto& at) { return at.key == key; });
    if (command == commands.end()) continue;
    auto* button = new QPushButton(text(label));
    button->setObjectName(QString::fromStdString(key));
    button->setAccessibleName(QString::fromStdString(command->label));
    button->setToolTip(QString::fromStdString(command->label));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, key] {
      if (const auto done = workbench_.run(key); !done)
        workbench_.say({ui::Message::Level::Error, done.error().message});
      emit edited();
    });
    button->ensurePolished();  // the style sheet adds padding
    button->setMinimumHeight(kLeastButton);
    const int width = button->sizeHint().width();
    if (!across || room < width) {
      auto* line = new QWidget;
      across = new QHBoxLayout(line);
      across->setContentsMargins(0, 0, 0, 0);
      room = leastRow();
      InspectorRow row{.key = {}, .line = line};
      row.applies = applies;
      row.show = [] { return true; };
      section(group).group->addAlone(std::move(row));
    }
    across->addWidget(button);
    room -= width + across->spacing();
  }
}

void Inspector::addReadOut(const ui::ReadOut& declared) {
  auto readOut = std::make_shared<ui::ReadOut>(declared);
  readOut->get = {};  // belongs to the pane's exhibit; values come through the workbench
  readOut->withNumbers = {};
  const std::string key = readOut->key;
  QLabel* const name = resultLabel("name");
  QLabel* const label = resultLabel("value");
  QLabel* const symbol = resultLabel("name");
  label->setObjectName(QString::fromStdString(key));
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* copy = new QAction(text(N_("Copy")), label);
  connect(copy, &QAction::triggered, this, [this, key] { copyNumber(key); });
  label->addAction(copy);
  label->setContextMenuPolicy(Qt::ActionsContextMenu);
  QToolButton* const explain = makeExplainButton({name, label, symbol});
  explain->setObjectName(QString::fromStdString(key + "#explain"));
  connect(explain, &QToolButton::clicked, this, [this, key] { emit explainRequested(fullKey(key)); });
  const QString unit = readOut->unit.empty() ? QString() : QStringLiteral(" ") + text(readOut->unit);
  InspectorRow row{.key = key, .line = label, .name = name, .symbol = symbol, .explain = explain};
  row.detail = readOut->detail;
  row.show = [this, key, unit, label, explain, readOut] {
    // The card is drawn in the picture; screen readers get its text here.
    if (explain->hasFocus())
      explain->setAccessibleDescription(
          QString::fromStdString(workbench_.explanation(fullKey(key)).value_or(std::string())));
    const ui::Value value = present(key);
    if (isEmptyValue(value)) return false;
    setWords(label, breakable(QString::fromStdString(ui::formatValue(*readOut, value))) +
                        (std::holds_alternative<double>(value) ? unit : QString()));
    return true;
  };
  row.called = [readOut, name, label, symbol, explain](const ui::Document& document) {
    const std::string whole = ui::nameOf(*readOut, document);
    const QString spoken = QString::fromStdString(whole);
    if (label->accessibleName() == spoken) return whole;
    label->setAccessibleName(spoken);
    explain->setAccessibleName(text(N_("Explain %1")).arg(spoken));
    const NameParts parts = partsOf(spoken);
    showTypeset(name, setText(parts.label), parts.label);
    showTypeset(symbol, setText(parts.symbol, true), parts.symbol);
    return whole;
  };
  row.applies = readOut->applies;
  place(std::move(row), groupOf(key), helpOf(readOut->help, readOut->equation, readOut->unit));
}

void Inspector::copyNumber(const std::string& declared) {
  // All digits, in a form that programs can read.
  QGuiApplication::clipboard()->setText(QString::fromStdString(ui::toString(present(declared))));
}

}  // namespace sepx::app
