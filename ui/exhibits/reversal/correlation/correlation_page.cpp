// SPDX-License-Identifier: Apache-2.0
// See correlation_page.h.
#include "ui/exhibits/reversal/correlation/correlation_page.h"

#include <algorithm>
#include <utility>

#include "engine/reversal/rope_bounds.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/reversal/correlation/correlation_charts.h"
#include "ui/exhibits/reversal/shared/plane_charts.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr double kTitle = 1.6;                         // height, in sizes of small type
constexpr double kLeastWidth = 22, kLeastHeight = 13;  // of a chart, in text sizes
constexpr int kUsualLength = 10, kUsualWidth = 256,
              kLongest = 40;  // longest sequences for the asymmetric bounds, which cost O(L^2)

}  // namespace

void CorrelationPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry.read(document, choice_);
  registry.read(document, *this);
}

void CorrelationPage::measure(const RaceShared& shared, ExhibitContext& context) {
  const RacingRun* const racing = shownRun(shared);
  if (std::exchange(folder_, racing ? racing->folder : std::string()) != folder_) measured_.clear();
  measured_.refresh(context.jobs);
  if (measured_.pending()) return;  // it ends first: a slider moves faster than models are read
  std::string missing;
  std::optional<ShownModel> model =
      shownModel(shared, data_, measured_.requested() ? &measured_.requested()->model : nullptr, missing);
  if (!model) return measured_.clear(std::move(missing));
  measured_.ask(context.jobs, {std::move(*model), head_, choice_.reach}, tr("correlating scores"),
                [](const CorrelationRequest& request, auto&) { return measureCorrelation(request); });
}

void CorrelationPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  measure(frame.shared, context);
  const CorrelationResult* const result = measured();
  BoundsRequest wanted = choice_;
  wanted.length = std::clamp(result ? result->length : kUsualLength, 2, kLongest);
  if (result) wanted.base = result->base;
  // RoPE rotates planes, so a head of odd width, which no model with RoPE has, has no bounds of its own.
  if (wanted.dimensions == 0)
    wanted.dimensions = result && result->dimensions % 2 == 0 ? result->dimensions : kUsualWidth;
  bounds_.refresh(context.jobs);
  bounds_.ask(context.jobs, wanted, tr("bounds of RoPE"), [](const BoundsRequest& request, auto& output) {
    return computeBounds(request, [&output] { return !output.cancelled(); });
  });
}

std::string CorrelationPage::missing() const {
  if (measured() && !measured()->planes)
    return tr("This model has no rotary encoding: there are no planes, and Assumption 4.2 does not apply.");
  return measured_.sentence().empty() ? std::string(tr("The scores are being correlated…")) : measured_.sentence();
}

NoteLine CorrelationPage::title() const {
  const CorrelationResult* const result = measured();
  if (!result) return {{missing()}, NoteLine::Role::Muted};
  std::string text = result->title;
  if (result->head > 0) text += trFormat(", head {}", result->head);
  NoteLine line{{text + trFormat(": mean correlation {}", shownFixed(result->scores.whole, 3))}, NoteLine::Role::Muted};
  if (result->planes)
    line.parts.push_back(trFormat("{} of {} planes violate Assumption 4.2 ({} % of |q|²)", result->planes->violating,
                                  result->planes->planes.size(), shownFixed(100 * result->planes->violatingWeight, 0)));
  return line;
}

Views CorrelationPage::views(const RaceFrame& frame) const {
  const Theme& theme = frame.theme;
  const double pad = 1.5 * theme.space;
  Views made;
  Arrangement title = viewNamed("title"), charts = gridOfViews(2, pad, {});
  title.length = kTitle * static_cast<double>(theme.smallSize);
  int order = 0;  // if there is little room, the last ones are dropped first
  const auto add = [&](View view) {
    Arrangement part = viewNamed(view.name);
    part.leastWidth = kLeastWidth * static_cast<double>(theme.textSize);
    part.leastHeight = kLeastHeight * static_cast<double>(theme.textSize);
    part.order = order++;
    charts.parts.push_back(std::move(part));
    made.views.push_back(std::move(view));
  };
  const RopeBounds* const known = bounds();
  made.views.push_back({"title", TextContent{.lines = {this->title()}, .oneLine = true}});
  add({"sum", ChartContent{sumChart(measured(), known, theme), {}, {}, {}},
       [this, &shared = frame.shared] { return exported(shared); }});
  if (known) add({"far", ChartContent{farChart(measured(), known, theme), {}, {}, {}}});
  if (measured() && measured()->planes)
    add({"planes", ChartContent{planesChart(*measured()->planes, theme), {}, {}, {}}});
  else
    add({"planes", TextContent{.lines = {{{missing()}}}, .centred = true}});
  if (known) add({"cantelli", ChartContent{cantelliChart(*known, theme), {}, {}, {}}});
  made.arrangement = {.kind = Arrangement::Kind::Column, .parts = {title, charts}, .margin = pad};
  return made;
}

void CorrelationPage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Model"), "reversal.", {"run", "correlation.head"});
  panel.rows("reversal.correlation.", {"mean", "least", "violating", "weight", "trace_spread", "tilt", "between"});
  panel.group(tr("Bounds of RoPE"), "reversal.correlation.",
              {"dimensions", "reach", "threshold", "bound.negative", "bound.least", "bound.limit", "bound.asymmetric"});
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "Measured: Pearson's correlation, over the 26 letters, of the score that [M] gives to the capital Δ1 positions "
      "to its right with the score that it gives to the capital Δ2 positions to its left, in the first layer; for "
      "learned positions the mean over all positions. The paper does not say what its correlation is taken over; this "
      "is our reading. The correlation says how letters differ, not how much attention B gets."));
  panel.sentence(tr(
      "The bounds hold for random queries and keys under Assumption 4.2, the trace for Δ1 = Δ2, the asymmetric bound "
      "in the mean. A trained model need not satisfy the assumption: a plane violates it where keys vary more across "
      "the query than along it."));
  panel.sentence(tr(
      "For many dimensions the trace tends to the integral of cos(2Δ·base^−x) over x from 0 to 1, which is (Ci(2Δ) − "
      "Ci(2Δ/base))/log base [Reversal, B.1]. It falls logarithmically; with base 10,000 it is positive up to Δ = "
      "3,082. At a finite D the planes sample the integral, and where their angles change too much from one plane to "
      "the next the trace departs from it."));
  if (frame.shared.shipped)
    panel.sentence(tr(
        "The runs that ship with the program have numbers but no weights. Instead, a small model that also ships is measured."));
}

std::string CorrelationPage::caption(const RaceShared& shared) const {
  if (!measured()) return raceCaption(shared);
  return trFormat(
      "{}: correlation of forward and reverse attention scores by distance, with the bounds of "
      "RoPE under Assumption 4.2.",
      measured()->title);
}

Numbers CorrelationPage::exported(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  const CorrelationResult* const result = measured();
  if (result) {
    std::vector<double> forward, reverse, correlation;
    for (int f = 1; f < result->scores.length; ++f)
      for (int r = 1; r < result->scores.length; ++r) {
        forward.push_back(f);
        reverse.push_back(r);
        correlation.push_back(result->scores.at(f, r));
      }
    numbers.tables.push_back({"correlation",
                              {{"forward_distance", "", std::move(forward)},
                               {"reverse_distance", "", std::move(reverse)},
                               {"correlation", "", std::move(correlation)}}});
  }
  if (result && result->planes) {
    std::vector<double> angle, weight, along, across, cross;
    for (const reversal::RopePlane& plane : result->planes->planes) {
      angle.push_back(plane.angle);
      weight.push_back(plane.weight);
      along.push_back(plane.along);
      across.push_back(plane.across);
      cross.push_back(plane.cross);
    }
    numbers.tables.push_back({"planes",
                              {{"angle", "", std::move(angle)},
                               {"weight", "", std::move(weight)},
                               {"variance_along", "", std::move(along)},
                               {"variance_across", "", std::move(across)},
                               {"covariance", "", std::move(cross)}}});
  }
  if (const RopeBounds* const known = bounds())
    numbers.tables.push_back({"bounds",
                              {{"distance", "", known->distances},
                               {"trace", "", known->trace},
                               {"limit", "", known->limit},
                               {"cantelli", "", known->cantelli}}});
  return numbers;
}

std::unique_ptr<ReversalPage> makeCorrelationPage() {
  return std::make_unique<CorrelationPage>();
}

// The properties and read-outs of the page Correlation.

namespace {

constexpr const char *kFigure = "Reversal, Figures 3 and 5", *kAssumption = "Reversal, Assumption 4.2",
                     *kTheorem43 = "Reversal, Theorem 4.3";

double leastOf(const std::vector<double>& values) {
  return values.empty() ? std::nan("") : *std::min_element(values.begin(), values.end());
}

/// D must be even, because planes have two dimensions.
Result<Document> withPlanes(const Document&, const Document& with) {
  const Json& value = with.at("reversal.correlation.dimensions");
  if (!value.is_number() || value.get<double>() == 0) return with;
  const double dimensions = std::clamp(value.get<double>(), -1.0, 2.0 * reversal::kMostDimensions);
  const Result<void> checked = reversal::checkRope(static_cast<int>(dimensions), 1e4);
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
       .help = N_("The number of dimensions of the head whose bounds are drawn: an even number, because RoPE rotates "
                  "planes of two dimensions. Model's, or 0 in scripts: that of the model shown. The models of the "
                  "paper's experiment have 256."),
       .equation = kTheorem43, .formula = "\\frac{1}{D}\\mathrm{Tr}\\,R(2\\Delta)", .errata = {"rev-1", "rev-5"}, .follow = withPlanes},
      {.key = "reach",
       .into = &BoundsRequest::reach,
       .label = N_("Largest distance"), .symbol = "Δ", .kind = Kind::Integer, .min = 10, .max = 2000,
       .scale = Scale::Logarithmic, .step = 10, .fallback = 2000.0,
       .help = N_("The largest distance for which the bounds are drawn. The paper claims a positive trace only up to 50."), .equation = kTheorem43,
       .errata = {"rev-5"}},
      {.key = "threshold",
       .into = &BoundsRequest::threshold,
       .label = N_("Threshold"), .symbol = "c", .min = 0, .max = 0.95, .step = 0.05, .digits = 2,
       .fallback = 0.2, .help = N_("The correlation c: Cantelli's inequality gives the least probability of a correlation of at least c."),
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
       .get = of(&CorrelationResult::step)},
      {.key = "mean", .label = N_("Mean"),
       .help = N_("The correlation of forward and reverse scores over the 26 letters, averaged over all pairs of distances."),
       .equation = kFigure, .formula = "\\mathrm{Corr}(S_{fwd},\\,S_{rev})", .errata = {"rev-6"}, .digits = 3,
       .get = of([](const CorrelationResult& result) { return result.scores.whole; })},
      {.key = "least", .label = N_("Least by sum"),
       .help = N_("The least mean over the pairs of distances with the same sum. The paper says that the correlations "
                  "remain positive."),
       .equation = kFigure, .digits = 3, .get = of([](const CorrelationResult& result) { return leastOf(result.scores.mean); })},
      {.key = "violating", .label = N_("Violating"),
       .help = N_("The planes in which the keys of the 26 capitals vary more across the query of [M] than along it."),
       .equation = kAssumption, .formula = "\\rho_s<0", .digits = 0, .get = planes(&reversal::RopePlanes::violating)},
      {.key = "weight", .label = N_("Weight of these planes"),
       .help = N_("The share of |q|² that lies in these planes: their weight in the score."), .equation = kAssumption,
       .formula = "w_s=|q_s|^2/|q|^2", .digits = 3, .get = planes(&reversal::RopePlanes::violatingWeight)},
      {.key = "trace_spread", .label = N_("Spread of τ²"),
       .help = N_("The standard deviation of the keys' variance across the planes, divided by its mean: 0 by assumption."),
       .equation = kAssumption, .formula = "\\mathrm{Tr}\\,\\Sigma_s=\\tau^2", .digits = 3,
       .get = planes(&reversal::RopePlanes::traceSpread)},
      {.key = "tilt", .label = N_("Tilt"),
       .help = N_("How far the axes of the keys' covariance are turned from the query within the planes, root mean square of "
                  "2 cov/var: 0 by assumption."),
       .equation = kAssumption, .digits = 3, .get = planes(&reversal::RopePlanes::tilt)},
      {.key = "between", .label = N_("Between"),
       .help = N_("The share of the squared covariance of the keys that lies between planes: 0 by assumption. With 26 "
                  "letters it is above 0 for any model."),
       .equation = kAssumption, .digits = 3, .get = planes(&reversal::RopePlanes::between)},
      {.key = "bound.negative", .label = N_("Negative at"), .symbol = "Δ",
       .help = N_("The first distance at which the trace bound is negative, within the range that is drawn."), .equation = kTheorem43,
       .formula = "\\frac{1}{D}\\mathrm{Tr}\\,R(2\\Delta)<0", .errata = {"rev-5"}, .digits = 0, .get = bound(&RopeBounds::negative)},
      {.key = "bound.least", .label = N_("Least trace"),
       .help = N_("The least trace bound over the distances that are drawn."), .equation = kTheorem43, .errata = {"rev-1"}, .digits = 3,
       .get = bound([](const RopeBounds& bounds) { return leastOf(bounds.trace); })},
      {.key = "bound.limit", .label = N_("Limit of the trace"),
       .help = N_("What the trace tends to for many dimensions, at the largest distance that is drawn."), .equation = "Reversal, B.1",
       .formula = "\\frac{\\mathrm{Ci}(2\\Delta)-\\mathrm{Ci}(2\\Delta/b)}{\\log b}", .errata = {"rev-5"}, .digits = 3,
       .get = bound([](const RopeBounds& bounds) { return bounds.limit.back(); })},
      {.key = "bound.asymmetric", .label = N_("Asymmetric"),
       .help = N_("The least mean bound for Δ1 ≠ Δ2 over the distances of the model's sequences."), .equation = "Reversal, B.3",
       .errata = {"rev-2", "rev-3", "rev-4"}, .digits = 3,
       .get = bound([](const RopeBounds& bounds) { return leastOf(bounds.asymmetric); })},
      {.key = "failure", .label = N_("Why there is no correlation"), .help = N_("Why nothing can be measured; empty if there is a result."),
       .get = [this](int) { return Value(measured() ? std::string() : missing()); }}});
}
// clang-format on

}  // namespace sepx::ui
