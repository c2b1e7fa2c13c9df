// SPDX-License-Identifier: Apache-2.0
// Synthetic checkpoints for benchmarks: complete lists of tensors in sparse files. Only the tensors that are read
// contain numbers.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace sepx::app::cli {

/// A temporary folder, which the destructor removes.
class BenchFolder {
 public:
  BenchFolder();
  ~BenchFolder();
  BenchFolder(const BenchFolder&) = delete;
  BenchFolder& operator=(const BenchFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

enum class BenchNumbers { F32, F16, BF16 };

/// Writes a folder with config.json and model.safetensors: `layers` layers of d_model 768, and a vocabulary of 50257.
/// W_Q, W_K and W_V of the first twelve layers are filled, or all tensors if `whole`. Returns the path of the folder.
Result<std::string> writeGpt2Shape(const std::string& folder, BenchNumbers numbers = BenchNumbers::F32,
                                   bool whole = false, int layers = 12);

/// Writes 32 layers of d_model 4096, 32 heads and 8 key heads, BF16, in four shards with an index. W_Q and W_K of layer
/// 0 are filled. Returns the path of the folder.
Result<std::string> writeLlamaShape(const std::string& folder);

/// Writes `count` runs to the folder `runs` of `folder`: copies of one run of 60 steps.
Result<void> writeBenchRuns(const std::string& folder, int count);

}  // namespace sepx::app::cli
