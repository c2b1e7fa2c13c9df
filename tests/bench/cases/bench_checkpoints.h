// SPDX-License-Identifier: Apache-2.0
// Synthetic checkpoints for benchmarks: whole lists of tensors in sparse files, numbers only where they are read.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace sepx::app::cli {

/// A folder for temporary files that is gone when this is.
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

/// A folder with config.json and model.safetensors: `layers` of d_model 768, a vocabulary of 50257; W_Q, W_K and W_V
/// of the first twelve are filled, or everything (`whole`). Answers its path.
Result<std::string> writeGpt2Shape(const std::string& folder, BenchNumbers numbers = BenchNumbers::F32,
                                   bool whole = false, int layers = 12);

/// 32 layers of d_model 4096, 32 heads, 8 key heads, BF16, in four shards with an index; W_Q and W_K of layer 0 filled.
Result<std::string> writeLlamaShape(const std::string& folder);

/// `count` runs in the folder `runs` of `folder`, copies of a run of 60 steps.
Result<void> writeBenchRuns(const std::string& folder, int count);

}  // namespace sepx::app::cli
