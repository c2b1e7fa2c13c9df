// SPDX-License-Identifier: Apache-2.0
// The Training exhibit: trains small transformers in the window and shows how the structure of their attention forms.
// The runs belong to the window (ui/runs); the exhibit only holds handles to them.
#pragma once

#include <memory>

#include "ui/page/exhibit.h"

namespace sepx::ui {

std::unique_ptr<Exhibit> makeTrainingExhibit();

}  // namespace sepx::ui
