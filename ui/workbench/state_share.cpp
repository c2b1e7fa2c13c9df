// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/state_share.h"

#include <string_view>
#include <utility>
#include <vector>

#include "ui/document/state_text.h"
#include "ui/exhibits/lesson_list.h"
#include "ui/properties/refused.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {
namespace {

/// Whether a document without the field has this value. A property that is outside of the document has no default.
bool isDefault(const Property& property, const Json& value) {
  if (property.live || std::holds_alternative<std::monostate>(property.fallback)) return false;
  return typeFor(property.kind, value).fits && valueOfJson(value) == property.fallback;
}

/// Removes a member that has its default from the elements of a list. `property`: "list[].member".
Document withoutInList(Document state, const Property& property, std::size_t brackets) {
  const std::string list = property.key.substr(0, brackets), member = property.key.substr(brackets + 3);
  if (!state.isList(list) || member.find('.') != std::string::npos) return state;
  std::vector<std::pair<std::size_t, Json>> changed;
  std::size_t index = 0;
  for (const Json& element : state.list(list)) {
    const auto found = element.is_object() ? element.find(member) : element.end();
    if (element.is_object() && found != element.end() && isDefault(property, *found)) {
      Json less = element;
      less.erase(member);
      changed.emplace_back(index, std::move(less));
    }
    ++index;
  }
  for (auto& [at, element] : changed)
    state = state.with(list + "[" + std::to_string(at) + "]", std::move(element));
  return state;
}

/// Also removes objects that become empty.
Document without(Document state, std::string_view key) {
  state = state.without(key);
  for (std::size_t dot = key.rfind('.'); dot != std::string_view::npos; dot = key.rfind('.', dot - 1)) {
    const std::string_view parent = key.substr(0, dot);
    if (!state.isObject(parent) || !state.at(parent).empty()) break;
    state = state.without(parent);
    if (dot == 0) break;
  }
  return state;
}

Document lessInPane(Document state, const PropertyRegistry& registry) {
  for (const Property& property : registry.properties()) {
    if (const std::size_t brackets = property.key.find("[]."); brackets != std::string::npos)
      state = withoutInList(std::move(state), property, brackets);
    else if (state.has(property.key) && isDefault(property, state.at(property.key)))
      state = without(std::move(state), property.key);
  }
  return state;
}

/// The document in a form that another machine understands, with the seed.
Document shared(const Workbench& of, Document document) {
  document = withSharedPaths(std::move(document), of.properties(), of.options().assets);
  return of.options().seed == 0 ? document : document.with("seed", of.options().seed);
}

}  // namespace

Document withoutDefaults(Document document, const PropertyRegistry& registry) {
  for (int pane = 1; pane <= kMostPanes; ++pane)
    if (document.hasPane(pane)) document = document.withPane(pane, lessInPane(document.pane(pane), registry));
  for (const Property& property : registry.properties())
    if (property.key.starts_with("panes.") && document.has(property.key) &&
        isDefault(property, document.at(property.key)))
      document = without(std::move(document), property.key);
  return document;
}

Document withoutBeyondLessons(Document document, const PropertyRegistry& registry) {
  for (int number = 1; number <= kMostPanes; ++number) {
    if (!document.hasPane(number)) continue;
    Document pane = document.pane(number);
    for (std::string key = beyondLessons(pane, registry); !key.empty(); key = beyondLessons(pane, registry))
      pane = without(std::move(pane), key.substr(0, key.find('[')));
    document = document.withPane(number, pane);
  }
  return document;
}

Result<std::string> stateText(const Workbench& of) {
  return writeStateText(shared(of, withoutDefaults(of.document(), of.properties())));
}

Result<std::string> lessonStateText(const Workbench& of, Document document) {
  document = withoutBeyondLessons(withoutDefaults(std::move(document), of.properties()), of.properties());
  if (document == Document()) return std::string();
  return writeStateText(shared(of, std::move(document)));
}

}  // namespace sepx::ui
