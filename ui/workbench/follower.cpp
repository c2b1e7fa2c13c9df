// SPDX-License-Identifier: Apache-2.0
// See follower.h.
#include "ui/workbench/follower.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/properties/symbols.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/presenter.h"

namespace sepx::ui {
namespace {

constexpr double kMostMagnified = 4;   // cached layers are images of that size
constexpr float kNumberShare = 0.05f;  // of the height of the window

ImVec2 frontAt(render::Point at) {
  return {static_cast<float>(at.x), static_cast<float>(at.y)};
}

/// "Loss L = 0.6663"; empty if the key has no value now.
std::string lineOf(Pane& pane, const std::string& key) {
  const auto whose = splitPaneKey(key);
  const auto found = whose && whose->pane == pane.number() ? pane.properties().find(whose->key) : std::nullopt;
  if (!found) return {};
  const Document& document = pane.withWindow();
  if (found->readOut) {
    const ReadOut& readOut = *found->readOut;
    if (readOut.applies && !readOut.applies(document)) return {};
    const Value value = readOut.get(found->index);
    if (!std::holds_alternative<double>(value) && !std::holds_alternative<std::string>(value)) return {};
    return nameOf(readOut, document) + " = " + formatValue(readOut, value);
  }
  const Property& property = *found->property;
  if (property.applies && !property.applies(document)) return {};
  const Value value = pane.properties().get(document, whose->key);
  if (!std::holds_alternative<double>(value)) return {};
  return nameOf(property, document) + " = " + formatValue(property, value);
}

void addLine(std::vector<NumberLine>& lines, std::string line) {
  if (line.empty() || lines.size() >= kMostNumbers) return;
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
}

/// Draws the line at `at` in a given size, with its symbols typeset. Without a list it is only measured. Returns the
/// width.
float setLine(ImDrawList* list, const std::string& line, ImVec2 at, float size, ImU32 color) {
  ImFont* const font = textFont(TextStyle::Title);
  const float start = at.x;
  for (const SymbolRun& run : symbolRuns(line)) {
    const bool script = run.script != SymbolRun::Script::None;
    const float own = script ? size * static_cast<float>(kSymbolScript) : size;
    const double move = run.script == SymbolRun::Script::Above ? 0.0 : kSymbolBelow + 1 - kSymbolScript;
    const float y = at.y + (script ? static_cast<float>(move) * size : 0);
    if (list) list->AddText(font, own, {at.x, y}, color, run.text.c_str());
    at.x += font->CalcTextSizeA(own, 1e9f, 0, run.text.c_str()).x;
  }
  return at.x - start;
}

}  // namespace

std::vector<NumberLine> largeNumbers(Pane& pane, const LessonPlayer& lesson) {
  std::vector<NumberLine> lines;
  if (const Lesson* const open = lesson.lesson()) {
    const LessonStep& step = open->steps[lesson.step()];
    for (const Question& question : step.questions)
      if (question.answer) addLine(lines, lineOf(pane, question.answer->text));
    for (const ScriptStep& line : step.steps)
      if (line.kind == StepKind::Expect) addLine(lines, lineOf(pane, line.text));
  }
  const std::optional<PlacedList> placed = pane.exhibit().placed();
  if (const auto at = placed ? placed->chosen(pane.document()) : std::nullopt; at && lines.empty()) {
    std::vector<std::string> members{placed->x, placed->y, placed->question};
    // The answer to the question already states the outcome.
    std::ranges::copy_if(placed->columns, std::back_inserter(members), [&](const std::string& column) {
      return std::ranges::find(placed->outcomes, column) == placed->outcomes.end();
    });
    for (const std::string& member : members)
      addLine(lines, lineOf(pane, joinPaneKey(placed->key(*at, member), pane.number())));
  }
  if (!lines.empty()) return lines;
  const std::string mine = pane.exhibit().key() + ".";
  for (const ReadOut& one : pane.properties().readOuts())
    if (one.key.starts_with(mine) && !one.detail && one.key.find("[]") == std::string::npos)
      addLine(lines, lineOf(pane, joinPaneKey(one.key, pane.number())));
  return lines;
}

bool Follower::moving() const {
  const double oldest = monotonicSeconds() - kLaserSeconds;
  return std::ranges::any_of(shown_.laser, [oldest](const LaserPoint& one) { return one.seconds >= oldest; });
}

void Follower::addEvents(std::vector<InputEvent>& events) {
  std::optional<render::Point> at = shown_.pointer ? places_.pointOf(*shown_.pointer) : std::nullopt;
  if (at) at = render::Point{at->x * window_.scale, at->y * window_.scale};
  if (at == sentPointer_) return;
  sentPointer_ = at;
  if (at) {
    events.emplace_back(PointerMoved{at->x, at->y, {}});
  } else {
    events.emplace_back(PointerLeft{});
  }
}

Magnified Follower::magnified() const {
  if (!shown_.zoom) return {};
  const auto first = places_.pointOf(shown_.zoom->first), second = places_.pointOf(shown_.zoom->second);
  if (!first || !second) return {};
  const double width = std::abs(second->x - first->x), height = std::abs(second->y - first->y);
  if (width <= 0 || height <= 0) return {};
  const render::Point size = window_.size;
  const double factor = std::clamp(std::min(size.x / width, size.y / height), 1.0, kMostMagnified);
  const render::Point middle{(first->x + second->x) / 2, (first->y + second->y) / 2};
  const auto start = [factor](double centre, double whole) {
    return std::clamp(centre - whole / (2 * factor), 0.0, whole - whole / factor);
  };
  return {{start(middle.x, size.x), start(middle.y, size.y)}, factor};
}

void Follower::drawNumbers(const Theme& theme) const {
  const std::vector<NumberLine> lines = largeNumbers(panes_.active(), lesson_);
  if (lines.empty()) return;
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  const float size = kNumberShare * static_cast<float>(window_.size.y), pad = size / 2, pitch = 1.3f * size;
  float width = 0;
  for (const NumberLine& line : lines)
    width = std::max(width, setLine(nullptr, line, {}, size, 0));
  const float height = pitch * static_cast<float>(lines.size());
  const ImVec2 corner(pad, pad), opposite(corner.x + width + 2 * pad, corner.y + height + pad);
  list->AddRectFilled(corner, opposite, toImU32(theme.surface), theme.radius);
  list->AddRect(corner, opposite, toImU32(theme.text), theme.radius, 0, theme.lineWidth);
  float y = corner.y + pad / 2;
  for (const NumberLine& line : lines) {
    setLine(list, line, {corner.x + pad, y}, size, toImU32(theme.text));
    y += pitch;
  }
}

void Follower::drawQuiet(const Theme& theme) const {
  ImGui::PushFont(textFont(TextStyle::Small));
  const ImVec2 size = ImGui::CalcTextSize(quiet_.c_str());
  const float pad = theme.space;
  const ImVec2 at(static_cast<float>(window_.size.x) - size.x - 2 * pad, 2 * pad);
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  list->AddRectFilled({at.x - pad, at.y - pad / 2}, {at.x + size.x + pad, at.y + size.y + pad / 2},
                      toImU32(theme.surface), theme.radius);
  list->AddText(at, toImU32(theme.textMuted), quiet_.c_str());
  ImGui::PopFont();
}

void Follower::draw(const Theme& theme) const {
  const Magnified magnified = this->magnified();
  if (!quiet_.empty()) drawQuiet(theme);
  if (!any()) return;
  if (shown_.numbers) drawNumbers(theme);
  std::vector<std::pair<render::Point, double>> stroke;
  for (const LaserPoint& one : shown_.laser)
    if (const auto at = places_.pointOf(one.at)) stroke.emplace_back(magnified(*at), one.seconds);
  drawLaser(stroke, theme);
  const auto pointer = shown_.pointer ? places_.pointOf(*shown_.pointer) : std::nullopt;
  if (!pointer) return;
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  const ImVec2 centre = frontAt(magnified(*pointer));
  render::Color halo = theme.accent;
  halo.a = 0.25f;
  list->AddCircleFilled(centre, 2 * theme.space, toImU32(halo), 32);
  list->AddCircle(centre, 2 * theme.space, toImU32(theme.accent), 32, theme.lineWidth);
}

}  // namespace sepx::ui
