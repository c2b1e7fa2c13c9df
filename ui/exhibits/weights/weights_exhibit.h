// SPDX-License-Identifier: Apache-2.0
// The Weights exhibit [Attention-Structure]: W_qk of any layer and head of a checkpoint, with its scores and its parts.
#pragma once

#include <memory>

#include "ui/page/exhibit.h"

namespace sepx::ui {

std::unique_ptr<Exhibit> makeWeightsExhibit();

}  // namespace sepx::ui
