// SPDX-License-Identifier: Apache-2.0
// Draws the ImGui control of a property and the line of a read-out from their declarations. A number has a slider (or
// two step buttons if its range is wide) and a field for exact input. Invalid input is refused with a sentence under
// the control, and the value stays. Every control reports its position, so that scripts can click it. Frame thread,
// inside an ImGui window.
#pragma once

#include <string_view>

#include "ui/properties/control_map.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// The result of a control in this frame. `changed`: commit `value` (with the key as History group). `ended`: seal the
/// undo step.
struct ControlEvent {
  bool changed = false;
  Value value;
  bool ended = false;
};

/// Draws the control of `property` in a row of its own. `key`: the key with its index ("flow.points[2].e") if the
/// property belongs to a list.
ControlEvent drawControl(const Property& property, const Value& value, ControlMap& map, std::string_view key = {});
/// Draws label, symbol, value and unit in a row, with a button that opens the card. The tooltip has the help and the
/// equation of the declaration.
void drawReadOut(const ReadOut& readOut, const Value& value, ControlMap& map, std::string_view key = {});

}  // namespace sepx::ui
