// SPDX-License-Identifier: Apache-2.0
// See points_commands.h.
#include "ui/exhibits/flow/shared/points_commands.h"

#include <optional>

#include "ui/exhibit/page_kit.h"
#include "ui/exhibits/flow/shared/flow_take.h"
#include "ui/exhibits/flow/shared/points_sampling.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr std::string_view kSample = "flow.sample-";

std::optional<SampleShape> shapeOf(std::string_view command) {
  if (command == "flow.sample-grid") return SampleShape::Grid;
  if (command == "flow.sample-ring") return SampleShape::Ring;
  if (command == "flow.sample-gauss") return SampleShape::Gauss;
  return std::nullopt;
}

std::string stepName(SampleShape shape, std::size_t count) {
  const std::string text = shape == SampleShape::Grid   ? tr("place a grid of {n} points")
                           : shape == SampleShape::Ring ? tr("place a ring of {n} points")
                                                        : tr("place a Gaussian cloud of {n} points");
  return filled(text, "{n}", std::to_string(count));
}

void sample(ExhibitContext& context, const FlowState& state, SampleShape shape, bool threeD) {
  const Document& now = context.editor.document();
  const PropertyRegistry& registry = context.editor.properties();
  const std::vector<FlowPoint> points = sampledPoints(readSampling(now, registry, state, shape, threeD, context.seed));
  const bool replace = registry.text(now, "flow.sampling.mode") == "replace";
  if (!replace && state.points.size() + points.size() > kMostPoints) {
    const std::string text =
        tr("With {n} more there would be more than {most} points; ask for fewer, or let them replace those here.");
    context.editor.say(
        filled(filled(text, "{n}", std::to_string(points.size())), "{most}", std::to_string(kMostPoints)));
    return;
  }
  context.editor.seal();
  context.editor.commit(replace ? withOnlyPoints(now, points) : withNewPoints(now, points),
                        stepName(shape, points.size()));
  context.editor.seal();
}

void duplicate(ExhibitContext& context, const FlowState& state) {
  if (state.selected < 0) return;
  if (state.points.size() >= kMostPoints) {
    context.editor.say(
        filled(tr("There are {most} points already; delete some first."), "{most}", std::to_string(kMostPoints)));
    return;
  }
  const Document& now = context.editor.document();
  const std::string name = nextPointName(now);
  context.editor.seal();
  context.editor.commit(withDuplicate(now, static_cast<std::size_t>(state.selected)),
                        tr("duplicate point") + (" " + name));
  context.editor.seal();
}

void deleteAll(ExhibitContext& context, const FlowState& state) {
  if (state.points.empty()) return;
  context.editor.seal();
  context.editor.commit(withoutPoints(context.editor.document()), tr("delete all points"));
  context.editor.seal();
}

}  // namespace

std::vector<Exhibit::Command> pointCommands(const Document& document, bool here) {
  const bool some = here && !document.list("flow.points").empty();
  const Json& selected = document.at("flow.selected");
  const bool one = some && selected.is_number() && selected.get<double>() >= 0;
  const std::string menu = tr("Exhibit") + std::string("/") + tr("Points");
  return {
      {"flow.duplicate-point", tr("Duplicate point"), "Ctrl+D", menu, one},
      {"flow.delete-points", tr("Delete all points"), "", menu, some},
      {"flow.sample-grid", tr("Place a grid of points"), "", menu, here},
      {"flow.sample-ring", tr("Place a ring of points"), "", menu, here},
      {"flow.sample-gauss", tr("Place a Gaussian cloud of points"), "", menu, here},
  };
}

bool runPointCommand(ExhibitContext& context, const FlowState& state, std::string_view command, bool threeD) {
  if (command.starts_with(kSample)) {
    const std::optional<SampleShape> shape = shapeOf(command);
    if (shape) sample(context, state, *shape, threeD);
    return shape.has_value();
  }
  if (command == "flow.duplicate-point")
    duplicate(context, state);
  else if (command == "flow.delete-points")
    deleteAll(context, state);
  else
    return false;
  return true;
}

}  // namespace sepx::ui
