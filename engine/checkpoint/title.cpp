// SPDX-License-Identifier: Apache-2.0
// See title.h.
#include "engine/checkpoint/title.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace fs = std::filesystem;

namespace sepx::checkpoint {
namespace {

/// Names that programs choose by default and that say nothing about the model.
bool isGenericName(const std::string& stem) {
  constexpr std::array kPlain{"model",  "pytorch_model", "consolidated", "checkpoint", "weights",
                              "ckpt",   "tf_model",      "state_dict",   "best",       "last",
                              "latest", "final",         "adapter_model"};
  const std::string first = stem.substr(0, stem.find('.'));
  return std::find(kPlain.begin(), kPlain.end(), first) != kPlain.end() || first.rfind("model-0", 0) == 0 ||
         first.rfind("pytorch_model-0", 0) == 0 || first.rfind("consolidated", 0) == 0;
}

/// "race-3, step 2500" of "race-3/checkpoints/step-0002500", where a training run keeps its weights.
std::optional<std::string> titleInRun(const fs::path& folder) {
  constexpr std::string_view kStep = "step-";
  const std::string name = folder.filename().string();
  const fs::path run = folder.parent_path().parent_path();
  if (!name.starts_with(kStep) || folder.parent_path().filename() != "checkpoints" || !run.has_filename()) return {};
  const std::string digits = name.substr(kStep.size());
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return {};
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return run.filename().string() + ", step " + digits.substr(first);
}

/// The folder's name; in the cache of a hub, "models--owner--name/snapshots/hash", the part "name".
std::string nameOfFolder(const fs::path& folder) {
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    const std::string name = at.filename().string();
    if (name.rfind("models--", 0) == 0 && name.size() > 8) return name.substr(name.rfind("--") + 2);
  }
  return folder.filename().string();
}

fs::path absolutePath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

/// The path that names the checkpoint: the file, or its folder if the file's own name says nothing.
fs::path namingPath(const fs::path& path) {
  std::error_code error;
  const bool byFolder =
      !fs::is_directory(path, error) && isGenericName(path.stem().string()) && path.parent_path().has_filename();
  return byFolder ? path.parent_path() : path;
}

}  // namespace

std::string nameOf(const std::string& path) {
  const fs::path whole = absolutePath(path), naming = namingPath(whole);
  std::error_code error;
  return fs::is_directory(naming, error) ? nameOfFolder(naming) : naming.stem().string();
}

std::string titleOf(const std::string& path) {
  return titleInRun(namingPath(absolutePath(path))).value_or(nameOf(path));
}

}  // namespace sepx::checkpoint
