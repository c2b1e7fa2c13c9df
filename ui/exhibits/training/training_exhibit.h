// SPDX-License-Identifier: Apache-2.0
// The Training exhibit: small transformers that train in the window, followed while the structure of their attention
// forms. The runs belong to the window (ui/runs); the exhibit holds handles.
#pragma once

#include <memory>

#include "ui/page/exhibit.h"

namespace sepx::ui {

std::unique_ptr<Exhibit> makeTrainingExhibit();

}  // namespace sepx::ui
