// SPDX-License-Identifier: Apache-2.0
// Draws the status line, the message bar and the sheet of keys with ImGui.
#include "ui/workbench/chrome.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/key_sheet.h"

namespace sepx::ui {
namespace {

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

std::string historyWords(std::size_t count) {
  return trFormat("Messages ({})", count);
}

/// The key of a command and the label of its button.
using MessageButton = std::pair<std::string, std::string>;

/// Layout of a message and its buttons in the bar: in a narrow window the buttons are below the sentence.
struct MessageRoom {
  MessageRoom(double width, std::size_t count, bool copies, const std::vector<MessageButton>& actions,
              const Theme& theme) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    buttons = buttonWidth(historyWords(count).c_str()) + gap + (copies ? buttonWidth(tr("Copy")) + gap : 0) +
              buttonWidth(tr("Close"));
    for (const auto& [command, words] : actions)
      buttons += buttonWidth(words.c_str()) + gap;
    wrap = static_cast<float>(width) - 5 * theme.space - buttons;
    below = wrap < 16 * theme.textSize;
    if (below) wrap = std::max(80.0f, static_cast<float>(width) - 3 * theme.space);
  }
  float buttons, wrap;  ///< widths
  bool below;
};

/// The commands of the message that exist and are enabled.
std::vector<MessageButton> actionsOf(const Message& message, const Workbench& workbench) {
  std::vector<MessageButton> actions = message.more;
  if (!message.command.empty()) actions.insert(actions.begin(), {message.command, message.action});
  if (actions.empty()) return actions;
  const auto commands = workbench.commands();
  std::erase_if(actions, [&](const MessageButton& action) {
    return std::none_of(commands.begin(), commands.end(),
                        [&](const auto& one) { return one.key == action.first && one.enabled; });
  });
  return actions;
}

const char* levelName(Message::Level level) {
  return level == Message::Level::Error ? tr("Error") : tr("Note");
}

std::string leftWords(double seconds) {
  if (seconds < 90) return trFormat("{:.0f} s left", std::ceil(seconds));
  return trFormat("{:.0f} min left", std::ceil(seconds / 60));
}

bool active(const JobStatus& job) {
  return job.state == JobState::Running || job.state == JobState::Queued;
}

}  // namespace

bool Chrome::dismiss() {
  if (helpOpen_) {
    helpOpen_ = false;
    return true;
  }
  if (guide_.close()) return true;
  if (dismissed_ >= workbench_.messages().size()) return false;
  dismissMessages();
  return true;
}

bool Chrome::messageIsTransient() const {
  return dismissed_ < workbench_.messages().size() && workbench_.messages().back().passes;
}

void Chrome::pressed() {
  if (messageIsTransient()) dismissMessages();
}

double Chrome::messageHeight(double width, const Theme& theme) const {
  const auto& messages = workbench_.messages();
  if (dismissed_ >= messages.size()) return 0;
  const MessageRoom room(width, messages.size(), copy_ != nullptr, actionsOf(messages.back(), workbench_), theme);
  // The first line of the text is as low as the labels of the buttons beside it.
  const float text = typesetTextHeight(messages.back().text, room.wrap) + 2 * ImGui::GetStyle().FramePadding.y;
  const float row = ImGui::GetFrameHeight();
  return std::ceil((room.below ? text + row + theme.space : std::max(text, row)) + 2 * theme.space);
}

void Chrome::drawMessage(const render::Rect& bar, const Theme& theme, ControlMap& controls) {
  const auto& messages = workbench_.messages();
  if (bar.height() <= 0 || dismissed_ >= messages.size()) return;
  const Message& message = messages.back();
  const bool copies = copy_ != nullptr;
  const std::vector<MessageButton> actions = actionsOf(message, workbench_);
  const MessageRoom room(bar.width(), messages.size(), copies, actions, theme);
  const render::Color mark = message.level == Message::Level::Error ? theme.error : theme.accent;
  beginFixed("message", bar, ImVec2(1.5f * theme.space, theme.space), theme.surfaceRaised);
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(corner, ImVec2(corner.x + size.x, corner.y + size.y));
  list->AddRectFilled(corner, ImVec2(corner.x + theme.space / 2, corner.y + size.y), toImU32(mark));
  list->PopClipRect();
  const float row = ImGui::GetFrameHeight();
  // A sentence that is too long for the bar scrolls; the buttons stay visible.
  ImGui::BeginChild("sentence", ImVec2(room.wrap + 1, std::max(1.0f, size.y - 2 * theme.space -
                                                                         (room.below ? row + theme.space : 0))));
  if (!room.below) ImGui::AlignTextToFramePadding();
  panelText(message.text, room.wrap);
  ImGui::EndChild();
  const float buttons = room.buttons + 1.5f * theme.space;
  ImGui::SetCursorPos(
      ImVec2(std::max(1.5f * theme.space, size.x - buttons), room.below ? size.y - row - theme.space : theme.space));
  std::string asked;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (ImGui::Button(actions[i].second.c_str())) asked = actions[i].first;
    controls.reportLastItem(i == 0 ? std::string("workbench.message.action")
                                   : fmt::format("workbench.message.action[{}]", i));
    ImGui::SameLine();
  }
  if (ImGui::Button(historyWords(messages.size()).c_str())) ImGui::OpenPopup("messages");
  controls.reportLastItem("workbench.messages");
  drawHistory(theme, controls);
  if (copies) {
    ImGui::SameLine();
    if (ImGui::Button(tr("Copy"))) copy_(details(messages.size() - 1));
    controls.reportLastItem("workbench.message.copy");
  }
  ImGui::SameLine();
  if (ImGui::Button(tr("Close"))) dismissed_ = messages.size();
  controls.reportLastItem("workbench.message.close");
  endFixed();
  if (asked.empty()) return;
  dismissMessages();  // first, so that a message of the command stays visible
  if (const auto done = workbench_.run(asked); !done) workbench_.say({Message::Level::Error, done.error().message});
}

/// Messages from `first` on as text for a report, with the file, the status and the recipe of the state.
std::string Chrome::details(std::size_t first) const {
  const auto& messages = workbench_.messages();
  std::string text;
  for (std::size_t i = first; i < messages.size(); ++i)
    text += std::string(levelName(messages[i].level)) + ": " + messages[i].text + "\n";
  if (!workbench_.path().empty()) text += std::string(tr("File")) + ": " + workbench_.path() + "\n";
  if (const std::string status = workbench_.statusLine(); !status.empty())
    text += std::string(tr("Status")) + ": " + status + "\n";
  return text + tr("State") + ": " + workbench_.recipe() + "\n";
}

void Chrome::drawHistory(const Theme& theme, ControlMap& controls) const {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float width = std::min(46 * theme.textSize, window.x - 4 * theme.space);
  const ImVec2 bar = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::SetNextWindowPos(ImVec2(bar.x + size.x - theme.space, bar.y + size.y + theme.space / 2), ImGuiCond_Always,
                          ImVec2(1, 0));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, 0.6f * window.y));
  if (!ImGui::BeginPopup("messages")) return;
  const auto& messages = workbench_.messages();
  if (copy_) {
    if (ImGui::Button(tr("Copy all"))) copy_(details(0));
    controls.reportLastItem("workbench.messages.copy");
    ImGui::Separator();
  }
  ImGui::PushTextWrapPos(width - 3 * theme.space - ImGui::GetStyle().ScrollbarSize);
  for (auto it = messages.rbegin(); it != messages.rend(); ++it) {
    const bool error = it->level == Message::Level::Error;
    ImGui::TextColored(toImVec4(error ? theme.error : theme.accent), "%s", levelName(it->level));
    panelText(it->text, width - 3 * theme.space - ImGui::GetStyle().ScrollbarSize);
    if (it + 1 != messages.rend()) ImGui::Separator();
  }
  ImGui::PopTextWrapPos();
  ImGui::EndPopup();
}

/// Draws what is running, otherwise the first failed job, otherwise "Ready". A click on it opens the list of jobs.
/// Returns x of what follows.
float Chrome::drawRunning(float x, float pad, const Theme& theme, ControlMap& controls) {
  std::string text = workbench_.runningLine();
  if (text.empty()) {
    const auto jobs = workbench_.jobs();
    const auto failed =
        std::find_if(jobs.begin(), jobs.end(), [](const JobStatus& job) { return job.state == JobState::Failed; });
    if (failed != jobs.end()) text = failed->name + ": " + tr("failed");
  }
  if (text.empty()) text = tr("Ready");
  const ImVec2 size(typesetLineWidth(text), theme.smallSize * 1.2f);
  ImGui::SetCursorPos(ImVec2(x, pad));
  if (typesetSelectable(text, "jobs", false, size)) ImGui::OpenPopup("jobs");
  controls.reportLastItem("workbench.jobs");
  drawJobs(theme, controls);
  return x + size.x + 2 * theme.space;
}

void Chrome::drawStatus(const render::Rect& line, const Theme& theme, ControlMap& controls) {
  if (line.height() <= 0) return;
  const float pad = (static_cast<float>(line.height()) - theme.smallSize * 1.2f) / 2;
  beginFixed("status", line, ImVec2(1.5f * theme.space, pad), theme.surface);
  ImGui::PushFont(textFont(TextStyle::Small));
  const ImVec2 corner = ImGui::GetWindowPos();
  topEdge(theme);
  const char* const help = tr("F1: guide");
  const float helpWidth = ImGui::CalcTextSize(help).x;
  const float end = static_cast<float>(line.width()) - helpWidth - 3 * theme.space;
  const float x = drawRunning(1.5f * theme.space, pad, theme, controls);
  const std::string status = workbench_.statusLine();
  ImGui::PushClipRect(corner, ImVec2(corner.x + end, corner.y + static_cast<float>(line.height())), true);
  ImGui::SetCursorPos(ImVec2(x, pad));
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  const std::string shown = shortened(status, end - x, typesetLineWidth);
  panelText(shown, FLT_MAX);
  ImGui::PopStyleColor();
  ImGui::PopClipRect();
  if (shown != status && ImGui::IsItemHovered()) {
    ImGui::BeginTooltip();
    panelText(status, 24 * theme.textSize);
    ImGui::EndTooltip();
  }
  ImGui::SetCursorPos(ImVec2(static_cast<float>(line.width()) - helpWidth - 1.5f * theme.space, pad));
  if (ImGui::Selectable(help, false, 0, ImVec2(helpWidth, theme.smallSize * 1.2f))) toggleGuide();
  controls.reportLastItem("help.guide");
  ImGui::PopFont();
  endFixed();
}

void Chrome::drawJobs(const Theme& theme, ControlMap& controls) {
  // The list opens upwards from the status line, however long it is.
  const ImVec2 line = ImGui::GetWindowPos();
  ImGui::SetNextWindowPos(ImVec2(line.x + theme.space, line.y - theme.space / 2), ImGuiCond_Always, ImVec2(0, 1));
  if (!ImGui::BeginPopup("jobs")) return;
  ImGui::PushFont(textFont(TextStyle::Body));
  auto jobs = workbench_.jobs();
  std::erase_if(jobs, [](const JobStatus& job) { return !active(job) && job.state != JobState::Failed; });
  if (jobs.empty()) ImGui::TextDisabled("%s", tr("No job is running."));
  float names = 8 * theme.textSize;
  for (const JobStatus& job : jobs)
    names = std::max(names, typesetLineWidth(job.name));
  for (const JobStatus& job : jobs) {
    ImGui::PushID(job.lane.c_str());
    ImGui::AlignTextToFramePadding();
    panelText(job.name, FLT_MAX);
    ImGui::SameLine(names + 4 * theme.space);
    drawJob(job, theme, controls);
    ImGui::PopID();
  }
  if (std::count_if(jobs.begin(), jobs.end(), active) > 1) {
    ImGui::Separator();
    if (ImGui::Button(tr("Cancel all"))) static_cast<void>(workbench_.run("jobs.cancel"));  // error: nothing runs
    controls.reportLastItem("jobs.cancel");
  }
  ImGui::PopFont();
  ImGui::EndPopup();
}

void Chrome::drawJob(const JobStatus& job, const Theme& theme, ControlMap& controls) {
  if (!active(job)) {
    ImGui::TextDisabled("%s", tr("failed"));
    if (!job.failure.empty()) ImGui::TextColored(toImVec4(theme.error), "%s", job.failure.c_str());
    return;
  }
  const std::string share = fmt::format("{:.0f} %", 100 * job.share);
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram, toImVec4(theme.accentMuted));
  ImGui::ProgressBar(static_cast<float>(job.share), ImVec2(10 * theme.textSize, ImGui::GetFrameHeight()),
                     share.c_str());
  ImGui::PopStyleColor();
  ImGui::SameLine();
  if (ImGui::Button(tr("Cancel"))) workbench_.cancelJob(job.lane);
  controls.reportLastItem("job.cancel." + job.lane);
  if (!job.secondsLeft) return;
  ImGui::SameLine();
  ImGui::TextDisabled("%s", leftWords(*job.secondsLeft).c_str());
}

void Chrome::drawHelp(render::Point window, const Theme& theme, ControlMap& controls) {
  if (!helpOpen_) return;
  if (workbench_.options().follows) {  // this window has no pointer
    helpOpen_ = drawKeySheet(keyGroups(workbench_.commands(), workbench_.hostKeys(), {}), window, theme, controls);
    return;
  }
  auto gestures = workbench_.exhibit(workbench_.activePane()).gestures();
  const auto isOfPage = [](const ReadableView& view) { return view.role != ReadableView::Role::Points; };
  if (std::ranges::any_of(workbench_.readable(), isOfPage)) {
    gestures.emplace_back(tr("Tab"), tr("read the next view of the picture"));
    gestures.emplace_back(tr("arrow keys while reading"), tr("the next value"));
    gestures.emplace_back(tr("Enter while reading"), tr("click there"));
  }
  helpOpen_ = drawKeySheet(keyGroups(workbench_.commands(), workbench_.hostKeys(), gestures), window, theme, controls);
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
