// SPDX-License-Identifier: Apache-2.0
// The panels of figures 3, S3, S4 and S5 and the curves of Table 1 of Attention-Structure, for a page and for a file:
// the median over the layers with its quartiles as a band, as the figures have them, or a line a layer with the
// quartiles over its heads. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/studies/emergence_study.h"
#include "ui/plots/line_chart.h"

namespace sepx::ui {

enum class EmergenceShown { Loss, Symmetry, Directionality };
struct EmergencePanel {
  std::size_t source = 0;
  EmergenceShown shown = EmergenceShown::Loss;
  bool byLayer = false;  ///< else the median over the layers
};

/// In the order of the published figure; of Table 1 the loss on each source.
std::vector<EmergencePanel> emergencePanels(const studies::EmergenceStudy& study);
/// "median symmetry", translated.
std::string emergencePanelName(const EmergencePanel& panel);
/// Without a title. `study` has runs.
LineChart emergenceChart(const studies::EmergenceStudy& study, const EmergencePanel& panel, const Theme& theme);
/// Of all these panels.
std::vector<LegendEntry> emergenceLegend(const studies::EmergenceStudy& study,
                                         const std::vector<EmergencePanel>& panels, const Theme& theme);

}  // namespace sepx::ui
