// SPDX-License-Identifier: Apache-2.0
// See bench_checkpoints.h. Parts that are not written are holes: a file of 16 GB takes about 40 MB of disk space.
#include "tests/bench/cases/bench_checkpoints.h"

#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/text.h"
#include "engine/core/file.h"
#include "engine/core/regular_file.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

struct Planned {
  std::string name;
  std::vector<std::uint64_t> shape;
  bool filled = false;
};

std::uint64_t valuesOf(const Planned& tensor) {
  std::uint64_t values = 1;
  for (const std::uint64_t size : tensor.shape)
    values *= size;
  return values;
}

/// Uniform random numbers of the magnitude of weights, the same on every machine.
class Noise {
 public:
  float next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (static_cast<float>(state_ >> 40) / 16777216.0f - 0.5f) * 0.06f;
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15ull;
};

class SparseFile {
 public:
  explicit SparseFile(const std::string& path) : file_((::unlink(path.c_str()), createNew(path))) {}
  bool write(const void* data, std::size_t bytes, std::uint64_t at) const {
    return pwrite(file_.get(), data, bytes, static_cast<off_t>(at)) == static_cast<ssize_t>(bytes);
  }
  bool extend(std::uint64_t bytes) const { return ftruncate(file_.get(), static_cast<off_t>(bytes)) == 0; }

 private:
  Descriptor file_;
};

const char* nameOf(BenchNumbers numbers) {
  return numbers == BenchNumbers::F32 ? "F32" : numbers == BenchNumbers::F16 ? "F16" : "BF16";
}

/// Truncates a number of the magnitude of weights to 16 bits. As a half it is a normal number or 0.
std::uint16_t narrowed(std::uint32_t bits, BenchNumbers numbers) {
  if (numbers == BenchNumbers::BF16) return static_cast<std::uint16_t>(bits >> 16);
  const std::uint32_t exponent = bits >> 23 & 0xff, sign = bits >> 16 & 0x8000;
  return static_cast<std::uint16_t>(exponent < 113 ? sign : sign | (exponent - 112) << 10 | (bits >> 13 & 0x3ff));
}

/// Writes random numbers, little-endian: the byte order of both the format and this machine.
bool fill(const SparseFile& file, const Planned& tensor, BenchNumbers numbers, std::uint64_t at, Noise& noise) {
  const std::uint64_t values = valuesOf(tensor);
  constexpr std::uint64_t kPiece = 1 << 18;
  std::vector<std::uint32_t> wide(kPiece);
  std::vector<std::uint16_t> narrow(kPiece);
  for (std::uint64_t first = 0; first < values; first += kPiece) {
    const std::uint64_t count = std::min(kPiece, values - first);
    for (std::uint64_t i = 0; i < count; ++i) {
      wide[i] = std::bit_cast<std::uint32_t>(noise.next());
      narrow[i] = narrowed(wide[i], numbers);
    }
    const bool written = numbers == BenchNumbers::F32 ? file.write(wide.data(), count * 4, at + first * 4)
                                                      : file.write(narrow.data(), count * 2, at + first * 2);
    if (!written) return false;
  }
  return true;
}

Result<void> writeSafetensors(const std::string& path, const std::vector<Planned>& tensors, BenchNumbers numbers) {
  Json header = Json::object();
  std::uint64_t end = 0;
  const std::uint64_t size = numbers == BenchNumbers::F32 ? 4 : 2;
  for (const Planned& tensor : tensors) {
    const std::uint64_t begin = end;
    end += valuesOf(tensor) * size;
    header[tensor.name] = {{"dtype", nameOf(numbers)}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size(), data = 8 + length;
  const SparseFile file(path);
  bool written = file.write(&length, 8, 0) && file.write(text.data(), text.size(), 8) && file.extend(data + end);
  Noise noise;
  std::uint64_t at = data;
  for (const Planned& tensor : tensors) {
    if (tensor.filled) written = written && fill(file, tensor, numbers, at, noise);
    at += valuesOf(tensor) * size;
  }
  if (!written) return failf(ErrorKind::OutputFailed, N_("{}: could not be written; check the free disk space"), path);
  return {};
}

Result<std::string> folderWith(const std::string& folder, const Json& config) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  SEPX_TRY(writeFile(folder + "/config.json", config.dump(1)));
  return folder;
}

}  // namespace

BenchFolder::BenchFolder()
    : path_((fs::temp_directory_path() / fmt::format("sepx-bench-weights-{}", getpid())).string()) {
  std::error_code failed;
  fs::create_directories(path_, failed);
}

BenchFolder::~BenchFolder() {
  std::error_code failed;
  fs::remove_all(path_, failed);
}

Result<std::string> writeGpt2Shape(const std::string& folder, BenchNumbers numbers, bool whole, int layers) {
  constexpr std::uint64_t d = 768;
  std::vector<Planned> tensors{{"wte.weight", {50257, d}}, {"wpe.weight", {1024, d}}};
  for (int layer = 0; layer < layers; ++layer) {
    const std::string h = fmt::format("h.{}.", layer);
    tensors.insert(tensors.end(), {{h + "ln_1.weight", {d}},
                                   {h + "ln_1.bias", {d}},
                                   {h + "attn.c_attn.weight", {d, 3 * d}, layer < 12},
                                   {h + "attn.c_attn.bias", {3 * d}},
                                   {h + "attn.c_proj.weight", {d, d}},
                                   {h + "attn.c_proj.bias", {d}},
                                   {h + "ln_2.weight", {d}},
                                   {h + "ln_2.bias", {d}},
                                   {h + "mlp.c_fc.weight", {d, 4 * d}},
                                   {h + "mlp.c_fc.bias", {4 * d}},
                                   {h + "mlp.c_proj.weight", {4 * d, d}},
                                   {h + "mlp.c_proj.bias", {d}}});
  }
  tensors.insert(tensors.end(), {{"ln_f.weight", {d}}, {"ln_f.bias", {d}}});
  for (Planned& tensor : tensors)
    tensor.filled = tensor.filled || whole;
  SEPX_ASSIGN(auto made, folderWith(folder, {{"model_type", "gpt2"},
                                             {"n_embd", d},
                                             {"n_layer", layers},
                                             {"n_head", 12},
                                             {"n_positions", 1024},
                                             {"vocab_size", 50257}}));
  SEPX_TRY(writeSafetensors(folder + "/model.safetensors", tensors, numbers));
  return made;
}

namespace {

std::vector<Planned> llamaLayer(int layer) {
  constexpr std::uint64_t d = 4096, kv = 1024, wide = 14336;
  const std::string h = fmt::format("model.layers.{}.", layer);
  return {{h + "input_layernorm.weight", {d}},
          {h + "self_attn.q_proj.weight", {d, d}, layer == 0},
          {h + "self_attn.k_proj.weight", {kv, d}, layer == 0},
          {h + "self_attn.v_proj.weight", {kv, d}},
          {h + "self_attn.o_proj.weight", {d, d}},
          {h + "post_attention_layernorm.weight", {d}},
          {h + "mlp.gate_proj.weight", {wide, d}},
          {h + "mlp.up_proj.weight", {wide, d}},
          {h + "mlp.down_proj.weight", {d, wide}}};
}

}  // namespace

Result<std::string> writeLlamaShape(const std::string& folder) {
  constexpr int kShards = 4, kLayers = 32;
  constexpr std::uint64_t kVocabulary = 128256, d = 4096;
  SEPX_ASSIGN(auto made, folderWith(folder, {{"model_type", "llama"},
                                             {"hidden_size", d},
                                             {"intermediate_size", 14336},
                                             {"num_hidden_layers", kLayers},
                                             {"num_attention_heads", 32},
                                             {"num_key_value_heads", 8},
                                             {"rms_norm_eps", 1e-5},
                                             {"rope_theta", 500000.0},
                                             {"vocab_size", kVocabulary},
                                             {"torch_dtype", "bfloat16"}}));
  Json index = {{"metadata", Json::object()}, {"weight_map", Json::object()}};
  for (int shard = 0; shard < kShards; ++shard) {
    std::vector<Planned> tensors;
    if (shard == 0) tensors.push_back({"model.embed_tokens.weight", {kVocabulary, d}});
    for (int layer = shard * kLayers / kShards; layer < (shard + 1) * kLayers / kShards; ++layer)
      for (Planned& tensor : llamaLayer(layer))
        tensors.push_back(std::move(tensor));
    if (shard == kShards - 1) {
      tensors.push_back({"model.norm.weight", {d}});
      tensors.push_back({"lm_head.weight", {kVocabulary, d}});
    }
    const std::string name = fmt::format("model-{:05}-of-{:05}.safetensors", shard + 1, kShards);
    for (const Planned& tensor : tensors)
      index["weight_map"][tensor.name] = name;
    SEPX_TRY(writeSafetensors(folder + "/" + name, tensors, BenchNumbers::BF16));
  }
  SEPX_TRY(writeFile(folder + "/model.safetensors.index.json", index.dump(1)));
  return made;
}

}  // namespace sepx::app::cli
