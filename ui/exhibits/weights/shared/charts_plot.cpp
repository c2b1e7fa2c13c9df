// SPDX-License-Identifier: Apache-2.0
// Makes the charts. The chart by layer shows the scores of the layers joined by a line, the quartiles and the median of
// their heads as bars, the median and quartiles across layers as a stripe, and the range of random matrices of this
// shape and rank. Pure.
#include "ui/exhibits/weights/shared/charts_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/axes.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr double kPad = 0.08;        // share of the values' span
constexpr double kNarrowest = 0.1;   // least span of a score's axis
constexpr double kStackShift = 0.2;  // of a layer, between stacks
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr float kHeadDot = 5, kLayerDot = 8;

/// The title, with the median and the quartiles across layers if they fit.
std::string titleOf(const LayerChart& chart) {
  const std::string name =
      chart.which == ChartScore::Symmetry ? tr("Symmetry by layer") : tr("Directionality by layer");
  if (chart.series->size() != 1 || !std::isfinite(chart.series->front().across.median)) return name;
  const attention::Quartiles& q = chart.series->front().across;
  const std::string median = fmt::format("{}  ·  {} {}", name, tr("median"), scoreText(q.median));
  const std::string all = fmt::format("{} ({} … {})", median, scoreText(q.q1), scoreText(q.q3));
  const Margins m = axisMargins(*chart.theme, false);
  const double room = chart.width - m.left - m.right - chart.theme->textSize;
  for (const std::string& title : {all, median})
    if (textWidth(title, chart.theme->textSize) <= room) return title;
  return name;
}

/// The x of a layer of a series. Stacks are shifted so that they lie side by side.
double placeOf(const std::vector<StackSeries>& all, std::size_t series, int layer) {
  const double middle = (static_cast<double>(all.size()) - 1) / 2;
  return layer + kStackShift * (static_cast<double>(series) - middle);
}

render::Color colorOf(const Theme& theme, checkpoint::Stack stack) {
  return theme.*lookOf(stack).color;
}
ChartLook layerLook(const Theme& theme, checkpoint::Stack stack) {
  ChartLook look{colorOf(theme, stack), render::Dash::Solid, theme.lineWidth};
  look.marker = lookOf(stack).shape;
  look.markerSize = kLayerDot;
  return look;
}
ChartLook dotLook(const Theme& theme, checkpoint::Stack stack) {
  return {
      .color = faded(colorOf(theme, stack), 0.8f), .width = 0, .marker = render::Shape::Circle, .markerSize = kHeadDot};
}
ChartLook headLook(const Theme& theme, checkpoint::Stack stack) {
  return {.color = colorOf(theme, stack), .spread = Spread::Quartiles};
}
ChartLook acrossLook(const Theme& theme, checkpoint::Stack stack) {
  return {.color = faded(colorOf(theme, stack), 0.8f), .dash = render::Dash::Dashed, .width = 1, .shade = 0.125f};
}
ChartLook randomLook(const Theme& theme) {
  return {.color = theme.textMuted, .width = 0, .spread = Spread::Band};
}

/// One box per layer. A stack with the same boxes as the one before it adds none.
void addRandom(LineChart& made, const LayerChart& chart) {
  const StackSeries* last = nullptr;
  for (const StackSeries& series : *chart.series) {
    const auto same = [](const LayerPoint& a, const LayerPoint& b) {
      return a.layer == b.layer && a.band.low == b.band.low && a.band.high == b.band.high;
    };
    const bool drawn = last && last->points.size() >= series.points.size() &&
                       std::equal(series.points.begin(), series.points.end(), last->points.begin(), same);
    last = &series;
    if (drawn) continue;
    ChartSeries& boxes = made.series.emplace_back();
    boxes.look = randomLook(*chart.theme);
    for (const LayerPoint& point : series.points) {
      const bool known = point.samples > 0;
      for (const double side : {-0.5, 0.5}) {
        boxes.x.push_back(point.layer + side);
        boxes.y.push_back(kNothing);
        boxes.low.push_back(known ? std::max(point.band.low, -1.0) : kNothing);
        boxes.high.push_back(known ? std::min(point.band.high, 1.0) : kNothing);
      }
    }
  }
}

/// The dots of the heads and their quartiles, and the layers themselves.
void addStack(LineChart& made, const LayerChart& chart, std::size_t k) {
  const StackSeries& stack = (*chart.series)[k];
  const Theme& theme = *chart.theme;
  ChartSeries dots, quartiles, layers;
  dots.look = dotLook(theme, stack.stack);
  quartiles.look = headLook(theme, stack.stack);
  layers.look = layerLook(theme, stack.stack);
  for (const LayerPoint& point : stack.points) {
    const double x = placeOf(*chart.series, k, point.layer);
    layers.x.push_back(x);
    layers.y.push_back(point.value);
    layers.hollow.push_back(point.samples > 0 && point.band.holds(point.value));
    if (!chart.heads || point.heads.size() < 2 || !std::isfinite(point.spread.median)) continue;
    for (const double head : point.heads) {
      dots.x.push_back(x);
      dots.y.push_back(head);
    }
    quartiles.x.push_back(x);
    quartiles.y.push_back(point.spread.median);
    quartiles.low.push_back(point.spread.q1);
    quartiles.high.push_back(point.spread.q3);
  }
  if (std::isfinite(stack.across.median) && stack.points.size() > 1)
    made.references.push_back({.value = stack.across.median,
                               .look = acrossLook(theme, stack.stack),
                               .stripe = std::pair{stack.across.q1, stack.across.q3},
                               .counts = false});
  for (ChartSeries* series : {&dots, &quartiles, &layers})
    made.series.push_back(std::move(*series));
}

/// A line at the published median of this checkpoint, or of the stack that the published row is about.
void addPublished(LineChart& made, const LayerChart& chart) {
  const attention::PublishedModel& row = *chart.published;
  const auto& values = chart.which == ChartScore::Symmetry ? row.symmetry : row.directionality;
  const bool here = row.stack.empty() || std::any_of(chart.series->begin(), chart.series->end(), [&](const auto& one) {
                      return checkpoint::toString(one.stack) == row.stack;
                    });
  if (values.empty() || !here) return;
  std::string words = values.front().isPrinted() ? tr("published median ") : tr("median in the authors' repository ");
  if (!row.stack.empty()) words += "(" + row.stack + ") ";
  made.references.push_back(
      {values.front().median, words + scoreText(values.front().median), {chart.theme->text, render::Dash::Dotted, 1}});
}

/// The layer under the pointer; of several stacks the one whose dot is nearest in height.
std::optional<ChartSpot> layerSpot(const std::vector<StackSeries>& all, ChartScore which, render::Point at) {
  const StackSeries* stack = nullptr;
  const LayerPoint* point = nullptr;
  double nearest = std::numeric_limits<double>::infinity(), x = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const LayerPoint& one : all[k].points) {
      if (std::abs(one.layer - at.x) > 0.5) continue;
      const double up = std::isfinite(one.value) ? std::abs(one.value - at.y) : 1e6;
      if (up >= nearest) continue;
      nearest = up, x = placeOf(all, k, one.layer);
      stack = &all[k], point = &one;
    }
  }
  if (!point) return std::nullopt;
  ChartSpot spot;
  spot.lines.push_back(
      (all.size() > 1 ? stackWords(stack->stack) + ", " : std::string()) +
      fmt::format("{} {}: {} = {}", tr("layer"), point->layer, symbolOf(which), scoreText(point->value, 4)));
  if (point->samples > 0) {
    const bool inside = point->band.holds(point->value);
    spot.lines.push_back(std::string(tr("random matrices: ")) + bandText(point->band) +
                         (inside ? std::string(", ") + tr("consistent with chance") : std::string()));
  }
  if (point->heads.size() > 1)
    spot.lines.push_back(fmt::format("{} {}: {} {} ({} … {})", point->heads.size(), tr("heads"), tr("median"),
                                     scoreText(point->spread.median, 3), scoreText(point->spread.q1, 3),
                                     scoreText(point->spread.q3, 3)));
  spot.lines.emplace_back(tr("click: choose this layer"));
  if (std::isfinite(point->value)) spot.ringed = {x, point->value};
  if (all.size() > 1) spot.changes.emplace_back("weights.stack", std::string(checkpoint::toString(stack->stack)));
  spot.changes.emplace_back("weights.layer", static_cast<double>(point->layer));
  return spot;
}

}  // namespace

ChartAxis scoreAxis(const LineChart& chart, ChartScore which) {
  double low = 0, high = 0;
  const auto take = [&](double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  };
  for (const ChartSeries& series : chart.series)
    for (const std::vector<double>* values : {&series.y, &series.low, &series.high})
      for (const double value : *values)
        take(value);
  for (const ChartReference& reference : chart.references)
    if (reference.counts && !reference.vertical) take(reference.value);
  if (!(high > low)) low = -0.5 * kNarrowest, high = 0.5 * kNarrowest;
  const double pad = std::max(kPad * (high - low), 0.25 * kNarrowest);
  return {.name = symbolOf(which), .from = std::max(low - pad, -1.06), .to = std::min(high + pad, 1.06)};
}

ChartContent layerChart(const LayerChart& chart) {
  const Theme& theme = *chart.theme;
  LineChart made;
  made.title = titleOf(chart);
  int layers = 1;
  for (const StackSeries& series : *chart.series)
    for (const LayerPoint& point : series.points)
      layers = std::max(layers, point.layer + 1);
  made.x = {.name = tr("layer"), .whole = true, .from = -0.5, .to = layers - 0.5};
  addRandom(made, chart);
  // A line, because with few layers a stripe would cover most of the plot.
  if (chart.chosenLayer && *chart.chosenLayer < layers)
    made.references.push_back({.value = static_cast<double>(*chart.chosenLayer),
                               .look = {faded(theme.selection, 0.7f), render::Dash::Solid, theme.strongLine},
                               .vertical = true});
  for (std::size_t k = 0; k < chart.series->size(); ++k)
    addStack(made, chart, k);
  if (chart.published) addPublished(made, chart);
  made.y = scoreAxis(made, chart.which);
  ChartContent content{std::move(made), {}, {}, {}};
  content.spot = [all = chart.series, which = chart.which](render::Point at, const ChartHit*) {
    return layerSpot(*all, which, at);
  };
  return content;
}

std::vector<LegendEntry> layerLegend(const std::vector<StackSeries>& series, bool heads, const Theme& theme) {
  const checkpoint::Stack first = series.empty() ? checkpoint::Stack::Self : series.front().stack;
  std::vector<LegendEntry> entries;
  for (const StackSeries& one : series) {
    LegendEntry& entry = entries.emplace_back();
    entry = {series.size() > 1 ? stackWords(one.stack) : std::string(tr("whole layer")), layerLook(theme, one.stack)};
  }
  if (heads) entries.push_back({tr("single heads"), dotLook(theme, first)});
  if (heads) entries.push_back({tr("heads: quartiles, median"), headLook(theme, first)});
  entries.push_back({tr("across layers: median, quartiles"), acrossLook(theme, first)});
  entries.back().look.spread = Spread::Band;
  entries.push_back({tr("random matrices (95 %); hollow: inside"), randomLook(theme)});
  return entries;
}

// Scores of several models on one chart. A score is a number between -1 and 1 for every width of a model, so models of
// all widths share one axis. Pure.

double depthOf(const StackSeries& series, const LayerPoint& point, bool relative) {
  if (!relative) return point.layer;
  const int last = series.points.empty() ? 0 : series.points.back().layer;
  return last > 0 ? static_cast<double>(point.layer) / last : 0.5;
}

LineChart overlayChart(const std::vector<OverlayModel>& models, ChartScore which, bool relative, const Theme& theme) {
  LineChart made;
  made.title =
      which == ChartScore::Symmetry ? tr("Symmetry of several models") : tr("Directionality of several models");
  made.x = {.name = relative ? tr("relative depth (0: first layer, 1: last)") : tr("layer"),
            .whole = !relative,
            .pad = 0.04,
            .narrowest = 1};
  for (std::size_t i = 0; i < models.size(); ++i) {
    const OverlayModel& model = models[i];
    const StackSeries& stack = model.series[static_cast<std::size_t>(which)];
    ChartSeries& series = made.series.emplace_back();
    series.name = std::isfinite(stack.across.median)
                      ? fmt::format("{} ({} {})", model.name, tr("median"), scoreText(stack.across.median))
                      : model.name;
    series.look = seriesLook(theme, i);
    if (!series.look.marker) series.look.marker = render::Shape::Circle;
    series.look.markerSize = 6;
    series.look.markerGap = 0;
    for (const LayerPoint& point : stack.points) {
      series.x.push_back(depthOf(stack, point, relative));
      series.y.push_back(point.value);
      series.hollow.push_back(point.samples > 0 && point.band.holds(point.value));
    }
  }
  made.legend = true;
  made.y = scoreAxis(made, which);
  return made;
}

// A score against the number of parameters [Attention-Structure, Figures 2, S1, S2]: medians with quartiles of
// published models and of the user's own, a logarithmic x axis, and names that do not overlap. Pure.

namespace {

constexpr float kDot = 8, kOwnDot = 12;

/// Name and look of a class of models. Colour is never the only difference.
struct ClassLook {
  const char* name;
  render::Color Theme::*color;
  render::Shape shape;
};
constexpr std::array<ClassLook, 4> kClasses{{{N_("encoder-only"), &Theme::globalMin, render::Shape::Circle},
                                             {N_("decoder-only"), &Theme::localMin, render::Shape::Square},
                                             {N_("encoder-decoder"), &Theme::saddle, render::Shape::Diamond},
                                             {N_("vision or audio"), &Theme::attractor, render::Shape::Triangle}}};

/// The label of a power of ten: "1 M", "10 B".
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

/// Two series per dot: a line for its quartiles, and the dot itself.
LineChart dotChart(const std::vector<ModelDot>& dots, ChartScore which, const Theme& theme) {
  LineChart made;
  made.title =
      which == ChartScore::Symmetry ? tr("Symmetry of published models") : tr("Directionality of published models");
  made.x = {.name = tr("parameters"), .logarithmic = true, .pad = 0.07, .narrowest = 0.8, .label = powerLabel};
  for (const ModelDot& dot : dots) {
    const bool safe = dot.unsafe.empty() && dot.source.empty();
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

/// The names of the dots, beginning with the user's own models, each at the first free one of eight places around its
/// dot. A name without a free place is left out.
std::vector<render::Item> names(const std::vector<ModelDot>& dots, const PlacedChart& plot, const Theme& theme) {
  std::vector<render::Item> items;
  const render::Rect& inside = plot.camera().plot;
  const double size = theme.smallSize;
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
    // Right, left, above, below, then the corners. Shares of the name's size and of the gap.
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
      const render::Color color = dot.own                                    ? theme.text
                                  : dot.unsafe.empty() && dot.source.empty() ? theme.textMuted
                                                                             : faded(theme.textMuted, 0.9f);
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
  for (const std::string& line : wrapped(model.source, size, 30 * size))
    spot.lines.push_back(line);
  spot.ringed = {model.parameters, model.value.median};
  return spot;
}

}  // namespace

std::string classWords(ModelClass kind) {
  return tr(kClasses[static_cast<std::size_t>(kind)].name);
}

ChartContent scatterChart(const std::vector<ModelDot>& dots, ChartScore which, const Theme& theme) {
  ChartContent content{dotChart(dots, which, theme), {}, {}, {}};
  Digest named;
  for (const ModelDot& dot : dots)
    named.add(dot.name, dot.own, dot.unsafe, dot.source);
  content.over = {named.value(),
                  [&dots](const PlacedChart& plot, const ViewPlace& place) { return names(dots, plot, place.theme); }};
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
  if (std::any_of(dots.begin(), dots.end(), [](const ModelDot& dot) { return !dot.source.empty(); }))
    entries.push_back({tr("hollow: in no table of the paper, or not comparable"),
                       dotLook(theme, ModelClass::Modality, false, true, false)});
  return entries;
}

}  // namespace sepx::ui
