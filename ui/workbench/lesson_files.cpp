// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/lesson_files.h"

#include <fmt/format.h>

#include "ui/document/lesson_file.h"

namespace sepx::ui {
namespace {

/// Keys of a declared parameter in the document of one pane: one for every element of its list.
std::vector<std::string> elementsOf(const Document& pane, const std::string& declared) {
  const std::size_t list = declared.find("[]");
  if (list == std::string::npos) return {declared};
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < pane.list(declared.substr(0, list)).size(); ++i)
    keys.push_back(fmt::format("{}[{}]{}", declared.substr(0, list), i, declared.substr(list + 2)));
  return keys;
}

}  // namespace

std::string fileOutside(const Document& document, const PropertyRegistry& registry,
                        const std::vector<std::string>& folders) {
  for (int number = 1; number <= kMostPanes; ++number) {
    const Document pane = document.pane(number);
    for (const Property& property : registry.properties()) {
      if (!property.file) continue;
      for (const std::string& key : elementsOf(pane, property.key)) {
        const Json& value = pane.at(key);
        if (!value.is_string() || value.get_ref<const std::string&>().empty()) continue;
        if (std::string path = value.get<std::string>(); !isInAnyFolder(path, folders)) return path;
      }
    }
  }
  return {};
}

}  // namespace sepx::ui
