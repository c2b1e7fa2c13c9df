// SPDX-License-Identifier: Apache-2.0
// Files beside the one that is opened are only opened by plain names in its folder.
#include "engine/checkpoint/read_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/checkpoint_format.h"
#include "engine/checkpoint/gguf_split.h"
#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestIndex = std::size_t{256} << 20;
constexpr std::size_t kLongestConfig = std::size_t{16} << 20;
constexpr std::size_t kMostEntries = 20'000;  ///< of a folder that is searched
constexpr std::array kConfigs{"config.json", "params.json"};

bool endsIn(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool isFolder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

Result<nlohmann::json> readJson(const std::string& path, std::size_t limit, const JsonLimits& limits) {
  SEPX_ASSIGN(const auto text, readFile(path, limit));
  auto parsed = parseJson<nlohmann::json>(text, limits);
  if (!parsed) return broken(path, parsed.error().message);
  if (!parsed->is_object()) return broken(path, "byte 0: is not a JSON object");
  return parsed;
}

/// Reads the config beside the weights, except for formats that describe their model themselves.
Result<void> addConfig(Contents& contents, const fs::path& folder) {
  if (contents.format == Format::Gguf || contents.format == Format::Llama2c) return {};
  for (const char* const name : kConfigs) {
    const fs::path path = folder / name;
    if (!isFile(path)) continue;
    auto config = readJson(path.string(), kLongestConfig, {});
    if (!config) return fail(config.error().kind, config.error().message + "; repair it or move it away");
    contents.config = std::move(*config);
    contents.configFrom = name;
    return {};
  }
  return {};
}

/// Whether a file of a training run is not a model.
bool isTrainingStateFile(const std::string& name) {
  constexpr std::array kTrainingFiles{"training_args.bin", "optimizer.pt", "optimizer.bin",    "scheduler.pt",
                                      "scheduler.bin",     "scaler.pt",    "state.safetensors"};
  return std::find(kTrainingFiles.begin(), kTrainingFiles.end(), name) != kTrainingFiles.end() ||
         name.rfind("rng_state", 0) == 0;
}

/// Only the first part of a split GGUF represents the whole.
bool isLaterPart(const std::string& path) {
  const auto part = ggufPart(path);
  return part && part->number > 1;
}

Result<std::vector<std::string>> candidatesIn(const std::string& folder) {
  SEPX_ASSIGN(std::vector<std::string> names, listFolder(folder, kMostEntries + 1));
  if (names.size() > kMostEntries)
    return broken(folder, fmt::format("has more than {} files; open the weight file itself", kMostEntries));
  std::erase_if(names, [&folder](const std::string& name) {
    std::error_code notThere;
    const std::string path = (fs::path(folder) / name).string();
    return !fs::is_regular_file(path, notThere) || isTrainingStateFile(name) || isLaterPart(name) || !formatOf(path);
  });
  return names;
}

struct Shards {
  std::vector<std::string> names;                      ///< each once, in order
  std::map<std::string, std::string, std::less<>> of;  ///< tensor -> shard
};

Result<Shards> shardsOf(const std::string& index) {
  SEPX_ASSIGN(const auto parsed,
              readJson(index, kLongestIndex, {.depth = 8, .values = 4 * kMostTensors, .members = kMostTensors}));
  const auto map = parsed.find("weight_map");
  if (map == parsed.end() || !map->is_object()) return broken(index, "field weight_map is missing or no object");
  Shards shards;
  std::set<std::string> names;
  for (const auto& [tensor, shard] : map->items()) {
    if (!shard.is_string()) return broken(index, fmt::format("weight_map {} is not text", inQuotes(tensor)));
    const auto& name = shard.get_ref<const std::string&>();
    if (name.empty() || name == "." || name == ".." || name.find_first_of("/\\") != std::string::npos ||
        name.find('\0') != std::string::npos) {
      return broken(index, fmt::format("weight_map {} names {}, which is not a file in this folder; nothing outside "
                                       "it is opened",
                                       inQuotes(tensor), inQuotes(name)));
    }
    names.insert(name);
    shards.of.emplace(tensor, name);
  }
  if (names.empty()) return broken(index, "field weight_map names no shard");
  shards.names.assign(names.begin(), names.end());
  return shards;
}

/// Adds one shard's tensors: those that the index says it holds, and those that the index does not know.
Result<void> addShard(Contents& all, Contents shard, const std::string& name, Shards& shards) {
  const std::size_t firstFile = all.files.size();
  all.files.insert(all.files.end(), shard.files.begin(), shard.files.end());
  std::size_t unlisted = 0;
  for (TensorInfo& tensor : shard.tensors) {
    const auto listed = shards.of.find(tensor.name);
    if (listed != shards.of.end() && listed->second != name) continue;
    if (listed != shards.of.end())
      shards.of.erase(listed);
    else if (tensor.aliasOf.empty())
      ++unlisted;
    tensor.file += firstFile;
    all.tensors.push_back(std::move(tensor));
  }
  all.metadata.merge(shard.metadata);
  for (std::string& note : shard.notes)
    all.notes.push_back(name + ": " + note);
  if (unlisted > 0) all.notes.push_back(fmt::format("{}: {} tensors are not in the index", name, unlisted));
  return {};
}

/// "….-00001-of-00003.…": whether a single shard was opened.
bool isShardName(const std::string& path) {
  const std::string stem = fs::path(path).stem().string();
  const auto at = stem.rfind("-of-");
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return at != std::string::npos && at >= 6 && stem[at - 6] == '-' && stem.size() == at + 9 &&
         std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(at) - 5, stem.begin() + static_cast<std::ptrdiff_t>(at),
                     isDigit) &&
         std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(at) + 4, stem.end(), isDigit);
}

}  // namespace

bool isIndexName(const std::string& path) {
  return endsIn(path, ".index.json");
}

Result<Contents> readSharded(const std::string& index, const Cancelled& cancelled) {
  auto shards = shardsOf(index);
  if (!shards) return tl::unexpected(shards.error());
  const fs::path folder = fs::path(index).parent_path();
  Contents all;
  for (const std::string& name : shards->names) {
    const fs::path path = folder / name;
    if (!isFile(path)) {
      return broken(index,
                    fmt::format("the shard {} is not there; the index names {} shards, and all must lie beside it",
                                inQuotes(name), shards->names.size()));
    }
    SEPX_ASSIGN(auto shard, readWeightFile(path.string(), cancelled));
    if (all.files.empty()) {
      all.format = shard.format;
    } else if (all.format != shard.format) {
      return broken(path.string(), fmt::format("is {}, other shards are {}", checkpoint::name(shard.format),
                                               checkpoint::name(all.format)));
    }
    SEPX_TRY(addShard(all, std::move(shard), name, *shards));
  }
  if (!shards->of.empty()) {
    const auto& [tensor, shard] = *shards->of.begin();
    return broken(index,
                  fmt::format("tensor {} is not in {}, where the index says it is", inQuotes(tensor), inQuotes(shard)));
  }
  all.notes.insert(all.notes.begin(),
                   shards->names.size() == 1 ? std::string("1 shard") : fmt::format("{} shards", shards->names.size()));
  return all;
}

Result<std::string> weightsIn(const std::string& folder) {
  constexpr std::array kUsual{"model.safetensors.index.json", "model.safetensors", "pytorch_model.bin.index.json",
                              "pytorch_model.bin"};
  for (const char* const name : kUsual) {
    const fs::path path = fs::path(folder) / name;
    if (isFile(path)) return path.string();
  }
  SEPX_ASSIGN(auto names, candidatesIn(folder));
  if (names.empty()) {
    return broken(folder, "no weight file lies in this folder (safetensors, PyTorch, GGUF, llama2.c, ONNX, npy, npz)");
  }
  // The shards of an index are not models of their own.
  if (names.size() > 1) {
    const auto index = std::find_if(names.begin(), names.end(), isIndexName);
    if (index != names.end() && std::count_if(names.begin(), names.end(), isIndexName) == 1)
      return (fs::path(folder) / *index).string();
    constexpr std::size_t kNamed = 8;
    const std::size_t more = names.size() > kNamed ? names.size() - kNamed : 0;
    names.resize(std::min(names.size(), kNamed));
    return broken(folder, fmt::format("several weight files lie in this folder, open one of them: {}{}",
                                      fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  return (fs::path(folder) / names.front()).string();
}

Result<Weights> readWeights(const std::string& path, const Cancelled& cancelled) {
  std::string file = path;
  if (isFolder(path)) {
    SEPX_ASSIGN(file, weightsIn(path));
  }
  Weights weights;
  weights.folder = fs::path(file).parent_path().string();
  if (weights.folder.empty()) weights.folder = ".";
  SEPX_ASSIGN(auto contents, isIndexName(file) ? readSharded(file, cancelled) : readWeightFile(file, cancelled));
  weights.contents = std::move(contents);
  if (weights.contents.format != Format::Gguf && isShardName(file))
    weights.contents.notes.push_back("one shard of several: open the folder or its index for the whole model");
  SEPX_TRY(addConfig(weights.contents, weights.folder));
  return weights;
}

}  // namespace sepx::checkpoint
