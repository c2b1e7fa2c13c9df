// SPDX-License-Identifier: Apache-2.0
// See presenter.h.
#include "ui/workbench/presenter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "ui/properties/tr.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {

constexpr double kLeastSide = 12;       // points: a smaller drag counts as a click and selects nothing
constexpr double kStrokeSpacing = 1.5;  // least distance of two points of the stroke, points

render::Rect between(render::Point a, render::Point b) {
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

ImVec2 strokeAt(render::Point at) {
  return {static_cast<float>(at.x), static_cast<float>(at.y)};
}

}  // namespace

double monotonicSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Presenter::setActive(bool active) {
  if (std::exchange(active_, active) == active || active) return;
  blank_ = numbers_ = laser_ = choosing_ = freezes_ = false;
  zoom_.reset();
  frozenState_.reset();
  corner_.reset();
  stroke_.clear();
}

void Presenter::addCommands(Commands& to) {
  const char* const kMenu = tr("Present");
  to.add({"present.start", tr("Present on the second screen"), "F5", kMenu, true, active_},
         [this] { callbacks_.request(HostRequest::Present); });
  to.add({"present.end", tr("End the presentation"), "Shift+F5", kMenu, active_},
         [this] { callbacks_.request(HostRequest::EndPresenting); });
  to.add({"present.freeze", tr("Freeze the stage"), "F", kMenu, active_, frozen()}, [this] { freeze(); });
  to.add({"present.blank", tr("Blank the stage"), "B", kMenu, active_, blank_}, [this] { blank_ = !blank_; });
  to.add({"present.zoom", tr("Zoom the stage into a region"), "Z", kMenu, active_, zoomed()}, [this] { toggleZoom(); });
  to.add({"present.laser", tr("Laser pointer"), "L", kMenu, active_, laser_}, [this] {
    laser_ = !laser_;
    stroke_.clear();
  });
  to.add({"present.numbers", tr("Large numbers"), "N", kMenu, active_, numbers_}, [this] { numbers_ = !numbers_; });
}

void Presenter::freeze() {
  if (frozenState_ || freezes_) {
    frozenState_.reset();
    freezes_ = false;
  } else {
    freezes_ = true;
  }
}

void Presenter::toggleZoom() {
  choosing_ = !zoomed();
  zoom_.reset();
  corner_.reset();
  opposite_.reset();
}

/// Whether the event belongs to the selection of a region.
bool Presenter::takesZoom(const InputEvent& event, float pixelsPerPoint) {
  const auto point = [pixelsPerPoint](const auto& at) {
    return render::Point{at.x / pixelsPerPoint, at.y / pixelsPerPoint};
  };
  if (const auto* const key = std::get_if<KeyPressed>(&event)) {
    if (!key->down || key->key != Key::Escape) return false;
    choosing_ = false;
    corner_.reset();
    return true;
  }
  if (const auto* const moved = std::get_if<PointerMoved>(&event)) {
    if (corner_) opposite_ = point(*moved);
    return corner_.has_value();
  }
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (!press || press->button != Button::Left) return false;
  if (press->down) {
    corner_ = opposite_ = point(*press);
    return true;
  }
  if (!corner_) return false;
  const render::Rect region = between(*corner_, point(*press));
  corner_.reset();
  if (region.width() < kLeastSide || region.height() < kLeastSide) return true;
  const auto first = callbacks_.place(region.min), second = callbacks_.place(region.max);
  if (first && second) zoom_.emplace(*first, *second);
  choosing_ = false;
  return true;
}

void Presenter::before(std::vector<InputEvent>& events, float pixelsPerPoint) {
  if (!active_) return;
  std::erase_if(events, [&](const InputEvent& event) {
    if (choosing_ && takesZoom(event, pixelsPerPoint)) return true;
    const auto* const moved = std::get_if<PointerMoved>(&event);
    if (!moved || !laser_ || frozenState_) return false;
    if (const auto place = callbacks_.place({moved->x / pixelsPerPoint, moved->y / pixelsPerPoint}))
      stroke_.push_back({*place, monotonicSeconds()});
    return false;
  });
  const double oldest = monotonicSeconds() - kLaserSeconds;
  while (!stroke_.empty() && (stroke_.front().seconds < oldest || stroke_.size() > kMostLaserPoints))
    stroke_.pop_front();
}

bool Presenter::moving() const {
  return !stroke_.empty();
}

Presented Presenter::presented(Presented now) {
  if (std::exchange(freezes_, false)) {
    frozenState_ = now;
    frozenState_->pointer.reset();
  }
  Presented all = frozenState_ ? *frozenState_ : std::move(now);
  all.blank = blank_;
  all.numbers = numbers_;
  all.zoom = zoom_;
  if (!frozenState_) all.laser.assign(stroke_.begin(), stroke_.end());
  return all;
}

void drawLaser(const std::vector<std::pair<render::Point, double>>& stroke, const Theme& theme) {
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  const double now = monotonicSeconds();
  const render::Color red{0.86f, 0.08f, 0.08f, 1};
  std::optional<render::Point> last;
  for (const auto& [at, seconds] : stroke) {
    const bool jumps = last && std::hypot(at.x - last->x, at.y - last->y) < kStrokeSpacing;
    if (jumps) continue;
    render::Color color = red;
    color.a = static_cast<float>(std::clamp(1 - (now - seconds) / kLaserSeconds, 0.0, 1.0));
    if (last) list->AddLine(strokeAt(*last), strokeAt(at), toImU32(color), 2 * theme.strongLine);
    last = at;
  }
  if (last) list->AddCircleFilled(strokeAt(*last), 1.6f * theme.strongLine, toImU32(red), 24);
}

void Presenter::draw(render::Point window, const Theme& theme,
                     const std::function<std::optional<render::Point>(const PicturePlace&)>& pointOf) const {
  if (!active_) return;
  std::vector<std::pair<render::Point, double>> stroke;
  for (const LaserPoint& one : stroke_)
    if (const auto at = pointOf(one.at)) stroke.emplace_back(*at, one.seconds);
  drawLaser(stroke, theme);
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  const auto frame = [&](render::Rect region) {
    list->AddRect(strokeAt(region.min), strokeAt(region.max), toImU32(theme.accent), 0, 0, theme.strongLine);
  };
  if (corner_ && opposite_) frame(between(*corner_, *opposite_));
  if (zoom_) {
    const auto first = pointOf(zoom_->first), second = pointOf(zoom_->second);
    if (first && second) frame(between(*first, *second));
  }
  std::string words;
  const auto add = [&words](bool holds, const char* what) {
    if (holds) words += (words.empty() ? "" : " · ") + std::string(what);
  };
  add(blank_, tr("the stage is black"));
  add(frozen(), tr("the stage is frozen"));
  add(choosing_, tr("drag a region to zoom into"));
  if (words.empty()) return;
  ImGui::PushFont(textFont(TextStyle::Strong));
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const float pad = theme.space;
  const ImVec2 at((static_cast<float>(window.x) - size.x) / 2, 2 * pad);
  list->AddRectFilled({at.x - pad, at.y - pad / 2}, {at.x + size.x + pad, at.y + size.y + pad / 2},
                      toImU32(theme.surfaceRaised), theme.radius);
  list->AddRect({at.x - pad, at.y - pad / 2}, {at.x + size.x + pad, at.y + size.y + pad / 2}, toImU32(theme.accent),
                theme.radius, 0, theme.lineWidth);
  list->AddText(at, toImU32(theme.text), words.c_str());
  ImGui::PopFont();
}

}  // namespace sepx::ui
