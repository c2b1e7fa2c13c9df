// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/model_name.h"

#include <filesystem>
#include <system_error>

#include "engine/checkpoint/title.h"
#include "ui/properties/tr.h"

namespace sepx::ui {
namespace fs = std::filesystem;

std::string modelName(const std::string& path, const std::string& assets) {
  const std::string title = checkpoint::titleOf(path);
  const fs::path shipped = fs::path(assets) / "models" / title;
  std::error_code failed;
  const bool ships = !assets.empty() && (fs::equivalent(path, shipped, failed) ||
                                         fs::equivalent(fs::path(path).parent_path(), shipped, failed));
  if (!ships) return title;
  if (title == "arm") return tr("Autoregressive");
  if (title == "mdm") return tr("Masked diffusion");
  return title;
}

}  // namespace sepx::ui
