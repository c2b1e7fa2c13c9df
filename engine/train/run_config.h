// SPDX-License-Identifier: Apache-2.0
// A run as a person declares it: one JSON file (docs/training.md, examples in assets/configs), read strictly: an
// unknown field is named with the nearest valid one, a value outside its range with its place. What is written back
// reads back to the same run. Plain data; any thread.
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

enum class Decay { Constant, Linear, Cosine };  ///< of the learning rate, behind the warm-up
/// Which loss must fall for a run to go on (stop_rule.h).
enum class StopLoss { Validation, Training };

struct Optimisation {              ///< rule and rates
  nn::OptimiserOptions rule;       ///< learningRate: the peak of the schedule
  Decay decay = Decay::Constant;   ///< how the rate falls after the warm-up
  std::int64_t warmUp = 0;         ///< steps of linear rise
  double warmUpStart = 0;          ///< share of the peak from which it rises
  double floor = 0;                ///< learning rate at the end of the decay, absolute
  double clip = 0;                 ///< largest 2-norm of the whole gradient; 0: none
  int accumulate = 1;              ///< batches a step
  bool decayMatricesOnly = false;  ///< weight decay of matrices and embeddings only
  std::vector<std::string>
      frozen;        ///< groups (engine/nn/parameter_groups.h) or names of parameters that stay as they are
  double ema = 0;    ///< of the parameters: decay min(ema, (1 + n)/(10 + n)) at update n; 0: none
  int emaEvery = 1;  ///< steps between its updates
  bool operator==(const Optimisation&) const = default;
};

struct Schedule {                   ///< how long, how much, how often
  std::int64_t steps = 1000;        ///< updates of the parameters
  int batch = 16;                   ///< sequences of one batch
  std::int64_t recordEvery = 1;     ///< loss, rate and norm of the gradient
  std::int64_t evaluateEvery = 50;  ///< validation loss; 0: never
  int evaluateSequences = 64;       ///< validation sequences of one evaluation
  std::int64_t scoresEvery = 50;    ///< scores of W_qk per layer (and head); 0: never
  std::int64_t gradientsEvery = 0;  ///< norm of the gradient of every parameter; 0: never
  std::int64_t spectraEvery = 0;    ///< singular values of the matrices in `watch`; 0: never
  std::int64_t storeEvery = 0;      ///< matrices kept between checkpoints, those of stored_matrices.h; 0: never
  std::vector<std::string> watch;   ///< parameter names; empty: those of layer 0
  std::int64_t saveEvery = 500;     ///< checkpoints; start and end are always saved; 0: only those
  std::int64_t saveSeconds = 60;    ///< ... and at the latest after so much time, one that the next replaces; 0: never
  int keep = 0;                     ///< newest checkpoints that stay; 0: all
  std::int64_t stopPatience = 0;    ///< steps without an improvement after which the run ends; 0: it does not
  double stopImprovement = 0;       ///< nats by which a loss must lie below the best before to be an improvement
  StopLoss stopLoss = StopLoss::Validation;  ///< which loss `stopPatience` looks at
  double stopFactor = 0;  ///< the run has diverged where a loss is above so many times its first loss; 0: never
  bool operator==(const Schedule&) const = default;
};

struct RunConfig {
  std::string name;           ///< for people; the file's stem when empty
  std::string note;           ///< what the paper says where it differs, e.g. fp16 replaced by fp32
  std::uint64_t seed = 0;     ///< of every random number of the run (drawStream())
  nn::ModelConfig model;      ///< vocabulary 0 in the file: that of the data
  data::SourceConfig data;    ///< what it is trained on
  nn::Objective objective;    ///< mask token and random range are the source's
  nn::Initial initial;        ///< scheme by which the parameters start
  nn::Constraint constraint;  ///< what W_qk is held to while it trains
  Optimisation optimisation;  ///< rule and rates
  Schedule schedule;          ///< how long, how much, how often
  bool operator==(const RunConfig&) const = default;
};

/// Of the text of a config file; relative paths in it are made absolute against `folder`. BadInput with the place
/// ("model.heads"), the reason and the remedy; `file` names it in the sentence.
Result<RunConfig> parseRunConfig(std::string_view text, std::string_view file, const std::string& folder);
Result<RunConfig> readRunConfig(const std::string& path);
/// Every field, also those at their default.
nlohmann::ordered_json toJson(const RunConfig& config);
/// The same as a file has it, with a line end. Bytes of a path that are no UTF-8 are U+FFFD.
std::string configText(const RunConfig& config);
/// Everything that can be known without data: shapes, ranges, combinations.
Result<void> check(const RunConfig& config);
/// The first field in which a resume may not differ ("optimisation.learning_rate"), with both values: for sentences.
/// Name, note, how often something is saved and where or why the run ends may.
struct Difference {
  std::string field, ours, theirs;  ///< "optimisation.learning_rate"; the two values as JSON
};
std::optional<Difference> difference(const RunConfig& ours, const RunConfig& theirs);
/// Every valid place, "model.d_model" and so on, in the order of the file.
std::vector<std::string> runConfigFields();

/// eta at step t = 0, 1, ... of `steps`.
double learningRateAt(const Optimisation& optimisation, std::int64_t step, std::int64_t steps);

}  // namespace sepx::train
