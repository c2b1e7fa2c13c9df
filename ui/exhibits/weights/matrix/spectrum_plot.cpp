// SPDX-License-Identifier: Apache-2.0
// The job, the charts and the read-outs of the spectrum.
#include "ui/exhibits/weights/matrix/spectrum_plot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/page/number_table.h"
#include "ui/properties/declarations.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr double kLeastShown = 1e-17;  // least value shown, as a share of the largest one
constexpr std::size_t kMostDots = 80;  // a longer curve has no dots
constexpr int kCircleSteps = 96;

LineChart singularChart(const attention::Spectrum& spectrum, const Theme& theme) {
  const std::vector<double>& values = spectrum.singular;
  const double largest = values.empty() ? 1 : std::max(values.front(), 1e-300);
  LineChart chart;
  chart.title =
      fmt::format("{} {}, {} {}", tr("rank"), spectrum.rank, tr("stable rank"), shownFixed(spectrum.stableRank, 1));
  chart.x = {.name = tr("number"),
             .whole = true,
             .from = 0.5,
             .to = std::max<double>(2, static_cast<double>(values.size())) + 0.5};
  chart.y = {.name = tr("singular value"), .logarithmic = true, .pad = 0.06, .narrowest = 1};
  ChartSeries& curve = chart.series.emplace_back();
  curve.look = {theme.globalMin, render::Dash::Solid, theme.lineWidth};
  if (values.size() <= kMostDots) curve.look.marker = render::Shape::Circle;
  curve.look.markerSize = 5;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] > kLeastShown * largest)) continue;
    curve.x.push_back(static_cast<double>(i) + 1);
    curve.y.push_back(values[i]);
  }
  if (spectrum.rank > 0 && spectrum.rank < static_cast<int>(values.size()))
    chart.references.push_back(
        {.value = spectrum.rank + 0.5, .look = {theme.accent, render::Dash::Dashed, 1}, .vertical = true});
  return chart;
}

/// The eigenvalues with the circle of the largest modulus; equal units on both axes.
LineChart eigenvalueChart(const attention::Spectrum& spectrum, const Theme& theme) {
  const double radius = std::max(std::abs(spectrum.eigenvalues.front()), 1e-300), span = 1.12 * radius;
  LineChart chart;
  chart.title = fmt::format("{}: |λ| ≤ {}", tr("eigenvalues"), formatReading(radius));
  chart.x = {.name = "Re λ", .from = -span, .to = span};
  chart.y = {.name = "Im λ", .from = -span, .to = span};
  chart.equalUnits = true;
  ChartSeries circle{"", {theme.textMuted, render::Dash::Dashed, 1}}, values;
  circle.guide = true;
  for (int i = 0; i <= kCircleSteps; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCircleSteps;
    circle.x.push_back(radius * std::cos(angle));
    circle.y.push_back(radius * std::sin(angle));
  }
  values.look = {faded(theme.localMin, 0.85f), render::Dash::Solid, 0, render::Shape::Circle, 5};
  for (const std::complex<double>& value : spectrum.eigenvalues) {
    values.x.push_back(value.real());
    values.y.push_back(value.imag());
  }
  chart.series = {std::move(circle), std::move(values)};
  return chart;
}

}  // namespace

void SpectrumPlot::update(const std::shared_ptr<const attention::LayerFactors>& factors, bool wanted,
                          ExhibitContext& context) {
  lane_.refresh(context.jobs);
  const bool others = factors && std::exchange(of_, factors) != factors;
  if (others || (!wanted && lane_.pending())) lane_.clear();
  if (!wanted || !factors || lane_.requested()) return;
  lane_.start(context.jobs, factors, tr("spectrum of W_qk"), [](const auto& of, auto& output) {
    return attention::spectrum(*of, [&output](double share) {
      output.progress(share);
      return !output.cancelled();
    });
  });
}

std::string SpectrumPlot::sentence() const {
  if (lane_.result()) return tr("The weights contain NaN or infinite values, so there is no spectrum.");
  if (cancelled()) return tr("The spectrum was cancelled.");
  return complete() ? tr("No spectrum yet.") : tr("Computing the spectrum…");
}

void SpectrumPlot::show(Views& into, const render::Rect& box, const Theme& theme) const {
  const bool wide = box.width() > 1.2 * box.height();
  Arrangement both{.kind = wide ? Arrangement::Kind::Row : Arrangement::Kind::Column};
  const auto add = [&](View view, double weight) {
    both.parts.push_back(viewNamed(view.name));
    both.parts.back().weight = weight;
    into.views.push_back(std::move(view));
  };
  const auto saying = [](std::string text) {
    return PictureContent{.of = Digest().add(text).value(), .draw = [text](const ViewPlace& place) {
                            std::vector<render::Item> items;
                            addSentence(items, place.box, text, place.theme);
                            return items;
                          }};
  };
  if (!result()) {
    add({"spectrum", saying(sentence())}, 1);
  } else {
    add({"singular", ChartContent{.chart = singularChart(*result(), theme)}}, wide ? 0.55 : 0.5);
    if (result()->eigenvalues.empty())
      add({"eigenvalues", saying(tr("W_qk is not square, so it has no eigenvalues."))}, wide ? 0.45 : 0.5);
    else
      add({"eigenvalues", ChartContent{.chart = eigenvalueChart(*result(), theme)}}, wide ? 0.45 : 0.5);
  }
  into.addAt(box, std::move(both));
}

void SpectrumPlot::offer(Views& into, bool square, const Theme& theme) const {
  const auto add = [&](const char* name, const char* title,
                       LineChart (*make)(const attention::Spectrum&, const Theme&)) {
    ChartContent content;
    content.chart.title = title;  // until there is a spectrum
    if (result()) content.chart = make(*result(), theme);
    into.views.push_back({name, std::move(content)});
  };
  add("singular", tr("singular values"), singularChart);
  if (square && (!result() || !result()->eigenvalues.empty())) add("eigenvalues", tr("eigenvalues"), eigenvalueChart);
}

Numbers SpectrumPlot::numbers() const {
  if (!result()) return {};
  std::vector<Table> tables{numberTable("singular_values", result()->singular, NumberColumn{"sigma", std::identity()})};
  if (!result()->eigenvalues.empty())
    tables.push_back(numberTable("eigenvalues", result()->eigenvalues,
                                 NumberColumn{"re", [](const std::complex<double>& of) { return of.real(); }},
                                 NumberColumn{"im", [](const std::complex<double>& of) { return of.imag(); }}));
  return {std::move(tables), {}};
}

void declareSpectrum(PropertyRegistry& registry, const SpectrumPlot& plot) {
  using attention::Spectrum;
  const Getters spectrum([&plot](int) { return plot.result() ? &*plot.result() : nullptr; });
  // clang-format off
  declareReadOuts(registry, {.prefix = "weights.spectrum.", .equation = "Attention-Structure, (1)"}, {
      {.key = "rank", .label = N_("Rank"),
       .help = N_("Number of singular values of W_qk that exceed rounding error. A head has rank at most d_h."),
       .formula = "\\mathrm{rank}(W_{qk}) \\le H\\,d_h", .digits = 0, .get = spectrum(&Spectrum::rank)},
      {.key = "stable_rank", .label = N_("Stable rank"),
       .help = N_("Effective number of directions of the form: the squared Frobenius norm over the squared largest "
                  "singular value."),
       .formula = "\\frac{|W_{qk}|_F^2}{\\sigma_1^2} = \\frac{\\sum_i \\sigma_i^2}{\\sigma_1^2}", .digits = 2,
       .get = spectrum(&Spectrum::stableRank)},
      {.key = "largest", .label = N_("Largest singular value"),
       .help = N_("The largest factor by which W_qk stretches a vector."), .formula = "\\sigma_1 = \\max_{|x|=1} |W_{qk}\\,x|",
       .digits = 5,
       .get = spectrum([](const Spectrum& of) { return of.singular.empty() ? 0.0 : of.singular.front(); })}});
  // clang-format on
}

}  // namespace sepx::ui
