// SPDX-License-Identifier: Apache-2.0
// Formulas as MathML Core, for pages that a browser shows: no font, script or style of ours is needed. Pure; any
// thread.
#pragma once

#include <string>

#include "ui/properties/formula.h"

namespace sepx::ui {

/// `display`: on a line of its own, else inside a text. With the plain text as the element's label.
std::string mathMl(const Formula& formula, bool display);

}  // namespace sepx::ui
