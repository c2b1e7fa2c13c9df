// SPDX-License-Identifier: Apache-2.0
// Figures of the flow as JSON and as text, and what their pages share.
#include <optional>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::app::cli {

using markov::LimitKind;
using studies::FlowFigure;
using studies::FlowFigurePart;

Json flowFigureJson(const FlowFigure& figure) {
  Json json = beginDocument("reproduce");
  json["id"] = figure.study().id;
  json["quick"] = figure.quick;
  json["parts"] = Json::array();
  for (const FlowFigurePart& part : figure.parts) {
    Json one = Json::object({{"p", part.chain.p}, {"q", part.chain.q}, {"sigma", part.sigma}});
    one["starts"] = part.starts.size();
    one["ends"] = Json::object();
    for (const LimitKind kind : {LimitKind::GlobalMin, LimitKind::LocalMin, LimitKind::Undecided})
      one["ends"][std::string(markov::limitName(kind))] = part.count(kind);
    one["ends_not_as_theory"] = part.differ;
    one["basin_pixels"] = part.basinPixels > 0 ? Json(part.basinPixels) : Json(nullptr);
    one["basin_pixels_not_as_theory"] = part.basinPixels > 0 ? Json(part.basinsDiffer) : Json(nullptr);
    json["parts"].push_back(std::move(one));
  }
  json["passed"] = figure.passed();
  return json;
}

std::string flowFigureText(const FlowFigure& figure) {
  std::string text = std::string(tr(figure.study().title)) + "\n" + tr(figure.study().assumptions) + "\n";
  for (const FlowFigurePart& part : figure.parts) {
    text += fmt::format("\np = {}, q = {}\n", part.chain.p, part.chain.q);
    text += "  " +
            trf(N_("{} starts from N(0, {}^2 I): {} end in a global minimum, {} in a local one; {} not as theory says"),
                part.starts.size(), part.sigma, part.count(LimitKind::GlobalMin), part.count(LimitKind::LocalMin),
                part.differ) +
            "\n";
    if (part.basinPixels > 0)
      text += "  " +
              trf(N_("integrated basins: {} of {} pixels not as theory says"), part.basinsDiffer, part.basinPixels) +
              "\n";
  }
  return text;
}

render::Scene flowFigure(const FlowFigure& figure, double width, double height, const ui::Theme& theme,
                         ThreadPool& pool) {
  return figure.figure == 1 ? planeFigure(figure, width, height, theme, pool)
                            : spaceFigure(figure, width, height, theme, pool);
}

render::Scene emptyPage(double width, double height, const ui::Theme& theme) {
  render::Scene scene;
  scene.width = width;
  scene.height = height;
  scene.background = theme.plotBackground;
  scene.plot = scene.window = {{0, 0}, {width, height}};
  return scene;
}

std::string fittingTitle(const std::string& whole, const std::string& brief, double width, const ui::Theme& theme) {
  constexpr double kBold = 1.1;
  return kBold * ui::textWidth(whole, static_cast<double>(theme.textSize)) < width ? whole : brief;
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
    entries.push_back({N_("start"), theme.text, 0, render::Dash::Solid, render::Shape::Circle, true});
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
