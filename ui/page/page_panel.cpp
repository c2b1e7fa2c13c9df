// SPDX-License-Identifier: Apache-2.0
// See page_panel.h.
#include "ui/page/page_panel.h"

#include <exception>
#include <optional>

#include <imgui/imgui.h>

#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/type_style.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

PagePanel::PagePanel(ExhibitContext& context) : context_(context) {}

PagePanel::PagePanel(ExhibitContext& context, const char* id) : context_(context), opened_(true) {
  constexpr double kColumn = 300;  // points, agreed with the workbench
  const auto unit = [&context](double points) { return static_cast<float>(points) * context.uiScale; };
  const render::Rect& area = context.area;
  const render::Rect column =
      context.panel.value_or(render::Rect{{area.max.x, area.min.y}, {area.max.x + kColumn, area.max.y}});
  ImGui::SetNextWindowPos({unit(column.min.x), unit(column.min.y)});
  ImGui::SetNextWindowSize({unit(column.width()), unit(column.height())});
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                 ImGuiWindowFlags_NoBringToFrontOnFocus;
  ImGui::Begin(id, nullptr, flags);
}

PagePanel::~PagePanel() {
  // After an exception inner windows are still open, which Dear ImGui does not tolerate; the frame then ends the
  // program.
  if (opened_ && std::uncaught_exceptions() == 0) ImGui::End();
}

void PagePanel::row(const std::string& key) {
  drawn_.insert(key);
  if (const auto found = context_.editor.properties().find(key)) draw(*found, key);
}

void PagePanel::draw(const PropertyRegistry::Found& found, const std::string& key) {
  const Document& document = context_.editor.document();
  const auto& applies = found.property ? found.property->applies : found.readOut->applies;
  if (applies && !applies(document)) return;
  if (found.property) return control(*found.property, context_.editor.properties().get(document, key), key);
  const Value value = found.readOut->get(found.index);
  const auto* const text = std::get_if<std::string>(&value);
  if (!text || !text->empty()) drawReadOut(*found.readOut, value, *context_.controls, key);
}

void PagePanel::rows(const std::string& prefix, std::initializer_list<const char*> members) {
  for (const char* const member : members)
    row(prefix + member);
}

void PagePanel::group(const std::string& title, const std::string& prefix, std::initializer_list<const char*> members) {
  heading(title);
  rows(prefix, members);
}

void PagePanel::rest(const std::string& exhibit, const std::vector<PropertyGroup>& groups, bool readOuts) {
  for (const PropertyGroup& group : groups)
    if (!group.elsewhere) restOf(exhibit + "." + group.key + ".", group, readOuts);
}

void PagePanel::restOf(const std::string& prefix, const PropertyGroup& group, bool readOuts) {
  const PropertyRegistry& registry = context_.editor.properties();
  const Document& document = context_.editor.document();
  const auto next = drawn_.lower_bound(prefix);
  bool titled = next != drawn_.end() && next->starts_with(prefix);
  const auto add = [&](const auto& declared, const PropertyRegistry::Found& found) {
    if (!declared.key.starts_with(prefix) || declared.key.find("[]") != std::string::npos || declared.detail) return;
    if (drawn_.contains(declared.key) || (declared.applies && !declared.applies(document))) return;
    if (!titled) heading(tr(group.title));
    titled = true;
    drawn_.insert(declared.key);
    draw(found, declared.key);
  };
  for (const Property& property : registry.properties())
    if (!property.inPicture) add(property, {&property, nullptr, -1});
  for (const ReadOut& readOut : registry.readOuts())
    if (readOuts) add(readOut, {nullptr, &readOut, -1});
}

void PagePanel::control(const Property& property, const Value& shown, const std::string& key) {
  drawn_.insert(key);
  const ControlEvent event = drawControl(property, shown, *context_.controls, key);
  if (event.changed) {
    const Result<void> done = context_.editor.set(key, event.value, key);
    if (!done) context_.controls->refuse(key, done.error().message);
  }
  if (event.ended) context_.editor.seal();
}

bool PagePanel::button(const std::string& label, const std::string& key, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(label.c_str());
  ImGui::EndDisabled();
  context_.controls->reportLastItem(key);
  return pressed;
}

void PagePanel::heading(const std::string& text) {
  ImGui::Dummy({0, 3 * context_.uiScale});
  textIn(TextStyle::Strong, text);
  ImGui::Separator();
}

void PagePanel::sentence(const std::string& text) {
  const render::Color muted = context_.theme.textMuted;
  ImGui::PushStyleColor(ImGuiCol_Text, {muted.r, muted.g, muted.b, muted.a});
  panelText(text, ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
}

void PagePanel::sameLine() {
  ImGui::SameLine();
}

}  // namespace sepx::ui
