// SPDX-License-Identifier: Apache-2.0
// The list scrolls in a child window below the title and the search field.
#include "ui/workbench/guide_sheet.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include "ui/document/history.h"
#include "ui/properties/formula.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/workbench/flowing_text.h"
#include "ui/workbench/formula_ink.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/language_choice.h"
#include "ui/workbench/picture_ink.h"
#include "ui/workbench/sheet_window.h"

namespace sepx::ui {
namespace {

constexpr float kGuideWidest = 56;         // type sizes
constexpr float kGuideFormulaSize = 1.1f;  // of the body type
constexpr float kKeyColumn = 16;           // of a gesture, type sizes
constexpr float kPictureWidth = 24;        // type sizes

}  // namespace

bool GuideSheet::close() {
  return std::exchange(open_, false);
}

/// Rebuilds the sections when the page, the document, the language or the search text has changed.
void GuideSheet::follow() {
  const std::string language = ui::language();
  if (!library_ || std::exchange(lessonsOf_, language) != language) {
    library_ = readGuide(lessonsInLanguage(workbench_.options().lessons), workbench_.options().assets);
    lessonsOf_ = language;
  }
  const Exhibit& exhibit = workbench_.exhibit(workbench_.activePane());
  const std::string of = fmt::format("{} {} {} {} {}", exhibit.key(), workbench_.activePane(),
                                     workbench_.history().revision(), languageRevision(), query_);
  if (std::exchange(madeOf_, of) == of) return;
  const std::vector<const Exhibit*> exhibits = workbench_.exhibits();
  const std::vector<Workbench::Command> commands = workbench_.commands();
  const GuideOf source{exhibit, exhibits, workbench_.properties(), workbench_.paneDocument(), commands, *library_};
  const std::string title = guideTitle(source);
  fresh_ = std::exchange(title_, title) != title || !query_.empty();
  sections_ = query_.find_first_not_of(' ') == std::string::npos ? guidePage(source) : searchGuide(source, query_);
}

bool GuideSheet::drawButton(const char* words, const std::string& control, float right, ControlMap& controls) {
  ImGui::SameLine(right - buttonWidth(words));
  const bool pressed = ImGui::SmallButton((words + ("##" + control)).c_str());
  controls.reportLastItem(control);
  return pressed;
}

bool GuideSheet::drawEntry(const GuideEntry& entry, float width, const Theme& theme, ControlMap& controls) {
  bool pictured = true;
  if (PictureInk* const ink = PictureInk::current(); ink && !entry.picture.empty()) {
    pictured = ink->draw(entry.picture + (theme.dark ? "-dark.png" : "-light.png"),
                         std::min(width, kPictureWidth * theme.textSize));
    if (pictured) controls.reportLastItem("guide.picture");
  }
  const bool pair = entry.formula.empty() && entry.note.empty() && entry.explain.empty() && !entry.text.empty();
  const float column = kKeyColumn * theme.textSize;
  if (pair && width > 2 * column) {
    const ImVec2 at = ImGui::GetCursorPos();
    bool all = drawMixed(entry.title, column - theme.space, mixedStyle(TextStyle::Strong, theme.text));
    const float below = ImGui::GetCursorPosY();
    ImGui::SetCursorPos({at.x + column, at.y});
    all = drawMixed(entry.text, width - column, mixedStyle(TextStyle::Body, theme.text)) && all;
    ImGui::SetCursorPosY(std::max(below, ImGui::GetCursorPosY()));
    return all && pictured;
  }
  const bool acts = !entry.explain.empty() || !entry.command.empty() || !entry.file.empty();
  const float room = acts ? width - 8 * theme.textSize : width;
  bool all = true;
  const float top = ImGui::GetCursorPosY();
  all = drawMixed(entry.title, room,
                  mixedStyle(entry.text.empty() && !acts ? TextStyle::Body : TextStyle::Strong, theme.text));
  const float below = ImGui::GetCursorPosY();
  if (acts) {
    ImGui::SetCursorPosY(top);
    ImGui::Dummy({1, theme.textSize});
    const std::string name = std::filesystem::path(entry.file).stem().string();
    if (!entry.explain.empty() && drawButton(tr("Explain"), "guide.explain." + entry.explain, width, controls)) {
      static_cast<void>(workbench_.explain(workbench_.inPane(entry.explain, workbench_.activePane())));
      open_ = false;
    }
    if (!entry.command.empty() && drawButton(tr("Run"), "guide.run." + entry.command, width, controls)) {
      open_ = false;
      if (const auto done = workbench_.run(entry.command); !done)
        workbench_.say({Message::Level::Error, done.error().message});
    }
    if (!entry.file.empty() && drawButton(tr("Open"), "guide.open." + name, width, controls)) {
      open_ = false;
      if (const auto done = workbench_.startOpening({entry.file}, ApplyOpened::WhenConfirmed); !done)
        workbench_.say({Message::Level::Error, done.error().message});
    }
    ImGui::SetCursorPosY(std::max(below, ImGui::GetCursorPosY()));
  }
  if (!entry.text.empty()) all = drawMixed(entry.text, width, mixedStyle(TextStyle::Body, theme.text)) && all;
  if (const auto formula = Formula::parse(entry.formula); formula && !entry.formula.empty()) {
    const double size = fittedSize(*formula, theme.textSize * kGuideFormulaSize, width);
    all = drawFormula(*formula, size, width, toImU32(theme.accent)) && all;
  }
  if (!entry.note.empty()) all = drawMixed(entry.note, width, mixedStyle(TextStyle::Body, theme.textMuted)) && all;
  ImGui::Dummy({0, theme.space / 2});
  return all && pictured;
}

bool GuideSheet::draw(render::Point window, const Theme& theme, ControlMap& controls) {
  if (!open_) return false;
  follow();
  placeTallSheet(window, kGuideWidest, theme);
  bool all = true, closing = false;
  if (const SheetWindow sheet("##guide", theme); sheet) {
    textIn(TextStyle::Title, query_.empty() ? title_ : std::string(tr("Guide")));
    const char *const keys = tr("Keys and pointer"), *const close = tr("Close");
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - buttonWidth(keys) - buttonWidth(close) - 2 * gap);
    ImGui::InputTextWithHint("##search", tr("Search all pages: a word, a symbol, a key"), &query_);
    controls.reportLastItem("guide.search");
    ImGui::SameLine();
    if (ImGui::Button(keys)) {
      closing = true;
      static_cast<void>(workbench_.run("help.keys"));
    }
    controls.reportLastItem("guide.keys");
    ImGui::SameLine();
    closing = ImGui::Button(close) || closing;
    controls.reportLastItem("guide.close");
    ImGui::Separator();
    if (ImGui::BeginChild("list")) {
      if (std::exchange(fresh_, false)) ImGui::SetScrollY(0);
      const float inner = ImGui::GetContentRegionAvail().x - theme.space;
      for (const GuideSection& section : sections_) {
        ImGui::Dummy({0, theme.space / 2});
        const ImVec2 at = ImGui::GetCursorScreenPos();
        textIn(TextStyle::Title, section.title);
        controls.report("guide.section", at, {at.x + inner, ImGui::GetCursorScreenPos().y});
        for (const GuideEntry& entry : section.entries)
          all = drawEntry(entry, inner, theme, controls) && all;
      }
      if (sections_.empty()) ImGui::TextDisabled("%s", tr("Nothing contains all of these words."));
    }
    ImGui::EndChild();
  }
  if (closing) open_ = false;
  FormulaInk* const ink = FormulaInk::current();
  return !all || (ink && ink->needsAtlasUpdate());
}

}  // namespace sepx::ui
