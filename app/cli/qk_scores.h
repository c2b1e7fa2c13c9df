// SPDX-License-Identifier: Apache-2.0
// Scores of the layers of a checkpoint, as the verbs scores, compare and reproduce need them: layer by layer, so that
// one layer's factors at a time are in memory, on the CPU in doubles or by the kernel (--compute gpu). Main thread; may
// be interrupted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/verb.h"
#include "app/interrupts.h"
#include "app/options.h"
#include "engine/attention/random_band.h"
#include "engine/attention/tiles.h"
#include "engine/core/thread_pool.h"

namespace sepx::gpu {
class Context;
}

namespace sepx::app::cli {

/// Scores of one form with the band of structureless matrices of its size and rank.
struct Scored {
  attention::Scores scores;   ///< symmetry NaN where the form is not square, is zero or is not finite
  std::size_t nonfinite = 0;  ///< weights that are NaN or infinite
};

struct ScoredLayer {
  const checkpoint::AttentionLayer* layer = nullptr;
  Scored all;
  std::vector<Scored> heads;                             ///< empty unless asked for
  std::optional<attention::RandomBands> band, headBand;  ///< none where the form is not square
};

struct ScoreRequest {
  attention::ScoreOptions options;
  checkpoint::HeadPairing pairing = checkpoint::HeadPairing::Grouped;
  bool heads = false;
  bool bands = true;
};

/// What computes: the CPU's doubles, or the device of --compute gpu.
class QkComputer {
 public:
  /// NoDevice with what to install when a device is wanted and there is none.
  static Result<std::unique_ptr<QkComputer>> create(const Options& common);
  ~QkComputer();
  Result<attention::Moments> moments(const attention::LayerFactors& factors);
  Result<std::vector<attention::Moments>> momentsOfHeads(const attention::LayerFactors& factors);
  Result<attention::Matrix> crop(const attention::LayerFactors& factors, attention::Part part,
                                 const attention::Crop& crop);
  /// "cpu" or "gpu".
  const char* word() const;
  /// Name of the device; empty: the CPU.
  const std::string& device() const { return device_; }
  /// "CPU, 2 threads" or the device's name.
  std::string forPeople() const;
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

/// `name`: of the progress bar.
Result<std::vector<ScoredLayer>> scoreLayers(const checkpoint::Model& model, const Layers& layers,
                                             const ScoreRequest& request, QkComputer& computer, Console& console,
                                             const std::string& name);

/// Medians and quartiles over the layers of one stack.
struct Summary {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  attention::Quartiles symmetry, directionality;
};
std::vector<Summary> summaries(const std::vector<ScoredLayer>& scored);
/// The same over the heads of one layer.
Summary acrossHeads(const ScoredLayer& layer);
Json toJson(const attention::Quartiles& quartiles);
Json toJson(const Summary& summary);

}  // namespace sepx::app::cli
