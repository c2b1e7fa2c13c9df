// SPDX-License-Identifier: Apache-2.0
// The strip above every page of the Weights exhibit: model and family, tabs of the pages, stack, layer and head, the
// parts of the matrix, the scores (pale where a random matrix would score the same). It is drawn, not ImGui, so that it
// is there in every pane; a small pane has a shorter one. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/exhibit/strip.h"
#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

/// `parts`: the page in sight shows the chosen matrix or a part of it.
Strip layoutStrip(const WeightsShared& shared, const std::vector<StripButton>& tabs, bool parts, double width,
                  double height, const Theme& theme);

}  // namespace sepx::ui
