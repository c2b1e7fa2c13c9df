// SPDX-License-Identifier: Apache-2.0
// Draws the panel. Every parameter is drawn from its declaration, so this file repeats no range and no help text.
#include "ui/exhibits/flow/shared/flow_panel.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <imgui/imgui.h>

#include "ui/canvas/axes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/properties/color_text.h"
#include "ui/properties/control_size.h"
#include "ui/properties/number_words.h"
#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

namespace {

/// The theme's own hues, so that a point with its own colour suits every picture.
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
  if (const Result<void> done = context.editor.set(key, color); !done) context.editor.say(done.error().message);
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
    if (shown(member)) panel.row(pointKey(index, member));
  for (const char* member : {"loss", "energy", "time99", "drift", "rate", "rate.theory", "from.words"}) {
    if (!shown(member)) continue;
    const auto found = context.editor.properties().find(pointKey(index, member));
    // A read-out without a value takes no space.
    if (!std::holds_alternative<std::monostate>(found->readOut->get(found->index))) panel.row(pointKey(index, member));
  }
}

void drawSampling(ExhibitContext& context, const RunCommand& run) {
  if (!ImGui::TreeNodeEx(tr("Place many at once"), ImGuiTreeNodeFlags_NoTreePushOnOpen)) {
    context.controls->reportLastItem("flow.sampling");
    return;
  }
  context.controls->reportLastItem("flow.sampling");
  PagePanel panel(context);
  panel.rows("flow.sampling.", {"count", "radius", "sigma", "seed", "center", "mode"});
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
  if (ImGui::MenuItem(tr("Default colour"))) setColor(context, point_, {});
  ImGui::EndDisabled();
  context.controls->reportLastItem(pointKey(static_cast<std::size_t>(point_), "color") + "#menu0");
  ImGui::EndPopup();
}

namespace {

ImVec4 toImGui(render::Color color) {
  return {color.r, color.g, color.b, color.a};
}

class Panel {
 public:
  Panel(const FlowPanelInput& input, ExhibitContext& context)
      : in_(input), context_(context), map_(*context.controls), panel_(context), unit_(context.uiScale) {}

  void column() {
    PagePanel column(context_, "##flow.panel");
    transport();
    panel_.row("flow.play.speed");
    panel_.heading(tr("Model"));
    model();
    const FlowTraits& traits = in_.page.traits();
    if (traits.points && traits.panelLast) points();
    const std::size_t before = panel_.asked();
    in_.page.panel(in_.frame, context_, panel_);
    const bool silent = panel_.asked() == before;
    if (traits.points && !traits.panelLast) points();
    panel_.rest("flow", in_.page.label().groups, silent);
  }
  /// Draws the transport in the space below the plot, beside the title of the axis, so that it covers nothing of the
  /// plane.
  void transportBar(const render::Rect& plot) {
    constexpr float kRow = 23, kWithBoth = 300;
    const auto right = static_cast<float>(context_.area.min.x + plot.max.x);
    const double below = context_.area.min.y + plot.max.y + axisMargins(context_.theme, false).bottom;
    const auto bottom = static_cast<float>(std::min(below, context_.area.max.y)) - 2;
    ImGui::SetNextWindowPos({right * unit_, bottom * unit_}, ImGuiCond_Always, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    const float padding = (kRow * unit_ - ImGui::GetTextLineHeight()) / 2;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, std::max(0.0f, padding)});
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground;
    if (ImGui::Begin("##flow.transport", nullptr, flags)) transport(plot.width() >= kWithBoth);
    ImGui::End();
    ImGui::PopStyleVar(4);
  }

 private:
  /// The control for a coordinate of a point, labelled with the name that the field gives it.
  void coordinate(std::size_t index, const char* member, std::size_t variable) {
    const std::string key = pointKey(index, member);
    const std::optional<PropertyRegistry::Found> found = context_.editor.properties().find(key);
    if (!found || !found->property) return;
    Property property = *found->property;
    if (!in_.state().canonical) {
      property.label = N_("Coordinate");
      property.symbol = in_.state().field->info().variables[variable];
      property.help = N_("Coordinate of the initial point.");
      property.equation = in_.state().field->info().equation;
    }
    panel_.control(property, context_.editor.properties().get(context_.editor.document(), key), key);
  }
  /// A button that runs a command.
  void button(const char* label, const char* command, bool enabled = true) {
    if (panel_.button(label, command, enabled)) in_.run(command);
  }
  void model() {
    panel_.row("flow.field");
    if (in_.state().canonical) {
      panel_.rows("flow.", {"p", "q", "entropy.marginal", "entropy.rate"});
      return;
    }
    const dynamics::FieldInfo& info = in_.state().field->info();
    for (const dynamics::FieldParameter& parameter : info.parameters)
      panel_.row("flow." + info.key + "." + parameter.key);
    ImGui::PushStyleColor(ImGuiCol_Text, toImGui(context_.theme.textMuted));
    panelText(tr(info.description), ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
  }
  void points() {
    panel_.heading(tr("Initial points"));
    button(tr("Add"), "flow.add-point");
    ImGui::SameLine();
    button(tr("Delete"), "flow.delete-point", in_.state().selected >= 0);
    ImGui::SameLine();
    button(tr("Duplicate"), "flow.duplicate-point", in_.state().selected >= 0);
    if (!in_.state().own->empty()) button(tr("Remove imported trajectories"), "flow.clear-overlays");
    drawSampling(context_, in_.run);
    pointList();
    selectedPoint();
  }
  void pointList() {
    if (in_.state().points.empty()) return;
    // A longer list scrolls in a box of its own, so that the rows of the selected point stay visible.
    constexpr std::size_t kMostRows = 8;
    const bool scrolls = in_.state().points.size() > kMostRows;
    const ImGuiTableFlags flags =
        ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg | (scrolls ? ImGuiTableFlags_ScrollY : 0);
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 cell(ImGui::GetStyle().CellPadding.x,
                      std::max(ImGui::GetStyle().CellPadding.y, (static_cast<float>(kLeastControl) - line) / 2));
    const float row = line + 2 * cell.y;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, cell);
    ImGui::PushStyleColor(ImGuiCol_TableHeaderBg, toImGui(context_.theme.surfaceRaised));
    const bool third = in_.page.traits().third;
    const bool open = ImGui::BeginTable(third ? "points3" : "points", third ? 5 : 4, flags,
                                        {0, scrolls ? (kMostRows + 1.5f) * row : 0});
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();  // the table has stored it
    if (!open) return;
    const std::vector<std::string>& variables = in_.state().field->info().variables;
    if (scrolls) ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("", 0, 0.65f);
    ImGui::TableSetupColumn(variables[0].c_str(), 0, 1.0f);
    ImGui::TableSetupColumn(variables[1].c_str(), 0, 1.0f);
    if (third) ImGui::TableSetupColumn("a", 0, 1.0f);
    ImGui::TableSetupColumn(tr("ends in"), 0, third ? 2.2f : 2.6f);
    ImGui::TableHeadersRow();
    const int selected = in_.state().selected;
    int& shown = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("shown"), -1);
    if (scrolls && std::exchange(shown, selected) != selected && selected >= 0)
      ImGui::SetScrollY(std::max(0.0f, (static_cast<float>(selected) - 3) * row));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(in_.state().points.size()), row);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        pointRow(static_cast<std::size_t>(i), row);
    ImGui::EndTable();
  }
  /// Draws the glyph of a kind in its colour, and words in the text colour, which is readable on every background,
  /// wrapped to the available width.
  void kindLine(markov::LimitKind kind, const std::string& words) {
    const float size = ImGui::GetTextLineHeight(), half = 0.34f * size;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 middle{corner.x + 0.45f * size, corner.y + 0.5f * size};
    const ImU32 color = ImGui::GetColorU32(toImGui(kindColor(context_.theme, kind)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    switch (kindShape(kind)) {
      case render::Shape::Square:
        list.AddRectFilled({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, color);
        break;
      case render::Shape::Diamond:
        list.AddNgonFilled(middle, 1.2f * half, color, 4);
        break;
      case render::Shape::Triangle:
        list.AddTriangleFilled({middle.x - half, middle.y + half}, {middle.x + half, middle.y + half},
                               {middle.x, middle.y - half}, color);
        break;
      case render::Shape::Cross:
        list.AddLine({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, color, 0.14f * size);
        list.AddLine({middle.x - half, middle.y + half}, {middle.x + half, middle.y - half}, color, 0.14f * size);
        break;
      default:
        list.AddCircleFilled(middle, half, color);
    }
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.1f * size);
    panelText(words, ImGui::GetContentRegionAvail().x);
  }
  markov::LimitKind kindOf(std::size_t index) const {
    if (in_.moves.kindOf) return in_.moves.kindOf(index);
    const FlowResults& results = in_.shared.results;
    return index < results.points() ? results.point(index).kind : markov::LimitKind::Undecided;
  }
  void pointRow(std::size_t index, float height) {
    const FlowPoint& place = in_.state().points[index];
    const markov::LimitKind kind = kindOf(index);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const bool selected = static_cast<int>(index) == in_.state().selected;
    const std::string id =
        (place.name.empty() ? std::to_string(index + 1) : place.name) + "##point" + std::to_string(index);
    ImGui::PushStyleColor(ImGuiCol_Header, toImGui(context_.theme.selectionMuted));
    // The selectable area extends to the next row.
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        {ImGui::GetStyle().ItemSpacing.x, height - ImGui::GetTextLineHeight()});
    if (ImGui::Selectable(id.c_str(), selected, ImGuiSelectableFlags_SpanAllColumns))
      context_.editor.replace(withSelected(context_.editor.document(), static_cast<int>(index)));
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    map_.reportLastItem("flow.points[" + std::to_string(index) + "]");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(shownFixed(place.e, 3).c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(shownFixed(place.w, 3).c_str());
    if (in_.page.traits().third) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(shownFixed(place.a, 3).c_str());
    }
    ImGui::TableNextColumn();
    kindLine(kind, kindWords(kind));
  }
  void selectedPoint() {
    const int selected = in_.state().selected;
    if (selected < 0 || static_cast<std::size_t>(selected) >= in_.state().points.size()) return;
    const auto index = static_cast<std::size_t>(selected);
    coordinate(index, "e", 0);
    coordinate(index, "w", 1);
    const bool followed = !in_.page.traits().third && index < in_.shared.results.points();
    if (followed) {  // the other pages show this in their own part
      const PointResult& point = in_.shared.results.point(index);
      kindLine(point.kind, limitWords(in_.state(), point));
    }
    drawSelectedPoint(in_.state(), context_);
  }
  void transport(bool reset = true) {
    button(in_.page.facts(in_.shared).playing ? tr("Pause") : tr("Play"), "play.toggle",
           static_cast<bool>(in_.moves.play));
    if (!reset) return;
    ImGui::SameLine();
    button(tr("Reset view"), "view.reset");
  }

  const FlowPanelInput& in_;
  ExhibitContext& context_;
  ControlMap& map_;
  PagePanel panel_;  ///< inside the column
  float unit_;
};

}  // namespace

void drawFlowPanel(const FlowPanelInput& input, ExhibitContext& context, bool inspectorShown) {
  Panel panel(input, context);
  if (!inspectorShown)
    panel.column();
  else if (const std::optional<render::Rect> plot = input.moves.transportPlot)
    panel.transportBar(*plot);
}

}  // namespace sepx::ui
