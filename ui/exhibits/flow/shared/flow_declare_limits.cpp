// SPDX-License-Identifier: Apache-2.0
// The declarations of the colour scale: its mode, its two ends, and what is in effect. Locking takes the ends that are
// shown; a lower end above the upper one is refused with a sentence. Getters compute nothing.
#include <utility>

#include "ui/exhibits/flow/shared/flow_declare.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// The window of a document, as the state reads it.
render::Rect viewOf(const FlowShared& readings, const Document& document) {
  render::Rect view = readings.state.view;
  const auto edge = [&document](const char* key, double fallback) {
    const Json& value = document.at(key);
    return value.is_number() ? value.get<double>() : fallback;
  };
  const render::Rect wanted{{edge("flow.view.xMin", view.min.x), edge("flow.view.yMin", view.min.y)},
                            {edge("flow.view.xMax", view.max.x), edge("flow.view.yMax", view.max.y)}};
  return wanted.width() > 0 && wanted.height() > 0 ? wanted : view;
}

/// The ends that are shown, or will be: the results may be of a document before this one.
ColorLimits present(const FlowShared& readings, const Document& document) {
  const std::optional<ColorLimits>&shown = readings.results.limits(), &own = readings.results.ownLimits();
  const PlaneColor color = colorOf(document);
  const bool fromData = shown == own && !lockedLimits(document);
  const bool same = readings.state.color == color && chosenField(document) == readings.state.field->info().key;
  if (same && (!fromData || chosenField(document) != kCanonicalField || logarithmic(color)) && shown) return *shown;
  if (chosenField(document) != kCanonicalField) return shown.value_or(ColorLimits{0, 1});
  const auto probability = [&document](const char* key, double fallback) {
    const Json& value = document.at(key);
    return value.is_number() ? value.get<double>() : fallback;
  };
  const markov::Chain chain{probability("flow.p", kDefaultP), probability("flow.q", kDefaultQ)};
  return limitsOf(chain, color, viewOf(readings, document));
}

/// Of a colour that is not the chosen one a file or a script may say what it likes; it is seen when it is chosen.
Result<Document> modeFollows(const FlowShared& readings, PlaneColor color, const Document& before,
                             const Document& with) {
  if (colorOf(with) != color) return with;
  const Json& mode = with.at(limitsKey(color, "mode"));
  if (!mode.is_string() || mode.get<std::string>() != "locked") return withoutLimits(with);
  // Locked already, or a file that says it all.
  if (lockedLimits(with) && (lockedLimits(before) || with.has(limitsKey(color, "low")))) return with;
  return withLimits(with, present(readings, with));
}

Result<Document> endFollows(const FlowShared& readings, PlaneColor color, const Document& with) {
  if (colorOf(with) != color) return with;
  const Json &low = with.at(limitsKey(color, "low")), &high = with.at(limitsKey(color, "high"));
  const ColorLimits now = present(readings, with);
  const ColorLimits limits{low.is_number() ? low.get<double>() : now.low,
                           high.is_number() ? high.get<double>() : now.high};
  if (sound(limits, color)) return withLimits(with, limits);
  std::string text = logarithmic(color)
                         ? tr("the colours run over powers of ten: the lower end, {low}, must be above 0 and below the "
                              "upper one, {high}")
                         : tr("the lower end of the colours, {low}, is not below the upper one, {high}");
  text.replace(text.find("{low}"), 5, shownFixed(limits.low, 4));
  return fail(ErrorKind::Usage, text.replace(text.find("{high}"), 6, shownFixed(limits.high, 4)));
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
                    .max = logarithmic(color) ? 1e15 : kFarthest,
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
  declareScale(registry, readings, PlaneColor::Loss, "", N_("The loss at the lower end of the colours."),
               N_("The loss at the upper end of the colours."));
  declareScale(registry, readings, PlaneColor::Time, "",
               N_("The time at the lower end of the colours; they run over powers of ten."),
               N_("The time at the upper end of the colours; they run over powers of ten."));
  declareScale(registry, readings, PlaneColor::Gradient, "nats",
               N_("The length of the gradient at the lower end of the colours, over powers of ten."),
               N_("The length of the gradient at the upper end of the colours, over powers of ten."));
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
