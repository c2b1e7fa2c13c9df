// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/state_sheet.h"

#include <algorithm>
#include <utility>

#include <imgui/imgui.h>

#include "ui/document/state_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/properties/type_style.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/sheet_window.h"
#include "ui/workbench/state_share.h"

namespace sepx::ui {
namespace {

constexpr int kQuiet = 4;  // modules of the blank border, by the standard

}  // namespace

void StateSheet::addCommands(Commands& to) {
  const char* const kEdit = tr("Edit");
  to.add({"edit.copy-state", tr("Copy state as text"), "Ctrl+Shift+T", kEdit, bool(window_.options.copy)},
         [this] { return copy(); });
  to.add({"edit.paste-state", tr("Paste state"), "Ctrl+V", kEdit, bool(window_.options.paste)},
         [this] { return paste(); });
  to.add({"view.state-code", tr("State as QR code"), "Ctrl+R", tr("View"), true, open_}, [this] { show(!open_); });
}

void StateSheet::show(bool shown) {
  if (std::exchange(open_, shown) != shown) of_ = ~0ull;
}

bool StateSheet::close() {
  return std::exchange(open_, false);
}

Result<void> StateSheet::copy() {
  const auto text = stateText(workbench_);
  if (!text) {
    window_.error(text.error().message);
    return tl::unexpected(text.error());
  }
  window_.options.copy({*text, {}, {}});
  window_.note(trFormat("The state is on the clipboard, {} characters.", text->size()));
  return {};
}

Result<void> StateSheet::paste() {
  const std::string text = window_.options.paste();
  if (!isStateText(text)) {
    window_.note(tr("There is no state on the clipboard: a state begins with sepx:1:"));
    return {};
  }
  return workbench_.startOpening({text}, window_.options.stage ? ApplyOpened::WhenRead : ApplyOpened::WhenConfirmed);
}

void StateSheet::follow() {
  const std::uint64_t revision = window_.history.revision();
  if (std::exchange(of_, revision) == revision) return;
  text_.clear();
  refusal_.clear();
  code_.reset();
  auto text = stateText(workbench_);
  if (!text) {
    refusal_ = text.error().message;
    return;
  }
  text_ = std::move(*text);
  auto code = qrCode(text_);
  if (code)
    code_ = std::move(*code);
  else
    refusal_ = code.error().message;
}

/// Draws the code dark on white in every theme, as cameras expect. Adjacent dark modules in a row are one rectangle.
void StateSheet::drawCode(float side) const {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + side, at.y + side}, IM_COL32_WHITE);
  const float module = side / static_cast<float>(code_->side + 2 * kQuiet);
  const auto place = [&](int index) { return module * static_cast<float>(index + kQuiet); };
  const ImDrawListFlags smooth = std::exchange(list->Flags, list->Flags & ~ImDrawListFlags_AntiAliasedFill);
  for (int row = 0; row < code_->side; ++row) {
    for (int from = 0; from < code_->side;) {
      int to = from;
      while (to < code_->side && code_->at(row, to))
        ++to;
      if (to > from)
        list->AddRectFilled({at.x + place(from), at.y + place(row)}, {at.x + place(to), at.y + place(row + 1)},
                            IM_COL32_BLACK);
      from = to + 1;
    }
  }
  list->Flags = smooth;
  ImGui::Dummy({side, side});
}

void StateSheet::drawContent(float side) {
  ImGui::PushFont(textFont(TextStyle::Title));
  ImGui::TextUnformatted(tr("Share this state"));
  ImGui::PopFont();
  if (code_) drawCode(side);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + side);
  if (!refusal_.empty()) ImGui::TextUnformatted(refusal_.c_str());
  if (code_)
    ImGui::TextUnformatted(tr("Scan it, or copy it as text. Paste the text into a window to open this state."));
  ImGui::PopTextWrapPos();
  if (code_) {
    const std::string size = trFormat("{} characters: {}", text_.size(), shownStateText(text_));
    ImGui::TextDisabled("%s", size.c_str());
  }
  if (window_.options.follows) return;  // no user is there to press a button
  ImGui::BeginDisabled(text_.empty() || !window_.options.copy);
  if (ImGui::Button(tr("Copy as text"))) static_cast<void>(copy());  // an error was reported
  window_.controls.reportLastItem("state.copy");
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button(tr("Close"))) open_ = false;
  window_.controls.reportLastItem("state.close");
}

void StateSheet::draw() {
  if (!open_) return;
  follow();
  const Theme& theme = *window_.theme;
  const auto width = static_cast<float>(window_.size.x), height = static_cast<float>(window_.size.y);
  const float pad = 2 * theme.space;
  // Around the code are the title, two lines of text, the size and the buttons; a stage that follows has no buttons.
  const float words = (window_.options.follows ? 6 : 10) * theme.textSize;
  const float side = std::max(8 * theme.textSize, std::min({width - 4 * pad, height - 4 * pad - words, 0.7f * height}));
  ImGui::SetNextWindowPos({width / 2, height / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  const SheetWindow sheet("##state", theme,
                          {.border = std::max(1.0f, theme.frameBorder),
                           .padding = ImVec2(pad, pad),
                           .flags = ImGuiWindowFlags_AlwaysAutoResize});
  if (sheet) drawContent(side);
}

}  // namespace sepx::ui
