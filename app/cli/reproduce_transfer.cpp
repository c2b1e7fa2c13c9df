// SPDX-License-Identifier: Apache-2.0
// Figures 3 and 5 of Reversal, as JSON, as text and as a picture.
#include <algorithm>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "ui/exhibits/reversal/shared/transfer_charts.h"

namespace sepx::app::cli {

using studies::TransferFigure;
using studies::TransferPoint;
using studies::TransferRun;

namespace {

/// A number of every point.
template <class Of>
Json overSteps(const TransferRun& run, Of of) {
  Json values = Json::array();
  for (const TransferPoint& point : run.points)
    values.push_back(of(point));
  return values;
}

Json correlationJson(const reversal::ScoreCorrelation& correlation) {
  Json sums = Json::array();
  for (int i = 0; i < correlation.sums(); ++i)
    sums.push_back(reversal::ScoreCorrelation::sumOf(i));
  return Json::object({{"mean", correlation.whole},
                       {"distance_sum", std::move(sums)},
                       {"by_sum", correlation.mean},
                       {"least", correlation.least},
                       {"largest", correlation.largest}});
}

Json transferRunJson(const TransferRun& run) {
  Json json = Json::object();
  json["length"] = run.length;
  json["seed"] = run.seed;
  json["why_stopped"] = orNull(run.failure);
  Json& curve = json["curve"] = Json::object();
  curve["step"] = overSteps(run, [](const TransferPoint& point) { return point.step; });
  curve["cosine"] = overSteps(run, [](const TransferPoint& point) { return point.alignment.all.cosine(); });
  curve["single_pair_cosine"] = overSteps(run, [](const TransferPoint& point) { return point.single; });
  curve["correlation"] = overSteps(run, [](const TransferPoint& point) { return point.correlation; });
  curve["forward_probability"] = overSteps(run, [](const TransferPoint& point) { return point.forward; });
  curve["reverse_probability"] = overSteps(run, [](const TransferPoint& point) { return point.reverse; });
  Json& groups = json["group_cosine"] = Json::object();
  for (std::size_t group = 0; group < nn::kParameterGroups; ++group) {
    if (run.points.empty() || run.points.front().alignment.groups[group].forward2 == 0) continue;
    groups[std::string(nn::groupWord(static_cast<nn::ParameterGroup>(group)))] =
        overSteps(run, [group](const TransferPoint& point) { return point.alignment.groups[group].cosine(); });
  }
  json["correlation_at_start"] = correlationJson(run.start);
  json["correlation_at_end"] = correlationJson(run.end);
  return json;
}

std::string runLines(const TransferRun& run) {
  std::string text = fmt::format("\n{}\n", trf(N_("L = {}, seed {}"), run.length, run.seed));
  if (!run.failure.empty()) text += run.failure + "\n";
  text += fmt::format("  {:>6}{:>10}{:>14}{:>14}{:>12}{:>12}\n", tr(N_("step")), tr(N_("cosine")),
                      tr(N_("single pairs")), tr(N_("correlation")), tr(N_("p forward")), tr(N_("p reverse")));
  const std::size_t every = std::max<std::size_t>(1, run.points.size() / 10);
  for (std::size_t i = 0; i < run.points.size(); i += every) {
    const TransferPoint& point = run.points[i];
    text += fmt::format("  {:>6}{:>10.3f}{:>14.3f}{:>14.3f}{:>12.3f}{:>12.3f}\n", point.step,
                        point.alignment.all.cosine(), point.single, point.correlation, point.forward, point.reverse);
  }
  return text;
}

}  // namespace

Json transferJson(const TransferFigure& figure) {
  const train::RunConfig config = studies::transferConfig(10, 0, figure.steps, figure.batch);
  Json json = beginDocument("reproduce");
  json["id"] = figure.study().id;
  json["quick"] = figure.quick;
  json["claim"] = tr(figure.study().claim);
  json["setup"] = Json::object({{"layers", config.model.layers},
                                {"d_model", config.model.d_model},
                                {"heads", config.model.heads},
                                {"positions", "rope"},
                                {"steps", figure.steps},
                                {"batch", figure.batch},
                                {"learning_rate", config.optimisation.rule.learningRate},
                                {"pairs", studies::kTransferPairs},
                                {"single_pairs", studies::kSinglePairs}});
  json["runs"] = Json::array();
  for (const TransferRun& run : figure.runs)
    json["runs"].push_back(transferRunJson(run));
  json["checks"] = checksJson(figure.checks(), "passed");
  json["told"] = checksJson(figure.told(), "as_published");
  json["passed"] = passedJson(figure.checks());
  return json;
}

std::string transferText(const TransferFigure& figure) {
  std::string text = std::string(tr(figure.study().title)) + "\n";
  text += figure.quick
              ? trf(N_("quick, not the setting of the paper: one layer, d = 256, RoPE, {} steps of {} pairs, one "
                       "seed; raw parameters; correlation over the 26 letters"),
                    figure.steps, figure.batch)
              : std::string(tr(figure.study().assumptions));
  text += "\n";
  for (const TransferRun& run : figure.runs)
    text += runLines(run);
  text += "\n" +
          std::string(tr(N_("cosine: of the mean gradients of 128 pairs; single pairs: the mean cosine of 26 pairs; "
                            "correlation: over the 26 letters, mean over all pairs of distances"))) +
          "\n";
  text += "\n" + judgedLines(figure.study(), figure.checks());
  text += "\n" + std::string(tr(N_("What the paper says of the figure, here:"))) + "\n" +
          checkLines(figure.told(), N_("as published"), N_("not as published"));
  if (figure.quick && figure.number == 5)
    text += std::string(
                tr(N_("In the quick setting models of L = 20 and more have not begun to learn the pairs: both queries "
                      "then look alike, and all cosines are near 1."))) +
            "\n";
  return text;
}

render::Scene transferFigure(const TransferFigure& figure, double width, double height, const ui::Theme& theme) {
  render::Scene scene = emptyPage(width, height, theme);
  constexpr std::size_t kColumns = 3;
  std::vector<ui::LineChart> panels = ui::transferCharts(figure, theme);
  const double foot = 2.2 * static_cast<double>(theme.smallSize), cellWidth = width / kColumns,
               cellHeight = (height - foot) / static_cast<double>(panels.size() / kColumns);
  std::uint64_t revision = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::size_t row = i / kColumns, column = i % kColumns;
    const double x = static_cast<double>(column) * cellWidth, y = static_cast<double>(row) * cellHeight;
    scene.layers.push_back(
        {fmt::format("panel {} {}", row, column), ++revision, true, false,
         ui::PlacedChart(std::move(panels[i]), {{x + 8, y + 4}, {x + cellWidth - 8, y + cellHeight - 4}}, theme)
             .items()});
  }
  std::vector<render::Item> legend;
  ui::addLegend(legend, {12, height - foot}, width - 24, ui::transferLegend(theme), theme);
  scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  return scene;
}

}  // namespace sepx::app::cli
