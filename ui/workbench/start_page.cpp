// SPDX-License-Identifier: Apache-2.0
// Draws the start page with ImGui.
#include "ui/workbench/start_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {

constexpr double kColumnShare = 0.42;
constexpr double kLeastPicture = 300;  // points per side: a smaller picture is not shown

constexpr ImGuiWindowFlags kPage = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground;

const char* heading(StartEntry::Kind kind) {
  switch (kind) {
    case StartEntry::Kind::Restore:
      return tr("Recovered");
    case StartEntry::Kind::Exhibit:
      return tr("Explore");
    case StartEntry::Kind::Lesson:
      return tr("Lessons");
    case StartEntry::Kind::Open:
      return tr("Files");
    case StartEntry::Kind::Recent:
      return tr("Recent");
  }
  return "";
}

const char* toString(StartEntry::Kind kind) {
  switch (kind) {
    case StartEntry::Kind::Restore:
      return "restore";
    case StartEntry::Kind::Exhibit:
      return "exhibit";
    case StartEntry::Kind::Lesson:
      return "lesson";
    case StartEntry::Kind::Open:
      return "open";
    case StartEntry::Kind::Recent:
      return "recent";
  }
  return "";
}

bool insideCharacter(const std::string& text, std::size_t at) {
  return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

/// As much of the end of a path as fits, because the end says where the file is.
std::string fittingEnd(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  for (std::size_t from = 1; from < text.size(); ++from) {
    if (insideCharacter(text, from)) continue;
    const std::string tried = "…" + text.substr(from);
    if (ImGui::CalcTextSize(tried.c_str()).x <= width) return tried;
  }
  return {};
}

/// The mark of an exhibit, by its position in the list: a path to its limit, the cells of a matrix, a falling curve
/// between axes, then a ring of as many dots as its number.
void drawExhibitMark(ImDrawList* list, std::size_t number, ImVec2 centre, float r, ImU32 color, float line) {
  if (number == 0) {
    const ImVec2 from(centre.x - r, centre.y + 0.7f * r), to(centre.x + 0.75f * r, centre.y - 0.5f * r);
    list->AddBezierCubic(from, ImVec2(centre.x - 0.2f * r, centre.y + r), ImVec2(centre.x + 0.2f * r, centre.y - r), to,
                         color, line, 16);
    list->AddCircleFilled(to, 0.34f * r, color, 12);
    return;
  }
  if (number == 1) {
    constexpr int kCells = 3;
    const float cell = 2 * r / kCells;
    for (int row = 0; row < kCells; ++row) {
      for (int column = 0; column < kCells; ++column) {
        const ImVec2 min(centre.x - r + column * cell, centre.y - r + row * cell), max(min.x + cell, min.y + cell);
        if ((row + column) % 2 == 0) list->AddRectFilled(min, max, color);
      }
    }
    list->AddRect(ImVec2(centre.x - r, centre.y - r), ImVec2(centre.x + r, centre.y + r), color, 0, 0, line);
    return;
  }
  if (number == 2) {
    list->AddLine(ImVec2(centre.x - r, centre.y - r), ImVec2(centre.x - r, centre.y + r), color, line);
    list->AddLine(ImVec2(centre.x - r, centre.y + r), ImVec2(centre.x + r, centre.y + r), color, line);
    list->AddBezierCubic(ImVec2(centre.x - 0.7f * r, centre.y - 0.9f * r),
                         ImVec2(centre.x - 0.3f * r, centre.y + 0.9f * r),
                         ImVec2(centre.x + 0.1f * r, centre.y + 0.5f * r), ImVec2(centre.x + r, centre.y + 0.6f * r),
                         color, 1.4f * line, 16);
    return;
  }
  for (std::size_t i = 0; i < number; ++i) {
    const float turn = 6.2831853f * static_cast<float>(i) / static_cast<float>(number);
    list->AddCircleFilled(ImVec2(centre.x + 0.7f * r * std::sin(turn), centre.y - 0.7f * r * std::cos(turn)), 0.28f * r,
                          color, 10);
  }
}

/// The mark of a row. Its shape, and not its colour alone, shows what the row opens. `number`: index of the row among
/// those of its kind.
void drawMark(ImDrawList* list, StartEntry::Kind kind, std::size_t number, ImVec2 centre, float size, ImU32 color,
              float line) {
  const float r = size / 2;
  switch (kind) {
    case StartEntry::Kind::Restore:  // an arrow back
      list->PathArcTo(centre, r * 0.8f, -2.4f, 2.6f, 20);
      list->PathStroke(color, 0, line);
      list->AddTriangleFilled(ImVec2(centre.x - 1.15f * r, centre.y - 0.75f * r),
                              ImVec2(centre.x - 0.2f * r, centre.y - 0.95f * r),
                              ImVec2(centre.x - 0.75f * r, centre.y - 0.05f * r), color);
      return;
    case StartEntry::Kind::Exhibit:
      return drawExhibitMark(list, number, centre, r, color, line);
    case StartEntry::Kind::Lesson:  // play
      list->AddTriangleFilled(ImVec2(centre.x - 0.6f * r, centre.y - 0.85f * r),
                              ImVec2(centre.x - 0.6f * r, centre.y + 0.85f * r), ImVec2(centre.x + 0.85f * r, centre.y),
                              color);
      return;
    case StartEntry::Kind::Open:  // a folder
      list->AddRect(ImVec2(centre.x - r, centre.y - 0.5f * r), ImVec2(centre.x + r, centre.y + 0.75f * r), color, 1, 0,
                    line);
      list->AddLine(ImVec2(centre.x - r, centre.y - 0.5f * r), ImVec2(centre.x - 0.8f * r, centre.y - 0.8f * r), color,
                    line);
      list->AddLine(ImVec2(centre.x - 0.8f * r, centre.y - 0.8f * r), ImVec2(centre.x, centre.y - 0.8f * r), color,
                    line);
      return;
    case StartEntry::Kind::Recent:  // a sheet
      list->AddRect(ImVec2(centre.x - 0.65f * r, centre.y - 0.9f * r),
                    ImVec2(centre.x + 0.65f * r, centre.y + 0.9f * r), color, 1, 0, line);
      for (const float y : {-0.35f, 0.1f, 0.5f})
        list->AddLine(ImVec2(centre.x - 0.3f * r, centre.y + y * r), ImVec2(centre.x + 0.3f * r, centre.y + y * r),
                      color, line);
      return;
  }
}

}  // namespace

void StartPage::show(std::vector<StartEntry> entries, std::unique_ptr<StartPicture> picture) {
  close();
  entries_ = std::move(entries);
  shows_ = std::move(picture);
  selected_ = 0;
  reveal_ = true;
  opens_ = std::any_of(entries_.begin(), entries_.end(),
                       [](const StartEntry& entry) { return entry.kind == StartEntry::Kind::Open; });
  answer_ = {};
  shown_ = true;
}

void StartPage::close() {
  shown_ = false;
  held_ = false;
  shows_.reset();
}

bool StartPage::key(const KeyPressed& press) {
  if (!shown_ || !press.down) return false;
  if (press.modifiers.ctrl || press.modifiers.alt) return false;
  const std::size_t count = entries_.size();
  const auto select = [this](std::size_t index) {
    selected_ = index;
    reveal_ = true;
    return true;
  };
  switch (press.key) {
    case Key::Escape:
      answer_.close = true;
      return true;
    case Key::Enter:
      if (selected_ < count) answer_.chosen = entries_[selected_];
      return true;
    case Key::Down:
      return count == 0 || select(std::min(selected_ + 1, count - 1));
    case Key::Up:
      return count == 0 || select(selected_ > 0 ? selected_ - 1 : 0);
    case Key::Tab:
      return count == 0 || select((selected_ + (press.modifiers.shift ? count - 1 : 1)) % count);
    case Key::Home:
      return select(0);
    case Key::End:
      return count == 0 || select(count - 1);
    default:
      return !(press.key >= Key::F1 && press.key <= Key::F12) && press.key != Key::Slash;  // "?" opens the list of keys
  }
}

void StartPage::update(const ExhibitContext& like, bool parametersShown) {
  if (!shown_) return;
  if (held_) return shows_.reset();
  page_ = like.area;
  const Theme& theme = like.theme;
  const double least = 24.0 * theme.textSize;
  double width = std::clamp(kColumnShare * page_.width(), least, 40.0 * theme.textSize);
  const bool roomy = shows_ && page_.width() - width >= kLeastPicture && page_.height() >= kLeastPicture;
  if (!roomy) width = page_.width();
  column_ = {page_.min, {page_.min.x + width, page_.max.y}};
  picture_ = roomy ? render::Rect{{page_.min.x + width, page_.min.y}, page_.max} : render::Rect{};
  if (!roomy) return;
  ExhibitContext there = like;
  there.area = picture_;
  there.legend = picture_.width() >= 36 * theme.textSize && picture_.height() >= 30 * theme.textSize;
  if (parametersShown) shows_->showFirstStateOnly();
  shows_->update(there);
}

StartPage::Answer StartPage::draw(const Theme& theme, ControlMap& controls) {
  if (!shown_) return {};
  ImGui::SetNextWindowPos(ImVec2(static_cast<float>(page_.min.x), static_cast<float>(page_.min.y)));
  ImGui::SetNextWindowSize(ImVec2(static_cast<float>(page_.width()), static_cast<float>(page_.height())));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("start", nullptr, kPage);
  ImGui::PopStyleVar();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 min(static_cast<float>(column_.min.x), static_cast<float>(column_.min.y));
  const ImVec2 max(static_cast<float>(column_.max.x), static_cast<float>(column_.max.y));
  list->AddRectFilled(min, max, toImU32(theme.surface));
  if (picture_.width() > 0) list->AddRectFilled(ImVec2(max.x - 1, min.y), max, toImU32(theme.border));
  drawColumn(theme, controls);
  takePress(controls);
  ImGui::End();
  reveal_ = false;
  return std::exchange(answer_, {});
}

/// Reports a press on the picture; the owner of the page continues the gesture where the picture is.
void StartPage::takePress(ControlMap& controls) {
  if (picture_.width() <= 0 || held_) return;
  ImGui::SetCursorScreenPos(ImVec2(static_cast<float>(picture_.min.x), static_cast<float>(picture_.min.y)));
  ImGui::InvisibleButton("picture",
                         ImVec2(static_cast<float>(picture_.width()), static_cast<float>(picture_.height())));
  controls.reportLastItem("start.picture");
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const ImVec2 at = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left))
    answer_.pressed = render::Point{at.x, at.y};
}

void StartPage::drawColumn(const Theme& theme, ControlMap& controls) {
  const float pad = 3 * theme.space, width = static_cast<float>(column_.width());
  const float height = static_cast<float>(column_.height());
  const float foot = 2.6f * theme.smallSize + theme.space;
  ImGui::SetCursorPos(ImVec2(pad, 2 * theme.space));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme.space, 0.5f * theme.space));
  ImGui::BeginChild("list", ImVec2(width - pad, std::max(60.0f, height - foot - 2 * theme.space)));
  ImGui::PushFont(textFont(TextStyle::Display));
  ImGui::TextUnformatted("Separatrix");
  ImGui::PopFont();
  ImGui::PushStyleColor(ImGuiCol_Text, toImVec4(theme.textMuted));
  panelText(
      tr("A laboratory for the learning dynamics of transformers: drag an initial point and see where training ends."),
      width - 2 * pad);
  ImGui::PopStyleColor();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i == 0 || entries_[i].kind != entries_[i - 1].kind) {
      ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 1.5f * theme.space);
      ImGui::PushFont(textFont(TextStyle::Small));
      ImGui::TextDisabled("%s", heading(entries_[i].kind));
      ImGui::PopFont();
    }
    drawEntry(i, theme, controls);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  drawFoot(theme);
}

void StartPage::drawEntry(std::size_t index, const Theme& theme, ControlMap& controls) {
  const StartEntry& entry = entries_[index];
  const float right = ImGui::GetStyle().ScrollbarSize + 2 * theme.space;
  const float width = std::max(120.0f, ImGui::GetWindowSize().x - right);
  const float indent = 2.2f * theme.textSize, room = width - indent - theme.space;
  const bool wraps = entry.kind != StartEntry::Kind::Recent;  // a folder's name is cut at its beginning instead
  ImGui::PushFont(textFont(TextStyle::Small));
  const float detail = entry.detail.empty() ? 0
                       : wraps              ? typesetTextHeight(entry.detail, room) + 2
                                            : ImGui::GetTextLineHeight() + 2;
  ImGui::PopFont();
  ImGui::PushFont(textFont(TextStyle::Strong));
  const float oneLine = ImGui::GetTextLineHeight();
  const float lines = typesetTextHeight(entry.title, room);
  ImGui::PopFont();
  const float title = 1.35f * theme.textSize + std::max(0.0f, lines - oneLine);
  const float height = title + detail + 1.2f * theme.space;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(index));
  if (ImGui::InvisibleButton("entry", ImVec2(width, height))) answer_.chosen = entry;
  std::size_t first = index;
  while (first > 0 && entries_[first - 1].kind == entry.kind)
    --first;
  controls.reportLastItem(fmt::format("start.{}[{}]", toString(entry.kind), index - first));
  const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive(), chosen = index == selected_;
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (chosen && reveal_) index == 0 ? ImGui::SetScrollY(0) : ImGui::SetScrollHereY(0.5f);  // shows the heading too
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + width, at.y + height);
  if (hovered || held || chosen) {
    list->AddRectFilled(at, end,
                        ImGui::GetColorU32(held      ? ImGuiCol_HeaderActive
                                           : hovered ? ImGuiCol_HeaderHovered
                                                     : ImGuiCol_Header),
                        theme.radius);
  }
  if (chosen) list->AddRect(at, end, toImU32(theme.accent), theme.radius, 0, theme.lineWidth);
  const float top = at.y + 0.6f * theme.space;
  const ImU32 mark = toImU32(entry.kind == StartEntry::Kind::Restore ? theme.error : theme.accent);
  drawMark(list, entry.kind, index - first, ImVec2(at.x + 0.5f * indent, top + 0.62f * theme.textSize),
           0.95f * theme.textSize, mark, theme.lineWidth);
  ImGui::PushFont(textFont(TextStyle::Strong));
  drawTypesetText(entry.title, ImVec2(at.x + indent, top), room);
  ImGui::PopFont();
  if (!entry.detail.empty()) {
    ImGui::PushFont(textFont(TextStyle::Small));
    const ImVec2 below(at.x + indent, top + title);
    ImGui::PushStyleColor(ImGuiCol_Text, toImVec4(theme.textMuted));
    if (wraps)
      drawTypesetText(entry.detail, below, room);
    else
      list->AddText(below, ImGui::GetColorU32(ImGuiCol_Text), fittingEnd(entry.detail, room).c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
  ImGui::PopID();
}

void StartPage::drawFoot(const Theme& theme) {
  const float pad = 3 * theme.space, width = static_cast<float>(column_.width()) - 2 * pad;
  ImGui::PushFont(textFont(TextStyle::Small));
  // The longest of these that fits.
  const std::array<const char*, 3> words{
      opens_ ? tr("Drop any file here · ↑ ↓ Enter choose · Ctrl+O opens a file · Esc closes this page · F1 guide")
             : tr("Drop any file here · ↑ ↓ Enter choose · Esc closes this page · F1 guide"),
      opens_ ? tr("↑ ↓ Enter choose · Ctrl+O open · Esc close · F1 guide")
             : tr("↑ ↓ Enter choose · Esc close · F1 guide"),
      tr("↑ ↓ Enter · Esc · F1")};
  const auto fits = [width](const char* text) { return ImGui::CalcTextSize(text).x <= width; };
  const auto found = std::find_if(words.begin(), words.end() - 1, fits);
  ImGui::SetCursorPos(ImVec2(pad, static_cast<float>(column_.height()) - 1.3f * theme.smallSize - 1.5f * theme.space));
  ImGui::TextDisabled("%s", *found);
  ImGui::PopFont();
}

bool StartPage::animating() const {
  return shown_ && picture() && picture()->animating();
}

bool StartPage::complete() const {
  return !shown_ || !picture() || picture()->complete();
}

void StartPage::releaseGpu() {
  if (shows_) shows_->releaseGpu();
}

}  // namespace sepx::ui
