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

/// Whether a document is coloured by this, and there is something to shade.
std::function<bool(const Document&)> whenColored(const FlowShared& readings, PlaneColor color) {
  return declaring::onPlane([fields = readings.fields, color](const Document& document) {
    return colorOf(document) == color && shadeable(fields, document);
  });
}

Property modeOf(const FlowShared& readings, PlaneColor color) {
  Property mode;
  mode.key = limitsKey(color, "mode");
  mode.label = N_("Colour scale");
  mode.kind = Kind::Choice;
  mode.choices = {"auto", "locked"};
  mode.fallback = std::string("auto");
  mode.choiceLabel = [](const std::string& key) {
    return std::string(key == "locked" ? tr("locked") : tr("from the data"));
  };
  mode.help =
      N_("Whether the ends of the colour scale follow p and q, or stay as they are: pictures with the same ends "
         "can be compared by colour.");
  mode.applies = whenColored(readings, color);
  mode.follow = [readings, color](const Document& before, const Document& with) {
    return modeFollows(readings, color, before, with);
  };
  return mode;
}

/// What the ends of a scale are of.
struct EndWords {
  PlaneColor color;
  const char *lowHelp, *highHelp, *unit;
};

Property endOf(const FlowShared& readings, const EndWords& words, bool upper) {
  Property end;
  end.key = limitsKey(words.color, upper ? "high" : "low");
  end.label = upper ? N_("Upper end") : N_("Lower end");
  end.unit = words.unit;
  end.min = logarithmic(words.color) ? 0 : -kFarthest;
  end.max = logarithmic(words.color) ? 1e15 : kFarthest;
  end.digits = 4;
  end.fallback = upper ? 1.0 : 0.0;
  end.help = upper ? words.highHelp : words.lowHelp;
  end.applies = [when = whenColored(readings, words.color)](const Document& document) {
    return when(document) && lockedLimits(document).has_value();
  };
  end.follow = [readings, color = words.color](const Document&, const Document& with) {
    return endFollows(readings, color, with);
  };
  return end;
}

ReadOut shownEnd(const FlowShared& readings, const char* key, const char* label, const char* help,
                 double ColorLimits::*end) {
  ReadOut shown;
  shown.key = key;
  shown.label = label;
  shown.help = help;
  shown.detail = true;
  shown.applies =
      declaring::onPlane([fields = readings.fields](const Document& document) { return shadeable(fields, document); });
  shown.get = [&results = readings.results, end](int) -> Value {
    const std::optional<ColorLimits> limits = results.limits();
    return limits ? Value((*limits).*end) : Value(std::monostate{});
  };
  return shown;
}

}  // namespace

void declareLimits(PropertyRegistry& registry, const FlowShared& readings) {
  const EndWords scales[] = {
      {PlaneColor::Loss, N_("The loss at the lower end of the colours."),
       N_("The loss at the upper end of the colours."), ""},
      {PlaneColor::Time, N_("The time at the lower end of the colours; they run over powers of ten."),
       N_("The time at the upper end of the colours; they run over powers of ten."), ""},
      {PlaneColor::Gradient, N_("The length of the gradient at the lower end of the colours, over powers of ten."),
       N_("The length of the gradient at the upper end of the colours, over powers of ten."), "nats"}};
  for (const EndWords& words : scales) {
    registry.declare(modeOf(readings, words.color));
    for (const bool upper : {false, true})
      registry.declare(endOf(readings, words, upper));
  }
  registry.declare(
      shownEnd(readings, "flow.scale.low", N_("Colours from"),
               N_("The value at the lower end of the colour scale that is shown: from the data, locked, or "
                  "shared by all panes."),
               &ColorLimits::low));
  registry.declare(
      shownEnd(readings, "flow.scale.high", N_("Colours to"),
               N_("The value at the upper end of the colour scale that is shown: from the data, locked, or "
                  "shared by all panes."),
               &ColorLimits::high));
}

}  // namespace sepx::ui
