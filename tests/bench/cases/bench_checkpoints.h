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

/// A folder with config.json and model.safetensors: 12 layers of d_model 768 in F32, all attention filled. Answers its
/// path.
Result<std::string> writeGpt2Shape(const std::string& folder);

/// 32 layers of d_model 4096, 32 heads, 8 key heads, BF16, in four shards with an index; W_Q and W_K of layer 0 filled.
Result<std::string> writeLlamaShape(const std::string& folder);

}  // namespace sepx::app::cli
