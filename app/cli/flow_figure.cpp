// SPDX-License-Identifier: Apache-2.0
// Shared parts of the pictures of the flow figures.
#include "app/cli/flow_figure.h"

#include <optional>

#include "app/cli/flow_figure_plane.h"
#include "app/cli/flow_figure_space.h"
#include "app/cli/text.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::app::cli {

using markov::LimitKind;
using studies::FlowFigure;

render::Scene flowFigure(const FlowFigure& figure, double width, double height, const ui::Theme& theme,
                         ThreadPool& pool) {
  return figure.figure == 1 ? planeFigure(figure, width, height, theme, pool)
                            : spaceFigure(figure, width, height, theme, pool);
}

void addKindLegend(std::vector<render::Item>& items, render::Point at, double width, const ui::Theme& theme,
                   int figure) {
  struct Entry {
    const char* words;
    render::Color color;
    float line;  // width, 0: none
    render::Dash dash;
    std::optional<render::Shape> shape;
    bool open = false;
  };
  const bool plane = figure == 1;
  const float strong = theme.strongLine + 0.5f;
  const auto kind = [&](const char* words, LimitKind of, render::Dash dash) {
    return Entry{words, ui::kindColor(theme, of), of == LimitKind::Saddle ? 0 : strong,
                 plane ? dash : render::Dash::Solid, ui::kindShape(of)};
  };
  std::vector<Entry> entries{kind(N_("global minima"), LimitKind::GlobalMin, render::Dash::Solid),
                             kind(N_("local minima"), LimitKind::LocalMin, render::Dash::Dashed),
                             kind(N_("local maxima"), LimitKind::LocalMax, render::Dash::Dotted)};
  if (plane) {
    entries.push_back(kind(N_("saddle"), LimitKind::Saddle, render::Dash::Solid));
    entries.push_back({N_("separatrix, E = E_sad"), theme.separatrix, strong, render::Dash::Solid, std::nullopt});
    entries.push_back({N_("energy contours"), ui::faded(theme.textMuted, 0.55f), 1, render::Dash::Solid, std::nullopt});
  } else {
    entries.push_back({N_("initial point"), theme.text, 0, render::Dash::Solid, render::Shape::Circle, true});
  }
  if (figure == 2) {
    entries.push_back({N_("saddles"), theme.saddle, strong, render::Dash::Solid, std::nullopt});
    entries.push_back({N_("stationary curves"), theme.saddle, strong, render::Dash::Dashed, std::nullopt});
    entries.push_back(
        {N_("energy of (0.6, \u22120.6, 0)"), ui::faded(theme.accent, 0.5f), 8, render::Dash::Solid, std::nullopt});
  }
  const double size = theme.smallSize, mark = 28;
  double x = at.x;
  for (const Entry& entry : entries) {
    const std::string words = tr(entry.words);
    const double needed = mark + 8 + ui::textWidth(words, size) + 16;
    if (x + needed > at.x + width) break;
    if (entry.line > 0)
      items.push_back(render::Polyline{
          {{x, at.y}, {x + mark, at.y}}, {entry.color, entry.line, entry.dash}, {}, render::Space::Page});
    if (entry.shape)
      items.push_back(render::Marker{{x + mark / 2, at.y},
                                     *entry.shape,
                                     entry.open ? 8.0f : 12.0f,
                                     entry.open ? theme.plotBackground : entry.color,
                                     entry.open ? entry.color : theme.plotBackground,
                                     1.5f,
                                     render::Space::Page});
    items.push_back(ui::textAt({x + mark + 6, at.y}, words, theme.smallSize, theme.text));
    x += needed;
  }
}

}  // namespace sepx::app::cli
