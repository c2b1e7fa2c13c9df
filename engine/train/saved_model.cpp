// SPDX-License-Identifier: Apache-2.0
#include "engine/train/saved_model.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/train/checkpoint_files.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/family_export.h"
#include "engine/train/run_store.h"

namespace sepx::train {
namespace {

namespace fs = std::filesystem;

bool isFile(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Sets parameter i to i + 1/2, a value that no constant of a family has. Parameter i is read from where this value is
/// in an export.
std::vector<float> numbered(std::size_t count) {
  std::vector<float> theta(count);
  for (std::size_t i = 0; i < count; ++i)
    theta[i] = static_cast<float>(i) + 0.5F;
  return theta;
}

Result<std::vector<float>> valuesOf(const checkpoint::Checkpoint& file, const ExportedTensor& tensor) {
  const auto refuse = [&](const char* why) {
    return fail(ErrorKind::BadInput, fmt::format("{}: tensor {} {}", file.path(), tensor.name, why));
  };
  const checkpoint::TensorInfo* const there = file.find(tensor.name);
  if (there == nullptr) return refuse("is missing");
  if (there->shape != tensor.shape) return refuse("has a different shape from the model of config.json");
  const std::int64_t rows = tensor.shape.empty() ? 1 : tensor.shape[0];
  std::vector<float> values(static_cast<std::size_t>(there->values()));
  const std::int64_t columns = rows == 0 ? 0 : static_cast<std::int64_t>(values.size()) / rows;
  SEPX_TRY(file.read(*there, 0, rows, 0, columns, std::span<float>(values)));
  return values;
}

/// Reads the parameters from the tensors in the folder, which have the form of a family.
Result<std::vector<float>> readFamily(const std::string& folder, const RunConfig& config) {
  constexpr std::size_t kMost = std::size_t{1} << 22U;  // above it i + 1/2 may not be a float
  const nn::ParameterLayout layout(config.model);
  if (layout.size() > kMost)
    return fail(ErrorKind::BadInput,
                fmt::format("{}: has no {}; weights alone are read only for models of at most {} parameters", folder,
                            kStateName, kMost));
  SEPX_ASSIGN(const auto file, checkpoint::Checkpoint::open(folder + "/" + kModelName));
  const std::vector<float> numbers = numbered(layout.size());
  std::vector<float> theta(layout.size());
  std::vector<bool> known(layout.size(), false);
  for (const ExportedTensor& tensor : exportFamily(config, layout, numbers, {}).tensors) {
    SEPX_ASSIGN(const std::vector<float> values, valuesOf(*file, tensor));
    const std::vector<float> places = train::valuesOf(tensor);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double number = static_cast<double>(places[k]) - 0.5;
      if (number < 0 || number >= static_cast<double>(theta.size()) || std::floor(number) != number) continue;
      theta[static_cast<std::size_t>(number)] = values[k];
      known[static_cast<std::size_t>(number)] = true;
    }
  }
  // The result is correct if exporting it gives the same file.
  bool same = std::ranges::find(known, false) == known.end();
  for (const ExportedTensor& tensor : exportFamily(config, layout, theta, {}).tensors) {
    SEPX_ASSIGN(const std::vector<float> values, valuesOf(*file, tensor));
    same = same && values == train::valuesOf(tensor);
  }
  if (same) return theta;
  return fail(ErrorKind::BadInput,
              fmt::format("{}: the weights are not those of the model in config.json, which this program wrote beside "
                          "them",
                          file->path()));
}

}  // namespace

Result<RunConfig> savedConfig(const std::string& checkpointFolder) {
  const std::string path = checkpointFolder + "/config.json";
  constexpr std::size_t kLargest = std::size_t{1} << 24;
  SEPX_ASSIGN(const std::string text, readFile(path, kLargest));
  const auto json = parseJson<nlohmann::ordered_json>(text);
  if (!json) return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, json.error().message));
  if (!json->is_object() || !json->contains("separatrix"))
    return fail(ErrorKind::BadInput,
                fmt::format("{}: has no member \"separatrix\"; it is not a checkpoint of a run", path));
  return parseRunConfig(json->at("separatrix").dump(), path, checkpointFolder);
}

Result<std::string> findSaved(const std::string& path, std::optional<std::int64_t> step) {
  std::error_code ignored;
  const std::string folder = fs::is_regular_file(path, ignored) ? fs::path(path).parent_path().string() : path;
  const std::vector<std::int64_t> saved = savedSteps(folder);
  if (!saved.empty()) {
    if (!step) return checkpointFolder(folder, saved.back());
    if (std::ranges::find(saved, *step) != saved.end()) return checkpointFolder(folder, *step);
    return fail(ErrorKind::Usage,
                fmt::format("{}: step {} is not saved; the saved steps are {}", folder, *step, fmt::join(saved, ", ")));
  }
  if (!isFile(folder + "/" + kModelName))
    return fail(ErrorKind::BadInput,
                fmt::format("{}: is neither a run with checkpoints nor a checkpoint of this program", path));
  if (step)
    return fail(ErrorKind::Usage, fmt::format("{}: is a single checkpoint; --step chooses among those of a run", path));
  return folder.empty() ? std::string(".") : folder;
}

Result<SavedModel> readSaved(const std::string& checkpointFolder, const RunConfig& config) {
  SavedModel model;
  model.folder = checkpointFolder;
  model.config = config;
  if (!isFile(checkpointFolder + "/" + kStateName)) {
    SEPX_ASSIGN(model.theta, readFamily(checkpointFolder, config));
    return model;
  }
  SEPX_ASSIGN(TrainState state, readCheckpoint(checkpointFolder, nn::ParameterLayout(config.model)));
  model.step = state.step;
  model.theta = std::move(state.theta);
  model.average = std::move(state.average);
  return model;
}

}  // namespace sepx::train
