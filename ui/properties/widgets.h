// SPDX-License-Identifier: Apache-2.0
// The ImGui control of a property and the line of a read-out, drawn from their declarations. A number has a slider (or
// two step buttons where its range is wide) and beside it a field in which it can be typed exactly; what may not be
// typed is refused with a sentence under the control, and the value stays. Every control reports where it is, so that
// scripts can click it. Frame thread, inside an ImGui window.
#pragma once

#include <string_view>

#include "ui/properties/control_map.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// What a control did in this frame. `changed`: commit `value` (with the key as History group); `ended`: seal the step.
struct ControlEvent {
  bool changed = false;
  Value value;
  bool ended = false;
};

/// The control of `property` in a row of its own. `key`: with its index ("flow.points[2].e") where the property is of a
/// list.
ControlEvent drawControl(const Property& property, const Value& value, ControlMap& map, std::string_view key = {});
/// Label, symbol, value and unit in a row, and a button that asks for the card; the declaration's help and equation as
/// tooltip.
void drawReadOut(const ReadOut& readOut, const Value& value, ControlMap& map, std::string_view key = {});

}  // namespace sepx::ui
