// SPDX-License-Identifier: Apache-2.0
// One native, accessible control for one declared parameter: a number with its slider, a check box, a choice, a text.
// Where the value lives is the caller's affair: the inspector's fields write to the workbench, those of the preferences
// to the settings. GUI thread.
#pragma once

#include <functional>
#include <string>

#include "ui/properties/registry.h"

#include <QString>

class QGridLayout;
class QLabel;
class QWidget;

namespace sepx::app {

/// Where a field reads and writes.
struct FieldSource {
  std::function<ui::Value()> get;
  /// True when the value was taken. Calls with one non-empty group are one step to undo.
  std::function<bool(const ui::Value&, const std::string& group)> set;
  std::function<void()> seal;  ///< ends a group; may be empty
};

struct Field {
  QWidget* line = nullptr;
  std::function<bool()> show;  ///< takes over the present value; false: there is none
};

/// The control is named `key` (QObject::objectName), a slider "key#slider".
Field makeField(const ui::Property& property, FieldSource source);
/// A choice with fewer than two answers is none.
bool isWorthAField(const ui::Property& property);

/// Label, help and accessible name beside the control, in a form of two columns.
QLabel* placeField(QGridLayout* form, QWidget* line, const QString& help);
/// What a person calls it now, for label and screen reader.
void nameField(QWidget* line, QLabel* label, const QString& name);
/// Two columns: name and value.
QGridLayout* makeForm();
/// Help with unit and equation, as a tool tip says it.
QString helpOf(const std::string& help, const std::string& equation, const std::string& unit);
/// The widget of a line that takes the keyboard.
QWidget* keyboardOf(QWidget* line);

}  // namespace sepx::app
