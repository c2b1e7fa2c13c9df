// SPDX-License-Identifier: Apache-2.0
// A spin box for one real parameter of the registry. It shows a value with the precision of a drag. All digits of the
// document's value are in the tool tip, and in the field while it has the keyboard focus. It accepts a decimal point in
// every locale and never clamps typed text: text that is outside the domain, or not a number, is passed to the
// registry, and the user reads the registry's error. GUI thread.
#pragma once

#include <functional>
#include <optional>

#include "ui/properties/registry.h"

#include <QDoubleSpinBox>

namespace sepx::app {

class NumberEdit final : public QDoubleSpinBox {
  Q_OBJECT

 public:
  /// `commit` returns whether the document accepted the value; after a rejection the old value is shown again.
  NumberEdit(const ui::Property& property, std::function<bool(const ui::Value&)> commit, QWidget* parent = nullptr);

  /// Shows the document's value, unless the user is typing in the field.
  void display(double value);

  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
  void stepBy(int steps) override;

 protected:
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fitWidth();
  int roomForText() const;
  QString exactText(double value) const;
  /// Rounded as a drag would leave it, with fewer digits if that does not fit.
  QString roundedText(double value) const;
  void writeShown();
  void finish();
  double inside(double value) const;

  const ui::Property& property_;
  std::function<bool(const ui::Value&)> commit_;
  double shown_ = 0;
  QString shownText_;
  std::optional<QString> typed_;  ///< as the user wrote it, before Qt converts it to a number
};

}  // namespace sepx::app
