// SPDX-License-Identifier: Apache-2.0
// Creates one native, accessible control for one declared parameter: a number with its slider, a check box, a choice, a
// text. The caller decides where the value is stored: fields of the inspector write to the workbench, fields of the
// preferences to the settings. GUI thread.
#pragma once

#include <functional>
#include <string>

#include "ui/properties/registry.h"

#include <QString>

class QGridLayout;
class QLabel;
class QWidget;

namespace sepx::app {

/// Reads and writes the value of a field.
struct FieldSource {
  std::function<ui::Value()> get;
  /// True when the value was accepted. Calls with the same non-empty group form one undo step.
  std::function<bool(const ui::Value&, const std::string& group)> set;
  std::function<void()> seal;  ///< ends a group; may be empty
};

struct Field {
  QWidget* line = nullptr;
  std::function<bool()> show;  ///< displays the current value; false: there is none
};

/// The control is named `key` (QObject::objectName), a slider "key#slider".
Field makeField(const ui::Property& property, FieldSource source);
/// Whether a property needs a field. A choice with fewer than two options needs none.
bool needsField(const ui::Property& property);

/// Adds a control to a form of two columns, with its help and a label beside it. Null for a check box, which has its
/// own label.
QLabel* placeField(QGridLayout* form, QWidget* line, const QString& help);
/// Sets the current name of a control, for its label and for screen readers.
void nameField(QWidget* line, QLabel* label, const QString& name);
/// A form of two columns: name and value.
QGridLayout* makeForm();
/// Help with unit and equation, as the text of a tool tip.
QString helpOf(const std::string& help, const std::string& equation, const std::string& unit);
/// The widget of a line that takes the keyboard focus.
QWidget* keyboardOf(QWidget* line);

}  // namespace sepx::app
