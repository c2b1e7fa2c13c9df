// SPDX-License-Identifier: Apache-2.0
// A score against the number of parameters [Attention-Structure, Figures 2, S1, S2]: medians with quartiles of printed
// models and of the person's own, logarithmic abscissa, names where they do not overlap. Pure.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/weights/charts/charts_plot.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr float kDot = 8, kOwnDot = 12;

/// How a class of models is called and drawn; the colour never stands alone.
struct ClassLook {
  const char* name;
  render::Color Theme::*color;
  render::Shape shape;
};
constexpr std::array<ClassLook, 4> kClasses{{{N_("encoder-only"), &Theme::globalMin, render::Shape::Circle},
                                             {N_("decoder-only"), &Theme::localMin, render::Shape::Square},
                                             {N_("encoder-decoder"), &Theme::saddle, render::Shape::Diamond},
                                             {N_("vision or audio"), &Theme::attractor, render::Shape::Triangle}}};

/// "1 M", "10 B" of a power of ten.
std::string powerLabel(double value) {
  constexpr std::array<const char*, 5> kUnits{"", " k", " M", " B", " T"};
  constexpr std::array<const char*, 3> kLeading{"1", "10", "100"};
  const auto exponent = static_cast<std::size_t>(std::clamp(std::lround(std::log10(value)), 0l, 14l));
  return std::string(kLeading[exponent % 3]) + kUnits[exponent / 3];
}

ChartLook dotLook(const Theme& theme, ModelClass kind, bool own, bool hollow, bool crossed) {
  const ClassLook& of = kClasses[static_cast<std::size_t>(kind)];
  ChartLook look{own ? theme.accent : theme.*of.color, render::Dash::Solid, 0};
  look.marker = of.shape;
  look.markerSize = own ? kOwnDot : kDot;
  look.hollow = hollow;
  look.crossed = crossed;
  return look;
}

/// Two series a dot: its quartiles as a line, and itself.
LineChart dotChart(const std::vector<ModelDot>& dots, ChartScore which, const Theme& theme) {
  LineChart made;
  made.title =
      which == ChartScore::Symmetry ? tr("Symmetry of published models") : tr("Directionality of published models");
  made.x = {.name = tr("parameters"), .logarithmic = true, .pad = 0.07, .narrowest = 0.8, .label = powerLabel};
  for (const ModelDot& dot : dots) {
    const bool safe = dot.unsafe.empty();
    const ChartLook look = dotLook(theme, dot.kind, dot.own, !safe || dot.compared, dot.mispaired);
    ChartSeries quartiles{.look = {faded(look.color, safe ? 0.6f : 0.35f), render::Dash::Solid, dot.own ? 2.0f : 1.2f},
                          .x = {dot.parameters, dot.parameters},
                          .y = {dot.value.q1, dot.value.q3},
                          .guide = true};
    made.series.push_back(std::move(quartiles));
    made.series.push_back({.look = look, .x = {dot.parameters}, .y = {dot.value.median}});
  }
  made.y = scoreAxis(made, which);
  return made;
}

render::Point placeOf(const PlacedChart& chart, const ModelDot& dot) {
  return chart.page({dot.parameters, dot.value.median});
}

bool meets(const render::Rect& a, const render::Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

/// Names, the person's own first, at the first of eight places around the dot that is free; others go without.
std::vector<render::Item> names(const std::vector<ModelDot>& dots, bool compact, const PlacedChart& plot,
                                const Theme& theme) {
  std::vector<render::Item> items;
  const render::Rect& inside = plot.camera().plot;
  const double size = compact ? 0.85 * theme.smallSize : 0.92 * theme.smallSize;
  std::vector<render::Rect> taken;
  for (const ModelDot& dot : dots) {
    const render::Point at = placeOf(plot, dot);
    const double half = dot.own ? kOwnDot / 2 : kDot / 2;
    taken.push_back({{at.x - half, at.y - half}, {at.x + half, at.y + half}});
  }
  std::vector<std::size_t> order(dots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t i) { return dots[i].own ? 0 : dots[i].unsafe.empty() ? 1 : 2; };
    return rank(a) < rank(b);
  });
  std::vector<std::string> written;
  for (const std::size_t i : order) {
    const ModelDot& dot = dots[i];
    if (!dot.own && std::find(written.begin(), written.end(), dot.name) != written.end()) continue;
    const render::Point at = placeOf(plot, dot);
    const double own = dot.own ? 1.1 * size : size;
    const std::string text = elided(dot.name, own, 0.5 * inside.width());
    const double w = textWidth(text, own) + 2, h = 1.15 * own, gap = dot.own ? 9 : 6;
    // To the right, left, above, below, then the corners; shares of the name's size and of the gap.
    constexpr double kPlaces[8][4] = {{0, -0.5, 1, 0},    {-1, -0.5, -1, 0},    {-0.5, -1, 0, -1}, {-0.5, 0, 0, 1},
                                      {0, -1, 0.7, -0.7}, {-1, -1, -0.7, -0.7}, {0, 0, 0.7, 0.7},  {-1, 0, -0.7, 0.7}};
    for (const auto& [alongName, downName, alongGap, downGap] : kPlaces) {
      const render::Point corner{at.x + alongName * w + alongGap * gap, at.y + downName * h + downGap * gap};
      const render::Rect box{corner, {corner.x + w, corner.y + h}};
      if (!inside.contains(box.min) || !inside.contains(box.max)) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const render::Rect& other) { return meets(box, other); }))
        continue;
      taken.push_back(box);
      written.push_back(dot.name);
      const render::Color color = dot.own              ? theme.text
                                  : dot.unsafe.empty() ? theme.textMuted
                                                       : faded(theme.textMuted, 0.7f);
      items.emplace_back(textAt({box.min.x + 1, box.min.y + h / 2}, text, static_cast<float>(own), color));
      break;
    }
  }
  return items;
}

ChartSpot spotOf(const ModelDot& model, ChartScore which, double size) {
  ChartSpot spot;
  spot.lines.push_back(model.name + ", " + classWords(model.kind) +
                       (model.kind == ModelClass::Modality ? " (" + model.modality + ")" : std::string()));
  spot.lines.push_back(fmt::format("{}: {} = {} ({} … {})", model.own ? tr("measured") : tr("published"),
                                   symbolOf(which), scoreText(model.value.median), scoreText(model.value.q1),
                                   scoreText(model.value.q3)));
  spot.lines.push_back(countText(model.parameters) + " " + tr("parameters"));
  if (!model.unsafe.empty()) {
    spot.lines.emplace_back(model.mispaired ? tr("Not comparable:") : tr("Not judged:"));
    for (const std::string& line : wrapped(model.unsafe, size, 30 * size))
      spot.lines.push_back(line);
  }
  spot.ringed = {model.parameters, model.value.median};
  return spot;
}

}  // namespace

std::string classWords(ModelClass kind) {
  return tr(kClasses[static_cast<std::size_t>(kind)].name);
}

ChartContent scatterChart(const std::vector<ModelDot>& dots, ChartScore which, bool compact, const Theme& theme) {
  ChartContent content{dotChart(dots, which, theme), {}, {}, {}};
  Digest named;
  for (const ModelDot& dot : dots)
    named.add(dot.name, dot.own, dot.unsafe);
  content.over = {named.add(compact).value(), [&dots, compact](const PlacedChart& plot, const ViewPlace& place) {
                    return names(dots, compact, plot, place.theme);
                  }};
  content.spot = [&dots, which, size = static_cast<double>(theme.smallSize)](
                     render::Point, const ChartHit* nearest) -> std::optional<ChartSpot> {
    if (!nearest) return std::nullopt;
    return spotOf(dots[nearest->series / 2], which, size);
  };
  return content;
}

std::vector<LegendEntry> scatterLegend(const std::vector<ModelDot>& dots, const Theme& theme) {
  std::vector<LegendEntry> entries;
  for (const ModelClass kind :
       {ModelClass::Encoder, ModelClass::Decoder, ModelClass::EncoderDecoder, ModelClass::Modality})
    entries.push_back({classWords(kind), dotLook(theme, kind, false, false, false)});
  const auto own = std::find_if(dots.begin(), dots.end(), [](const ModelDot& dot) { return dot.own; });
  if (own != dots.end()) entries.push_back({tr("yours"), dotLook(theme, own->kind, true, false, false)});
  if (std::any_of(dots.begin(), dots.end(), [](const ModelDot& dot) { return dot.mispaired; }))
    entries.push_back({tr("queries paired with wrong keys"), dotLook(theme, ModelClass::Decoder, false, true, true)});
  return entries;
}

}  // namespace sepx::ui
