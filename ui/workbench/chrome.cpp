// SPDX-License-Identifier: Apache-2.0
// ImGui of status line, message bar and sheet of keys.
#include "ui/workbench/chrome.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/chord.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {

constexpr double kWideHelp = 760;  // points: from here on the sheet of keys has two columns of them

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

void beginFixed(const char* name, const render::Rect& at, ImVec2 padding, render::Color background) {
  ImGui::SetNextWindowPos(ImVec2(static_cast<float>(at.min.x), static_cast<float>(at.min.y)));
  ImGui::SetNextWindowSize(ImVec2(static_cast<float>(at.width()), static_cast<float>(at.height())));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, toImVec4(background));
  ImGui::Begin(name, nullptr, kFixed);
}

/// A line along the upper edge of the window, over its padding.
void topEdge(const Theme& theme) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  list->PushClipRect(min, ImVec2(min.x + size.x, min.y + size.y));
  list->AddRectFilled(min, ImVec2(min.x + size.x, min.y + 1), toImU32(theme.border));
  list->PopClipRect();
}

void endFixed() {
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

const char* stateName(JobState state) {
  switch (state) {
    case JobState::Queued:
      return tr("queued");
    case JobState::Running:
      return tr("running");
    case JobState::Done:
      return tr("done");
    case JobState::Cancelled:
      return tr("cancelled");
    case JobState::Failed:
      return tr("failed");
  }
  return "";
}

std::string historyWords(std::size_t count) {
  return fmt::format(fmt::runtime(tr("Messages ({})")), count);
}

float buttonWidth(const char* words) {
  return ImGui::CalcTextSize(words).x + 2 * ImGui::GetStyle().FramePadding.x;
}

/// Of the two buttons at the right of a message.
float messageButtonsWidth(std::size_t count) {
  return buttonWidth(historyWords(count).c_str()) + ImGui::GetStyle().ItemSpacing.x + buttonWidth(tr("Close"));
}

float messageTextWidth(double width, std::size_t count, const Theme& theme) {
  return std::max(80.0f, static_cast<float>(width) - 5 * theme.space - messageButtonsWidth(count));
}

/// All keys of a command: its shortcut and what presenters' remotes send.
std::string keysOf(const Workbench::Command& command) {
  std::string keys = command.shortcut;
  for (const std::string& more : furtherKeys(command.key))
    keys += (keys.empty() ? "" : ", ") + more;
  return keys;
}

}  // namespace

bool Chrome::dismiss() {
  if (helpOpen_) {
    helpOpen_ = false;
    return true;
  }
  if (dismissed_ >= workbench_.messages().size()) return false;
  dismissed_ = workbench_.messages().size();
  return true;
}

void Chrome::documentAt(std::uint64_t revision) {
  if (revision > saidAt_) dismissed_ = workbench_.messages().size();
}

double Chrome::messageHeight(double width, const Theme& theme) const {
  const auto& messages = workbench_.messages();
  if (dismissed_ >= messages.size()) return 0;
  const float wrap = messageTextWidth(width, messages.size(), theme);
  const float text = ImGui::CalcTextSize(messages.back().sentence.c_str(), nullptr, false, wrap).y;
  return std::ceil(std::max(text, ImGui::GetFrameHeight()) + 2 * theme.space);
}

void Chrome::drawMessage(const render::Rect& bar, const Theme& theme, ControlMap& controls) {
  const auto& messages = workbench_.messages();
  if (bar.height() <= 0 || dismissed_ >= messages.size()) return;
  const Message& message = messages.back();
  const render::Color mark = message.level == Message::Level::Error ? theme.error : theme.accent;
  beginFixed("message", bar, ImVec2(1.5f * theme.space, theme.space), theme.surfaceRaised);
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(corner, ImVec2(corner.x + size.x, corner.y + size.y));
  list->AddRectFilled(corner, ImVec2(corner.x + theme.space / 2, corner.y + size.y), toImU32(mark));
  list->PopClipRect();
  const float wrap = messageTextWidth(bar.width(), messages.size(), theme);
  ImGui::AlignTextToFramePadding();
  ImGui::PushTextWrapPos(1.5f * theme.space + wrap);
  ImGui::TextUnformatted(message.sentence.c_str());
  ImGui::PopTextWrapPos();
  const std::string all = historyWords(messages.size());
  ImGui::SetCursorPos(ImVec2(size.x - messageButtonsWidth(messages.size()) - 1.5f * theme.space, theme.space));
  ImGui::BeginDisabled(messages.size() < 2);
  if (ImGui::Button(all.c_str())) ImGui::OpenPopup("messages");
  controls.reportLastItem("workbench.messages");
  ImGui::EndDisabled();
  drawHistory(theme);
  ImGui::SameLine();
  if (ImGui::Button(tr("Close"))) dismissed_ = messages.size();
  controls.reportLastItem("workbench.message.close");
  endFixed();
}

void Chrome::drawHistory(const Theme& theme) const {
  ImGui::SetNextWindowSizeConstraints(ImVec2(320, 40), ImVec2(640, 320));
  if (!ImGui::BeginPopup("messages")) return;
  ImGui::PushTextWrapPos(600);
  const auto& messages = workbench_.messages();
  for (auto it = messages.rbegin(); it != messages.rend(); ++it) {
    ImGui::PushStyleColor(ImGuiCol_Text, toImVec4(it->level == Message::Level::Error ? theme.error : theme.text));
    ImGui::TextUnformatted(it->sentence.c_str());
    ImGui::PopStyleColor();
    ImGui::Separator();
  }
  ImGui::PopTextWrapPos();
  ImGui::EndPopup();
}

void Chrome::drawStatus(const render::Rect& line, const Theme& theme, ControlMap& controls) {
  if (line.height() <= 0) return;
  const float pad = (static_cast<float>(line.height()) - theme.smallSize * 1.2f) / 2;
  beginFixed("status", line, ImVec2(1.5f * theme.space, pad), theme.surface);
  ImGui::PushFont(textFont(TextStyle::Small));
  const ImVec2 corner = ImGui::GetWindowPos();
  topEdge(theme);
  const char* const help = tr("F1: keys");
  const float helpWidth = ImGui::CalcTextSize(help).x;
  const float end = static_cast<float>(line.width()) - helpWidth - 3 * theme.space;

  const auto jobs = workbench_.jobs();
  const auto running = std::find_if(jobs.begin(), jobs.end(), [](const JobStatus& job) {
    return job.state == JobState::Running || job.state == JobState::Queued || job.state == JobState::Failed;
  });
  float x = 1.5f * theme.space;
  if (running != jobs.end()) {
    const std::string text = running->state == JobState::Failed
                                 ? running->name + ": " + running->failure
                                 : fmt::format("{} {:.0f} %", running->name, 100 * running->share);
    ImGui::SetCursorPos(ImVec2(x, pad));
    if (ImGui::Selectable((text + "##jobs").c_str(), false, 0,
                          ImVec2(ImGui::CalcTextSize(text.c_str()).x, theme.smallSize * 1.2f))) {
      ImGui::OpenPopup("jobs");
    }
    controls.reportLastItem("workbench.jobs");
    x += ImGui::CalcTextSize(text.c_str()).x + 2 * theme.space;
  }
  drawJobs(theme, controls);
  // What does not fit is cut at the help text, never drawn over it.
  const std::string status = workbench_.statusLine();
  ImGui::PushClipRect(corner, ImVec2(corner.x + end, corner.y + static_cast<float>(line.height())), true);
  ImGui::SetCursorPos(ImVec2(x, pad));
  ImGui::TextDisabled("%s", status.c_str());
  ImGui::PopClipRect();
  ImGui::SetCursorPos(ImVec2(static_cast<float>(line.width()) - helpWidth - 1.5f * theme.space, pad));
  if (ImGui::Selectable(help, false, 0, ImVec2(helpWidth, theme.smallSize * 1.2f))) toggleHelp();
  controls.reportLastItem("help.keys");
  ImGui::PopFont();
  endFixed();
}

void Chrome::drawJobs(const Theme& theme, ControlMap& controls) {
  if (!ImGui::BeginPopup("jobs")) return;
  for (const JobStatus& job : workbench_.jobs()) {
    ImGui::PushID(job.lane.c_str());
    const bool active = job.state == JobState::Running || job.state == JobState::Queued;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(job.name.c_str());
    ImGui::SameLine(220);
    if (active) {
      ImGui::ProgressBar(static_cast<float>(job.share), ImVec2(140, ImGui::GetFrameHeight()));
      ImGui::SameLine();
      if (ImGui::Button(tr("Cancel"))) workbench_.jobLanes().cancel(job.lane);
      controls.reportLastItem("job.cancel." + job.lane);
      if (job.secondsLeft) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", fmt::format(fmt::runtime(tr("{:.0f} s left")), *job.secondsLeft).c_str());
      }
    } else {
      ImGui::TextDisabled("%s", stateName(job.state));
      if (!job.failure.empty()) ImGui::TextColored(toImVec4(theme.error), "%s", job.failure.c_str());
    }
    ImGui::PopID();
  }
  ImGui::EndPopup();
}

void Chrome::drawHelp(render::Point window, const Theme& theme, ControlMap& controls) {
  if (!helpOpen_) return;
  ImGui::SetNextWindowPos(ImVec2(static_cast<float>(window.x) / 2, static_cast<float>(window.y) / 2), ImGuiCond_Always,
                          ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowSizeConstraints(ImVec2(100, 100), ImVec2(static_cast<float>(window.x) - 2 * theme.space,
                                                               static_cast<float>(window.y) - 2 * theme.space));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, toImVec4(theme.surfaceRaised));
  ImGui::SetNextWindowFocus();
  if (ImGui::Begin("help", nullptr,
                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_AlwaysAutoResize)) {
    ImGui::PushFont(textFont(TextStyle::Title));
    ImGui::TextUnformatted(tr("Keys and pointer"));
    ImGui::PopFont();
    const int columns = window.x < kWideHelp ? 2 : 4;
    if (ImGui::BeginTable("keys", columns, ImGuiTableFlags_SizingFixedFit)) {
      const auto row = [](const std::string& keys, const std::string& what) {
        ImGui::TableNextColumn();
        ImGui::PushFont(textFont(TextStyle::Strong));
        ImGui::TextUnformatted(keys.c_str());
        ImGui::PopFont();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted((what + "    ").c_str());
      };
      for (const auto& command : workbench_.commands()) {
        if (const std::string keys = keysOf(command); !keys.empty()) row(keys, command.label);
      }
      for (const auto& [keys, what] : workbench_.hostKeys())
        row(keys, what);
      for (const auto& [gesture, what] : std::array<std::pair<const char*, const char*>, 7>{
               {{N_("drag a point"), N_("move it; Shift snaps to the grid")},
                {N_("drag the empty plane"), N_("pan")},
                {N_("wheel"), N_("zoom about the pointer")},
                {N_("double-click"), N_("add a point")},
                {N_("double-click an axis"), N_("reset the view")},
                {N_("arrow keys"), N_("nudge the selected point")},
                {N_("Esc"), N_("close this, or a message")}}}) {
        row(tr(gesture), tr(what));
      }
      ImGui::EndTable();
    }
    if (ImGui::Button(tr("Close"))) helpOpen_ = false;
    controls.reportLastItem("help.close");
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void Chrome::drawPointer(render::Point at, const Theme& theme) const {
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const ImVec2 centre(static_cast<float>(at.x), static_cast<float>(at.y));
  render::Color halo = theme.accent;
  halo.a = 0.25f;
  list->AddCircleFilled(centre, 2 * theme.space, toImU32(halo), 32);
  list->AddCircle(centre, 2 * theme.space, toImU32(theme.accent), 32, theme.lineWidth);
}

}  // namespace sepx::ui
