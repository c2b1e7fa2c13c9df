// SPDX-License-Identifier: Apache-2.0
// The ends of the colour scale from data and document, and their parameters and read-outs. Pure.
#include "ui/exhibits/flow/shared/flow_limits.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/markov/canonical_model.h"
#include "engine/markov/convergence_time.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kMostLogarithmic = 1e100;  // the gradient at the farthest point that a view can show is 1e27
constexpr double kLeastGap = 0.01;          // nats; near p + q = 1 the gap vanishes, but the scale must not

}  // namespace

ColorLimits limitsOf(const markov::Chain& chain) {
  const double rate = chain.entropyRate();
  return {rate, rate + ColorScale::kBend * std::max(kLeastGap, chain.marginalEntropy() - rate)};
}

ColorLimits limitsOf(const std::vector<double>& values) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double v) { return std::isfinite(v); });
  if (finite.empty()) return {0, 1};
  const auto middle = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() / 2);
  std::nth_element(finite.begin(), middle, finite.end());
  const double least = *std::min_element(finite.begin(), middle + 1);
  const ColorLimits limits{least, least + ColorScale::kBend * (*middle - least)};
  return sound(limits) ? limits : ColorLimits{least, least + std::max(1.0, std::abs(least))};
}

bool sound(const ColorLimits& limits) {
  const double size = std::max(std::abs(limits.low), std::abs(limits.high));
  return std::isfinite(limits.low) && std::isfinite(limits.high) && limits.high - limits.low > 1e-9 * size;
}

bool sound(const ColorLimits& limits, PlaneColor color) {
  return sound(limits) && (!logarithmic(color) || (limits.low > 0 && limits.high / limits.low > 1.001));
}

ColorLimits powerLimitsOf(std::vector<double> values, PlaneColor color) {
  values.erase(
      std::remove_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x) || !(x > 1e-300); }),
      values.end());
  if (values.empty()) return {1, 10};
  std::sort(values.begin(), values.end());
  const auto at = [&values](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  const auto rounded = [](double value, bool up) {  // outwards, to 1, 2 or 5 times a power of ten
    const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
    double best = up ? 10 * power : power;
    for (const double factor : {2.0, 5.0})
      if (up ? factor * power >= value * (1 - 1e-9) && factor * power < best : factor * power <= value * (1 + 1e-9))
        best = factor * power;
    return up && power >= value * (1 - 1e-9) ? power : best;
  };
  constexpr double kMostPowers = 1e5;  // ratio of the ends; with a larger one, details are not visible
  const double high = rounded(at(0.995), true);
  const double low = rounded(std::max(at(color == PlaneColor::Time ? 0.005 : 0.02), high / kMostPowers), false);
  return sound({low, high}, color) ? ColorLimits{low, high} : ColorLimits{low, 10 * low};
}

double colorAt(const markov::Chain& chain, PlaneColor color, double e, double w) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const markov::State theta = Eigen::Vector2d(e, w);
  switch (color) {
    case PlaneColor::Time:
      return markov::convergenceTime(chain, markov::Model::EW, theta, 0.01, 1e-5).value_or(nothing);
    case PlaneColor::Gradient:
      return markov::gradient(chain, markov::Model::EW, theta).stableNorm();
    case PlaneColor::Loss:
      return markov::loss(chain, markov::Model::EW, theta);
    case PlaneColor::Basin:
      break;
  }
  return nothing;
}

ColorLimits limitsOf(const markov::Chain& chain, PlaneColor color, const render::Rect& view) {
  if (!logarithmic(color)) return limitsOf(chain);
  constexpr int kSide = 28;
  std::vector<double> values;
  for (int i = 0; i < kSide * kSide; ++i)
    values.push_back(colorAt(chain, color, view.min.x + (i % kSide + 0.5) * view.width() / kSide,
                             view.min.y + (i / kSide + 0.5) * view.height() / kSide));
  return powerLimitsOf(std::move(values), color);
}

PlaneColor chosenColor(const Document& document) {
  const Json& color = document.at("flow.color");
  if (!color.is_string()) return PlaneColor::Loss;
  for (const PlaneColor known : {PlaneColor::Basin, PlaneColor::Time, PlaneColor::Gradient})
    if (color.get_ref<const std::string&>() == colorWord(known)) return known;
  return PlaneColor::Loss;
}

const char* colorWord(PlaneColor color) {
  switch (color) {
    case PlaneColor::Basin:
      return "basin";
    case PlaneColor::Time:
      return "time";
    case PlaneColor::Gradient:
      return "gradient";
    case PlaneColor::Loss:
      break;
  }
  return "loss";
}

std::string limitsKey(PlaneColor color, const char* member) {
  return std::string("flow.limits.") + (logarithmic(color) ? std::string(colorWord(color)) + "." : "") + member;
}

PlaneColor colorOf(const Document& document) {
  return chosenField(document) == kCanonicalField ? chosenColor(document) : PlaneColor::Loss;
}

std::optional<ColorLimits> lockedLimits(const Document& document) {
  const PlaneColor color = colorOf(document);
  const Json& mode = document.at(limitsKey(color, "mode"));
  const Json &low = document.at(limitsKey(color, "low")), &high = document.at(limitsKey(color, "high"));
  if (!mode.is_string() || mode.get<std::string>() != "locked" || !low.is_number() || !high.is_number())
    return std::nullopt;
  const ColorLimits limits{low.get<double>(), high.get<double>()};
  return sound(limits, color) ? std::optional<ColorLimits>(limits) : std::nullopt;
}

Document withLimits(const Document& document, const ColorLimits& limits) {
  const PlaneColor color = colorOf(document);
  return document.with(limitsKey(color, "mode"), "locked")
      .with(limitsKey(color, "low"), limits.low)
      .with(limitsKey(color, "high"), limits.high);
}

Document withoutLimits(const Document& document) {
  const PlaneColor color = colorOf(document);
  Document result = document;
  for (const char* member : {"mode", "low", "high"})
    if (const std::string key = limitsKey(color, member); result.has(key)) result = result.without(key);
  const Json& rest = result.at("flow.limits");
  return rest.is_object() && rest.empty() ? result.without("flow.limits") : result;
}

Document withSoundLimits(const Document& document) {
  const PlaneColor color = colorOf(document);
  const bool low = document.has(limitsKey(color, "low")), high = document.has(limitsKey(color, "high"));
  if (!low && !high) return document;
  const ColorLimits limits{numberAt(document, limitsKey(color, "low"), 0),
                           numberAt(document, limitsKey(color, "high"), 0)};
  return low && high && sound(limits, color) ? document : withoutLimits(document);
}

namespace {

/// The window of a document; edges that it does not set are those of the state.
render::Rect viewOf(const FlowShared& readings, const Document& document) {
  const render::Rect& view = readings.state.view;
  const render::Rect wanted{
      {numberAt(document, "flow.view.xMin", view.min.x), numberAt(document, "flow.view.yMin", view.min.y)},
      {numberAt(document, "flow.view.xMax", view.max.x), numberAt(document, "flow.view.yMax", view.max.y)}};
  return wanted.width() > 0 && wanted.height() > 0 ? wanted : view;
}

/// The ends that are shown or will be shown; the results may still belong to an earlier document.
ColorLimits present(const FlowShared& readings, const Document& document) {
  const std::optional<ColorLimits>&shown = readings.results.limits(), &own = readings.results.ownLimits();
  const PlaneColor color = colorOf(document);
  const bool fromData = shown == own && !lockedLimits(document);
  const bool same = readings.state.color == color && chosenField(document) == readings.state.field->info().key;
  if (same && (!fromData || chosenField(document) != kCanonicalField || logarithmic(color)) && shown) return *shown;
  if (chosenField(document) != kCanonicalField) return shown.value_or(ColorLimits{0, 1});
  return limitsOf(chainOf(document), color, viewOf(readings, document));
}

/// The mode of a colour that is not chosen is accepted without a check, from a file or a script. It takes effect when
/// the colour is chosen.
Result<Document> modeFollows(const FlowShared& readings, PlaneColor color, const Document& before,
                             const Document& with) {
  if (colorOf(with) != color) return with;
  const Json& mode = with.at(limitsKey(color, "mode"));
  if (!mode.is_string() || mode.get<std::string>() != "locked") return withoutLimits(with);
  // Already locked, or a file that sets the mode and both ends.
  if (lockedLimits(with) && (lockedLimits(before) || with.has(limitsKey(color, "low")))) return with;
  return withLimits(with, present(readings, with));
}

Result<Document> endFollows(const FlowShared& readings, PlaneColor color, const Document& with) {
  if (colorOf(with) != color) return with;
  const ColorLimits now = present(readings, with);
  const ColorLimits limits{numberAt(with, limitsKey(color, "low"), now.low),
                           numberAt(with, limitsKey(color, "high"), now.high)};
  if (sound(limits, color)) return withLimits(with, limits);
  const std::string text =
      logarithmic(color) ? tr("the colour scale is logarithmic: the lower end, {low}, must be above 0 and below the "
                              "upper end, {high}")
                         : tr("the lower end of the colour scale, {low}, must be below the upper end, {high}");
  return fail(ErrorKind::Usage,
              filled(filled(text, "{low}", shownFixed(limits.low, 4)), "{high}", shownFixed(limits.high, 4)));
}

void declareScale(PropertyRegistry& registry, const FlowShared& readings, PlaneColor color, const char* unit,
                  const char* lowHelp, const char* highHelp) {
  const Condition colored = declaring::onPlane([fields = readings.fields, color](const Document& document) {
    return colorOf(document) == color && shadeable(fields, document);
  });
  const auto end = [&](const char* member, const char* label, double fallback, const char* help) {
    return Property{.key = limitsKey(color, member),
                    .label = label,
                    .unit = unit,
                    .min = logarithmic(color) ? 0 : -kFarthest,
                    .max = logarithmic(color) ? kMostLogarithmic : kFarthest,
                    .digits = 4,
                    .fallback = fallback,
                    .help = help,
                    .applies = [](const Document& document) { return lockedLimits(document).has_value(); },
                    .follow = [readings, color](const Document&,
                                                const Document& with) { return endFollows(readings, color, with); }};
  };
  // clang-format off
  declareParameters(registry, {.applies = colored}, {
      {.key = limitsKey(color, "mode"), .label = N_("Colour scale"),
       .options = {{"auto", N_("from the data")}, {"locked", N_("locked")}},
       .help = N_("Whether the ends of the colour scale follow p and q, or stay as they are: pictures with the same "
                  "ends can be compared by colour."),
       .follow = [readings, color](const Document& before, const Document& with) {
         return modeFollows(readings, color, before, with);
       }},
      end("low", N_("Lower end"), 0, lowHelp), end("high", N_("Upper end"), 1, highHelp)});
  // clang-format on
}

}  // namespace

void declareLimits(PropertyRegistry& registry, const FlowShared& readings) {
  declareScale(registry, readings, PlaneColor::Loss, "", N_("The loss at the lower end of the colour scale."),
               N_("The loss at the upper end of the colour scale."));
  declareScale(registry, readings, PlaneColor::Time, "",
               N_("The time at the lower end of the colour scale, which is logarithmic."),
               N_("The time at the upper end of the colour scale, which is logarithmic."));
  declareScale(registry, readings, PlaneColor::Gradient, "nats",
               N_("The norm of the gradient at the lower end of the colour scale, which is logarithmic."),
               N_("The norm of the gradient at the upper end of the colour scale, which is logarithmic."));
  const Getters limits([&results = readings.results](int) { return results.limits() ? &*results.limits() : nullptr; });
  const auto shaded = [fields = readings.fields](const Document& document) { return shadeable(fields, document); };
  // clang-format off
  declareReadOuts(registry, {.prefix = "flow.scale.", .applies = declaring::onPlane(shaded), .detail = true}, {
      {.key = "low", .label = N_("Colours from"),
       .help = N_("The value at the lower end of the colour scale that is shown: from the data, locked, or shared by "
                  "all panes."),
       .get = limits(&ColorLimits::low)},
      {.key = "high", .label = N_("Colours to"),
       .help = N_("The value at the upper end of the colour scale that is shown: from the data, locked, or shared by "
                  "all panes."),
       .get = limits(&ColorLimits::high)}});
  // clang-format on
}

}  // namespace sepx::ui
