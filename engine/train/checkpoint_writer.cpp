// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint_writer.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/core/descriptor.h"
#include "engine/core/file.h"
#include "engine/train/checkpoint_files.h"
#include "engine/train/checkpoint_state.h"
#include "engine/train/run_store.h"

namespace fs = std::filesystem;

namespace sepx::train {

namespace {

/// A name beside `target` that no reader takes for a checkpoint.
std::string besideOf(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.{}-{}.tmp", target, ::getpid(), counter++);
}

/// Removed at the end unless it was renamed.
struct Aside {
  std::string path;
  ~Aside() {
    std::error_code error;
    if (!path.empty()) fs::remove_all(path, error);
  }
};

Result<void> writeFiles(const std::string& folder, const RunConfig& config, const nn::ParameterLayout& layout,
                        const TrainState& state, const std::vector<std::string>& words) {
  const FamilyExport family = exportFamily(config, layout, state.theta, words);
  constexpr int kIndent = 2;
  if (const auto put = writeFile(folder + "/config.json", family.config.dump(kIndent) + "\n"); !put) return put;
  if (const VocabularyFile file = vocabularyFile(family.family, words); !file.name.empty())
    if (const auto put = writeFile(folder + "/" + file.name, file.content); !put) return put;
  // transformers asks for "format": "pt".
  if (const auto put = writeSafetensors(folder + "/" + kModelName, family.tensors,
                                        {{"format", "pt"}, {"step", std::to_string(state.step)}});
      !put)
    return put;
  return writeState(folder + "/" + kStateName, layout, state);
}

/// `aside` takes the place of `target`, which may be there: at every moment one of the two has the name.
Result<void> putInPlace(Aside& aside, const std::string& target) {
  if (::rename(aside.path.c_str(), target.c_str()) == 0) {
    aside.path.clear();
    return {};
  }
  int error = errno;
  if ((error == ENOTEMPTY || error == EEXIST)) {
    if (::renameat2(AT_FDCWD, aside.path.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return {};
    error = errno;
    // A file system that cannot exchange: the old one goes first.
    const std::string old = besideOf(target);
    if (::rename(target.c_str(), old.c_str()) == 0) {
      if (::rename(aside.path.c_str(), target.c_str()) == 0) {
        aside.path = old;
        return {};
      }
      error = errno;
      ::rename(old.c_str(), target.c_str());
    }
  }
  return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be written: {}", target, systemReason(error)));
}

}  // namespace

Result<void> writeCheckpoint(const std::string& folder, const RunConfig& config, const nn::ParameterLayout& layout,
                             const TrainState& state, const std::vector<std::string>& words) {
  const std::string parent = folder + "/" + kCheckpoints;
  std::error_code error;
  const bool fresh = !fs::is_directory(parent, error);
  if (const auto made = makeFolders(parent); !made) return made;
  if (fresh) syncFolder(folder);
  const std::string target = checkpointFolder(folder, state.step);
  Aside aside{besideOf(target)};
  if (const auto made = makeFolders(aside.path); !made) return made;
  if (const auto written = writeFiles(aside.path, config, layout, state, words); !written) {
    // The sentence names the folder that a person knows.
    std::string sentence = written.error().sentence;
    if (const auto at = sentence.find(aside.path); at != std::string::npos)
      sentence.replace(at, aside.path.size(), target);
    return fail(written.error().kind, std::move(sentence));
  }
  syncFolder(aside.path);
  if (const auto put = putInPlace(aside, target); !put) return put;
  syncFolder(parent);
  return {};
}

Result<TrainState> readCheckpoint(const std::string& checkpointFolder, const nn::ParameterLayout& layout) {
  return readState(checkpointFolder + "/" + kStateName, layout);
}

void dropCheckpoint(const std::string& folder, std::int64_t step) {
  const std::string target = checkpointFolder(folder, step);
  const std::string aside = besideOf(target);
  std::error_code error;
  if (::rename(target.c_str(), aside.c_str()) == 0) fs::remove_all(aside, error);
}

void pruneCheckpoints(const std::string& folder, int keep) {
  if (keep <= 0) return;
  const std::vector<std::int64_t> steps = savedSteps(folder);
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < steps.size(); ++i)
    dropCheckpoint(folder, steps[i]);
}

}  // namespace sepx::train
