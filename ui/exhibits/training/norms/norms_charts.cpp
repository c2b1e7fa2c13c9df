// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/training/norms/norms_charts.h"

#include <algorithm>
#include <cmath>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

ChartLook measuredLook(const Theme& theme, std::size_t i) {
  ChartLook look = seriesLook(theme, i);
  look.width = 0;
  look.marker = i == 0 ? render::Shape::Circle : render::Shape::Square;
  look.markerSize = 5;
  look.markerGap = 6;
  look.spread = Spread::Bars;
  return look;
}

ChartLook theoryLook(const Theme& theme, std::size_t i) {
  ChartLook look = seriesLook(theme, i);
  look.marker.reset();
  look.dash = i == 0 ? render::Dash::Solid : render::Dash::Dashed;
  return look;
}

ChartReference lineAt(double value, std::string name, const Theme& theme, bool vertical) {
  ChartReference reference;
  reference.value = value;
  reference.name = std::move(name);
  reference.look = {.color = theme.textMuted, .dash = render::Dash::Dotted, .width = 1.25f};
  reference.vertical = vertical;
  reference.counts = false;
  return reference;
}

/// Adds the measured mean squared norms of the rows or of the columns with their standard errors, and the formula.
void addNorms(LineChart& chart, const Theme& theme, std::size_t i, const char* name, const Eigen::VectorXd& mean,
              const Eigen::VectorXd& error, const Eigen::VectorXd& formula) {
  ChartSeries measured, theory;
  measured.name = name;
  measured.look = measuredLook(theme, i);
  theory.name = trFormat("{}, formula", name);
  theory.look = theoryLook(theme, i);
  for (Eigen::Index m = 0; m < mean.size(); ++m) {
    const auto place = static_cast<double>(m + 1);
    measured.x.push_back(place);
    measured.y.push_back(mean[m]);
    measured.low.push_back(mean[m] - error[m]);
    measured.high.push_back(mean[m] + error[m]);
    theory.x.push_back(place);
    theory.y.push_back(formula[m]);
  }
  chart.series.push_back(std::move(measured));
  chart.series.push_back(std::move(theory));
}

ChartSeries tail(const attention::TwoValues& law, double from, double to, std::string name, const ChartLook& look) {
  ChartSeries series;
  series.name = std::move(name);
  series.look = look;
  series.x = {from, law.low, law.low, law.high, law.high, to};
  series.y = {1, 1, law.share, law.share, 0, 0};
  return series;
}

}  // namespace

std::string LemmaChoice::problem() const {
  if (!(narrow > 0 && wide > narrow)) return tr("the first deviation must be larger than the second");
  if (!(z > mean)) return tr("the threshold z must be above the mean");
  return {};
}

std::optional<attention::TailExample> lemmaExample(const LemmaChoice& choice) {
  if (!choice.problem().empty()) return std::nullopt;
  return attention::tailExample(choice.mean, choice.wide, choice.narrow, choice.z);
}

const char* normsFormula(attention::TokenRole role) {
  static constexpr const char* kFormulas[] = {"(S56)", "(S61)", "(S91)", "(S99)"};
  return kFormulas[static_cast<std::size_t>(role)];
}

MeasuredRatio measuredRatio(const attention::NormGrowth& growth, Eigen::Index k, Eigen::Index m) {
  const double column = growth.columns2[k], row = growth.rows2[m], ratio = column / row;
  // Both means come from the same updates. They are nearly independent: apart from sums over all entries, the norm of
  // the column depends on one entry of y and that of the row on one entry of x.
  return {ratio, ratio * std::hypot(growth.columnErrors[k] / column, growth.rowErrors[m] / row)};
}

LineChart squaredNormsChart(const studies::GrowthBench& bench, const Theme& theme) {
  LineChart chart;
  chart.title = tr("Squared norm of one update");
  chart.x = {.name = "m, k", .logarithmic = true};
  chart.y = {.name = tr("mean"), .logarithmic = true, .pad = 0.06, .narrowest = 0.5};
  chart.legend = true;
  const attention::ExpectedNorms expected = attention::expectedNorms(bench.model);
  addNorms(chart, theme, 0, tr("rows"), bench.growth.rows2, bench.growth.rowErrors, expected.rows2);
  addNorms(chart, theme, 1, tr("columns"), bench.growth.columns2, bench.growth.columnErrors, expected.columns2);
  return chart;
}

LineChart ratioChart(const studies::GrowthBench& bench, int column, const Theme& theme) {
  const attention::NormModel& model = bench.model;
  const Eigen::Index d = model.predicted.size(), k = std::clamp<Eigen::Index>(column - 1, 0, d - 1);
  LineChart chart;
  chart.title = trFormat("{}: column {} over row m", normsFormula(model.role), k + 1);
  chart.x = {.name = "m", .logarithmic = true};
  chart.y = {.name = tr("ratio"), .logarithmic = true, .pad = 0.06, .narrowest = 0.5};
  chart.legend = true;
  ChartSeries measured, theory;
  measured.name = tr("measured");
  measured.look = measuredLook(theme, 0);
  theory.name = normsFormula(model.role);
  theory.look = theoryLook(theme, 0);
  std::optional<Eigen::Index> below;
  for (Eigen::Index m = 0; m < d; ++m) {
    const MeasuredRatio ratio = measuredRatio(bench.growth, k, m);
    const auto place = static_cast<double>(m + 1);
    measured.x.push_back(place);
    measured.y.push_back(ratio.value);
    measured.low.push_back(ratio.value - ratio.error);
    measured.high.push_back(ratio.value + ratio.error);
    theory.x.push_back(place);
    theory.y.push_back(attention::expectedRatio(model, k, m));
    if (!below && model.predicted[m] < model.predicted.mean() * (1 - 1e-12)) below = m;
  }
  chart.series.push_back(std::move(measured));
  chart.series.push_back(std::move(theory));
  chart.references.push_back(lineAt(1, "", theme, false));
  if (below) chart.references.push_back(lineAt(static_cast<double>(*below) + 0.5, "Σ_mm < Tr Σ/d →", theme, true));
  return chart;
}

LineChart survivalChart(const studies::GrowthBench& bench, const Theme& theme) {
  LineChart chart;
  chart.title = tr("(18): share of norms of the sum above w");
  chart.x = {.name = "w", .from = 0, .pad = 0.02};
  chart.y = {.name = tr("share"), .from = 0, .to = 1};
  chart.legend = true;
  const auto add = [&](const attention::Survival& survival, std::string name, ChartLook look) {
    ChartSeries series;
    series.name = std::move(name);
    series.look = look;
    for (const auto& [norm, share] : attention::staircase(survival)) {
      series.x.push_back(norm);
      series.y.push_back(share);
    }
    chart.series.push_back(std::move(series));
  };
  // The expected squared norms of independent updates with mean 0 add up.
  const attention::ExpectedNorms expected = attention::expectedNorms(bench.model);
  const double n = static_cast<double>(bench.growth.updates);
  const Eigen::VectorXd rows = (n * expected.rows2).cwiseSqrt(), columns = (n * expected.columns2).cwiseSqrt();
  for (const std::size_t i : {0, 1}) {
    ChartLook formula = theoryLook(theme, i), measured = formula;
    measured.width = theme.strongLine;
    formula.dash = render::Dash::Dotted;
    formula.width = 1.25f;
    add(i == 0 ? bench.growth.rows : bench.growth.columns, i == 0 ? tr("rows") : tr("columns"), measured);
    add(attention::survivalOf(i == 0 ? rows : columns), trFormat("{}, formula", i == 0 ? tr("rows") : tr("columns")),
        formula);
  }
  if (bench.claim.gamma > 0) chart.references.push_back(lineAt(bench.claim.gamma, "γ", theme, true));
  if (bench.claim.from && *bench.claim.from > 0)
    chart.references.push_back(lineAt(*bench.claim.from, tr("more columns →"), theme, true));
  return chart;
}

LineChart directionalityChart(const studies::GrowthBench& bench, const Theme& theme) {
  LineChart chart;
  chart.title = tr("Resulting directionality");
  chart.x = {.name = tr("updates"), .logarithmic = true, .narrowest = 0.5};
  chart.y = {.name = tr("d: rows above 0, columns below"), .from = -1, .to = 1};
  chart.legend = true;
  ChartSeries series;
  series.name = trFormat("median and quartiles of {} sums", bench.options.matrices);
  series.look = theoryLook(theme, 0);
  series.look.width = theme.strongLine;
  series.look.spread = Spread::Band;
  for (const studies::GrowthPoint& point : bench.points) {
    series.x.push_back(static_cast<double>(point.updates));
    series.y.push_back(point.directionality.median);
    series.low.push_back(point.directionality.q1);
    series.high.push_back(point.directionality.q3);
  }
  chart.series.push_back(std::move(series));
  chart.references.push_back(lineAt(0, "", theme, false));
  return chart;
}

LineChart lemmaChart(const LemmaChoice& choice, const Theme& theme) {
  LineChart chart;
  chart.title = tr("Lemma A.11: a counterexample");
  chart.y = {.name = tr("Pr[X > x]"), .from = 0, .to = 1.02};
  chart.legend = true;
  const std::optional<attention::TailExample> example = lemmaExample(choice);
  if (!example) return chart;
  const double low = std::min(example->wide.low, example->narrow.low),
               high = std::max(example->wide.high, example->narrow.high), margin = 0.15 * (high - low);
  chart.x = {.name = "x", .from = low - margin, .to = high + margin};
  ChartLook wide = theoryLook(theme, 0), narrow = theoryLook(theme, 1);
  wide.width = narrow.width = theme.strongLine;
  chart.series.push_back(
      tail(example->wide, low - margin, high + margin, trFormat("deviation {:g}", choice.wide), wide));
  chart.series.push_back(
      tail(example->narrow, low - margin, high + margin, trFormat("deviation {:g}", choice.narrow), narrow));
  chart.references.push_back(lineAt(choice.mean, "μ", theme, true));
  chart.references.push_back(lineAt(choice.z, "z", theme, true));
  return chart;
}

}  // namespace sepx::ui
