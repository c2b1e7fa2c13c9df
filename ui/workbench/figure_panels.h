// SPDX-License-Identifier: Apache-2.0
// What of a window's pages stands in a figure: views as panels with letters over all panes, the parts of charts that a
// person zoomed to, and what title, caption and a sentence about missing parts say of them. Frame thread.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/figure_page.h"

namespace sepx::ui {

/// By pane of the figure. `panes`: of the window.
std::vector<FigureChoice> choicesOf(const FigureRequest& request, int panes);
/// As charts of the window are, by names with the numbers of their panes.
ChartParts partsOf(const Workbench& window);
/// Usage for the first name that no panel of the figure has.
Result<void> checkViews(const Workbench& figure, const FigureRequest& request);
/// Of all panels that stand, in their panes.
std::vector<render::Rect> panelBoxes(const Workbench& figure);
/// Where the letters of all panels stand on the page of the figure; of a pane that is one picture, of that.
std::vector<render::Point> panelCorners(const Workbench& figure, const std::vector<render::PlacedScene>& panes);
std::vector<PaneCaption> captionsOf(const Workbench& figure);
/// `choices`: by pane, from `first`.
std::string titleOf(const Workbench& of, const std::vector<FigureChoice>& choices, int first = 1);
/// What has no room, as a sentence; empty: everything has.
std::string remarkOf(const Workbench& figure);

}  // namespace sepx::ui
