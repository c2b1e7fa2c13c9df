// SPDX-License-Identifier: Apache-2.0
// See inspector.h.
#include "app/studio/inspector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "app/studio/number_edit.h"
#include "app/studio/points_table.h"
#include "engine/core/number.h"
#include "ui/properties/tr.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kSliderSteps = 1000;
constexpr int kNarrowestSlider = 48;
constexpr int kShortestChoice = 12;     // characters of a choice that must be readable
constexpr double kWidestSlider = 1000;  // a slider over more than this cannot be aimed
constexpr std::string_view kListMark = "[]";

/// Titles of the groups that keys form; a group without one is titled by its own name.
constexpr std::array<std::pair<std::string_view, const char*>, 8> kTitles{{{"", N_("Parameters")},
                                                                           {"points", N_("Points")},
                                                                           {"points[]", N_("Selected point")},
                                                                           {"show", N_("Layers")},
                                                                           {"basin", N_("Basins")},
                                                                           {"gauss", N_("Gaussian initialisation")},
                                                                           {"entropy", N_("Entropies")},
                                                                           {"play", N_("Playback")}}};
/// Groups that are shown elsewhere: the camera, what is under the pointer, what the table of points says.
constexpr std::array<std::string_view, 3> kElsewhere{"view", "hover", "points"};

QString text(const char* source) {
  return QString::fromUtf8(ui::tr(source));
}
QString text(const std::string& source) {
  return QString::fromStdString(ui::tr(source));
}

/// "flow.points[].e" of exhibit "flow" is in group "points[]"; "flow.p" in group "".
std::string groupOf(const std::string& key, const std::string& exhibit) {
  const std::string rest = key.substr(exhibit.size() + 1);
  const auto dot = rest.find('.');
  return dot == std::string::npos ? std::string() : rest.substr(0, dot);
}

QString titleOf(const std::string& group) {
  for (const auto& [key, title] : kTitles) {
    if (key == group) return text(title);
  }
  QString name = QString::fromStdString(group);
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return name;
}

QString helpOf(const std::string& help, const std::string& equation, const std::string& unit) {
  QString all = text(help);
  if (!unit.empty()) all += QStringLiteral(" [%1]").arg(text(unit));
  if (!equation.empty()) all += QStringLiteral("\n%1").arg(text(equation));
  return all;
}

QString copyText() {
  return text(N_("Copy"));
}

/// The wheel scrolls the panel: a value under the pointer changes only when a person chose its field before.
class WheelGuard final : public QObject {
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();  // taken from this widget, left to the panel
    return true;
  }
};

void guardWheel(QWidget* widget) {
  widget->setFocusPolicy(Qt::StrongFocus);  // not by the wheel
  widget->installEventFilter(new WheelGuard(widget));
}

/// Two columns: name and value.
QGridLayout* makeForm() {
  // Not a QFormLayout: Qt 6.4 writes beyond its own arrays there once rows are hidden.
  auto* form = new QGridLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setColumnStretch(1, 1);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(4);
  return form;
}

bool hasSlider(const ui::Property& property) {
  return property.kind == ui::Kind::Real && std::isfinite(property.min) && std::isfinite(property.max) &&
         (property.scale == ui::Scale::Logarithmic || property.max - property.min <= kWidestSlider);
}

int sliderOf(const ui::Property& property, double value) {
  const auto share = property.scale == ui::Scale::Logarithmic
                         ? std::log(value / property.min) / std::log(property.max / property.min)
                         : (value - property.min) / (property.max - property.min);
  return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSliderSteps));
}

double valueOf(const ui::Property& property, int slider) {
  const int edge = property.open ? 1 : 0;
  const double share = double(std::clamp(slider, edge, kSliderSteps - edge)) / kSliderSteps;
  const double value = property.scale == ui::Scale::Logarithmic
                           ? property.min * std::pow(property.max / property.min, share)
                           : property.min + share * (property.max - property.min);
  return parseNumber(formatFixed(value, property.digits + 1)).value_or(value);
}

}  // namespace

Inspector::Inspector(ui::Workbench& workbench, QWidget* parent) : QScrollArea(parent), workbench_(workbench) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(text(N_("Inspector")));
  exhibit_ = workbench.exhibitKey();
  build();
}

void Inspector::build() {
  auto* content = new QWidget;
  column_ = new QVBoxLayout(content);
  column_->setContentsMargins(12, 8, 12, 8);
  column_->setSpacing(12);
  const std::string prefix = exhibit_ + ".";
  const auto elsewhere = [&](const std::string& key) {
    if (key.rfind(prefix, 0) != 0 || key == prefix + "selected") return true;
    return std::count(kElsewhere.begin(), kElsewhere.end(), groupOf(key, exhibit_)) > 0;
  };
  for (const auto& property : workbench_.properties().properties()) {
    if (elsewhere(property.key)) continue;
    if (!points_ && property.key.find(kListMark) != std::string::npos) addPoints();
    addProperty(property);
  }
  for (const auto& readOut : workbench_.properties().readOuts()) {
    if (!elsewhere(readOut.key)) addReadOut(readOut);
  }
  column_->addStretch(1);
  setWidget(content);
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
  at->second.box = box;
  at->second.form = form;
  return at->second;
}

void Inspector::addPoints() {
  Section& into = section("points");
  points_ = new PointsTable(workbench_);
  into.form->addWidget(points_, 0, 0, 1, 2);
  connect(points_, &PointsTable::chosen, this, [this](int index) {
    if (workbench_.set(exhibit_ + ".selected", double(index))) emit edited();
  });
  into.rows.push_back({.line = points_, .show = [this] { return points_->refresh(selected()); }});
}

void Inspector::addDetails(Section& section) {
  section.unfold = new QToolButton;
  section.unfold->setText(text(N_("Details")));
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
  if (row.detail && !into.details) addDetails(into);
  QGridLayout* form = row.detail ? into.detailForm : into.form;
  const int at = form->rowCount();
  row.line->setToolTip(help);
  row.line->setWhatsThis(help);
  if (qobject_cast<QCheckBox*>(row.line)) {
    form->addWidget(row.line, at, 0, 1, 2);
  } else {
    row.name = new QLabel;
    row.name->setProperty("role", "name");
    row.name->setToolTip(help);
    row.name->setBuddy(row.line->focusProxy() ? row.line->focusProxy() : row.line);
    form->addWidget(row.name, at, 0, Qt::AlignLeft | Qt::AlignVCenter);
    form->addWidget(row.line, at, 1);
  }
  into.rows.push_back(std::move(row));
}

void Inspector::addProperty(const ui::Property& property) {
  if (property.kind == ui::Kind::Choice) {
    const std::size_t count = property.liveChoices ? property.liveChoices().size() : property.choices.size();
    if (count < 2) return;
  }
  Row row;
  switch (property.kind) {
    case ui::Kind::Real:
    case ui::Kind::Integer:
      row = numberRow(property);
      break;
    case ui::Kind::Toggle:
      row = toggleRow(property);
      break;
    case ui::Kind::Choice:
      row = choiceRow(property);
      break;
    case ui::Kind::Text:
      row = textRow(property);
      break;
  }
  row.applies = property.applies;
  row.called = [&property](const ui::Document& document) { return ui::nameOf(property, document); };
  place(std::move(row), groupOf(property.key, exhibit_), helpOf(property.help, property.equation, property.unit));
}

Inspector::Row Inspector::numberRow(const ui::Property& property) {
  const std::string key = property.key;
  auto* line = new QWidget;
  auto* across = new QHBoxLayout(line);
  across->setContentsMargins(0, 0, 0, 0);
  auto* number = new NumberEdit(property, [this, key](const ui::Value& value) { return commit(key, value); });
  number->setObjectName(QString::fromStdString(key));
  guardWheel(number);
  number->setAccessibleDescription(text(property.help));
  line->setFocusProxy(number);
  QSlider* slider = nullptr;
  if (hasSlider(property)) {
    slider = new QSlider(Qt::Horizontal);
    slider->setRange(0, kSliderSteps);
    slider->setMinimumWidth(kNarrowestSlider);
    slider->setObjectName(QString::fromStdString(key + "#slider"));
    slider->setAccessibleName(QString::fromStdString(ui::nameOf(property, workbench_.document())));
    guardWheel(slider);
    connect(slider, &QSlider::valueChanged, this,
            [this, key, &property](int at) { commit(key, valueOf(property, at), key); });
    connect(slider, &QSlider::sliderReleased, this, [this] { workbench_.seal(); });
    across->addWidget(slider, 1);
  } else {
    across->addStretch(1);
  }
  across->addWidget(number);
  const auto show = [this, key, number, slider, &property] {
    const ui::Value value = present(key);
    const auto* real = std::get_if<double>(&value);
    if (!real) return false;
    number->display(*real);
    if (slider && !slider->isSliderDown()) {
      const QSignalBlocker quiet(slider);
      slider->setValue(sliderOf(property, *real));
    }
    return true;
  };
  return {.line = line, .show = show};
}

Inspector::Row Inspector::toggleRow(const ui::Property& property) {
  const std::string key = property.key;
  auto* box = new QCheckBox;
  box->setObjectName(QString::fromStdString(key));
  connect(box, &QCheckBox::toggled, this, [this, key](bool on) { commit(key, on); });
  const auto show = [this, key, box] {
    const QSignalBlocker quiet(box);
    const ui::Value value = present(key);
    box->setChecked(ui::isTrue(value));
    return !std::holds_alternative<std::monostate>(value);
  };
  return {.line = box, .show = show};
}

Inspector::Row Inspector::choiceRow(const ui::Property& property) {
  const std::string key = property.key;
  auto* box = new QComboBox;
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(kShortestChoice);
  box->setObjectName(QString::fromStdString(key));
  guardWheel(box);
  for (const auto& choice : property.liveChoices ? property.liveChoices() : property.choices) {
    box->addItem(property.choiceLabel ? QString::fromStdString(property.choiceLabel(choice)) : text(choice),
                 QString::fromStdString(choice));
  }
  connect(box, &QComboBox::activated, this,
          [this, key, box](int at) { commit(key, box->itemData(at).toString().toStdString()); });
  const auto show = [this, key, box] {
    const ui::Value value = present(key);
    const auto* name = std::get_if<std::string>(&value);
    if (!name) return false;
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(box->findData(QString::fromStdString(*name)));
    return true;
  };
  return {.line = box, .show = show};
}

Inspector::Row Inspector::textRow(const ui::Property& property) {
  const std::string key = property.key;
  auto* edit = new QLineEdit;
  edit->setObjectName(QString::fromStdString(key));
  connect(edit, &QLineEdit::editingFinished, this, [this, key, edit] {
    if (!edit->isModified()) return;
    edit->setModified(false);
    commit(key, edit->text().toStdString());
  });
  const auto show = [this, key, edit] {
    const ui::Value value = present(key);
    if (std::holds_alternative<std::monostate>(value)) return false;
    const QString now = QString::fromStdString(ui::toString(value));
    if (!edit->isModified() && edit->text() != now) edit->setText(now);
    return true;
  };
  return {.line = edit, .show = show};
}

void Inspector::addReadOut(const ui::ReadOut& readOut) {
  auto* label = new QLabel;
  label->setObjectName(QString::fromStdString(readOut.key));
  label->setWordWrap(true);
  auto* copy = new QAction(copyText(), label);
  connect(copy, &QAction::triggered, this, [label] { QGuiApplication::clipboard()->setText(label->text()); });
  label->addAction(copy);
  label->setContextMenuPolicy(Qt::ActionsContextMenu);
  const std::string key = readOut.key;
  const QString unit = readOut.unit.empty() ? QString() : QStringLiteral(" ") + text(readOut.unit);
  const auto show = [this, key, unit, label, &readOut] {
    const ui::Value value = present(key);
    if (std::holds_alternative<std::monostate>(value)) return false;
    const QString now = QString::fromStdString(ui::formatValue(readOut, value)) +
                        (std::holds_alternative<double>(value) ? unit : QString());
    if (label->text() != now) label->setText(now);
    return true;
  };
  const auto called = [&readOut](const ui::Document& document) { return ui::nameOf(readOut, document); };
  place({.line = label, .called = called, .applies = readOut.applies, .show = show, .detail = readOut.detail},
        groupOf(readOut.key, exhibit_), helpOf(readOut.help, readOut.equation, readOut.unit));
}

int Inspector::selected() const {
  const ui::Value value = workbench_.properties().get(workbench_.document(), exhibit_ + ".selected");
  const auto* index = std::get_if<double>(&value);
  return index ? static_cast<int>(*index) : -1;
}

std::string Inspector::presentKey(const std::string& declared) const {
  const auto mark = declared.find(kListMark);
  if (mark == std::string::npos) return declared;
  const int index = selected();
  const auto& list = workbench_.document().at(declared.substr(0, mark));
  if (index < 0 || !list.is_array() || index >= static_cast<int>(list.size())) return {};
  return declared.substr(0, mark + 1) + std::to_string(index) + declared.substr(mark + 1);
}

ui::Value Inspector::present(const std::string& declared) const {
  const std::string key = presentKey(declared);
  if (key.empty()) return {};
  return workbench_.get(key).value_or(ui::Value());
}

bool Inspector::commit(const std::string& declared, const ui::Value& value, const std::string& group) {
  const std::string key = presentKey(declared);
  if (key.empty()) return false;
  const auto done = workbench_.set(key, value, group);
  if (!done) workbench_.say({ui::Message::Level::Error, done.error().sentence});
  emit edited();
  return done.has_value();
}

bool Inspector::refreshRow(Row& row) {
  const ui::Document& document = workbench_.document();
  if ((row.applies && !row.applies(document)) || !row.show()) return false;
  if (!row.called) return true;
  const QString name = QString::fromStdString(row.called(document));
  auto* box = qobject_cast<QCheckBox*>(row.line);
  if (box && box->text() != name) box->setText(name);
  if (row.name && row.name->text() != name) row.name->setText(name);
  QWidget* spoken = row.line->focusProxy() ? row.line->focusProxy() : row.line;
  if (spoken->accessibleName() != name) spoken->setAccessibleName(name);
  return true;
}

void Inspector::refresh() {
  bool changed = false;
  const auto setVisible = [&changed](QWidget* widget, bool visible) {
    if (!widget || widget->isVisibleTo(widget->parentWidget()) == visible) return;
    widget->setVisible(visible);
    changed = true;
  };
  for (auto& [key, part] : sections_) {
    bool any = false, anyDetail = false;
    for (Row& row : part.rows) {
      const bool visible = refreshRow(row);
      setVisible(row.line, visible);
      setVisible(row.name, visible);
      (row.detail ? anyDetail : any) |= visible;
    }
    setVisible(part.unfold, anyDetail);
    setVisible(part.details, anyDetail && part.unfold->isChecked());
    setVisible(part.box, any || anyDetail);
  }
  // Nothing may be cut off at the right: the dock is as wide as its widest row at least.
  if (changed) setMinimumWidth(widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
}

}  // namespace sepx::app
