// SPDX-License-Identifier: Apache-2.0
// See fields.h.
#include "app/studio/fields.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/studio/number_edit.h"
#include "app/studio/symbol_text.h"
#include "app/studio/text.h"
#include "engine/core/number.h"
#include "ui/properties/tr.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolButton>
#include <QVariant>

namespace sepx::app {

namespace {

constexpr const char* kKeyboard = "keyboard";  // property: the widget of a line that takes the focus
constexpr int kSliderSteps = 1000;
constexpr int kNarrowestSlider = 48;
constexpr int kLeastTarget = 24;        // points, for use with a pointer
constexpr int kShortestChoice = 12;     // characters of a choice that must be readable
constexpr double kWidestSlider = 1000;  // on a wider range a slider is too coarse

/// The wheel scrolls the panel. It changes the value under the pointer only if the user gave its field the focus.
class WheelGuard final : public QObject {
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();  // not for this widget, but for the panel
    return true;
  }
};

/// A combo box whose text ends in "…" if it does not fit.
class ChoiceBox final : public QComboBox {
 protected:
  void paintEvent(QPaintEvent*) override {
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    constexpr int kAround = 4;  // margin that the style leaves free
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - kAround);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  }
};

/// Shows the whole value above the help in the tool tip, because the field may show only a part of it.
void tipWithValue(QWidget* field, const QString& value, const ui::Property& property) {
  const QString help = text(property.help),
                whole = value.isEmpty() || help.isEmpty() ? value + help : value + u'\n' + help;
  if (field->toolTip() != whole) field->setToolTip(whole);
}

void guardWheel(QWidget* widget) {
  widget->setFocusPolicy(Qt::StrongFocus);  // the wheel does not give the focus
  widget->installEventFilter(new WheelGuard(widget));
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

using Source = std::shared_ptr<const FieldSource>;

QSlider* makeSlider(const ui::Property& property, const Source& source) {
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setRange(0, kSliderSteps);
  slider->setMinimumSize(kNarrowestSlider, kLeastTarget);
  slider->setObjectName(QString::fromStdString(property.key + "#slider"));
  slider->setAccessibleName(text(property.label));
  guardWheel(slider);
  QObject::connect(slider, &QSlider::valueChanged, slider,
                   [source, &property](int at) { source->set(valueOf(property, at), property.key); });
  QObject::connect(slider, &QSlider::sliderReleased, slider, [source] {
    if (source->seal) source->seal();
  });
  return slider;
}

Field numberField(const ui::Property& property, const Source& source) {
  auto* line = new QWidget;
  auto* across = new QHBoxLayout(line);
  across->setContentsMargins(0, 0, 0, 0);
  auto* number = new NumberEdit(property, [source](const ui::Value& value) { return source->set(value, {}); });
  number->setObjectName(QString::fromStdString(property.key));
  guardWheel(number);
  number->setAccessibleDescription(text(property.help));
  // Not a focus proxy, because Tab would skip the slider.
  line->setProperty(kKeyboard, QVariant::fromValue<QWidget*>(number));
  QSlider* slider = nullptr;
  if (hasSlider(property)) {
    slider = makeSlider(property, source);
    across->addWidget(slider, 1);
  } else {
    across->addStretch(1);
  }
  across->addWidget(number);
  const auto show = [source, number, slider, &property] {
    const ui::Value value = source->get();
    const auto* real = std::get_if<double>(&value);
    if (!real) return false;
    number->display(*real);
    if (slider && !slider->isSliderDown()) {
      const QSignalBlocker quiet(slider);
      slider->setValue(sliderOf(property, *real));
    }
    return true;
  };
  return {line, show};
}

Field toggleField(const ui::Property& property, const Source& source) {
  auto* box = new QCheckBox;
  box->setMinimumHeight(kLeastTarget);
  box->setObjectName(QString::fromStdString(property.key));
  box->setAccessibleDescription(text(property.help));
  QObject::connect(box, &QCheckBox::toggled, box, [source](bool on) { source->set(on, {}); });
  const auto show = [source, box] {
    const QSignalBlocker quiet(box);
    const ui::Value value = source->get();
    box->setChecked(ui::isTrue(value));
    return !std::holds_alternative<std::monostate>(value);
  };
  return {box, show};
}

Field choiceField(const ui::Property& property, const Source& source) {
  auto* box = new ChoiceBox;
  box->setMinimumHeight(kLeastTarget);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(kShortestChoice);
  box->setObjectName(QString::fromStdString(property.key));
  box->setAccessibleName(text(property.label));
  box->setAccessibleDescription(text(property.help));
  guardWheel(box);
  for (const auto& choice : property.liveChoices ? property.liveChoices() : property.choices) {
    box->addItem(property.choiceLabel ? QString::fromStdString(property.choiceLabel(choice)) : text(choice),
                 QString::fromStdString(choice));
  }
  QObject::connect(box, &QComboBox::activated, box,
                   [source, box](int at) { source->set(box->itemData(at).toString().toStdString(), {}); });
  const auto show = [source, box, &property] {
    const ui::Value value = source->get();
    const auto* name = std::get_if<std::string>(&value);
    if (!name) return false;
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(box->findData(QString::fromStdString(*name)));
    tipWithValue(box, box->currentText(), property);
    return true;
  };
  return {box, show};
}

Field textField(const ui::Property& property, const Source& source) {
  auto* edit = new QLineEdit;
  edit->setMinimumHeight(kLeastTarget);
  edit->setObjectName(QString::fromStdString(property.key));
  edit->setAccessibleDescription(text(property.help));
  edit->setAcceptDrops(false);  // files are dropped on the window
  QObject::connect(edit, &QLineEdit::editingFinished, edit, [source, edit] {
    if (!edit->isModified()) return;
    edit->setModified(false);
    source->set(edit->text().toStdString(), {});
  });
  if (property.eager)
    QObject::connect(edit, &QLineEdit::textEdited, edit, [source, edit, key = property.key](const QString& now) {
      edit->setModified(false);
      source->set(now.toStdString(), key);
    });
  const auto show = [source, edit, &property] {
    const ui::Value value = source->get();
    if (std::holds_alternative<std::monostate>(value)) return false;
    const QString now = QString::fromStdString(ui::toString(value));
    if (!edit->isModified() && edit->text() != now) {
      edit->setText(now);
      if (!edit->hasFocus())  // the file name is at the end of a path
        now.startsWith(u'/') || now.startsWith(u'~') ? edit->end(false) : edit->home(false);
    }
    tipWithValue(edit, now, property);
    return true;
  };
  return {edit, show};
}

void showSwatch(QToolButton* swatch, const QString& color) {
  constexpr const char* kShown = "shown";
  if (swatch->property(kShown).toString() == color && !swatch->icon().isNull()) return;
  swatch->setProperty(kShown, color);
  QPixmap pixmap(swatch->iconSize());
  pixmap.fill(color.isEmpty() ? QColor(Qt::transparent) : QColor(color));
  QPainter painter(&pixmap);
  painter.setPen(swatch->palette().color(QPalette::WindowText));
  painter.drawRect(pixmap.rect().adjusted(0, 0, -1, -1));
  painter.end();
  swatch->setIcon(QIcon(pixmap));
}

/// A swatch that opens the colour picker, the colour as text, and a button to clear it.
Field colorField(const ui::Property& property, const Source& source) {
  auto* line = new QWidget;
  auto* across = new QHBoxLayout(line);
  across->setContentsMargins(0, 0, 0, 0);
  auto* swatch = new QToolButton;
  swatch->setMinimumSize(kLeastTarget, kLeastTarget);
  swatch->setObjectName(QString::fromStdString(property.key + "#picker"));
  swatch->setAccessibleName(text(N_("Choose a colour")));
  swatch->setToolTip(text(N_("Choose a colour")));
  auto* edit = new QLineEdit;
  edit->setMinimumHeight(kLeastTarget);
  edit->setObjectName(QString::fromStdString(property.key));
  edit->setAccessibleDescription(text(property.help));
  edit->setPlaceholderText(text(N_("none")));
  edit->setClearButtonEnabled(true);
  edit->setAcceptDrops(false);
  line->setProperty(kKeyboard, QVariant::fromValue<QWidget*>(edit));
  across->addWidget(swatch);
  across->addWidget(edit, 1);
  const auto take = [source, edit] {
    if (!edit->isModified()) return;
    edit->setModified(false);
    source->set(edit->text().trimmed().toStdString(), {});
  };
  QObject::connect(edit, &QLineEdit::editingFinished, edit, take);
  QObject::connect(edit, &QLineEdit::textChanged, edit, [edit, take](const QString& now) {
    if (!now.isEmpty()) return;  // the clear button does not emit editingFinished
    edit->setModified(true);
    take();
  });
  QObject::connect(swatch, &QToolButton::clicked, swatch, [source, line, edit] {
    const QColor chosen = QColorDialog::getColor(QColor(edit->text()), line->window());
    if (chosen.isValid()) source->set(chosen.name().toStdString(), {});
  });
  const auto show = [source, edit, swatch] {
    const ui::Value value = source->get();
    if (std::holds_alternative<std::monostate>(value)) return false;
    const QString now = QString::fromStdString(ui::toString(value));
    if (!edit->isModified() && edit->text() != now) {
      const QSignalBlocker quiet(edit);
      edit->setText(now);
    }
    showSwatch(swatch, now);
    return true;
  };
  return {line, show};
}

}  // namespace

Field makeField(const ui::Property& property, FieldSource source) {
  const auto shared = std::make_shared<const FieldSource>(std::move(source));
  switch (property.kind) {
    case ui::Kind::Toggle:
      return toggleField(property, shared);
    case ui::Kind::Choice:
      return choiceField(property, shared);
    case ui::Kind::Text:
      return property.color ? colorField(property, shared) : textField(property, shared);
    case ui::Kind::Real:
    case ui::Kind::Integer:
      break;
  }
  return numberField(property, shared);
}

bool needsField(const ui::Property& property) {
  if (property.kind != ui::Kind::Choice) return true;
  return (property.liveChoices ? property.liveChoices().size() : property.choices.size()) >= 2;
}

QLabel* placeField(QGridLayout* form, QWidget* line, const QString& help) {
  const int at = form->rowCount();
  line->setToolTip(help);
  line->setWhatsThis(help);
  if (qobject_cast<QCheckBox*>(line)) {
    form->addWidget(line, at, 0, 1, 2);
    return nullptr;
  }
  auto* name = new QLabel;
  name->setProperty("role", "name");
  name->setToolTip(help);
  name->setBuddy(keyboardOf(line));
  name->setWordWrap(true);  // a long name takes two lines instead of room of the field
  form->addWidget(name, at, 0, Qt::AlignLeft | Qt::AlignVCenter);
  form->addWidget(line, at, 1);
  return name;
}

void nameField(QWidget* line, QLabel* label, const QString& name) {
  auto* box = qobject_cast<QCheckBox*>(line);
  if (box && box->text() != name) box->setText(name);
  if (label) showTypeset(label, typesetName(name), name);
  QWidget* spoken = keyboardOf(line);
  if (spoken->accessibleName() == name) return;
  spoken->setAccessibleName(name);
  for (auto* slider : line->findChildren<QSlider*>())
    slider->setAccessibleName(name);
  for (auto* inner : spoken->findChildren<QLineEdit*>())
    inner->setAccessibleName(name);
}

QGridLayout* makeForm() {
  // Not a QFormLayout: Qt 6.4's writes beyond its own arrays once rows are hidden.
  auto* form = new QGridLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setColumnStretch(1, 1);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(4);
  return form;
}

QString helpOf(const std::string& help, const std::string& equation, const std::string& unit) {
  QString all = text(help);
  if (!unit.empty()) all += QStringLiteral(" [%1]").arg(text(unit));
  if (!equation.empty()) all += QStringLiteral("\n%1").arg(text(equation));
  return all;
}

QWidget* keyboardOf(QWidget* line) {
  auto* inner = line->property(kKeyboard).value<QWidget*>();
  return inner ? inner : line;
}

}  // namespace sepx::app
