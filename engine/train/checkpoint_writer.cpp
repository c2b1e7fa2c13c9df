// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint_writer.h"

#include <cstdio>
#include <filesystem>

#include "engine/core/file.h"
#include "engine/core/remove_folder.h"
#include "engine/core/try.h"
#include "engine/train/checkpoint_files.h"
#include "engine/train/checkpoint_state.h"
#include "engine/train/family_export.h"
#include "engine/train/new_folder.h"
#include "engine/train/run_store.h"
#include "engine/train/safetensors_writer.h"

namespace fs = std::filesystem;

namespace sepx::train {

namespace {

Result<void> writeFiles(NewFolder& folder, const RunConfig& config, const nn::ParameterLayout& layout,
                        const TrainState& state, const std::vector<std::string>& words) {
  const PieceSink sink = [&folder](std::string_view piece) { return folder.write(piece); };
  const FamilyExport family = exportFamily(config, layout, state.theta, words);
  constexpr int kIndent = 2;
  SEPX_TRY(folder.file("config.json"));
  // The path of the data in the config may contain bytes that are not UTF-8.
  SEPX_TRY(sink(family.config.dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
  if (const VocabularyFile file = vocabularyFile(family.family, words); !file.name.empty()) {
    SEPX_TRY(folder.file(file.name));
    SEPX_TRY(sink(file.content));
  }
  SEPX_TRY(folder.file(kModelName));
  // transformers requires "format": "pt".
  const std::map<std::string, std::string> metadata{{"format", "pt"}, {"step", std::to_string(state.step)}};
  SEPX_TRY(streamSafetensors(sink, family.tensors, metadata));
  SEPX_TRY(folder.file(kStateName));
  return writeState(sink, layout, state);
}

}  // namespace

Result<void> writeCheckpoint(const std::string& folder, const RunConfig& config, const nn::ParameterLayout& layout,
                             const TrainState& state, const std::vector<std::string>& words) {
  const std::string parent = folder + "/" + kCheckpoints;
  std::error_code error;
  const bool fresh = !fs::is_directory(parent, error);
  SEPX_TRY(makeFolders(parent));
  if (fresh) syncFolder(folder);
  SEPX_ASSIGN(const auto target, NewFolder::begin(checkpointFolder(folder, state.step)));
  SEPX_TRY(writeFiles(*target, config, layout, state, words));
  return target->commit();
}

Result<TrainState> readCheckpoint(const std::string& checkpointFolder, const nn::ParameterLayout& layout) {
  return readState(checkpointFolder + "/" + kStateName, layout);
}

void dropCheckpoint(const std::string& folder, std::int64_t step) {
  const std::string target = checkpointFolder(folder, step);
  const std::string aside = temporaryPathFor(target);
  if (::rename(target.c_str(), aside.c_str()) == 0) removeFolder(aside);
}

void pruneCheckpoints(const std::string& folder, int keep) {
  if (keep <= 0) return;
  const std::vector<std::int64_t> steps = savedSteps(folder);
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < steps.size(); ++i)
    dropCheckpoint(folder, steps[i]);
}

}  // namespace sepx::train
