// SPDX-License-Identifier: Apache-2.0
// Selects what a figure shows of the pages of a window: views as panels, with letters across all panes, and the parts
// of charts that the user zoomed to. Makes its title, its captions and the remark about parts that were left out. Frame
// thread.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/figure_page.h"

namespace sepx::ui {

/// The choices of a request, one per pane of the figure. `panes`: number of panes of the window.
std::vector<FigureChoice> choicesOf(const FigureRequest& request, int panes);
/// The parts of charts that the window shows, by chart name with the number of the pane.
ChartParts partsOf(const Workbench& window);
/// Usage for the first requested view that no panel of the figure has.
Result<void> checkViews(const Workbench& figure, const FigureRequest& request);
/// The boxes of all panels that the figure shows, each in coordinates of its pane.
std::vector<render::Rect> panelBoxes(const Workbench& figure);
/// The places of all panel letters on the page of the figure. A pane without panels gets one letter, for its picture.
std::vector<render::Point> panelCorners(const Workbench& figure, const std::vector<render::PlacedScene>& panes);
std::vector<PaneCaption> captionsOf(const Workbench& figure);
/// `choices`: one per pane, beginning with pane `first`.
std::string titleOf(const Workbench& of, const std::vector<FigureChoice>& choices, int first = 1);
/// A sentence that names what was left out for lack of room; empty: nothing.
std::string remarkOf(const Workbench& figure);

}  // namespace sepx::ui
