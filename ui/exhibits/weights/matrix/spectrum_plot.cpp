// SPDX-License-Identifier: Apache-2.0
// Job, plots and read-outs of the spectrum.
#include "ui/exhibits/weights/matrix/spectrum_plot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kLane = "weights.spectrum";
constexpr double kLeastShown = 1e-17;  // of the largest singular value
constexpr int kCircleSteps = 96;

Camera cameraIn(const render::Rect& box, const render::Rect& window, const Theme& theme) {
  const Margins m = axisMargins(theme, false);
  render::Rect plot{{box.min.x + m.left, box.min.y + m.top + theme.textSize},
                    {box.max.x - m.right, box.max.y - m.bottom}};
  plot.max.x = std::max(plot.max.x, plot.min.x + 10);
  plot.max.y = std::max(plot.max.y, plot.min.y + 10);
  return {window, plot};
}

void addTitle(std::vector<render::Item>& items, const render::Rect& plot, const std::string& text, const Theme& theme) {
  items.emplace_back(textAt({plot.min.x, plot.min.y - 0.5 * theme.smallSize},
                            elided(text, theme.smallSize, plot.width()), theme.smallSize, theme.text,
                            render::AlignX::Left, render::AlignY::Bottom));
}

void addSingular(std::vector<render::Item>& items, const render::Rect& box, const attention::Spectrum& spectrum,
                 const Theme& theme) {
  const std::vector<double>& values = spectrum.singular;
  const double largest = values.empty() ? 1 : std::max(values.front(), 1e-300);
  const double top = std::log10(largest);
  double bottom = top - 1;
  for (const double value : values)
    if (value > kLeastShown * largest) bottom = std::min(bottom, std::log10(value));
  const double count = std::max<double>(2, static_cast<double>(values.size()));
  const double room = 0.06 * (top - bottom);
  const Camera camera = cameraIn(box, {{0, bottom - room}, {count + 1, top + room}}, theme);
  const Ticks x = fittingTicks(1, count, camera.plot.width(), theme.smallSize, true);
  const Ticks y = decadeTicks(bottom - room, top + room, camera.plot.height() / (2.2 * theme.smallSize));
  addGrid(items, camera, x, y, theme);
  addAxes(items, camera, x, y, {tr("number"), tr("singular value")}, theme);
  addTitle(
      items, camera.plot,
      fmt::format("{} {}, {} {}", tr("rank"), spectrum.rank, tr("stable rank"), shownFixed(spectrum.stableRank, 1)),
      theme);
  render::Polyline curve{{}, {theme.globalMin, theme.lineWidth, render::Dash::Solid}, {}, render::Space::Page};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > kLeastShown * largest)
      curve.points.push_back(toPage(camera, {static_cast<double>(i) + 1, std::log10(values[i])}));
  if (values.size() <= 80)
    for (const render::Point at : curve.points)
      items.emplace_back(
          render::Marker{at, render::Shape::Circle, 5, theme.globalMin, theme.globalMin, 0, render::Space::Page});
  if (curve.points.size() > 1) items.emplace_back(std::move(curve));
  if (spectrum.rank > 0 && spectrum.rank < static_cast<int>(values.size())) {
    const double at = toPage(camera, {spectrum.rank + 0.5, top}).x;
    items.emplace_back(
        pageLine({at, camera.plot.min.y}, {at, camera.plot.max.y}, theme.accent, 1, render::Dash::Dashed));
  }
}

/// The eigenvalues with the circle of the largest modulus; equal units on both axes.
void addEigenvalues(std::vector<render::Item>& items, const render::Rect& box, const attention::Spectrum& spectrum,
                    const Theme& theme) {
  if (spectrum.eigenvalues.empty()) {
    addSentence(items, box, tr("W_qk is not square, so it has no eigenvalues."), theme);
    return;
  }
  const double radius = std::max(std::abs(spectrum.eigenvalues.front()), 1e-300), span = 1.12 * radius;
  Camera camera = cameraIn(box, {{-span, -span}, {span, span}}, theme);
  const double ratio = camera.plot.width() / camera.plot.height();
  if (ratio > 1)
    camera.window.min.x *= ratio, camera.window.max.x *= ratio;
  else
    camera.window.min.y /= ratio, camera.window.max.y /= ratio;
  const Ticks x = fittingTicks(camera.window.min.x, camera.window.max.x, camera.plot.width(), theme.smallSize, true);
  const Ticks y = fittingTicks(camera.window.min.y, camera.window.max.y, camera.plot.height(), theme.smallSize, false);
  addGrid(items, camera, x, y, theme);
  addAxes(items, camera, x, y, {"Re λ", "Im λ"}, theme);
  addTitle(items, camera.plot, fmt::format("{}: |λ| ≤ {}", tr("eigenvalues"), formatReading(radius)), theme);
  render::Polyline circle{{}, {theme.textMuted, 1, render::Dash::Dashed}, {}, render::Space::Page};
  for (int i = 0; i <= kCircleSteps; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCircleSteps;
    circle.points.push_back(toPage(camera, {radius * std::cos(angle), radius * std::sin(angle)}));
  }
  items.emplace_back(std::move(circle));
  for (const std::complex<double>& value : spectrum.eigenvalues)
    items.emplace_back(render::Marker{toPage(camera, {value.real(), value.imag()}), render::Shape::Circle, 5,
                                      faded(theme.localMin, 0.85f), theme.localMin, 0, render::Space::Page});
}

}  // namespace

SpectrumPlot::SpectrumPlot() : exchange_(std::make_shared<Exchange<Published>>()) {}

void SpectrumPlot::take() {
  if (!exchange_->refresh()) return;
  const Published& latest = exchange_->latest();
  if (latest.ticket != ticket_) return;
  share_ = latest.share;
  if (latest.done) {
    running_ = false;
    result_ = latest.spectrum;
    failed_ = !result_;
  }
  ++shownRevision_;
}

void SpectrumPlot::update(std::shared_ptr<const attention::LayerFactors> factors, std::uint64_t revision, bool wanted,
                          ExhibitContext& context) {
  take();
  if (factorsRevision_ != revision) {
    factorsRevision_ = revision;
    result_.reset();
    failed_ = cancelled_ = false;
    if (running_) context.jobs.cancel(kLane);
    running_ = false;
    ++ticket_;  // what still comes is of other factors
    ++shownRevision_;
  }
  if (!wanted) {
    if (running_) {
      context.jobs.cancel(kLane);
      ++ticket_;
    }
    running_ = false;
    return;
  }
  if (running_ || result_ || failed_ || cancelled_ || !factors) return;
  running_ = true;
  share_ = 0;
  ++shownRevision_;
  context.jobs.start(kLane, tr("spectrum of W_qk"),
                     [exchange = exchange_, factors, ticket = ++ticket_](JobContext& job) -> Result<void> {
                       const auto put = [&](double share, bool done, std::shared_ptr<const attention::Spectrum> made) {
                         exchange->slot() = {ticket, share, done, std::move(made)};
                         exchange->publish();
                         job.published();
                       };
                       std::optional<attention::Spectrum> made = attention::spectrum(*factors, [&](double share) {
                         job.progress(share);
                         return !job.cancelled();
                       });
                       if (job.cancelled()) return {};
                       put(1, true, made ? std::make_shared<const attention::Spectrum>(std::move(*made)) : nullptr);
                       return {};
                     });
}

void SpectrumPlot::cancel(ExhibitContext& context) {
  context.jobs.cancel(kLane);
  running_ = false;
  cancelled_ = true;
  ++ticket_;  // also where it ended just now
  ++shownRevision_;
}

std::vector<render::Item> SpectrumPlot::items(const render::Rect& box, const Theme& theme,
                                              std::optional<render::Point> pointer) const {
  std::vector<render::Item> items;
  if (!result_) {
    const std::string text = failed_      ? tr("The weights hold numbers that are not finite, so there is no spectrum.")
                             : cancelled_ ? tr("The spectrum was cancelled.")
                             : running_   ? tr("Computing the spectrum …")
                                          : tr("No spectrum yet.");
    addSentence(items, box, text, theme);
    return items;
  }
  const bool wide = box.width() > 1.2 * box.height();
  render::Rect first = box, second = box;
  if (wide)
    first.max.x = second.min.x = box.min.x + box.width() * 0.55;
  else
    first.max.y = second.min.y = box.min.y + box.height() / 2;
  // Names of axes as small as their numbers: these are side plots.
  Theme small = theme;
  small.textSize = theme.smallSize;
  addSingular(items, first, *result_, small);
  addEigenvalues(items, second, *result_, small);
  if (pointer && first.contains(*pointer) && !result_->singular.empty()) {
    const render::Rect plot = cameraIn(first, {}, small).plot;
    const double count = static_cast<double>(std::max<std::size_t>(2, result_->singular.size()));
    const double at = (pointer->x - plot.min.x) / plot.width() * (count + 1) - 1;
    const auto i =
        static_cast<std::size_t>(std::clamp(std::round(at), 0.0, static_cast<double>(result_->singular.size() - 1)));
    addTip(items, *pointer, {fmt::format("σ{} = {}", i + 1, formatReading(result_->singular[i]))}, box, theme);
  }
  return items;
}

Numbers SpectrumPlot::numbers() const {
  Numbers numbers;
  if (!result_) return numbers;
  numbers.tables.push_back({"singular_values", {{"sigma", "", result_->singular}}});
  std::vector<double> real, imaginary;
  for (const std::complex<double>& value : result_->eigenvalues) {
    real.push_back(value.real());
    imaginary.push_back(value.imag());
  }
  if (!real.empty()) numbers.tables.push_back({"eigenvalues", {{"re", "", real}, {"im", "", imaginary}}});
  return numbers;
}

void declareSpectrum(PropertyRegistry& registry, const SpectrumPlot& plot) {
  using attention::Spectrum;
  const Getters spectrum([&plot](int) { return plot.result() ? &*plot.result() : nullptr; });
  // clang-format off
  declareReadOuts(registry, {.prefix = "weights.spectrum.", .equation = "Attention-Structure, (1)"}, {
      {.key = "rank", .label = N_("Rank"),
       .help = N_("How many singular values of W_qk stand above rounding. A head has rank at most d_h."),
       .formula = "\\mathrm{rank}(W_{qk}) \\le H\\,d_h", .digits = 0, .get = spectrum(&Spectrum::rank)},
      {.key = "stable_rank", .label = N_("Stable rank"),
       .help = N_("How many directions carry the form: the squared Frobenius norm over the squared largest singular "
                  "value."),
       .formula = "\\frac{|W_{qk}|_F^2}{\\sigma_1^2} = \\frac{\\sum_i \\sigma_i^2}{\\sigma_1^2}", .digits = 2,
       .get = spectrum(&Spectrum::stableRank)},
      {.key = "largest", .label = N_("Largest singular value"),
       .help = N_("The most that W_qk stretches any direction."), .formula = "\\sigma_1 = \\max_{|x|=1} |W_{qk}\\,x|",
       .digits = 5,
       .get = spectrum([](const Spectrum& of) { return of.singular.empty() ? 0.0 : of.singular.front(); })}});
  // clang-format on
}

}  // namespace sepx::ui
