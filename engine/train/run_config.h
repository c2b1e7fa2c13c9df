// SPDX-License-Identifier: Apache-2.0
// The configuration of a training run, read from one JSON file (docs/training.md, examples in assets/configs). Reading
// is strict: an unknown field is reported with the nearest valid name, a value out of range with the path of its field.
// Writing a config and reading it back gives the same run. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/result.h"
#include "engine/data/source_config.h"
#include "engine/nn/constraint.h"
#include "engine/nn/initialise.h"
#include "engine/nn/model_config.h"
#include "engine/nn/objective.h"
#include "engine/nn/optimiser.h"

namespace sepx::train {

enum class Decay { Constant, Linear, Cosine };  ///< of the learning rate, after the warm-up
/// The loss that must fall for a run to continue (stop_rule.h).
enum class StopLoss { Validation, Training };

struct Optimisation {               ///< rule and rates
  nn::OptimiserOptions rule;        ///< learningRate: the peak of the schedule
  Decay decay = Decay::Constant;    ///< how the rate falls after the warm-up
  std::int64_t warmUp = 0;          ///< steps of linear rise
  double warmUpStart = 0;           ///< fraction of the peak from which the rate rises
  double floor = 0;                 ///< learning rate at the end of the decay, absolute
  double clip = 0;                  ///< largest 2-norm of the whole gradient; 0: no clipping
  int accumulate = 1;               ///< batches per step
  bool decayMatricesOnly = false;   ///< no weight decay on biases and norms
  std::vector<std::string> frozen;  ///< parameters that are not trained: groups (engine/nn/parameter_groups.h) or names
  double ema = 0;    ///< average of the parameters: decay min(ema, (1 + n)/(10 + n)) at update n; 0: none
  int emaEvery = 1;  ///< steps between updates of the average
  bool operator==(const Optimisation&) const = default;
};

struct Schedule {                   ///< length, batch size and intervals in steps
  std::int64_t steps = 1000;        ///< updates of the parameters
  int batch = 16;                   ///< sequences per batch
  std::int64_t recordEvery = 1;     ///< loss, learning rate and gradient norm
  std::int64_t evaluateEvery = 50;  ///< validation loss; 0: never
  int evaluateSequences = 64;       ///< validation sequences per evaluation
  std::int64_t scoresEvery = 50;    ///< scores of W_qk per layer (and head); 0: never
  std::int64_t gradientsEvery = 0;  ///< norm of the gradient of every parameter; 0: never
  std::int64_t spectraEvery = 0;    ///< singular values of the matrices in `watch`; 0: never
  std::int64_t storeEvery = 0;      ///< matrices stored between checkpoints (stored_matrices.h); 0: never
  std::vector<std::string> watch;   ///< parameters for spectra (empty: the weights of layer 0) and for stored matrices
  std::int64_t saveEvery = 500;     ///< checkpoints; start and end are always saved; 0: only those
  std::int64_t saveSeconds = 60;    ///< seconds until a temporary checkpoint, replaced by the next one; 0: never
  int keep = 0;                     ///< number of newest checkpoints that are kept; 0: all
  std::int64_t stopPatience = 0;    ///< steps without an improvement after which the run ends; 0: never
  double stopImprovement = 0;       ///< nats by which a loss must be below the best one so far to be an improvement
  StopLoss stopLoss = StopLoss::Validation;  ///< the loss that `stopPatience` watches
  double stopFactor = 0;  ///< the run has diverged if a loss exceeds this multiple of the first loss; 0: never
  bool operator==(const Schedule&) const = default;
};

struct RunConfig {
  std::string name;           ///< for people; if empty, the stem of the file name
  std::string note;           ///< differences from the paper, e.g. fp16 replaced by fp32
  std::uint64_t seed = 0;     ///< seeds every random number of the run (drawStream())
  nn::ModelConfig model;      ///< vocabulary 0 in the file: taken from the data
  data::SourceConfig data;    ///< the training data
  nn::Objective objective;    ///< mask token and random range come from the data source
  nn::Initial initial;        ///< initialisation scheme of the parameters
  nn::Constraint constraint;  ///< constraint on W_qk during training
  Optimisation optimisation;  ///< rule and rates
  Schedule schedule;          ///< length, batch size, intervals
  bool operator==(const RunConfig&) const = default;
};

/// Parses the text of a config file. Relative paths in it are resolved against `folder`. Fails with BadInput and a
/// message that names `file`, the field ("model.heads"), the reason and the remedy.
Result<RunConfig> parseRunConfig(std::string_view text, std::string_view file, const std::string& folder);
Result<RunConfig> readRunConfig(const std::string& path);
/// Contains every field, including those at their default.
nlohmann::ordered_json toJson(const RunConfig& config);
/// The same as the text of a file, with a line end. Bytes of a path that are not UTF-8 become U+FFFD.
std::string configText(const RunConfig& config);
/// Checks everything that does not need the data: shapes, ranges, combinations.
Result<void> check(const RunConfig& config);
/// The first field that a resume may not change, with both values, for messages. A resume may change the name, the
/// note, how often something is saved, and where or why the run ends.
struct Difference {
  std::string field, ours, theirs;  ///< "optimisation.learning_rate"; the two values as JSON
};
std::optional<Difference> difference(const RunConfig& ours, const RunConfig& theirs);
/// The path of every valid field ("model.d_model"), in the order of the file.
std::vector<std::string> runConfigFields();

/// The learning rate eta at step t = 0, 1, ... of `steps`.
double learningRateAt(const Optimisation& optimisation, std::int64_t step, std::int64_t steps);

}  // namespace sepx::train
