// SPDX-License-Identifier: Apache-2.0
// See train_config.h.
#include "app/cli/train_config.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/text.h"
#include "app/data_files.h"
#include "engine/core/folder.h"
#include "engine/core/nearest_name.h"

namespace fs = std::filesystem;

namespace sepx::app::cli {

std::string configsFolder() {
  return assetsFolder() + "/configs";
}

std::vector<std::string> shippedConfigs() {
  std::vector<std::string> names;
  for (const fs::path name : folderNames(configsFolder()))
    if (name.extension() == ".json") names.push_back(name.stem().string());
  std::ranges::sort(names);
  return names;
}

std::string configFile(const std::string& name) {
  std::error_code ignored;
  const std::string shipped = configsFolder() + "/" + name + ".json";
  const bool ships = !fs::exists(name, ignored) && name.find('/') == std::string::npos && fs::exists(shipped, ignored);
  return ships ? shipped : name;
}

Result<train::RunConfig> readConfig(const std::string& name) {
  Result<train::RunConfig> config = train::readRunConfig(configFile(name));
  std::error_code ignored;
  if (config || fs::exists(configFile(name), ignored)) return config;
  const std::string meant = nearestName(fs::path(name).stem().string(), shippedConfigs());
  if (meant.empty()) return config;
  return failf(config.error().kind, N_("{}; the nearest config that ships with the program is `{}`"),
               config.error().message, meant);
}

}  // namespace sepx::app::cli
