// SPDX-License-Identifier: Apache-2.0
// Table 3 of Attention-Structure at the scale of a desktop: a vision transformer from a standard start and from W_K =
// W_Q. The paper trains 6 layers on CIFAR-10 for 500 passes and 12 layers on ImageNet-1k for 200, which takes weeks
// here (assets/configs/vit-*). This study trains a small ViT on the files of CIFAR-10, where they are, for a few passes
// with three seeds; quick: on generated images, one seed, and nothing is judged. Each run has one thread; several run
// at once. Workers only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/data/source.h"
#include "engine/studies/study.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

/// A row of Table 3.
struct PublishedVision {
  const char* data = "";
  int layers = 0;
  bool symmetric = false;  ///< W_K = W_Q at the start
  double trainLoss = 0, loss = 0, accuracy = 0;
};
std::span<const PublishedVision> publishedVision();

struct VisionPoint {  ///< an evaluation
  std::int64_t step = 0;
  double trainLoss = 0;  ///< mean since the point before; NaN at the start
  double loss = 0, accuracy = 0;
  double symmetry = 0;  ///< of W_qk, median over the layers
};

struct VisionRun {  ///< one training
  bool symmetric = false;
  std::uint64_t seed = 0;
  std::vector<VisionPoint> points;
  std::string failure;  ///< why it stopped early; empty: it did not
};

struct VisionTable {  ///< both starts, all seeds
  bool quick = false;
  train::RunConfig config;  ///< of the standard start, seed 0
  std::vector<VisionRun> runs;
  /// Mean over the seeds of the last points; NaN where a run failed.
  double mean(bool symmetric, double VisionPoint::*which) const;
  std::vector<Check> checks() const;  ///< what is judged; quick: nothing
  bool passed() const { return studies::passed(checks()); }
};

/// What is shown of it: published rows beside the means over the seeds.
StudyResult resultOf(const VisionTable& table);

/// BadInput with a sentence that says what to download and where to put it where the files of CIFAR-10 are missing.
Result<VisionTable> computeVision(const Work& work);

// The parts.
/// On generated images or on CIFAR-10's files; appendix C's rule, without mixup and cutmix.
train::RunConfig visionConfig(bool generated, bool symmetric, std::uint64_t seed);
Result<VisionRun> followVision(const train::RunConfig& config, const data::Source& source, int points,
                               const std::function<void(double share)>& made,
                               const std::function<bool()>& cancelled = {});

}  // namespace sepx::studies
