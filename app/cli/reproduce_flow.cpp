// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reproduce_flow.h"

#include <algorithm>
#include <optional>

#include "app/cli/text.h"
#include "engine/dynamics/basin_map.h"
#include "engine/markov/attention_basin.h"
#include "engine/markov/flow.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/gaussian.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::app::cli {
namespace {

using markov::LimitKind;
using markov::Model;
using markov::State;

constexpr markov::Chain kBelow{0.2, 0.3}, kAbove{0.5, 0.8};  // the paper's two

void followCloud(FlowFigurePart& part, Model model, std::size_t count, std::uint64_t seed, ThreadPool& pool) {
  std::vector<double> e, w, a;
  for (std::size_t i = 0; i < count; ++i) {
    const State start = markov::gaussianStart(model, part.sigma, seed, i);
    part.starts.push_back(start);
    e.push_back(start[0]);
    w.push_back(start[1]);
    if (model == Model::EWA) a.push_back(start[2]);
  }
  part.ends = markov::flowBatch(part.chain, model, {e, w, a}, {}, pool).label;
  for (std::size_t i = 0; i < count; ++i) {
    const LimitKind theory = model == Model::EW ? markov::basinLabel(part.chain, e[i], w[i])
                                                : markov::basinLabel3(part.chain, e[i], w[i], a[i]);
    part.differ += theory != part.ends[i];
  }
}

void compareBasins(FlowFigurePart& part, ThreadPool& pool) {
  constexpr int kSide = 400;
  constexpr double kReach = 2;
  const dynamics::BasinWindow window{-kReach, kReach, -kReach, kReach, kSide, kSide};
  dynamics::FieldRegistry fields;
  markov::addCanonicalFields(fields);
  const std::vector<double> parameters{part.chain.p, part.chain.q};
  const dynamics::BasinMap map =
      dynamics::integrateBasinMap(*fields.find("ew"), parameters, window, dynamics::basinMapOptions(window), pool);
  const dynamics::BasinMap exact = markov::exactBasinMap(part.chain, window, pool);
  part.basinPixels = map.labels.size();
  for (std::size_t i = 0; i < map.labels.size(); ++i)
    part.basinsDiffer += map.labels[i] != exact.labels[i];
}

}  // namespace

const std::vector<FlowFigureEntry>& flowFigureEntries() {
  static const std::vector<FlowFigureEntry> entries{
      {1, "local-to-global-figure-1", N_("energy contours, flow and basins of the plane (--out picture)")},
      {2, "local-to-global-figure-2", N_("flow with attention from a Gaussian cloud (--out picture)")},
      {5, "local-to-global-figure-5", N_("the same near the origin (--out picture)")},
  };
  return entries;
}

std::size_t FlowFigurePart::count(LimitKind kind) const {
  return static_cast<std::size_t>(std::count(ends.begin(), ends.end(), kind));
}

bool FlowFigure::passed() const {
  return std::all_of(parts.begin(), parts.end(),
                     [](const FlowFigurePart& part) { return part.differ == 0 && part.basinsDiffer == 0; });
}

FlowFigure computeFlowFigure(int figure, bool quick, std::uint64_t seed, ThreadPool& pool) {
  FlowFigure result;
  result.figure = figure;
  const std::size_t count = (figure == 1 ? 120u : 60u) / (quick ? 4u : 1u);
  for (const markov::Chain& chain : {kBelow, kAbove}) {
    FlowFigurePart part;
    part.chain = chain;
    part.sigma = figure == 1 ? 0.3 : figure == 2 ? 0.4 : 0.1;
    followCloud(part, figure == 1 ? markov::Model::EW : markov::Model::EWA, count, seed, pool);
    if (figure == 1) compareBasins(part, pool);
    result.parts.push_back(std::move(part));
  }
  return result;
}

Json flowFigureJson(const FlowFigure& figure, bool quick) {
  Json json = beginDocument("reproduce");
  json["id"] = fmt::format("local-to-global-figure-{}", figure.figure);
  json["quick"] = quick;
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
  std::string text = flowFigureTitle(figure.figure) + "\n";
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

std::string flowFigureTitle(int figure) {
  switch (figure) {
    case 1:
      return tr(N_("Gradient flow and basins of the plane (e,w)"));
    case 2:
      return tr(N_("Gradient flow with attention, (e,w,a)"));
    default:
      return tr(N_("Gradient flow with attention near the origin"));
  }
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
