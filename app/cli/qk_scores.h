// SPDX-License-Identifier: Apache-2.0
// Computes scores for the verbs scores, compare and reproduce, on the CPU in double precision or with the GPU kernel
// (--compute gpu). Main thread; may be interrupted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/verb.h"
#include "app/interrupts.h"
#include "app/options.h"
#include "engine/attention/tiles.h"
#include "engine/core/thread_pool.h"
#include "engine/studies/layer_scores.h"

namespace sepx::gpu {
class Context;
}

namespace sepx::app::cli {

using studies::acrossHeads;
using studies::Scored;
using studies::ScoredLayer;
using studies::ScoreRequest;
using studies::summaries;
using studies::Summary;

/// Computes moments and crops on the CPU in double precision, or on the device of --compute gpu.
class QkComputer final : public studies::MomentsComputer {
 public:
  /// NoDevice with what to install if a device is requested and there is none.
  static Result<std::unique_ptr<QkComputer>> create(const Options& common);
  ~QkComputer() override;
  Result<attention::Moments> moments(const attention::LayerFactors& factors) override;
  Result<std::vector<attention::Moments>> momentsOfHeads(const attention::LayerFactors& factors) override;
  bool cancelled() const override { return interrupts_.seen(); }
  Result<attention::Matrix> crop(const attention::LayerFactors& factors, attention::Part part,
                                 const attention::Crop& crop);
  /// "cpu" or "gpu".
  const char* processor() const;
  /// Name of the device; empty: the CPU.
  const std::string& device() const { return device_; }
  /// "CPU, 2 threads" or the device's name.
  std::string displayText() const;
  ThreadPool& pool() { return pool_; }
  const Interrupts& interrupts() const { return interrupts_; }
  /// Interrupted, with the sentence for it.
  static tl::unexpected<Error> interrupted();

 private:
  explicit QkComputer(const Options& common);
  ThreadPool pool_;
  Interrupts interrupts_;
  std::unique_ptr<gpu::Context> context_;
  std::string device_;
};

}  // namespace sepx::app::cli
