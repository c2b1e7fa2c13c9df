// SPDX-License-Identifier: Apache-2.0
// Layers and controls of pages.
#include "ui/exhibit/page_kit.h"

#include <algorithm>
#include <atomic>

#include <imgui/imgui.h>

#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

namespace {

/// One counter for all pages: a renderer that knows layers by name and revision never takes one for another.
std::uint64_t nextRevision() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

}  // namespace

render::Rect flipped(const render::Rect& page) {
  return {{page.min.x, -page.max.y}, {page.max.x, -page.min.y}};
}

std::uint64_t bits(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

LayerKey frameKey(const PageArea& frame) {
  const render::Rect& a = frame.area;
  return {bits(a.min.x),
          bits(a.min.y),
          bits(a.max.x),
          bits(a.max.y),
          bits(std::string_view(frame.theme.key)),
          bits(static_cast<double>(frame.theme.textSize)),
          static_cast<std::uint64_t>(frame.figure),
          static_cast<std::uint64_t>(frame.compact)};
}

void PageLayers::add(std::vector<render::Layer>& into, const std::string& name, LayerKey key, const Make& make,
                     bool still, bool clip) {
  Kept& kept = kept_[name];
  if (kept.layer.revision == 0 || kept.key != key) {
    kept.key = std::move(key);
    kept.layer.name = name;
    kept.layer.items = make();
    kept.layer.revision = nextRevision();
    kept.layer.still = still;
    kept.layer.clip = clip;
  }
  if (!kept.layer.items.empty()) into.push_back(kept.layer);
}

void PageLayers::addSentence(std::vector<render::Layer>& into, const std::string& name, const PageArea& area,
                             const std::string& text) {
  if (text.empty() || area.figure) return;
  add(into, name, keyWith(frameKey(area), text), [&] {
    std::vector<render::Item> items;
    ui::addSentence(items, area.area, sentenceCase(text), area.theme);
    return items;
  });
}

void addMissing(std::vector<render::Item>& items, const render::Rect& box, const std::string& text,
                const PageArea& area) {
  if (!area.figure && !text.empty()) ui::addSentence(items, box, text, area.theme);
}

void setAsStep(Editor& editor, std::string_view key, const Value& value) {
  editor.seal();
  if (const Result<void> done = editor.set(key, value); !done) editor.say(done.error().sentence);
  editor.seal();
}

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
  if (opened_) ImGui::End();
}

void PagePanel::control(const std::string& key) {
  const PropertyRegistry& registry = context_.editor.properties();
  const std::optional<PropertyRegistry::Found> found = registry.find(key);
  if (!found || !found->property) return;
  const Document& document = context_.editor.document();
  if (found->property->applies && !found->property->applies(document)) return;
  control(*found->property, registry.get(document, key), key);
}

void PagePanel::control(const Property& property, const Value& shown, const std::string& key) {
  const ControlEvent event = drawControl(property, shown, *context_.controls, key);
  if (event.changed) {
    const Result<void> done = context_.editor.set(key, event.value, key);
    if (!done) context_.controls->refuse(key, done.error().sentence);
  }
  if (event.ended) context_.editor.seal();
}

void PagePanel::readOut(const std::string& key) {
  const std::optional<PropertyRegistry::Found> found = context_.editor.properties().find(key);
  if (!found || !found->readOut) return;
  if (found->readOut->applies && !found->readOut->applies(context_.editor.document())) return;
  const Value value = found->readOut->get(found->index);
  const auto* const text = std::get_if<std::string>(&value);
  if (text && text->empty()) return;
  drawReadOut(*found->readOut, value, *context_.controls, key);
}

bool PagePanel::button(const std::string& label, const std::string& key, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(label.c_str());
  ImGui::EndDisabled();
  context_.controls->reportLastItem(key);
  return pressed;
}

void PagePanel::heading(const std::string& text) {
  const render::Color muted = context_.theme.textMuted;
  ImGui::Dummy({0, 3 * context_.uiScale});
  ImGui::TextColored({muted.r, muted.g, muted.b, muted.a}, "%s", text.c_str());
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

std::function<bool(const Document&)> onPages(std::string key, std::string first, std::vector<std::string> pages,
                                             std::function<bool(const Document&)> also) {
  return [key = std::move(key), first = std::move(first), pages = std::move(pages),
          also = std::move(also)](const Document& document) {
    const Json& word = document.at(key);
    const std::string& shown = word.is_string() ? word.get_ref<const std::string&>() : first;
    return std::find(pages.begin(), pages.end(), shown) != pages.end() && (!also || also(document));
  };
}

}  // namespace sepx::ui
