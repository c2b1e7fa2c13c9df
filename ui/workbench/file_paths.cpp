// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/file_paths.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/checkpoint/model_cache.h"
#include "ui/properties/tr.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

/// The full keys of a declared key in a pane: for "list[].path" one per element of the list, otherwise the key itself.
std::vector<std::string> keysIn(const Document& document, const std::string& declared, int pane) {
  const std::size_t list = declared.find("[]");
  if (list == std::string::npos) return {joinPaneKey(declared, pane)};
  const std::string name = joinPaneKey(declared.substr(0, list), pane);
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < document.list(name).size(); ++i)
    keys.push_back(name + "[" + std::to_string(i) + declared.substr(list + 1));
  return keys;
}

/// Calls visit(full key, path) for every file that the document names, in every pane.
void eachPath(const Document& document, const PropertyRegistry& registry,
              const std::function<void(const std::string& key, const std::string& path)>& visit) {
  for (const Property& property : registry.properties()) {
    if (!property.file) continue;
    for (int pane = 1; pane <= kMostPanes; ++pane) {
      for (const std::string& key : keysIn(document, property.key, pane)) {
        const Json& value = document.at(key);
        if (value.is_string() && !value.get_ref<const std::string&>().empty()) visit(key, value.get<std::string>());
      }
    }
  }
}

Document changed(Document document, const PropertyRegistry& registry,
                 const std::function<fs::path(const fs::path&)>& change) {
  Document result = document;
  eachPath(document, registry, [&](const std::string& key, const std::string& path) {
    result = result.with(key, change(path).generic_string());
  });
  return result;
}

}  // namespace

Document withRelativePaths(Document document, const PropertyRegistry& registry, const std::string& folder) {
  std::error_code failed;
  const fs::path base = fs::absolute(folder.empty() ? "." : folder, failed).lexically_normal();
  return changed(std::move(document), registry, [&base](const fs::path& path) {
    if (path.is_relative()) return path;
    const fs::path relative = path.lexically_normal().lexically_relative(base);
    // If only the root is shared, the relative path would mean nothing once the folder is moved.
    const bool common = !relative.empty() && base.has_relative_path() && path.has_relative_path() &&
                        *base.relative_path().begin() == *path.relative_path().begin();
    return common ? relative : path;
  });
}

Document withAbsolutePaths(Document document, const PropertyRegistry& registry, const std::string& folder) {
  std::error_code failed;
  const fs::path base = fs::absolute(folder.empty() ? "." : folder, failed);
  return changed(std::move(document), registry, [&base](const fs::path& path) {
    return path.is_relative() ? (base / path).lexically_normal() : path;
  });
}

namespace {

/// Folders of this machine and their names in shared paths. A folder inside another one comes first.
std::vector<std::pair<std::string, std::string>> sharedFolders(const std::string& assets) {
  std::vector<std::pair<std::string, std::string>> folders;
  const auto add = [&folders](std::string folder, const char* shared) {
    if (folder.size() < 2 || folder.front() != '/') return;
    if (folder.back() != '/') folder += '/';
    folders.emplace_back(std::move(folder), shared);
  };
  std::error_code failed;
  const fs::path whole = fs::absolute(assets, failed).lexically_normal();
  if (!assets.empty() && !failed) add(whole.string(), "$assets/");
  const char* const home = std::getenv("HOME");
  if (home) add(home, "~/");
  return folders;
}

std::string begunWith(const std::string& path, const std::string& from, const std::string& to) {
  return path.starts_with(from) ? to + path.substr(from.size()) : path;
}

}  // namespace

Document withSharedPaths(Document document, const PropertyRegistry& registry, const std::string& assets) {
  return changed(std::move(document), registry, [folders = sharedFolders(assets)](const fs::path& path) -> fs::path {
    for (const auto& [folder, shared] : folders)
      if (path.string().starts_with(folder)) return begunWith(path.string(), folder, shared);
    return path;
  });
}

Document withOwnPaths(Document document, const PropertyRegistry& registry, const std::string& assets) {
  return changed(std::move(document), registry, [folders = sharedFolders(assets)](const fs::path& path) -> fs::path {
    for (const auto& [folder, shared] : folders)
      if (path.string().starts_with(shared)) return begunWith(path.string(), shared, folder);
    return path;
  });
}

std::vector<MissingFile> missingFiles(const Document& document, const PropertyRegistry& registry) {
  std::vector<MissingFile> missing;
  eachPath(document, registry, [&missing](const std::string& key, const std::string& path) {
    std::error_code failed;
    if (!fs::exists(path, failed)) missing.push_back({key, path});
  });
  return missing;
}

Result<void> checkCheckpoints(const Document& pane, const PropertyRegistry& registry, const std::string& exhibit,
                              const std::string& rules) {
  for (const Property& property : registry.properties()) {
    if (!property.file || !property.key.starts_with(exhibit + ".")) continue;
    if (property.applies && !property.applies(pane)) continue;
    const std::string path = registry.text(pane, property.key);
    if (path.empty()) continue;
    if (const auto model = checkpoint::openModel(path, rules); !model) return tl::unexpected(model.error());
  }
  return {};
}

}  // namespace sepx::ui
