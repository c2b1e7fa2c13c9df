// SPDX-License-Identifier: Apache-2.0
// See number_edit.h. QDoubleSpinBox provides the arrows, the wheel and the accessible role; the number itself is read
// and written by engine/core/number.h.
#include "app/studio/number_edit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/studio/text.h"
#include "engine/core/number.h"
#include "ui/properties/number_words.h"

#include <QKeyEvent>
#include <QKeySequence>
#include <QLineEdit>
#include <QSignalBlocker>

namespace sepx::app {

namespace {
constexpr int kMostDecimals = 15;      // Qt rounds its value to this many, finer than any digit that a user enters
constexpr double kMisleading = 0.005;  // largest error of the shown number, as a fraction of the value
constexpr int kLeastDigits = 2, kMostDigits = 8;

/// Formats with a minus sign, raised exponents and groups of three; only the text shown with the focus is parsed again.
QString asRead(const QString& number) {
  return QString::fromStdString(ui::grouped(ui::withShownNumbers(number.toStdString())));
}

double withDigits(double value, int significant) {
  return parseNumber(QByteArray::number(value, 'g', significant).toStdString()).value_or(value);
}
}  // namespace

NumberEdit::NumberEdit(const ui::Property& property, std::function<bool(const ui::Value&)> commit, QWidget* parent)
    : QDoubleSpinBox(parent), property_(property), commit_(std::move(commit)) {
  constexpr double kAll = std::numeric_limits<double>::max();
  setDecimals(property.kind == ui::Kind::Integer ? 0 : kMostDecimals);
  setRange(-kAll, kAll);
  setSingleStep(property.step);
  setKeyboardTracking(false);
  setLocale(QLocale::c());
  setFocusPolicy(Qt::StrongFocus);
  setAlignment(Qt::AlignRight);
  lineEdit()->setAcceptDrops(false);  // files are dropped on the window
  lineEdit()->installEventFilter(this);
  constexpr int kLeastHeight = 24;  // points, for use with a pointer
  setMinimumHeight(kLeastHeight);
  fitWidth();
  connect(lineEdit(), &QLineEdit::textEdited, this, [this](const QString& text) { typed_ = text; });
  connect(this, &QDoubleSpinBox::editingFinished, this, &NumberEdit::finish);
}

int NumberEdit::roomForText() const {
  return fontMetrics().horizontalAdvance(QStringLiteral("0.00000000"));
}

void NumberEdit::fitWidth() {
  setFixedWidth(roomForText() + 2 * fontMetrics().height());
}

QString NumberEdit::roundedText(double value) const {
  const QString exact = exactText(value);
  if (property_.choiceLabel || !std::isfinite(value)) return exact;
  double shown = value;
  if (property_.kind == ui::Kind::Real) {
    shown = parseNumber(formatFixed(value, property_.digits + 1)).value_or(value);
    if (std::abs(shown - value) > kMisleading * std::abs(value)) shown = withDigits(value, property_.digits + 1);
  }
  QString words = asRead(exactText(shown));
  for (int digits = kMostDigits; digits >= kLeastDigits; --digits) {
    if (fontMetrics().horizontalAdvance(words) <= roomForText()) break;
    words = asRead(exactText(withDigits(value, digits)));
  }
  return words;
}

void NumberEdit::focusInEvent(QFocusEvent* event) {
  if (!typed_) writeShown();  // before Qt selects the text
  QDoubleSpinBox::focusInEvent(event);
}

void NumberEdit::focusOutEvent(QFocusEvent* event) {
  QDoubleSpinBox::focusOutEvent(event);
  if (!typed_) writeShown();
}

void NumberEdit::keyPressEvent(QKeyEvent* event) {
  const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (typed_ && enters) {
    QDoubleSpinBox::keyPressEvent(event);
    return event->accept();  // it was meant for the number, not for the dialog's default button
  }
  if (event->key() != Qt::Key_Escape || !typed_) return QDoubleSpinBox::keyPressEvent(event);
  typed_.reset();  // discards what was typed
  shownText_.clear();
  display(shown_);
}

bool NumberEdit::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && !typed_) {
    // Nothing is being typed here, so undo and redo belong to the document.
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();
      return true;
    }
  }
  return QDoubleSpinBox::eventFilter(watched, event);
}

void NumberEdit::changeEvent(QEvent* event) {
  QDoubleSpinBox::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  fitWidth();
  if (!typed_ && !shownText_.isEmpty()) writeShown();
}

void NumberEdit::display(double value) {
  if (value == shown_ && !shownText_.isEmpty()) return;
  if (typed_) return;
  shown_ = value;
  writeShown();
}

void NumberEdit::writeShown() {
  const QString exact = exactText(shown_), rounded = roundedText(shown_);
  shownText_ = hasFocus() ? exact : rounded;
  const QSignalBlocker quiet(this);
  setValue(shown_);
  lineEdit()->setText(shownText_);
  if (!hasFocus()) lineEdit()->home(false);
  const QString help = app::text(property_.help);
  setToolTip(exact == rounded || asRead(exact) == rounded ? QString() : help.isEmpty() ? exact : exact + u'\n' + help);
}

QString NumberEdit::textFromValue(double value) const {
  return hasFocus() ? exactText(value) : roundedText(value);
}

QString NumberEdit::exactText(double value) const {
  const std::string text = formatShortest(value);  // a value may have a name: head -1 is "all"
  return QString::fromStdString(property_.choiceLabel ? property_.choiceLabel(text) : text);
}

double NumberEdit::valueFromText(const QString& text) const {
  if (text == shownText_) return shown_;  // what is shown may be rounded
  const double value = parseNumber(text.toStdString()).value_or(shown_);
  return std::isfinite(value) ? value : shown_;
}

QValidator::State NumberEdit::validate(QString&, int&) const {
  return QValidator::Acceptable;
}

double NumberEdit::inside(double value) const {
  const double margin = property_.open ? std::min(property_.step, (property_.max - property_.min) / 4) : 0.0;
  return std::clamp(value, property_.min + margin, property_.max - margin);
}

void NumberEdit::stepBy(int steps) {
  // Land on multiples of the step, so that 0.437 steps to 0.44 and not to 0.447.
  const double step = property_.step;
  const double from = shown_ / step;
  const double to = steps > 0 ? std::floor(from + 1e-9) + steps : std::ceil(from - 1e-9) + steps;
  const double wanted = parseNumber(formatFixed(to * step, property_.digits + 3)).value_or(to * step);
  typed_.reset();
  if (commit_(inside(wanted))) display(inside(wanted));
}

void NumberEdit::finish() {
  if (!typed_) return;
  const QString typed = *std::exchange(typed_, std::nullopt);
  const auto number = parseNumber(typed.toStdString());
  const bool taken = commit_(number ? ui::Value(*number) : ui::Value(typed.toStdString()));
  const double value = taken && number ? *number : shown_;
  shownText_.clear();
  display(value);
}

}  // namespace sepx::app
