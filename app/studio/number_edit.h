// SPDX-License-Identifier: Apache-2.0
// A spin box for one real parameter of the registry. It shows a value to the precision of a drag, every digit that the
// document holds in its tool tip and while it has the keyboard. It takes a decimal point in every locale and never
// clamps what a person typed: text that is outside the domain, or no number at all, is handed to the registry, whose
// refusal is the sentence the person reads. GUI thread.
#pragma once

#include <functional>
#include <optional>

#include "ui/properties/registry.h"

#include <QDoubleSpinBox>

namespace sepx::app {

class NumberEdit final : public QDoubleSpinBox {
  Q_OBJECT

 public:
  /// `commit` answers whether the document took the value; after a refusal the old value is shown again.
  NumberEdit(const ui::Property& property, std::function<bool(const ui::Value&)> commit, QWidget* parent = nullptr);

  /// The document's value; leaves the field alone while a person types in it.
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
  /// As a drag would leave it, and shorter where that has no room.
  QString roundedText(double value) const;
  void writeShown();
  void finish();
  double inside(double value) const;

  const ui::Property& property_;
  std::function<bool(const ui::Value&)> commit_;
  double shown_ = 0;
  QString shownText_;
  std::optional<QString> typed_;  ///< as the person wrote it, before Qt makes a number of it
};

}  // namespace sepx::app
