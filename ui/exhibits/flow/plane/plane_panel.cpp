// SPDX-License-Identifier: Apache-2.0
// See plane_panel.h.
#include "ui/exhibits/flow/plane/plane_panel.h"

#include <string>
#include <utility>
#include <vector>

#include <imgui/imgui.h>

#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

namespace {

/// Switches of the layers in two columns.
void drawToggles(const FlowState& state, const PlaneLayers& layers, ExhibitContext& context, PagePanel& panel) {
  constexpr float kToggleLabel = 7.2f;  // sizes of the text
  std::vector<std::string> keys;
  for (const char* const name : {"basin", "loss", "critical", "separatrix", "paths", "arrows", "cloud"})
    keys.push_back(std::string("flow.show.") + name);
  for (const auto& layer : layers)
    if (const std::string key = layer->toggle(); !key.empty()) keys.push_back(key);
  if (!ImGui::BeginTable("layers", 2, ImGuiTableFlags_SizingStretchSame)) return;
  const PropertyRegistry& registry = context.editor.properties();
  const float width = kToggleLabel * context.theme.textSize * context.uiScale;
  const float labelWidth = std::exchange(context.controls->labelWidth, width);
  for (const std::string& key : keys) {
    const std::optional<PropertyRegistry::Found> found = registry.find(key);
    if (!found || !found->property) continue;
    const std::function<bool(const Document&)>& applies = found->property->applies;
    if (applies && !applies(context.editor.document())) continue;
    ImGui::TableNextColumn();
    // Arrows of a field are on until someone says otherwise: what is shown counts, not the fallback.
    if (key == "flow.show.arrows")
      panel.control(*found->property, state.showArrows, key);
    else
      panel.control(key);
  }
  context.controls->labelWidth = labelWidth;
  ImGui::EndTable();
}

void drawColorScale(const FlowState& state, PagePanel& panel) {
  if (state.canonical) panel.control("flow.color");
  if (state.color == PlaneColor::Basin) return;
  panel.control(limitsKey(state.color, "mode"));
  if (!state.locked) return;
  panel.control(limitsKey(state.color, "low"));
  panel.control(limitsKey(state.color, "high"));
}

}  // namespace

void drawPlanePanel(const FlowState& state, const PlaneLayers& layers, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("What is shown"));
  drawToggles(state, layers, context, panel);
  if (state.showLoss && hasLoss(state)) drawColorScale(state, panel);
  if (!state.canonical) return;
  if (state.showBasin) panel.control("flow.basin.method");
  if (!state.showCloud) return;
  panel.control("flow.gauss.sigma");
  panel.control("flow.gauss.samples");
  panel.readOut("flow.gauss.measured");
  panel.readOut("flow.gauss.probability");
}

}  // namespace sepx::ui
