// SPDX-License-Identifier: Apache-2.0
// The window's own keys, and what follows from them for a document.
#include "ui/workbench/window_properties.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"

namespace sepx::ui {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 3> kLayouts{{{"one", 1}, {"two", 2}, {"four", 4}}};

}  // namespace

bool isWindowKey(std::string_view key) {
  return key.starts_with("panes.") || key.starts_with("workbench.");
}

std::string keyInPane(std::string_view key, int pane) {
  return isWindowKey(key) ? std::string(key) : joinPaneKey(key, pane);
}

int panesOfLayout(std::string_view layout) {
  const auto found =
      std::find_if(kLayouts.begin(), kLayouts.end(), [&](const auto& one) { return one.first == layout; });
  return found == kLayouts.end() ? 1 : found->second;
}

int paneCount(const Document& document) {
  const Json& layout = document.at("panes.layout");
  return layout.is_string() ? panesOfLayout(layout.get_ref<const std::string&>()) : 1;
}

int activePane(const Document& document) {
  const Json& number = document.at("panes.active");
  if (!number.is_number()) return 1;
  const auto wanted = static_cast<int>(std::clamp(number.get<double>(), 1.0, double{kMostPanes}));
  return wanted <= paneCount(document) ? wanted : 1;
}

bool sharesLimits(const Document& document) {
  return document.at("panes.limits") == "shared";
}

void declareWindowProperties(PropertyRegistry& registry) {
  // clang-format off
  declareParameters(registry, {.prefix = "panes."}, {
      {.key = "layout", .label = N_("Panes"), .options = {{"one", N_("one")}, {"two", N_("two")}, {"four", N_("four")}},
       .help = N_("Number of panes, each with its own picture and state.")},
      {.key = "active", .label = N_("Active pane"), .kind = Kind::Integer, .min = 1, .max = kMostPanes, .fallback = 1.0,
       .help = N_("The pane that panels, keys and commands apply to."), .undoable = false},
      {.key = "linked", .label = N_("Link cameras"), .fallback = false,
       .help = N_("Panes of the same exhibit show the same region of the plane: moving one moves all of them.")},
      {.key = "limits", .label = N_("Colour limits"), .options = {{"own", N_("own")}, {"shared", N_("shared")}},
       .help = N_("Whether each pane has its own colour scale, or all panes of an exhibit share one, so that equal "
                  "colours mean equal numbers.")}});
  // clang-format on
}

Document withLinkedCameras(Document document, int by, const PropertyRegistry& registry, const std::string& view) {
  if (view.empty()) return document;
  const Document leader = document.pane(by);
  for (int number = 1; number <= paneCount(document); ++number) {
    if (number == by) continue;
    Document other = document.pane(number);
    if (registry.text(other, "exhibit") != registry.text(leader, "exhibit")) continue;
    other = leader.has(view) ? other.with(view, leader.at(view)) : other.without(view);
    document = document.withPane(number, other);
  }
  return document;
}

std::vector<std::string> carriedPaths(const PropertyRegistry& registry) {
  const auto& properties = registry.properties();
  std::vector<std::string> paths;
  for (const Property& property : properties) {
    if (property.undoable || property.key.find("[]") != std::string::npos) continue;
    const std::string group = property.key.substr(0, property.key.rfind('.') + 1);
    const bool mixed = std::any_of(properties.begin(), properties.end(), [&](const Property& other) {
      return other.undoable && other.key.compare(0, group.size(), group) == 0;
    });
    const std::string path = mixed || group.empty() ? property.key : group.substr(0, group.size() - 1);
    if (std::find(paths.begin(), paths.end(), path) != paths.end()) continue;
    paths.push_back(path);
    for (int number = 2; number <= kMostPanes && !isWindowKey(path); ++number)
      paths.push_back(joinPaneKey(path, number));
  }
  return paths;
}

Document withoutPaths(const Document& document, const std::vector<std::string>& paths) {
  Document result = document;
  for (const std::string& key : paths)
    result = result.withPartOf(Document(), key);
  return result;
}

}  // namespace sepx::ui
