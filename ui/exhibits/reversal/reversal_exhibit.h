// SPDX-License-Identifier: Apache-2.0
// The Reversal exhibit: models that are trained only on "A is B", and where the answer to "B is …" comes from.
#pragma once

#include <memory>

#include "ui/page/exhibit.h"

namespace sepx::ui {

std::unique_ptr<Exhibit> makeReversalExhibit();

}  // namespace sepx::ui
