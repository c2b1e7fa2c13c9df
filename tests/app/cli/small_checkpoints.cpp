// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/small_checkpoints.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/file_makers.h"
#include "tests/folders.h"

namespace sepx::test {

namespace {

using checkpoint::made::raw;
using checkpoint::made::Tensor;

/// A pseudo-random number that a float represents exactly: a multiple of 1/8 between -2 and 2.
double made(int seed, int i, int j) {
  const unsigned mixed = (static_cast<unsigned>(seed) * 2654435761U) ^ (static_cast<unsigned>(i) * 40503U + 977U) ^
                         (static_cast<unsigned>(j) * 69069U);
  return static_cast<double>(static_cast<int>((mixed * 2246822519U) >> 20U & 31U) - 16) / 8;
}

Plain madeMatrix(int seed, int rows, int columns, double shift) {
  Plain matrix(static_cast<std::size_t>(rows), std::vector<double>(static_cast<std::size_t>(columns)));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = made(seed, i, j) + shift;
  return matrix;
}

std::string bytes(const Plain& matrix) {
  std::string all;
  for (const std::vector<double>& row : matrix)
    for (const double value : row)
      all += raw(static_cast<float>(value));
  return all;
}

Tensor tensor(const std::string& name, const Plain& matrix) {
  return {name,
          "F32",
          {static_cast<std::int64_t>(matrix.size()), static_cast<std::int64_t>(matrix.front().size())},
          bytes(matrix)};
}

std::string writeModel(const Folder& folder, const std::string& name, const std::string& config,
                       const std::vector<Tensor>& tensors) {
  const std::string path = folder.path(name);
  std::filesystem::create_directories(path);
  writeText(path + "/config.json", config);
  writeText(path + "/model.safetensors", checkpoint::made::safetensors(tensors));
  return path;
}

constexpr int kQuerySeed = 11, kKeySeed = 47;

Plain times(const Plain& query, const Plain& key, int heads, int d_h, const std::vector<int>& keyOf, int only) {
  const std::size_t d = query.front().size();
  Plain form(d, std::vector<double>(d, 0.0));
  for (int h = 0; h < heads; ++h) {
    if (only >= 0 && only != h) continue;
    for (int a = 0; a < d_h; ++a) {
      const auto q = static_cast<std::size_t>(h * d_h + a);
      const auto k = static_cast<std::size_t>(keyOf[static_cast<std::size_t>(h)] * d_h + a);
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
          form[i][j] += query[q][i] * key[k][j];
    }
  }
  return form;
}

}  // namespace

Plain smallQuery(int layer, const SmallWishes& wishes) {
  return madeMatrix(kQuerySeed + layer, wishes.width, wishes.width, wishes.shift);
}

Plain smallKey(int layer, const SmallWishes& wishes) {
  return madeMatrix(kKeySeed + layer, wishes.width, wishes.width, wishes.shift);
}

Plain smallForm(int layer, int head, const SmallWishes& wishes) {
  return times(smallQuery(layer, wishes), smallKey(layer, wishes), kSmallHeads, wishes.width / kSmallHeads, {0, 1},
               head);
}

std::string writeSmallBert(const Folder& folder, const std::string& name, const SmallWishes& wishes) {
  const std::string config = "{\"model_type\":\"" + wishes.modelType +
                             "\",\"hidden_size\":" + std::to_string(wishes.width) +
                             ",\"num_attention_heads\":" + std::to_string(kSmallHeads) +
                             ",\"num_hidden_layers\":" + std::to_string(kSmallLayers) + "}";
  std::vector<Tensor> tensors;
  for (int layer = 0; layer < kSmallLayers; ++layer) {
    const std::string before = "bert.encoder.layer." + std::to_string(layer) + ".attention.self.";
    Plain query = smallQuery(layer, wishes);
    if (layer == 1 && wishes.nan) query[2][3] = std::numeric_limits<double>::quiet_NaN();
    if (layer == 1 && wishes.infinite) query[5][1] = std::numeric_limits<double>::infinity();
    tensors.push_back(tensor(before + "query.weight", query));
    tensors.push_back(tensor(before + "key.weight", smallKey(layer, wishes)));
    tensors.push_back(tensor(before + "value.weight", madeMatrix(90 + layer, wishes.width, wishes.width, 0)));
  }
  return writeModel(folder, name, config, tensors);
}

std::string writeSmallGrouped(const Folder& folder, const std::string& name) {
  const std::string config =
      "{\"model_type\":\"llama\",\"hidden_size\":8,\"num_attention_heads\":4,\"num_key_value_heads\":2,"
      "\"num_hidden_layers\":1,\"rms_norm_eps\":1e-6,\"rope_theta\":10000.0}";
  std::vector<Tensor> tensors{tensor("model.layers.0.self_attn.q_proj.weight", madeMatrix(3, 8, 8, 0)),
                              tensor("model.layers.0.self_attn.k_proj.weight", madeMatrix(5, 4, 8, 0)),
                              tensor("model.layers.0.self_attn.v_proj.weight", madeMatrix(7, 4, 8, 0))};
  return writeModel(folder, name, config, tensors);
}

Plain smallGroupedForm(const std::vector<int>& keyOf) {
  return times(madeMatrix(3, 8, 8, 0), madeMatrix(5, 4, 8, 0), 4, 2, keyOf, -1);
}

double plainSymmetry(const Plain& form) {
  double trace = 0, norm = 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    for (std::size_t j = 0; j < form.size(); ++j) {
      trace += form[i][j] * form[j][i];
      norm += form[i][j] * form[i][j];
    }
  }
  return trace / norm;
}

double plainDirectionality(const Plain& form, double gamma, bool excess, int ddof) {
  const std::size_t n = form.size();
  double side[2] = {0, 0};
  for (const bool columns : {false, true}) {
    std::vector<double> norms(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        norms[i] += columns ? form[j][i] * form[j][i] : form[i][j] * form[i][j];
      norms[i] = std::sqrt(norms[i]);
    }
    double mean = 0, squares = 0;
    for (const double norm : norms)
      mean += norm / static_cast<double>(n);
    for (const double norm : norms)
      squares += (norm - mean) * (norm - mean);
    const double threshold = mean + gamma * std::sqrt(squares / static_cast<double>(static_cast<int>(n) - ddof));
    for (const double norm : norms) {
      if (norm > threshold) side[columns ? 1 : 0] += excess ? norm - threshold : norm;
    }
  }
  return side[0] + side[1] == 0 ? 0 : (side[0] - side[1]) / (side[0] + side[1]);
}

std::string sharedCheckpoint(const std::string& name) {
  const std::string path = tests::sharedFolder() + "/checkpoints/" + name;
  if (std::filesystem::exists(path)) return path;
  WARN("skipped: there is no " << path << " (SEPX_SHARED names the folder with real checkpoints)");
  return {};
}

Json sharedReference(const std::string& name) {
  const std::string path = tests::sharedFolder() + "/reference/" + name;
  if (!std::filesystem::exists(path)) return nullptr;
  return Json::parse(readText(path));
}

}  // namespace sepx::test
