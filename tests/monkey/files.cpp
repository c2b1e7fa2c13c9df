// SPDX-License-Identifier: Apache-2.0
// Models with the names of BERT and LLaMA and generated weights. The other files have a few lines.
#include "tests/monkey/files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "tests/engine/checkpoint/file_makers.h"
#include "tests/folders.h"

namespace sepx::monkey {

namespace {

namespace fs = std::filesystem;
using checkpoint::made::Tensor;

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

Tensor tensor(const std::string& name, std::int64_t rows, std::int64_t columns, float scale = 0.3f) {
  std::minstd_rand random(static_cast<unsigned>(rows * 131 + columns + 7 * static_cast<std::int64_t>(name.size())));
  std::string bytes;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const auto at = static_cast<float>(random()) / static_cast<float>(std::minstd_rand::max());
    bytes += checkpoint::made::raw(scale * (2 * at - 1));
  }
  return {name, "F32", {rows, columns}, bytes};
}

/// `prefix` other than BERT's: no family has these names, so that the model must be mapped by hand.
void writeBert(const fs::path& folder, int width, int heads, int layers, float scale = 0.3f,
               const std::string& prefix = "bert.encoder.layer.{}.attention.self.") {
  std::vector<Tensor> tensors;
  for (int layer = 0; layer < layers; ++layer)
    for (const char* part : {"query", "key"})
      tensors.push_back(tensor(fmt::format(fmt::runtime(prefix), layer) + part + ".weight", width, width, scale));
  tensors.push_back(tensor("bert.embeddings.word_embeddings.weight", 20, width));
  write(folder / "model.safetensors", checkpoint::made::safetensors(tensors));
  write(folder / "config.json",
        fmt::format(R"({{"model_type":"bert","hidden_size":{},"num_attention_heads":{},"num_hidden_layers":{}}})",
                    width, heads, layers));
}

void writeLlama(const fs::path& folder, int width, int heads, int keyHeads, int layers) {
  std::vector<Tensor> tensors;
  for (int layer = 0; layer < layers; ++layer) {
    const std::string before = fmt::format("model.layers.{}.self_attn.", layer);
    tensors.push_back(tensor(before + "q_proj.weight", width, width));
    tensors.push_back(tensor(before + "k_proj.weight", width / heads * keyHeads, width));
  }
  write(folder / "model.safetensors", checkpoint::made::safetensors(tensors));
  write(folder / "config.json",
        fmt::format(R"({{"model_type":"llama","hidden_size":{},"num_attention_heads":{},"num_key_value_heads":{},)"
                    R"("num_hidden_layers":{}}})",
                    width, heads, keyHeads, layers));
}

}  // namespace

std::vector<std::string> fileNames() {
  std::vector<std::string> names{
      "models/w4",      "models/w12",         "models/w34",       "models/w96",     "models/w12/model.safetensors",
      "models/grouped", "models/infinite",    "models/unknown",   "models/broken",  "data/text.txt",
      "data/short.txt", "data/points.csv",    "data/lines.jsonl", "data/empty.csv", "data/no-session.sepx",
      "data",           "nowhere.safetensors"};
  for (const char* folder : {"models", "lessons", "runs/reversal", "sweeps"}) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(tests::sourceFolder() + "/assets/" + folder))
      found.push_back(fmt::format("assets/{}/{}", folder, entry.path().filename().string()));
    std::sort(found.begin(), found.end());
    names.insert(names.end(), found.begin(), found.begin() + std::min<std::ptrdiff_t>(6, std::ssize(found)));
  }
  return names;
}

void writeFiles(const std::string& folder) {
  const fs::path at(folder);
  writeBert(at / "models/w4", 4, 1, 1);
  writeBert(at / "models/w12", 12, 3, 2);
  writeBert(at / "models/w34", 34, 2, 3);
  writeBert(at / "models/w96", 96, 4, 6);
  writeBert(at / "models/infinite", 8, 2, 2, 3e38f);
  writeBert(at / "models/unknown", 10, 2, 2, 0.3f, "mystery.{}.");
  writeLlama(at / "models/grouped", 24, 6, 2, 4);
  write(at / "models/broken/model.safetensors", "this is not a header");
  std::string text;
  for (int i = 0; i < 400; ++i)
    text += i % 3 == 0 ? "the cat sat on the mat\n" : "a dog ran\n";
  write(at / "data/text.txt", text);
  write(at / "data/short.txt", "ab");
  write(at / "data/points.csv", "e,w\n0.3,0.2\n-1,1.5\n0,0\n");
  write(at / "data/lines.jsonl", "{\"text\": \"one two\"}\n{\"text\": \"three\"}\n");
  write(at / "data/empty.csv", "");
  write(at / "data/no-session.sepx", "{\"version\": 1, \"flow\": {\"p\": 7}}");
  std::error_code ignored;
  fs::create_directory_symlink(tests::sourceFolder() + "/assets", at / "assets", ignored);
}

}  // namespace sepx::monkey
