// SPDX-License-Identifier: Apache-2.0
// The declarations of the colour scale: its mode, its two ends, and what is in effect. Locking takes the ends that are
// shown; a lower end above the upper one is refused with a sentence. Getters compute nothing.
#include <utility>

#include "ui/exhibits/flow/flow_declare.h"
#include "ui/exhibits/flow/flow_limits.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kFarthest = 1e9;

/// The ends that are shown, or will be: the results may be of a document before this one.
ColorLimits present(const FlowReadings& readings, const Document& document) {
  const std::optional<ColorLimits>&shown = readings.results.limits(), &own = readings.results.ownLimits();
  const bool fromData = shown == own && !lockedLimits(document);
  if (!fromData || chosenField(document) != kCanonicalField) return shown.value_or(ColorLimits{0, 1});
  const auto probability = [&document](const char* key, double fallback) {
    const Json& value = document.at(key);
    return value.is_number() ? value.get<double>() : fallback;
  };
  return limitsOf(markov::Chain{probability("flow.p", kDefaultP), probability("flow.q", kDefaultQ)});
}

Result<Document> modeFollows(const FlowReadings& readings, const Document& before, const Document& with) {
  const Json& mode = with.at("flow.limits.mode");
  if (!mode.is_string() || mode.get<std::string>() != "locked") return withoutLimits(with);
  // Locked already, or a file that says it all.
  if (lockedLimits(with) && (lockedLimits(before) || with.has("flow.limits.low"))) return with;
  return withLimits(with, present(readings, with));
}

Result<Document> endFollows(const FlowReadings& readings, const Document& with) {
  const Json &low = with.at("flow.limits.low"), &high = with.at("flow.limits.high");
  const ColorLimits now = present(readings, with);
  const ColorLimits limits{low.is_number() ? low.get<double>() : now.low,
                           high.is_number() ? high.get<double>() : now.high};
  if (sound(limits)) return withLimits(with, limits);
  std::string text = tr("the lower end of the colours, {low}, is not below the upper one, {high}");
  text.replace(text.find("{low}"), 5, shownFixed(limits.low, 4));
  return fail(ErrorKind::Usage, text.replace(text.find("{high}"), 6, shownFixed(limits.high, 4)));
}

Property modeOf(const FlowReadings& readings) {
  Property mode;
  mode.key = "flow.limits.mode";
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
  mode.applies = [fields = readings.fields](const Document& document) { return shadeable(fields, document); };
  mode.follow = [readings](const Document& before, const Document& with) {
    return modeFollows(readings, before, with);
  };
  return mode;
}

Property endOf(const FlowReadings& readings, const char* key, const char* label, double fallback, const char* help) {
  Property end;
  end.key = key;
  end.label = label;
  end.min = -kFarthest;
  end.max = kFarthest;
  end.digits = 4;
  end.fallback = fallback;
  end.help = help;
  end.applies = [fields = readings.fields](const Document& document) {
    return shadeable(fields, document) && lockedLimits(document).has_value();
  };
  end.follow = [readings](const Document&, const Document& with) { return endFollows(readings, with); };
  return end;
}

ReadOut shownEnd(const FlowReadings& readings, const char* key, const char* label, const char* help,
                 double ColorLimits::*end) {
  ReadOut shown;
  shown.key = key;
  shown.label = label;
  shown.help = help;
  shown.detail = true;
  shown.applies = [fields = readings.fields](const Document& document) { return shadeable(fields, document); };
  shown.get = [&results = readings.results, end](int) -> Value {
    const std::optional<ColorLimits> limits = results.limits();
    return limits ? Value((*limits).*end) : Value(std::monostate{});
  };
  return shown;
}

}  // namespace

void declareLimits(PropertyRegistry& registry, const FlowReadings& readings) {
  registry.declare(modeOf(readings));
  registry.declare(
      endOf(readings, "flow.limits.low", N_("Lower end"), 0, N_("The loss at the lower end of the colours.")));
  registry.declare(
      endOf(readings, "flow.limits.high", N_("Upper end"), 1, N_("The loss at the upper end of the colours.")));
  registry.declare(shownEnd(readings, "flow.scale.low", N_("Colours from"),
                            N_("The loss at the lower end of the colour scale that is shown: from the data, locked, or "
                               "shared by all panes."),
                            &ColorLimits::low));
  registry.declare(shownEnd(readings, "flow.scale.high", N_("Colours to"),
                            N_("The loss at the upper end of the colour scale that is shown: from the data, locked, or "
                               "shared by all panes."),
                            &ColorLimits::high));
}

}  // namespace sepx::ui
