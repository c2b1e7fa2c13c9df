// SPDX-License-Identifier: Apache-2.0
// See gradients_scene.h.
#include "ui/exhibits/reversal/gradients/gradients_scene.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

using nn::ParameterGroup;

namespace {

/// "0.250"; a number that rounds to 0 has no minus sign.
std::string roundedText(double value, int digits) {
  const double unit = std::pow(10.0, digits);
  return std::isfinite(value) ? shownFixed(std::round(value * unit) / unit + 0.0, digits) : std::string("–");
}

std::string cosineText(double cosine) {
  return roundedText(cosine, 3);
}

std::string countText(std::int64_t count, std::int64_t of) {
  const double share = of > 0 ? 100.0 * static_cast<double>(count) / static_cast<double>(of) : std::nan("");
  return trFormat("{} of {} ({} %)", count, of, shownFixed(share, 1));
}

constexpr double kBoldType = 1.14;  // width of bold type relative to regular type

/// The groups whose cosines are followed over the steps.
constexpr ParameterGroup kFollowed[] = {ParameterGroup::Queries, ParameterGroup::Keys, ParameterGroup::Values,
                                        ParameterGroup::FeedForward, ParameterGroup::Output};

ChartReference zeroLine(const Theme& theme) {
  ChartReference line;
  line.value = 0;
  line.look = {.color = theme.textMuted, .dash = render::Dash::Dotted, .width = 1.25f};
  return line;
}

/// Layout of the bars: names on the left, numbers on the right.
struct BarPlot {
  render::Rect names, bars, numbers;
  double rowHeight = 0;
  double title = 0;                ///< height of the title above the rows; 0: there is no room for it
  double cosines = 0, shares = 0;  ///< right ends of the columns of numbers
  bool showsShares = true;
  double at(double cosine) const { return bars.min.x + (cosine + 1) / 2 * bars.width(); }
};

BarPlot barPlot(const render::Rect& box, std::size_t rows, const Theme& theme) {
  constexpr double kTitle = 1.8, kHead = 1.6, kAxis = 1.6;  // heights in sizes of small type
  constexpr double kLeastRow = 1.3, kMostRow = 3.6, kBesideBars = 9.5, kShares = 4.4, kBeforeNumbers = 10;
  const double small = static_cast<double>(theme.smallSize), count = static_cast<double>(rows);
  BarPlot plot;
  if (box.height() - (kTitle + kHead + kAxis) * small >= kLeastRow * small * count) plot.title = kTitle * small;
  plot.names = plot.bars =
      plot.numbers = {{box.min.x, box.min.y + plot.title + kHead * small}, {box.max.x, box.max.y - kAxis * small}};
  const double beside = std::min(kBesideBars * small, 0.3 * box.width());
  plot.showsShares = beside - kBeforeNumbers > 2 * (kShares - 0.5) * small;
  plot.bars.min.x = plot.names.max.x = box.min.x + beside;
  plot.bars.max.x = box.max.x - (plot.showsShares ? beside : kBeforeNumbers + (kShares - 0.5) * small);
  plot.numbers.min.x = plot.bars.max.x + kBeforeNumbers;
  plot.shares = plot.numbers.max.x;
  plot.cosines = plot.showsShares ? plot.shares - kShares * small : plot.shares;
  plot.rowHeight = std::min(kMostRow * small, plot.bars.height() / count);
  plot.bars.max.y = plot.bars.min.y + plot.rowHeight * count;
  return plot;
}

void addBarGrid(std::vector<render::Item>& items, const BarPlot& plot, const Theme& theme) {
  items.emplace_back(pageFill(plot.bars, theme.surface));
  for (const double value : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    const double x = plot.at(value);
    items.emplace_back(
        pageLine({x, plot.bars.min.y}, {x, plot.bars.max.y}, value == 0 ? theme.textMuted : theme.border));
    items.emplace_back(textAt({x, plot.bars.max.y + 0.9 * static_cast<double>(theme.smallSize)}, shownFixed(value, 1),
                              theme.smallSize, theme.textMuted, render::AlignX::Center));
  }
}

void addBar(std::vector<render::Item>& items, const BarPlot& plot, std::size_t row, const std::string& name,
            double cosine, double ideal, double share, bool strong, const Theme& theme) {
  const float small = theme.smallSize;
  const double top = plot.bars.min.y + static_cast<double>(row) * plot.rowHeight, middle = top + plot.rowHeight / 2;
  render::Label label = textAt({plot.bars.min.x - 6, middle}, elided(name, small, plot.names.width() - 8), small,
                               theme.text, render::AlignX::Right);
  label.bold = strong;
  items.emplace_back(std::move(label));
  const ChartLook look = seriesLook(theme, cosine < 0 ? 1 : 0);
  if (std::isfinite(cosine)) {
    const double x = plot.at(cosine), zero = plot.at(0), inset = 0.18 * plot.rowHeight;
    items.emplace_back(pageFill({{std::min(x, zero), top + inset}, {std::max(x, zero), top + plot.rowHeight - inset}},
                                faded(look.color, strong ? 1.0F : 0.65F)));
  }
  if (std::isfinite(ideal)) {
    ChartLook mark{.color = theme.text, .marker = render::Shape::Diamond, .markerSize = 10, .hollow = true};
    addMarker(items, {plot.at(ideal), middle}, mark, true, theme);
  }
  items.emplace_back(textAt({plot.cosines, middle}, cosineText(cosine), small, theme.text, render::AlignX::Right));
  if (plot.showsShares && std::isfinite(share))
    items.emplace_back(textAt({plot.shares, middle}, roundedText(share, 3), small, theme.text, render::AlignX::Right));
}

}  // namespace

std::string wordsOf(ParameterGroup group) {
  switch (group) {
    case ParameterGroup::Embedding:
      return tr("token embedding");
    case ParameterGroup::Positions:
      return tr("positions");
    case ParameterGroup::Queries:
      return "W_Q";
    case ParameterGroup::Keys:
      return "W_K";
    case ParameterGroup::Values:
      return "W_V";
    case ParameterGroup::Projections:
      return "W_O";
    case ParameterGroup::FeedForward:
      return "MLP";
    case ParameterGroup::Norms:
      return tr("norms");
    default:
      return tr("output");
  }
}

double idealisedCosine(const GradientsResult& result, ParameterGroup group) {
  if (!result.ideal) return std::nan("");
  switch (group) {
    case ParameterGroup::Queries:
      return result.ideal->query;
    case ParameterGroup::Keys:
      return result.ideal->key;
    case ParameterGroup::Values:
      return result.ideal->value;
    case ParameterGroup::Output:
      return result.ideal->output;
    case ParameterGroup::Embedding:
      return result.ideal->embedding;
    default:
      return std::nan("");
  }
}

std::vector<render::Item> groupBars(const GradientsResult& result, const ViewPlace& place) {
  std::vector<render::Item> items;
  const render::Rect& box = place.box;
  const Theme& theme = place.theme;
  std::vector<ParameterGroup> groups;
  for (std::size_t i = 0; i < nn::kParameterGroups; ++i) {
    const reversal::GradientProduct& part = result.alignment.groups[i];
    if (part.forward2 > 0 || part.reverse2 > 0) groups.push_back(static_cast<ParameterGroup>(i));
  }
  const BarPlot plot = barPlot(box, groups.size() + 1, theme);
  const float small = theme.smallSize;
  if (plot.title > 0) {
    render::Label title =
        textAt({box.min.x, box.min.y + 0.7 * static_cast<double>(theme.textSize)},
               elided(tr("Cosine of forward and reverse gradient"), theme.textSize, box.width() / kBoldType),
               theme.textSize, theme.text);
    title.bold = true;
    items.emplace_back(std::move(title));
  }
  const double head = plot.bars.min.y - 0.9 * static_cast<double>(small);
  if (result.ideal)
    items.emplace_back(textAt({plot.bars.min.x, head}, elided(tr("◇ idealised layer"), small, plot.bars.width()), small,
                              theme.textMuted));
  const auto heading = [&](double right, const char* text) {
    items.emplace_back(textAt({right, head}, text, small, theme.textMuted, render::AlignX::Right));
  };
  heading(plot.cosines, tr("cos"));
  if (plot.showsShares) heading(plot.shares, tr("adds"));
  addBarGrid(items, plot, theme);
  const reversal::GradientProduct& all = result.alignment.all;
  addBar(items, plot, 0, tr("all parameters"), all.cosine(), std::nan(""), std::nan(""), true, theme);
  for (std::size_t row = 0; row < groups.size(); ++row) {
    const reversal::GradientProduct& part = result.alignment.of(groups[row]);
    addBar(items, plot, row + 1, wordsOf(groups[row]), part.cosine(), idealisedCosine(result, groups[row]),
           part.product / (std::sqrt(all.forward2) * std::sqrt(all.reverse2)), false, theme);
  }
  return items;
}

LineChart historyChart(const CosineHistory& history, double end, const Theme& theme) {
  LineChart chart;
  chart.title = tr("Cosine at saved steps, mean loss");
  chart.x = {.name = tr("step"), .from = 0, .to = std::max(1.0, end)};
  double least = -0.2;
  for (const reversal::Alignment& one : history.alignments)
    for (const ParameterGroup group : kFollowed)
      if (const double cosine = one.of(group).cosine(); std::isfinite(cosine)) least = std::min(least, cosine);
  chart.y = {.name = tr("cosine"), .from = least - 0.05, .to = 1.05};
  chart.legend = true;
  chart.references.push_back(zeroLine(theme));
  const auto add = [&](std::string name, auto of, float width) {
    ChartSeries line;
    line.name = std::move(name);
    line.look = seriesLook(theme, chart.series.size());
    line.look.width = width;
    for (std::size_t i = 0; i < history.steps.size(); ++i) {
      line.x.push_back(static_cast<double>(history.steps[i]));
      line.y.push_back(of(history.alignments[i]).cosine());
    }
    chart.series.push_back(std::move(line));
  };
  add(
      tr("all"), [](const reversal::Alignment& one) { return one.all; }, theme.strongLine);
  for (const ParameterGroup group : kFollowed)
    add(
        wordsOf(group), [group](const reversal::Alignment& one) { return one.of(group); }, 1.25F);
  return chart;
}

LineChart ratesChart(const GradientsResult& result, const Theme& theme) {
  LineChart chart;
  chart.title = tr("Reverse loss after a step");
  chart.x = {.name = "η", .logarithmic = true};
  chart.y = {.name = tr("|change| (nats)"), .logarithmic = true, .pad = 0.05, .narrowest = 0.5};
  chart.legend = true;
  ChartSeries predicted, falls, rises;
  predicted.name = tr("predicted, η g_f·g_r");
  predicted.look = seriesLook(theme, 0);
  predicted.look.marker.reset();
  falls.name = tr("measured, falls");
  rises.name = tr("measured, rises");
  for (ChartSeries* const one : {&falls, &rises}) {
    one->look = seriesLook(theme, one == &falls ? 1 : 2);
    one->look.width = 0;
    one->look.marker = one == &falls ? render::Shape::Circle : render::Shape::Cross;
    one->look.markerSize = 7;
  }
  for (const reversal::StepEffect& effect : result.effects) {
    predicted.x.push_back(effect.rate);
    predicted.y.push_back(std::abs(effect.reversePredicted));
    ChartSeries& measured = effect.reverse < 0 ? falls : rises;
    measured.x.push_back(effect.rate);
    measured.y.push_back(std::abs(effect.reverse));
  }
  chart.series = {std::move(predicted), std::move(falls), std::move(rises)};
  ChartReference chosen;
  chosen.value = result.effect.rate;
  chosen.name = "η";
  chosen.vertical = true;
  chosen.counts = false;
  chosen.look = {.color = theme.textMuted, .dash = render::Dash::Dotted, .width = 1.25f};
  chart.references.push_back(std::move(chosen));
  return chart;
}

std::vector<NoteLine> factLines(const GradientsResult& result, const SinglePairs* singles) {
  std::vector<NoteLine> lines;
  const auto heading = [&](std::string text) { lines.push_back({{std::move(text)}, NoteLine::Role::Heading}); };
  const auto fact = [&](std::string name, std::string value) {
    lines.push_back({{std::move(name), std::move(value)}});
  };
  const auto nats = [](double value) { return trFormat("{} nats", formatReading(value)); };
  heading(trFormat("A step of η = {} down the forward loss", formatReading(result.effect.rate)));
  fact(tr("reverse loss, predicted"), nats(result.effect.reversePredicted));
  fact(tr("reverse loss, measured"), nats(result.effect.reverse));
  fact(tr("forward loss, predicted"), nats(result.effect.forwardPredicted));
  fact(tr("forward loss, measured"), nats(result.effect.forward));
  if (result.factors) {
    heading(trFormat("Gradient w.r.t. the storage Y, {} at {}, {} at {} (C.1)",
                     static_cast<char>('a' + result.pair.letter), result.pair.lower,
                     static_cast<char>('A' + result.pair.letter), result.pair.upper));
    fact("m_B, m′_B",
         fmt::format("{}, {}", formatReading(result.factors->forwardMass), formatReading(result.factors->reverseMass)));
    fact("(p − e_A)·(p′ − e_A)", formatReading(result.factors->errorProduct));
    fact(tr("column B: product of both"), formatReading(result.factors->columnProduct()));
    fact(tr("cos of errors (≥ 1/2)"), cosineText(result.factors->errorCosine));
    fact(tr("cos of masses"), cosineText(result.factors->massCosine));
    fact(tr("cos w.r.t. Y, their product"), cosineText(result.factors->cosine()));
    fact(tr("∂L/∂S_B forward, reverse"),
         fmt::format("{}, {}", formatReading(result.scoreForward), formatReading(result.scoreReverse)));
  }
  if (singles && singles->signs) {
    const reversal::StorageSigns& signs = *singles->signs;
    heading(singles->step < 0
                ? trFormat("Signs over {} pairs (Prop. 4.1, C.1)", signs.pairs)
                : trFormat("Signs over {} pairs, step {} (Prop. 4.1, C.1)", signs.pairs, stepText(singles->step)));
    fact(tr("mean of their cosines"), cosineText(singles->cosine));
    fact(tr("Y_AB rises"), countText(signs.rises, signs.pairs));
    fact(tr("Y_CB falls, C ≠ A"), countText(signs.falls, signs.others));
    fact(tr("∂L/∂S_B < 0 forward"), countText(signs.forwardHelps, signs.pairs));
    fact(tr("∂L/∂S_B < 0 reverse"), countText(signs.reverseHelps, signs.pairs));
    fact(tr("same sign in both"), countText(signs.sameSign, signs.pairs));
    fact(tr("∂L/∂S_k as in the formula"), countText(signs.agrees, signs.scores));
  }
  std::string note = result.storageSentence;
  if (result.factors && !singles) note = tr("The signs are being counted…");
  if (!note.empty()) lines.push_back({{sentenceCase(note)}, NoteLine::Role::Muted});
  return lines;
}

}  // namespace sepx::ui
