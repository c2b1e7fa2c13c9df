// SPDX-License-Identifier: Apache-2.0
#include "app/cli/checkpoint_arguments.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/core/xdg.h"
#include "engine/train/run_store.h"

namespace sepx::app::cli {

using checkpoint::AttentionLayer;
using checkpoint::AttentionMap;
using checkpoint::HeadPairing;

std::string shapeDisplayText(const AttentionLayer& layer) {
  std::string text = layer.d_key == layer.d_model ? trf(N_("d_model {}"), layer.d_model)
                                                  : trf(N_("d_model {} (keys from {})"), layer.d_model, layer.d_key);
  text += ", " + counted(layer.heads, "{} head", "{} heads") + trf(N_(" of {}"), layer.d_h);
  if (layer.kvHeads != layer.heads)
    text += " " + counted(layer.kvHeads, N_("sharing {} key head"), N_("sharing {} key heads"));
  return text;
}

std::string shapeDisplayText(const AttentionMap& map) {
  std::string text;
  for (const checkpoint::Stack stack : map.stacks()) {
    const AttentionLayer* first = map.find(stack, 0);
    if (first == nullptr) continue;
    if (!text.empty()) text += "; ";
    if (map.stacks().size() > 1) text += std::string(checkpoint::toString(stack)) + ": ";
    text += counted(map.layersOf(stack), "{} layer", "{} layers") + ", " + shapeDisplayText(*first);
  }
  return text;
}

namespace {

Result<std::vector<checkpoint::Stack>> stacksFor(const checkpoint::Model& model, const std::string& asked) {
  if (model.map.layers.empty()) {
    const std::string& why = model.map.noQkReason;
    return fail(ErrorKind::BadInput, model.checkpoint->path() + ": " +
                                         (why.empty() ? tr(N_("no attention was found among its tensors")) : why));
  }
  if (asked.empty()) return model.map.stacks();
  const auto stack = checkpoint::stackNamed(asked);
  if (!stack) return failf(ErrorKind::Usage, N_("--stack: '{}' is not one of self, encoder, decoder, cross"), asked);
  if (model.map.layersOf(*stack) > 0) return std::vector{*stack};
  std::string known;
  for (const checkpoint::Stack one : model.map.stacks())
    known += (known.empty() ? "" : ", ") + std::string(checkpoint::toString(one));
  return failf(ErrorKind::Usage, N_("--stack: this model has no '{}'; it has {}"), asked, known);
}

}  // namespace

Result<Layers> layersOf(const checkpoint::Model& model, const std::string& stack) {
  SEPX_ASSIGN(const auto stacks, stacksFor(model, stack));
  Layers layers;
  for (const AttentionLayer& layer : model.map.layers) {
    if (std::find(stacks.begin(), stacks.end(), layer.stack) != stacks.end()) layers.push_back(&layer);
  }
  return layers;
}

Result<const AttentionLayer*> layerOf(const checkpoint::Model& model, const std::string& stack,
                                      const std::string& layer) {
  SEPX_ASSIGN(const auto stacks, stacksFor(model, stack));
  const checkpoint::Stack chosen = stacks.front();
  SEPX_ASSIGN(const auto number, toInteger("--layer", layer, 0, model.map.layersOf(chosen) - 1));
  const AttentionLayer* found = model.map.find(chosen, static_cast<int>(number));
  if (found == nullptr)
    return failf(ErrorKind::Usage, N_("--layer: the stack '{}' has no layer {}"), checkpoint::toString(chosen), layer);
  return found;
}

Result<int> headOf(const AttentionLayer& layer, const std::string& head) {
  if (head.empty()) return -1;
  SEPX_ASSIGN(const auto number, toInteger("--head", head, 0, layer.heads - 1));
  return static_cast<int>(number);
}

TrainedNotes trainedNotes(const checkpoint::Checkpoint& checkpoint) {
  constexpr std::size_t kLongest = 2000;  // longer than the clauses of all families together
  TrainedNotes notes;
  const nlohmann::json& config = checkpoint.config();
  if (!config.is_object()) return notes;
  if (const auto found = config.find("separatrix_deviation"); found != config.end() && found->is_string())
    for (const char32_t code : decodeUtf8(found->get_ref<const std::string&>().substr(0, kLongest)))
      appendUtf8(notes.deviation, code < 0x20 || code == 0x7F ? U' ' : code);  // one line
  if (const auto found = config.find("separatrix_parameters"); found != config.end() && found->is_number_unsigned())
    notes.parameters = found->get<std::uint64_t>();
  return notes;
}

void RulesArgument::declare(CLI::App& command) {
  addOption(command, "--rules", folder_,
            N_("folder with rules for families that this program does not recognise (default: those saved by the "
               "studio)"),
            "FOLDER");
}

Result<Model> RulesArgument::open(const std::string& path) const {
  const std::string rules = folder_.empty() ? configFolder() + "/rules" : folder_;
  auto model = checkpoint::openModel(path, rules);
  std::error_code error;
  if (model || !std::filesystem::is_directory(path, error)) return model;
  const std::vector<std::int64_t> steps = train::savedSteps(path);
  if (!steps.empty()) return checkpoint::openModel(train::checkpointFolder(path, steps.back()), rules);
  if (std::filesystem::exists(std::filesystem::path(path) / "run.sqlite", error))
    return failf(ErrorKind::BadInput, N_("{}: this training run has saved no weights yet; try again when it has"),
                 path);
  return model;
}

const char* toString(HeadPairing pairing) {
  return pairing == HeadPairing::Grouped ? "true" : "published";
}

const char* toString(attention::Directionality variant) {
  return variant == attention::Directionality::Excess ? "excess" : "sum";
}

void PairingArgument::declare(CLI::App& command) {
  addOption(command, "--gqa", word_,
            N_("grouped queries: true pairs heads as the model does (default); published pairs them as the code "
               "behind the published tables did (github.com/matteosaponati/attention-geometry)"),
            "true|published");
}

Result<HeadPairing> PairingArgument::pairing() const {
  if (word_ == "true") return HeadPairing::Grouped;
  if (word_ == "published") return HeadPairing::Published;
  return failf(ErrorKind::Usage, N_("--gqa: '{}' is neither true nor published"), word_);
}

void ScoreArguments::declare(CLI::App& command) {
  addOption(command, "--gamma", gamma_, N_("outliers are norms above mean + gamma standard deviations (default 2)"),
            "GAMMA");
  addOption(command, "--directionality", variant_,
            N_("excess of the outliers over their threshold (default) or sum of their norms"), "excess|sum");
  addOption(command, "--ddof", ddof_,
            N_("standard deviation: 0 divides by n, 1 by n - 1 (default: 1 for excess, 0 for sum)"), "0|1");
}

Result<attention::ScoreOptions> ScoreArguments::options() const {
  attention::ScoreOptions options;
  SEPX_ASSIGN(options.gamma, toNumber("--gamma", gamma_));
  if (variant_ != "excess" && variant_ != "sum")
    return failf(ErrorKind::Usage, N_("--directionality: '{}' is neither excess nor sum"), variant_);
  options.variant = variant_ == "sum" ? attention::Directionality::Sum : attention::Directionality::Excess;
  options.ddof = attention::ScoreOptions::usualDdof(options.variant);
  if (ddof_.empty()) return options;
  SEPX_ASSIGN(const long long ddof, toInteger("--ddof", ddof_, 0, 1));
  options.ddof = static_cast<int>(ddof);
  return options;
}

}  // namespace sepx::app::cli
