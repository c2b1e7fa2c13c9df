// SPDX-License-Identifier: Apache-2.0
// Table 3 of Attention-Structure at the scale of a desktop: a vision transformer with the standard initialisation and
// with W_K = W_Q. The paper trains 6 layers on CIFAR-10 for 500 epochs and 12 layers on ImageNet-1k for 200, which
// takes weeks here (assets/configs/vit-*). This study trains a small ViT for a few epochs on the files of CIFAR-10, if
// they are present, with three seeds. Quick: on generated images, one seed, and nothing is judged. Each run has one
// thread; several run at once. Worker threads only.
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
  double trainLoss = 0;  ///< mean since the previous point; NaN at the start
  double loss = 0, accuracy = 0;
  double symmetry = 0;  ///< of W_qk, median over the layers
};

struct VisionRun {  ///< one training
  bool symmetric = false;
  std::uint64_t seed = 0;
  std::vector<VisionPoint> points;
  std::string failure;  ///< why it stopped early; empty: it did not
};

struct VisionTable {  ///< both initialisations, all seeds
  bool quick = false;
  train::RunConfig config;  ///< of the standard initialisation, first seed
  std::vector<VisionRun> runs;
  /// Mean over the seeds of the last points; NaN if a run failed.
  double mean(bool symmetric, double VisionPoint::*which) const;
  std::vector<Check> checks() const;  ///< quick: none
  bool passed() const { return studies::passed(checks()); }
};

/// The result to show: the published rows next to the means over the seeds.
StudyResult resultOf(const VisionTable& table);

/// BadInput if the files of CIFAR-10 are missing; the message says what to download and where to put it.
Result<VisionTable> computeVision(const Work& work);

// The parts of computeVision().
/// The config for generated images or for CIFAR-10's files: the rule of appendix C, without mixup and cutmix.
train::RunConfig visionConfig(bool generated, bool symmetric, std::uint64_t seed);
Result<VisionRun> followVision(const train::RunConfig& config, const data::Source& source, int points,
                               const std::function<void(double share)>& made,
                               const std::function<bool()>& cancelled = {});

}  // namespace sepx::studies
