// SPDX-License-Identifier: Apache-2.0
// Whether a widget accepts typed text. GUI thread.
#pragma once

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace sepx::app {

inline bool isTextField(const QWidget* widget) {
  const auto* const choice = qobject_cast<const QComboBox*>(widget);
  return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
         qobject_cast<const QTextEdit*>(widget) || qobject_cast<const QPlainTextEdit*>(widget) ||
         (choice && choice->isEditable());
}

}  // namespace sepx::app
