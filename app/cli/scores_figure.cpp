// SPDX-License-Identifier: Apache-2.0
#include "app/cli/scores_figure.h"

#include <algorithm>
#include <cmath>

#include "app/cli/text.h"
#include "ui/exhibits/weights/shared/charts_plot.h"
#include "ui/published/study_charts.h"
#include "ui/views/placed_view.h"

namespace sepx::app::cli {

using studies::Measured;
using studies::PublishedScore;
using studies::Summary;

namespace {

constexpr double kGap = 16;

ui::ModelClass classOf(const Measured& measured) {
  if (measured.stacks.size() > 1) return ui::ModelClass::EncoderDecoder;
  return measured.causal ? ui::ModelClass::Decoder : ui::ModelClass::Encoder;
}

std::vector<ui::ModelDot> dotsOf(const studies::ScoreTables& tables, PublishedScore score) {
  const auto which = score == PublishedScore::Symmetry ? ui::ChartScore::Symmetry : ui::ChartScore::Directionality;
  std::vector<ui::ModelDot> dots = ui::publishedDots(tables.published, which);
  // Models that are in neither table of the paper are left out, unless they are measured here.
  std::erase_if(dots, [&tables](const ui::ModelDot& dot) {
    return !dot.source.empty() && std::none_of(tables.measured.begin(), tables.measured.end(), [&dot](const auto& one) {
      return one.row != nullptr && one.row->name == dot.name;
    });
  });
  for (const Measured& one : tables.measured) {
    for (const Summary& stack : one.stacks) {
      ui::ModelDot dot;
      dot.name = one.title;
      if (one.stacks.size() > 1) dot.name += std::string(" ") + checkpoint::toString(stack.stack);
      dot.parameters = one.parameters;
      dot.value = quartilesOf(stack, score);
      dot.kind = classOf(one);
      dot.own = true;
      if (std::isfinite(dot.value.median) && dot.parameters > 0) dots.push_back(std::move(dot));
    }
  }
  return dots;
}

}  // namespace

render::Scene scoresFigure(const studies::ScoreTables& tables, double width, double height, const ui::Theme& theme) {
  render::Scene scene = ui::emptyPage(width, height, theme);
  const double small = static_cast<double>(theme.smallSize), foot = 6.5 * small;
  const double half = (width - 3 * kGap) / 2;
  std::uint64_t revision = 0;
  for (const PublishedScore score : {PublishedScore::Symmetry, PublishedScore::Directionality}) {
    const bool left = score == PublishedScore::Symmetry;
    const std::vector<ui::ModelDot> dots = dotsOf(tables, score);
    const auto which = left ? ui::ChartScore::Symmetry : ui::ChartScore::Directionality;
    const double x = left ? kGap : 2 * kGap + half;
    const ui::View chart{toString(score), ui::scatterChart(dots, which, theme)};
    const auto placed = ui::placeView(chart, {{{x, kGap}, {x + half, height - foot}}, theme, true});
    scene.layers.push_back({chart.name, ++revision, true, false, placed->items()});
    if (!left) continue;
    std::vector<render::Item> legend;
    const double used = ui::addLegend(legend, {kGap, height - foot + 0.5 * small}, width - 2 * kGap,
                                      ui::scatterLegend(dots, theme), theme);
    render::Label caption;
    caption.at = {kGap, std::min(height - small, height - foot + used + 1.4 * small)};
    caption.text = tr(
        N_("Median over the layers with quartiles; excess variant, gamma 2. Published: Attention-Structure, Tables 4 "
           "and 5."));
    caption.size = theme.smallSize;
    caption.color = theme.textMuted;
    legend.emplace_back(std::move(caption));
    scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  }
  return scene;
}

}  // namespace sepx::app::cli
