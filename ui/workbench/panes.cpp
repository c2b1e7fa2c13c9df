// SPDX-License-Identifier: Apache-2.0
// Maps the document of the window to those of its panes, and does what the panes do together.
#include "ui/workbench/panes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <imgui/imgui_internal.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {

Panes::Panes(WindowState& window, Jobs& jobs, ThreadPool& pool, std::function<void(PropertyRegistry&)> declareReadOuts)
    : window_(window), jobs_(jobs), pool_(pool), declareReadOuts_(std::move(declareReadOuts)) {
  carried_ = carriedPaths(at(1).properties());  // all panes declare the same
  window_.history.setCarriedPaths(carried_);
}

Pane& Panes::at(int number) {
  auto& place = panes_[static_cast<std::size_t>(number - 1)];
  if (!place) {
    place = std::make_unique<Pane>(window_, number, [this](PropertyRegistry& registry) {
      declareWindowProperties(registry);
      declareReadOuts_(registry);
    });
  }
  return *place;
}

void Panes::activate(int number) {
  if (number < 1 || number == activeNumber() || number > shown()) return;
  window_.history.replace(window_.history.present().with("panes.active", number));
  window_.redraw();
}

void Panes::addCommands(Commands& to) {
  const char* const kView = tr("View");
  const int count = shown();
  const auto splitter = [this](const char* layout) { return [this, layout] { return set("panes.layout", layout); }; };
  to.add({"view.split-one", tr("One pane"), "Ctrl+1", kView, true, count == 1}, splitter("one"));
  to.add({"view.split-two", tr("Two panes"), "Ctrl+2", kView, true, count == 2}, splitter("two"));
  to.add({"view.split-four", tr("Four panes"), "Ctrl+4", kView, true, count == 4}, splitter("four"));
  to.add({"view.next-pane", tr("Next pane"), "F6", kView, count > 1},
         [this] { activate(activeNumber() % shown() + 1); });
  const bool linked = window_.history.present().at("panes.linked") == true;
  to.add({"view.link-cameras", tr("Link cameras"), "Ctrl+L", kView, count > 1, linked},
         [this, linked] { return set("panes.linked", !linked); });
  const bool shared = sharesLimits(window_.history.present());
  to.add({"view.share-limits", tr("Share colour limits"), "Ctrl+Shift+L", kView, count > 1, shared},
         [this, shared] { return set("panes.limits", shared ? "own" : "shared"); });
}

/// The figure choice of a pane, adjusted to the panels of the other panes: panel letters continue those of the panes
/// before it, and the panels of panes side by side end at the same height.
FigureChoice Panes::choiceOf(int number) {
  const auto index = static_cast<std::size_t>(number - 1);
  FigureChoice choice = window_.options.choices[index];
  for (std::size_t other = 0; other < places_.size(); ++other) {
    const render::Rect &there = places_[other].picture, &here = places_[index].picture;
    std::size_t standing = 0;
    double lowest = 0;
    for (const FigurePanel& panel : at(static_cast<int>(other) + 1).exhibit().panels()) {
      if (!panel.box) continue;
      ++standing;
      lowest = std::max(lowest, panel.box->max.y);
    }
    if (other < index) choice.firstLetter += std::max<std::size_t>(standing, 1);
    const bool beside = there.min.y == here.min.y && there.height() == here.height();
    if (beside && other != index && standing > 0) choice.below = std::max(choice.below, there.height() - lowest);
  }
  return choice;
}

ExhibitContext Panes::context(int number) {
  const auto index = static_cast<std::size_t>(number - 1);
  const WorkbenchOptions& options = window_.options;
  ExhibitServices services{.jobs = JobLanes(jobs_, number, &at(number).awaited()),
                           .pool = pool_,
                           .gpu = window_.gpu,
                           .compute = options.compute,
                           .seed = options.seed,
                           .runs = options.runs.get(),
                           .assets = options.assets,
                           .rules = options.rules};
  ExhibitView view{.theme = *window_.theme,
                   .area = index < places_.size() ? places_[index].picture : window_.layout.picture,
                   .seconds = window_.seconds,
                   .scale = window_.scale,
                   .pane = number,
                   .scripted = options.scripted,
                   .figure = window_.figure,
                   .audience = options.follows,
                   .legend = options.legend,
                   .controls = &window_.controls};
  view.choice.legend = options.legend;
  if (index < options.choices.size()) view.choice = choiceOf(number);
  if (sharesLimits(window_.history.present())) view.sharedLimits = sharedLimits_;
  if (options.limits) view.sharedLimits = options.limits;
  if (window_.layout.panel.width() > 0) view.panel = window_.layout.panel;
  if (window_.hasCommand("file.open")) {
    services.chooseFile = [this, number](std::string_view key) { window_.chooseFile(joinPaneKey(key, number)); };
  }
  return {std::move(services), std::move(view), at(number)};
}

Result<PaneKey> Panes::resolve(std::string_view key) const {
  auto found = splitPaneKey(key);
  if (!found) {
    return fail(ErrorKind::BadInput, trFormat("{}: a window has panes 1 to {}", key, kMostPanes));
  }
  if (isWindowKey(found->key)) {
    if (found->pane > 1) {
      return fail(ErrorKind::BadInput,
                  trFormat("{}: this belongs to the window, not to a pane; write {}", key, found->key));
    }
    found->pane = activeNumber();
  }
  if (found->pane > shown()) {
    return fail(ErrorKind::BadInput, trFormat("{}: pane {} is not shown", key, found->pane));
  }
  return std::move(*found);
}

std::optional<PropertyRegistry::Found> Panes::find(std::string_view key) {
  const auto whose = resolve(key);
  if (!whose) return std::nullopt;
  return at(whose->pane).properties().find(whose->key);
}

Result<Value> Panes::get(std::string_view key) {
  const auto whose = resolve(key);
  if (!whose) return tl::unexpected(whose.error());
  const Pane& pane = at(whose->pane);
  const auto found = pane.properties().find(whose->key);
  if (!found) {
    const std::string near = pane.properties().nearest(whose->key);
    return fail(ErrorKind::BadInput,
                std::string(key) + ": " + tr("there is no such key") +
                    (near.empty() ? std::string() : tr(std::string(N_("; perhaps "))) + keyInPane(near, whose->pane)));
  }
  if (found->property) return pane.properties().get(pane.withWindow(), whose->key);
  return found->readOut->get(found->index);
}

Result<void> Panes::set(std::string_view key, const Value& value, std::string group) {
  const auto whose = resolve(key);
  if (!whose) return fail(ErrorKind::Usage, whose.error().message);
  if (isWindowKey(key)) return setWindow(key, value, std::move(group));
  return at(whose->pane).set(whose->key, value, std::move(group));
}

Result<void> Panes::setWindow(std::string_view key, const Value& value, std::string group) {
  const PropertyRegistry& registry = active().properties();
  if (key == "panes.layout") return split(toString(value));
  auto next = registry.set(window_.history.present(), key, value);
  if (!next) return tl::unexpected(next.error());
  if (key == "panes.active") {
    const double number = registry.real(*next, key);
    if (number > shown()) {
      return fail(ErrorKind::Usage,
                  trFormat("pane {} is not shown; panes.layout is {}", number, registry.text(*next, "panes.layout")));
    }
    activate(static_cast<int>(number));
    return {};
  }
  const auto found = registry.find(key);
  const bool links = key == "panes.linked" && registry.toggle(*next, key);
  window_.history.commit(
      links ? withLinkedCameras(std::move(*next), activeNumber(), registry, active().exhibit().viewSection())
            : std::move(*next),
      tr(std::string(N_("change "))) + shortName(*found->property), std::move(group));
  return {};
}

/// Changes the layout as one undo step. Panes that were never there get a first state: pane 2 a contrast to pane 1,
/// panes 3 and 4 copies of panes 1 and 2.
Result<void> Panes::split(const std::string& layout) {
  auto next = active().properties().set(window_.history.present(), "panes.layout", layout);
  if (!next) return tl::unexpected(next.error());
  const int count = panesOfLayout(layout);
  for (int number = 2; number <= count; ++number) {
    // A pane with only a camera, which undo does not restore, counts as never there.
    if (!(withoutCarried(next->pane(number)) == Document{})) continue;
    const Document first = next->pane(1);
    *next = next->withPane(number, number == 2 ? at(1).exhibit().contrastState(first) : next->pane(number - 2));
  }
  const bool closes = count < shown();
  window_.history.commit(std::move(*next), closes ? tr("close panes") : tr("split window"));
  window_.history.seal();
  window_.redraw();
  return {};
}

Result<void> Panes::check(const Document& document) {
  const PropertyRegistry& registry = at(1).properties();
  if (auto checked = registry.check(document); !checked) return checked;
  for (int number = 2; number <= kMostPanes; ++number) {
    if (auto checked = registry.check(document.pane(number)); !checked) {
      return fail(checked.error().kind, trFormat("in pane {}: {}", number, checked.error().message));
    }
  }
  return {};
}

void Panes::arrange(bool none) {
  const double titles = !window_.figure && window_.chromeShown ? window_.theme->statusHeight : 0;
  places_ = none ? std::vector<PanePlace>() : layOutPanes(window_.layout.picture, shown(), titles);
  for (std::size_t i = places_.size(); i < panes_.size(); ++i) {
    if (panes_[i]) panes_[i]->hide();
  }
}

int Panes::paneAt(render::Point at) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].picture.contains(at)) return static_cast<int>(i) + 1;
  }
  return 0;
}

void Panes::update() {
  for (const auto& one : panes_)
    if (one) one->awaited().clear();
  eachShown([this](Pane& one) {
    ExhibitContext now = context(one.number());
    one.update(now);
  });
  shareLimits();
}

/// The union of the limits of all panes that show the same exhibit as the active pane.
void Panes::shareLimits() {
  const auto before = std::exchange(sharedLimits_, std::nullopt);
  if (places_.size() < 2) return;
  const std::string kind = active().exhibit().key();
  eachShown([&](const Pane& one) {
    if (one.exhibit().key() != kind) return;
    const auto own = one.exhibit().ownLimits();
    if (!own) return;
    if (!sharedLimits_) sharedLimits_ = own;
    sharedLimits_->low = std::min(sharedLimits_->low, own->low);
    sharedLimits_->high = std::max(sharedLimits_->high, own->high);
  });
  // Panes that used the old limits in this frame use the new ones in the next.
  if (sharedLimits_ != before && sharesLimits(window_.history.present())) window_.redraw(2);
}

std::vector<render::PlacedScene> Panes::scenes() {
  std::vector<render::PlacedScene> all;
  eachShown([&](Pane& one) {
    one.draw(context(one.number()));
    all.push_back({one.scene(), places_[static_cast<std::size_t>(one.number() - 1)].picture.min});
  });
  return all;
}

std::optional<render::Point> Panes::toWindow(std::string_view canvas, render::Point data) {
  const auto whose = splitPaneKey(canvas);
  if (!whose || static_cast<std::size_t>(whose->pane) > places_.size()) return std::nullopt;
  const Pane& pane = at(whose->pane);
  if (!pane.scene() || pane.exhibit().key() != whose->key) return std::nullopt;
  const render::Point page = render::toPage(*pane.scene(), data);
  const render::Point origin = places_[static_cast<std::size_t>(whose->pane - 1)].picture.min;
  return render::Point{origin.x + page.x, origin.y + page.y};
}

bool Panes::complete() {
  bool all = true;
  eachShown([&](const Pane& one) { all = all && one.complete(); });
  return all;
}

bool Panes::animating() {
  bool any = false;
  eachShown([&](const Pane& one) { any = any || one.exhibit().animating(); });
  return any;
}

void Panes::releaseGpu() {
  for (const auto& pane : panes_)
    if (pane) pane->releaseGpu();
}

// ImGui around the panes: their frames, with that of the active one highlighted, and above each picture its number and
// title.

void Panes::drawEdges() const {
  if (places_.size() < 2 || window_.figure) return;
  const auto index = static_cast<std::size_t>(activeNumber() - 1);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const render::Rect& frame = places_[i].frame;
    const ImU32 color = toImU32(i == index ? window_.theme->accent : window_.theme->border);
    list->AddRect({static_cast<float>(frame.min.x), static_cast<float>(frame.min.y)},
                  {static_cast<float>(frame.max.x), static_cast<float>(frame.max.y)}, color, 0, 0,
                  i == index ? 2.0f : 1.0f);
  }
}

/// A click makes the pane the active one.
void Panes::drawTitles() {
  const Theme& theme = *window_.theme;
  for (std::size_t i = 0; i < places_.size() && places_.size() > 1; ++i) {
    const render::Rect& strip = places_[i].title;
    if (strip.width() <= 0 || strip.height() <= 0) continue;  // laid out without chrome, or a window of no size
    const int own = static_cast<int>(i) + 1;
    const bool isActive = own == activeNumber();
    const ImVec2 size{static_cast<float>(strip.width()), static_cast<float>(strip.height())};
    ImGui::SetNextWindowPos({static_cast<float>(strip.min.x), static_cast<float>(strip.min.y)});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, toImVec4(isActive ? theme.surfaceRaised : theme.surface));
    ImGui::Begin(fmt::format("##pane.title{}", own).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    if (ImGui::InvisibleButton("##activate", size)) activate(own);
    window_.controls.reportLastItem(fmt::format("panes.title.{}", own));
    drawTitle(own, isActive, size);
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
  }
}

/// Number and title in one line, cut with dots where the pane is too narrow for all of it.
void Panes::drawTitle(int number, bool isActive, ImVec2 strip) {
  const Theme& theme = *window_.theme;
  const std::string mark = std::to_string(number), text = at(number).exhibit().title();
  ImGui::PushFont(textFont(isActive ? TextStyle::Strong : TextStyle::Small));
  const float from = std::max(2.5f * theme.space, 2 * theme.space + ImGui::CalcTextSize(mark.c_str()).x);
  const float room = strip.x - from - theme.space;
  const bool strong = isActive && ImGui::CalcTextSize(text.c_str()).x <= room;
  ImGui::PopFont();
  ImGui::PushFont(textFont(strong ? TextStyle::Strong : TextStyle::Small));
  const ImVec2 size = ImGui::CalcTextSize(text.c_str()), corner = ImGui::GetWindowPos();
  const float y = corner.y + (strip.y - size.y) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddText({corner.x + theme.space, y}, toImU32(isActive ? theme.accent : theme.textMuted), mark.c_str());
  ImGui::RenderTextEllipsis(list, {corner.x + from, y}, {corner.x + from + room, corner.y + strip.y},
                            corner.x + from + room, corner.x + from + room, text.c_str(), text.c_str() + text.size(),
                            &size);
  ImGui::PopFont();
}

}  // namespace sepx::ui
