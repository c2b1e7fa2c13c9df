// SPDX-License-Identifier: Apache-2.0
// The panes of the window: which are shown and active, what each sees of the document, cameras that move together and
// colour limits that are shared. A pane that is no longer shown keeps its sections in the document, so that a split
// that comes back shows what it did. Frame thread.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <imgui/imgui_internal.h>

#include "ui/exhibits/exhibits.h"
#include "ui/properties/tr.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

constexpr std::array<std::pair<const char*, int>, 3> kLayouts{{{"one", 1}, {"two", 2}, {"four", 4}}};

bool isOfWindow(std::string_view key) {
  return key.starts_with("panes.") || key.starts_with("workbench.");
}

}  // namespace

Workbench::Impl::Pane::Pane(Impl& impl, int ownNumber) : owner(impl), number(ownNumber), exhibits(makeExhibits()) {
  owner.declare(*this);
}

void Workbench::Impl::Pane::refresh() const {
  if (seen_ == owner.history.revision()) return;
  seen_ = owner.history.revision();
  const Document& present = owner.history.present();
  Document own = present.pane(number);
  const bool changed = revision_ == 0 || !own.sharesAll(document_);
  if (changed) {
    document_ = std::move(own);
    ++revision_;
  }
  withWindow_ = present.has("panes") ? document_.with("panes", present.at("panes")) : document_;
}

const Document& Workbench::Impl::Pane::document() const {
  refresh();
  return document_;
}

const Document& Workbench::Impl::Pane::withWindow() const {
  refresh();
  return withWindow_;
}

std::uint64_t Workbench::Impl::Pane::revision() const {
  refresh();
  return revision_;
}

Result<void> Workbench::Impl::Pane::set(std::string_view key, const Value& value, std::string group) {
  auto next = registry.set(document(), key, value);
  if (!next) return tl::unexpected(next.error());
  const auto found = registry.find(key);
  if (found && found->property && found->property->undoable) {
    commit(std::move(*next), tr(std::string(N_("change "))) + shortName(*found->property), std::move(group));
  } else {
    replace(std::move(*next));
  }
  return {};
}

void Workbench::Impl::Pane::commit(Document next, std::string label, std::string group) {
  if (owner.shown() > 1) label = fmt::format(fmt::runtime(tr("{} in pane {}")), label, number);
  if (!group.empty() && number > 1) group += fmt::format("@{}", number);
  owner.history.commit(owner.history.present().withPane(number, next), std::move(label), std::move(group));
}

void Workbench::Impl::Pane::replace(Document next) {
  owner.replaced(owner.history.present().withPane(number, next), number);
}

Exhibit* Workbench::Impl::Pane::find(std::string_view key) const {
  const auto found = std::find_if(exhibits.begin(), exhibits.end(), [&](const auto& one) { return one->key() == key; });
  return found == exhibits.end() ? nullptr : found->get();
}

Exhibit& Workbench::Impl::Pane::exhibit() const {
  Exhibit* const named = find(registry.text(document(), "exhibit"));
  return named ? *named : *exhibits.front();
}

bool Workbench::Impl::Pane::playing() const {
  return exhibit().playing().value_or(false);
}

bool Workbench::Impl::Pane::complete() const {
  return scene && !exhibit().animating() && exhibit().complete() && !playing();
}

void Workbench::Impl::Pane::hide() {
  if (!std::exchange(scene, nullptr)) return;
  for (const auto& one : exhibits)
    one->releaseGpu();
}

int Workbench::Impl::shown() const {
  const Json& layoutKey = history.present().at("panes.layout");
  for (const auto& [key, count] : kLayouts) {
    if (layoutKey == key) return count;
  }
  return 1;
}

int Workbench::Impl::activeNumber() const {
  const Json& number = history.present().at("panes.active");
  if (!number.is_number()) return 1;
  const auto wanted = static_cast<int>(std::clamp(number.get<double>(), 1.0, double{kMostPanes}));
  return wanted <= shown() ? wanted : 1;
}

Workbench::Impl::Pane& Workbench::Impl::pane(int number) {
  auto& place = panes[static_cast<std::size_t>(number - 1)];
  if (!place) place = std::make_unique<Pane>(*this, number);
  return *place;
}

void Workbench::Impl::activate(int number) {
  if (number == activeNumber() || number > shown()) return;
  history.replace(history.present().with("panes.active", number));
  settling = kSettlingFrames;
}

void Workbench::Impl::nextPane() {
  activate(activeNumber() % shown() + 1);
}

ExhibitContext Workbench::Impl::context(int number) {
  const auto index = static_cast<std::size_t>(number - 1);
  ExhibitContext made{pane(number),
                      JobLanes(jobs, number, &pane(number).awaited),
                      pool,
                      gpu,
                      options.compute,
                      options.scripted,
                      *theme,
                      seconds,
                      scale,
                      index < places.size() ? places[index].picture : layout.picture,
                      &controls,
                      1.0f,
                      figure,
                      options.seed,
                      number};
  if (history.present().at("panes.limits") == "shared") made.sharedLimits = sharedLimits;
  if (options.limits) made.sharedLimits = options.limits;
  made.legend = options.legend;
  if (layout.panel.width() > 0) made.panel = layout.panel;
  made.assets = options.assets;
  made.rules = options.rules;
  const auto& without = options.without;
  if (std::find(without.begin(), without.end(), "file.open") == without.end()) {
    made.chooseFile = [this, number](std::string_view key) { chooseFile(joinPaneKey(key, number)); };
  }
  return made;
}

/// The union of what the panes of the active exhibit's kind ask for.
void Workbench::Impl::shareLimits() {
  const auto before = std::exchange(sharedLimits, std::nullopt);
  if (places.size() < 2) return;
  const std::string kind = active().exhibit().key();
  eachShown([&](const Pane& one) {
    if (one.exhibit().key() != kind) return;
    const auto own = one.exhibit().ownLimits();
    if (!own) return;
    if (!sharedLimits) sharedLimits = own;
    sharedLimits->low = std::min(sharedLimits->low, own->low);
    sharedLimits->high = std::max(sharedLimits->high, own->high);
  });
  // What read the old ones in this frame reads these in the next.
  if (sharedLimits != before && history.present().at("panes.limits") == "shared") settling = std::max(settling, 2);
}

/// One undoable step: the layout, and in panes that were never there what is worth seeing beside the first.
Result<void> Workbench::Impl::split(const std::string& layoutKey) {
  auto next = active().registry.set(history.present(), "panes.layout", layoutKey);
  if (!next) return tl::unexpected(next.error());
  const auto wanted =
      std::find_if(kLayouts.begin(), kLayouts.end(), [&](const auto& one) { return one.first == layoutKey; });
  const int count = wanted == kLayouts.end() ? 1 : wanted->second;
  for (int number = 2; number <= count; ++number) {
    // A camera alone, which undo leaves where it is, is no pane that was there before.
    if (!(withoutCarried(next->pane(number)) == Document{})) continue;
    const Document first = next->pane(1);
    *next = next->withPane(number, number == 2 ? pane(1).exhibit().contrastState(first) : next->pane(number - 2));
  }
  const bool closes = count < shown();
  history.commit(std::move(*next), closes ? tr("close panes") : tr("split window"));
  history.seal();
  settling = kSettlingFrames;
  return {};
}

/// What belongs to the window and to no pane.
Result<void> Workbench::Impl::setWindow(std::string_view key, const Value& value, std::string group) {
  const PropertyRegistry& registry = active().registry;
  if (key == "panes.layout") return split(toString(value));
  auto next = registry.set(history.present(), key, value);
  if (!next) return tl::unexpected(next.error());
  if (key == "panes.active") {
    const double number = registry.real(*next, key);
    if (number > shown()) {
      return fail(ErrorKind::Usage, fmt::format(fmt::runtime(tr("pane {} is not shown; panes.layout is {}")), number,
                                                registry.text(*next, "panes.layout")));
    }
    activate(static_cast<int>(number));
    return {};
  }
  const auto found = registry.find(key);
  const bool links = key == "panes.linked" && registry.toggle(*next, key);
  history.commit(links ? linkedTo(std::move(*next), activeNumber()) : std::move(*next),
                 tr(std::string(N_("change "))) + shortName(*found->property), std::move(group));
  return {};
}

/// The camera of pane `by` in all panes that show the same exhibit.
Document Workbench::Impl::linkedTo(Document document, int by) {
  const Document leader = document.pane(by);
  const PropertyRegistry& registry = active().registry;
  const Exhibit* const exhibit = pane(by).find(registry.text(leader, "exhibit"));
  const std::string view = exhibit ? exhibit->viewSection() : std::string();
  if (view.empty()) return document;
  for (int number = 1; number <= shown(); ++number) {
    if (number == by) continue;
    Document other = document.pane(number);
    if (registry.text(other, "exhibit") != registry.text(leader, "exhibit")) continue;
    other = leader.has(view) ? other.with(view, leader.at(view)) : other.without(view);
    document = document.withPane(number, other);
  }
  return document;
}

/// A change that is not undoable came from pane `by`.
void Workbench::Impl::replaced(Document next, int by) {
  const bool linked = shown() > 1 && next.at("panes.linked") == true;
  history.replace(linked ? linkedTo(std::move(next), by) : std::move(next));
}

/// Whose key this is; a sentence for a pane that is not shown.
Result<PaneKey> Workbench::Impl::resolve(std::string_view key) {
  auto found = splitPaneKey(key);
  if (!found) {
    return fail(ErrorKind::BadInput,
                fmt::format(fmt::runtime(tr("{}: a window has panes from 1 to {}")), key, kMostPanes));
  }
  if (isOfWindow(found->key)) {
    if (found->pane > 1) {
      return fail(ErrorKind::BadInput,
                  fmt::format(fmt::runtime(tr("{}: this belongs to the window; write {}")), key, found->key));
    }
    found->pane = activeNumber();
  }
  if (found->pane > shown()) {
    return fail(ErrorKind::BadInput, fmt::format(fmt::runtime(tr("{}: pane {} is not shown")), key, found->pane));
  }
  return std::move(*found);
}

void Workbench::Impl::drawPaneEdges() {
  if (places.size() < 2 || figure) return;
  const auto index = static_cast<std::size_t>(activeNumber() - 1);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const render::Rect& frame = places[i].frame;
    const ImU32 color = toImU32(i == index ? theme->accent : theme->border);
    list->AddRect({static_cast<float>(frame.min.x), static_cast<float>(frame.min.y)},
                  {static_cast<float>(frame.max.x), static_cast<float>(frame.max.y)}, color, 0, 0,
                  i == index ? 2.0f : 1.0f);
  }
}

/// Above each picture its number and what it shows; a click makes it the active one.
void Workbench::Impl::drawPaneTitles() {
  for (std::size_t i = 0; i < places.size() && places.size() > 1; ++i) {
    const render::Rect& strip = places[i].title;
    if (strip.width() <= 0 || strip.height() <= 0) continue;  // laid out without chrome, or a window of no size
    const int own = static_cast<int>(i) + 1;
    const bool isActive = own == activeNumber();
    const ImVec2 size{static_cast<float>(strip.width()), static_cast<float>(strip.height())};
    ImGui::SetNextWindowPos({static_cast<float>(strip.min.x), static_cast<float>(strip.min.y)});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, toImVec4(isActive ? theme->surfaceRaised : theme->surface));
    ImGui::Begin(fmt::format("##pane.title{}", own).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    if (ImGui::InvisibleButton("##activate", size)) activate(own);
    controls.reportLastItem(fmt::format("panes.title.{}", own));
    drawPaneTitle(own, isActive, size);
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
  }
}

/// Number and title in one line, cut with dots where the pane is too narrow for all of it.
void Workbench::Impl::drawPaneTitle(int own, bool isActive, ImVec2 strip) {
  const std::string mark = std::to_string(own), text = pane(own).exhibit().title();
  ImGui::PushFont(textFont(isActive ? TextStyle::Strong : TextStyle::Small));
  const float from = std::max(2.5f * theme->space, 2 * theme->space + ImGui::CalcTextSize(mark.c_str()).x);
  const float room = strip.x - from - theme->space;
  const bool strong = isActive && ImGui::CalcTextSize(text.c_str()).x <= room;
  ImGui::PopFont();
  ImGui::PushFont(textFont(strong ? TextStyle::Strong : TextStyle::Small));
  const ImVec2 size = ImGui::CalcTextSize(text.c_str()), corner = ImGui::GetWindowPos();
  const float y = corner.y + (strip.y - size.y) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddText({corner.x + theme->space, y}, toImU32(isActive ? theme->accent : theme->textMuted), mark.c_str());
  ImGui::RenderTextEllipsis(list, {corner.x + from, y}, {corner.x + from + room, corner.y + strip.y},
                            corner.x + from + room, corner.x + from + room, text.c_str(), text.c_str() + text.size(),
                            &size);
  ImGui::PopFont();
}

int Workbench::panes() const {
  return impl_->shown();
}
int Workbench::activePane() const {
  return impl_->activeNumber();
}
void Workbench::activatePane(int pane) {
  if (pane >= 1) impl_->activate(pane);
}

std::string Workbench::inPane(std::string_view key, int pane) const {
  return isOfWindow(key) ? std::string(key) : joinPaneKey(key, pane);
}

const std::vector<render::PlacedScene>& Workbench::scenes() const {
  return impl_->scenes;
}

}  // namespace sepx::ui
