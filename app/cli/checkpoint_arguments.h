// SPDX-License-Identifier: Apache-2.0
// What the verbs of checkpoints share: opening one, choosing among its attentions, the conventions of the scores, and
// the names of all these on the command line. Main thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/json_out.h"
#include "engine/attention/scores.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/result.h"

namespace CLI {
class App;
}

namespace sepx::app {
struct Options;
}

namespace sepx::app::cli {

using Model = std::shared_ptr<const checkpoint::Model>;
using Layers = std::vector<const checkpoint::AttentionLayer*>;

/// "12 layers, d_model 768, 12 heads of 64", stack by stack.
std::string shapeForPeople(const checkpoint::AttentionMap& map);
std::string shapeForPeople(const checkpoint::AttentionLayer& layer);

/// BadInput saying why when the model has no d x d form; Usage when `stack` is not a word, or not one of this model's.
/// An empty `stack`: all of them, in order.
Result<Layers> layersOf(const checkpoint::Model& model, const std::string& stack);
/// One attention by numbers; an empty `stack` is the model's first.
Result<const checkpoint::AttentionLayer*> layerOf(const checkpoint::Model& model, const std::string& stack,
                                                  const std::string& layer);
/// Query head of `layer` by number, -1 for an empty text.
Result<int> headOf(const checkpoint::AttentionLayer& layer, const std::string& head);

/// What config.json of a trained model says of itself, where it does.
struct TrainedNotes {
  std::string deviation;                    ///< what the family's own code computes otherwise; empty: nothing
  std::optional<std::uint64_t> parameters;  ///< trained; the family's tensors may hold more
};
TrainedNotes trainedNotes(const checkpoint::Checkpoint& checkpoint);

/// The folder with a person's own rules (--rules).
class RulesArgument {
 public:
  void declare(CLI::App& command);
  /// Of a run's folder the newest saved weights.
  Result<Model> open(const std::string& path) const;
  const std::string& folder() const { return folder_; }  ///< empty: the usual one

 private:
  std::string folder_;
};

/// --gqa
class PairingArgument {
 public:
  void declare(CLI::App& command);
  Result<checkpoint::HeadPairing> pairing() const;

 private:
  std::string word_ = "true";
};
/// "true" or "published", as in --gqa.
const char* toString(checkpoint::HeadPairing pairing);

/// --gamma, --directionality, --ddof
class ScoreArguments {
 public:
  void declare(CLI::App& command);
  Result<attention::ScoreOptions> options() const;

 private:
  std::string gamma_ = "2", variant_ = "excess", ddof_;
};
/// "excess" or "sum".
const char* toString(attention::Directionality variant);

}  // namespace sepx::app::cli
