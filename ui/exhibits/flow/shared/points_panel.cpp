// SPDX-License-Identifier: Apache-2.0
// See points_panel.h.
#include "ui/exhibits/flow/shared/points_panel.h"

#include <array>
#include <string>

#include <imgui/imgui.h>

#include "ui/exhibit/page_kit.h"
#include "ui/properties/color_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

namespace {

/// Of the theme's own hues, so that a point with a colour of its own goes with every picture.
std::array<render::Color, 5> paletteOf(const Theme& theme) {
  return {theme.accent, theme.globalMin, theme.localMin, theme.saddle, theme.attractor};
}

bool applies(const PropertyRegistry::Found& found, const Document& document) {
  if (found.property) return !found.property->applies || found.property->applies(document);
  return found.readOut && (!found.readOut->applies || found.readOut->applies(document));
}

void setColor(ExhibitContext& context, int point, const std::string& color) {
  const std::string key = pointKey(static_cast<std::size_t>(point), "color");
  context.editor.seal();
  if (const Result<void> done = context.editor.set(key, color); !done) context.editor.say(done.error().sentence);
  context.editor.seal();
}

/// A row of swatches; true when one was chosen.
bool swatches(ExhibitContext& context, int point) {
  const float size = ImGui::GetFrameHeight();
  bool chosen = false;
  int number = 0;
  for (const render::Color color : paletteOf(context.theme)) {
    const std::string text = colorText({color.r, color.g, color.b});
    if (number > 0) ImGui::SameLine();
    if (ImGui::ColorButton((text + "##menu").c_str(), {color.r, color.g, color.b, 1},
                           ImGuiColorEditFlags_NoAlpha | ImGuiColorEditFlags_NoDragDrop, {size, size})) {
      setColor(context, point, text);
      chosen = true;
    }
    context.controls->reportLastItem(pointKey(static_cast<std::size_t>(point), "color") + "#menu" +
                                     std::to_string(++number));
  }
  return chosen;
}

}  // namespace

void drawSelectedPoint(const FlowState& state, ExhibitContext& context) {
  if (state.selected < 0) return;
  PagePanel panel(context);
  const auto index = static_cast<std::size_t>(state.selected);
  const Document& document = context.editor.document();
  const auto shown = [&](const char* member) {
    const auto found = context.editor.properties().find(pointKey(index, member));
    return found && applies(*found, document);
  };
  for (const char* member : {"a", "name", "color"})
    if (shown(member)) panel.control(pointKey(index, member));
  for (const char* member : {"loss", "energy", "time99", "drift", "rate", "rate.theory", "from.words"}) {
    if (!shown(member)) continue;
    const auto found = context.editor.properties().find(pointKey(index, member));
    // What is not there now takes no room.
    if (!std::holds_alternative<std::monostate>(found->readOut->get(found->index)))
      panel.readOut(pointKey(index, member));
  }
}

void drawSampling(ExhibitContext& context, const RunCommand& run) {
  if (!ImGui::TreeNodeEx(tr("Place many at once"), ImGuiTreeNodeFlags_NoTreePushOnOpen)) {
    context.controls->reportLastItem("flow.sampling");
    return;
  }
  context.controls->reportLastItem("flow.sampling");
  PagePanel panel(context);
  for (const char* key : {"flow.sampling.count", "flow.sampling.radius", "flow.sampling.sigma", "flow.sampling.seed",
                          "flow.sampling.center", "flow.sampling.mode"})
    panel.control(key);
  const auto button = [&](const char* label, const char* command) {
    if (panel.button(label, command)) run(command);
  };
  button(N_("Grid"), "flow.sample-grid");
  panel.sameLine();
  button(N_("Ring"), "flow.sample-ring");
  panel.sameLine();
  button(N_("Cloud"), "flow.sample-gauss");
}

void PointMenu::draw(std::optional<int> asked, const FlowState& state, ExhibitContext& context, const RunCommand& run) {
  if (!context.controls) return;
  if (asked) {
    point_ = *asked;
    open_ = true;
    ImGui::OpenPopup("##flow.point-menu");
  }
  if (!open_) return;
  if (!ImGui::BeginPopup("##flow.point-menu")) {
    open_ = false;
    return;
  }
  const auto close = [this] {
    ImGui::CloseCurrentPopup();
    open_ = false;
  };
  if (point_ != state.selected || static_cast<std::size_t>(point_) >= state.points.size()) {
    close();
    ImGui::EndPopup();
    return;
  }
  const FlowPoint& point = state.points[static_cast<std::size_t>(point_)];
  ImGui::TextDisabled("%s", (std::string(tr("Point")) + " " + point.name).c_str());
  const auto item = [&](const char* label, const char* command) {
    if (ImGui::MenuItem(tr(label))) run(command);
    context.controls->reportLastItem(std::string(command) + "#menu");
  };
  item(N_("Duplicate"), "flow.duplicate-point");
  item(N_("Delete"), "flow.delete-point");
  ImGui::Separator();
  if (swatches(context, point_)) close();
  ImGui::BeginDisabled(point.color.empty());
  if (ImGui::MenuItem(tr("No colour of its own"))) setColor(context, point_, {});
  ImGui::EndDisabled();
  context.controls->reportLastItem(pointKey(static_cast<std::size_t>(point_), "color") + "#menu0");
  ImGui::EndPopup();
}

}  // namespace sepx::ui
