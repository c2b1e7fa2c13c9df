// SPDX-License-Identifier: Apache-2.0
// Shared by the verbs that read checkpoints: opening a checkpoint, selecting its attention layers and heads, the
// conventions of the scores, and the command line options for these. Main thread.
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
std::string shapeDisplayText(const checkpoint::AttentionMap& map);
std::string shapeDisplayText(const checkpoint::AttentionLayer& layer);

/// The attention layers of a stack; of all stacks in order if `stack` is empty. BadInput with the reason if the model
/// has no d x d form. Usage if `stack` is not the name of a stack, or this model does not have it.
Result<Layers> layersOf(const checkpoint::Model& model, const std::string& stack);
/// One attention layer by its number in a stack; an empty `stack` is the model's first one.
Result<const checkpoint::AttentionLayer*> layerOf(const checkpoint::Model& model, const std::string& stack,
                                                  const std::string& layer);
/// Query head of `layer` by number, -1 for an empty text.
Result<int> headOf(const checkpoint::AttentionLayer& layer, const std::string& head);

/// Notes about a trained model in its config.json, if present.
struct TrainedNotes {
  std::string deviation;                    ///< what the family's own code computes differently; empty: nothing
  std::optional<std::uint64_t> parameters;  ///< number of trained parameters; the family's tensors may hold more
};
TrainedNotes trainedNotes(const checkpoint::Checkpoint& checkpoint);

/// The folder with the user's own rules (--rules).
class RulesArgument {
 public:
  void declare(CLI::App& command);
  /// Opens a checkpoint, or the newest saved weights if `path` is the folder of a run.
  Result<Model> open(const std::string& path) const;
  const std::string& folder() const { return folder_; }  ///< empty: the default folder

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
