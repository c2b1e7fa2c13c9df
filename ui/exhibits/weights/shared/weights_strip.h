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
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

struct WeightsStrip : Strip {
  render::Rect scores;  ///< where the scores are written
};

/// `pages`: those there are, in the order of the tabs.
WeightsStrip layoutStrip(const WeightsShared& shared, const std::vector<WeightsPageKind>& pages, double width,
                         double height, const Theme& theme);
/// "Wall", translated.
std::string pageName(WeightsPageKind page);

}  // namespace sepx::ui
