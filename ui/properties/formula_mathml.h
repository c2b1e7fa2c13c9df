// SPDX-License-Identifier: Apache-2.0
// Converts formulas to MathML Core for pages that a browser shows. They need no font, script or style of ours. Pure;
// any thread.
#pragma once

#include <string>

#include "ui/properties/formula.h"

namespace sepx::ui {

/// `display`: on a line of its own, otherwise inside text. The plain text of the formula is the element's aria-label.
std::string mathMl(const Formula& formula, bool display);

}  // namespace sepx::ui
