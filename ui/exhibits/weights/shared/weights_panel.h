// SPDX-License-Identifier: Apache-2.0
// The instrument panel of the Weights exhibit in Dear ImGui: what is in sight, its scores, then the controls of the
// page. Frame thread, inside an ImGui frame.
#pragma once

#include "ui/exhibit/exhibit_context.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

void drawWeightsPanel(const PageFrame& frame, WeightsPage& page, ExhibitContext& context);

}  // namespace sepx::ui
