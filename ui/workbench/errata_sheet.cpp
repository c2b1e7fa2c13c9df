// SPDX-License-Identifier: Apache-2.0
// The list scrolls in a child window below the title, the filter and the kinds.
#include "ui/workbench/errata_sheet.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include "ui/properties/formula.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/properties/type_style.h"
#include "ui/workbench/flowing_text.h"
#include "ui/workbench/formula_ink.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/sheet_window.h"

namespace sepx::ui {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c); });
  return text;
}

/// Whether the displayed text contains the filter text, ignoring case.
bool matches(const Erratum& one, const std::string& filter) {
  if (filter.empty()) return true;
  std::string text = std::string(one.id) + " " + paperName(one.paper) + " " + kindName(one.kind);
  for (const char* part : {one.place, one.printed, one.correct, one.consequence})
    text += " " + plainOfMixed(tr(part));
  return lower(text).find(lower(filter)) != std::string::npos;
}

/// Draws the four parts of an item below each other. False while glyphs are not yet in the atlas.
bool drawItem(const Erratum& one, float width, const Theme& theme) {
  const MixedStyle strong = mixedStyle(TextStyle::Strong, theme.text);
  const MixedStyle body = mixedStyle(TextStyle::Body, theme.text);
  const MixedStyle muted = mixedStyle(TextStyle::Body, theme.textMuted);
  bool all = drawMixed(fmt::format("{} · {} · {}", one.id, kindName(one.kind), tr(one.place)), width, strong);
  all = drawMixed(trFormat("Published: {}", tr(one.printed)), width, muted) && all;
  all = drawMixed(kindAnswer(one.kind, tr(one.correct)), width, body) && all;
  all = drawMixed(trFormat("In this program: {}", tr(one.consequence)), width, muted) && all;
  return all;
}

}  // namespace

void ErrataSheet::open(std::string_view id) {
  open_ = true;
  filter_.clear();
  kind_.reset();
  target_ = std::string(id);
}

bool ErrataSheet::close() {
  return std::exchange(open_, false);
}

void ErrataSheet::drawKinds(ControlMap& controls) {
  static constexpr std::array kKeys{"errata.kind.error", "errata.kind.slip", "errata.kind.condition",
                                    "errata.kind.addition"};
  static_assert(kKeys.size() == kErratumKinds.size());
  for (const ErratumKind kind : kErratumKinds) {
    if (kind != kErratumKinds.front()) ImGui::SameLine();
    bool chosen = kind_ == kind;
    if (ImGui::Checkbox(kindPlural(kind), &chosen)) kind_ = chosen ? std::optional(kind) : std::nullopt;
    controls.reportLastItem(kKeys[static_cast<std::size_t>(kind)]);
  }
}

bool ErrataSheet::drawList(const Theme& theme, ControlMap& controls) {
  bool all = true;
  const float inner = ImGui::GetContentRegionAvail().x - theme.space;
  std::optional<Paper> paper;
  for (const Erratum& one : errata()) {
    if ((kind_ && kind_ != one.kind) || !matches(one, filter_)) continue;
    if (paper != one.paper) {
      paper = one.paper;
      ImGui::Dummy({0, theme.space / 2});
      textIn(TextStyle::Title, paperName(one.paper));
      const MixedStyle muted = mixedStyle(TextStyle::Body, theme.textMuted);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      all = drawMixed(citation(referenceOf(one.paper)), inner, muted) && all;
      controls.report(std::string("errata.paper.") + paperName(one.paper), at,
                      {at.x + inner, ImGui::GetCursorScreenPos().y});
      ImGui::Dummy({0, theme.space / 2});
    }
    if (target_ == one.id) ImGui::SetScrollHereY(0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    all = drawItem(one, inner, theme) && all;
    controls.report(std::string("errata.") + one.id, at, {at.x + inner, ImGui::GetCursorScreenPos().y});
    ImGui::Dummy({0, theme.space});
  }
  if (!paper) ImGui::TextDisabled("%s", tr("Nothing matches the filter."));
  return all;
}

bool ErrataSheet::draw(render::Point window, const Theme& theme, ControlMap& controls) {
  if (!open_) return false;
  constexpr float kWidest = 56;  // type sizes
  placeTallSheet(window, kWidest, theme);
  bool all = true, closing = false;
  if (const SheetWindow sheet("##errata", theme); sheet) {
    textIn(TextStyle::Title, tr("Errata and remarks"));
    const char* const close = tr("Close");
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - buttonWidth(close) - ImGui::GetStyle().ItemSpacing.x);
    ImGui::InputTextWithHint("##filter", tr("Filter: a theorem, an equation, a word"), &filter_);
    controls.reportLastItem("errata.filter");
    ImGui::SameLine();
    closing = ImGui::Button(close);
    controls.reportLastItem("errata.close");
    drawKinds(controls);
    ImGui::Separator();
    if (ImGui::BeginChild("list")) {
      all = drawList(theme, controls);
      if (all) target_.clear();
    }
    ImGui::EndChild();
  }
  if (closing) open_ = false;
  FormulaInk* const ink = FormulaInk::current();
  return !all || (ink && ink->needsAtlasUpdate()) || !target_.empty();
}

}  // namespace sepx::ui
