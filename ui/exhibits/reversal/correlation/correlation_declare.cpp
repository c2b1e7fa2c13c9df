// SPDX-License-Identifier: Apache-2.0
// The properties and read-outs of the page Correlation.
#include <algorithm>

#include "engine/reversal/rope_bounds.h"
#include "ui/exhibits/reversal/correlation/correlation_page.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char *kFigure = "Reversal, Figures 3 and 5", *kAssumption = "Reversal, Assumption 4.2",
                     *kTheorem43 = "Reversal, Theorem 4.3";

double leastOf(const std::vector<double>& values) {
  return values.empty() ? std::nan("") : *std::min_element(values.begin(), values.end());
}

/// D must be even: planes have two dimensions.
Result<Document> withPlanes(const Document&, const Document& with) {
  const Json& value = with.at("reversal.correlation.dimensions");
  if (!value.is_number() || value.get<double>() == 0) return with;
  const Result<void> checked = reversal::checkRope(static_cast<int>(value.get<double>()), 1e4);
  if (!checked) return tl::unexpected(checked.error());
  return with;
}

}  // namespace

// clang-format off
void CorrelationPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("reversal.page", "race", {"correlation"});
  declareParameters(registry, {.prefix = "reversal.correlation.", .applies = here}, {
      {.key = "head",
       .into = &CorrelationPage::head_,
       .label = N_("Head"), .kind = Kind::Integer, .min = 0, .max = 4095, .step = 1, .fallback = 0.0,
       .help = N_("The head of the first layer whose scores are correlated, counted from 0.")},
      {.key = "dimensions",
       .into = &BoundsRequest::dimensions, .label = N_("Dimensions"), .symbol = "D", .kind = Kind::Integer, .min = 0,
       .max = reversal::kMostDimensions, .step = 2, .options = {{"0", N_("model's")}}, .fallback = 0.0,
       .help = N_("The dimensions of a head whose bounds are drawn: an even number, for RoPE turns planes of two. Of the model, or "
                  "0 in scripts: that of the model shown. The models of the paper's experiment have 256."),
       .equation = kTheorem43, .formula = "\\frac{1}{D}\\mathrm{Tr}\\,R(2\\Delta)", .errata = {"rev-1", "rev-5"}, .follow = withPlanes},
      {.key = "reach",
       .into = &BoundsRequest::reach,
       .label = N_("Reach"), .symbol = "Δ", .kind = Kind::Integer, .min = 10, .max = 2000,
       .scale = Scale::Logarithmic, .step = 10, .fallback = 2000.0,
       .help = N_("How far the bounds are drawn. The paper claims a positive trace up to 50 only."), .equation = kTheorem43,
       .errata = {"rev-5"}},
      {.key = "threshold",
       .into = &BoundsRequest::threshold,
       .label = N_("Threshold"), .symbol = "c", .min = 0, .max = 0.95, .step = 0.05, .digits = 2,
       .fallback = 0.2, .help = N_("The correlation whose least probability Cantelli's inequality gives."),
       .equation = "Reversal, B.2", .formula = "\\frac{(E-c)^2}{V+(E-c)^2}", .errata = {"rev-1"}}});
  declareResults(registry);
}

void CorrelationPage::declareResults(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"correlation"});
  const Getters of([this](int) { return measured(); });
  const Getters planes([this](int) { return measured() && measured()->planes ? &*measured()->planes : nullptr; });
  const Getters bound([this](int) { return bounds(); });
  declareReadOuts(registry, {.prefix = "reversal.correlation.", .applies = here}, {
      {.key = "at", .label = N_("Step of the scores"), .help = N_("The saved or live step whose model is shown."), .digits = 0,
       .get = of(&CorrelationView::step)},
      {.key = "mean", .label = N_("Mean"),
       .help = N_("The correlation of forward and reverse scores over the 26 letters, mean over all pairs of distances."),
       .equation = kFigure, .formula = "\\mathrm{Corr}(S_{fwd},\\,S_{rev})", .errata = {"rev-6"}, .digits = 3,
       .get = of([](const CorrelationView& view) { return view.scores.whole; })},
      {.key = "least", .label = N_("Least by sum"),
       .help = N_("The least mean over the pairs of distances with one sum. The paper says that the correlations remain "
                  "positive."),
       .equation = kFigure, .digits = 3, .get = of([](const CorrelationView& view) { return leastOf(view.scores.mean); })},
      {.key = "violating", .label = N_("Violating"),
       .help = N_("The planes in which the keys of the 26 capitals vary more across the query of [M] than along it."),
       .equation = kAssumption, .formula = "\\rho_s<0", .digits = 0, .get = planes(&reversal::RopePlanes::violating)},
      {.key = "weight", .label = N_("Weight of these planes"),
       .help = N_("The share of |q|² that lies in these planes: what they count in the score."), .equation = kAssumption,
       .formula = "w_s=|q_s|^2/|q|^2", .digits = 3, .get = planes(&reversal::RopePlanes::violatingWeight)},
      {.key = "trace_spread", .label = N_("Spread of τ²"),
       .help = N_("The deviation over the mean of the keys' variance across the planes: 0 by assumption."),
       .equation = kAssumption, .formula = "\\mathrm{Tr}\\,\\Sigma_s=\\tau^2", .digits = 3,
       .get = planes(&reversal::RopePlanes::traceSpread)},
      {.key = "tilt", .label = N_("Tilt"),
       .help = N_("How far the axes of the keys' covariance are turned from the query within the planes, root mean square of "
                  "2 cov/var: 0 by assumption."),
       .equation = kAssumption, .digits = 3, .get = planes(&reversal::RopePlanes::tilt)},
      {.key = "between", .label = N_("Between"),
       .help = N_("The share of the squared covariance of the keys that lies between planes: 0 by assumption. Of 26 letters a part "
                  "is there whatever the model is."),
       .equation = kAssumption, .digits = 3, .get = planes(&reversal::RopePlanes::between)},
      {.key = "bound.negative", .label = N_("Negative at"), .symbol = "Δ",
       .help = N_("The first distance at which the trace bound is negative, within what is drawn."), .equation = kTheorem43,
       .formula = "\\frac{1}{D}\\mathrm{Tr}\\,R(2\\Delta)<0", .errata = {"rev-5"}, .digits = 0, .get = bound(&RopeBounds::negative)},
      {.key = "bound.least", .label = N_("Least trace"),
       .help = N_("The least trace bound over the distances that are drawn."), .equation = kTheorem43, .errata = {"rev-1"}, .digits = 3,
       .get = bound([](const RopeBounds& bounds) { return leastOf(bounds.trace); })},
      {.key = "bound.asymmetric", .label = N_("Asymmetric"),
       .help = N_("The least mean bound for Δ1 ≠ Δ2 over the distances of the model's sequences."), .equation = "Reversal, B.3",
       .errata = {"rev-2", "rev-3", "rev-4"}, .digits = 3,
       .get = bound([](const RopeBounds& bounds) { return leastOf(bounds.asymmetric); })},
      {.key = "failure", .label = N_("Why there is no correlation"), .help = N_("Why nothing can be measured; empty: it can."),
       .get = [this](int) { return Value(measured() ? std::string() : missing()); }}});
}
// clang-format on

}  // namespace sepx::ui
