// SPDX-License-Identifier: Apache-2.0
// See own_groups.h.
#include "ui/exhibits/training/own/own_groups.h"

#include <algorithm>
#include <sstream>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr OwnGroup kGroups[] = {{"model", N_("Model")},         {"start", N_("Start")},
                                {"data", N_("Data")},           {"objective", N_("Objective")},
                                {"optimiser", N_("Optimiser")}, {"recording", N_("Recording")}};

constexpr const char* kTokens[] = {"model.length", "model.vocabulary", "model.image", "model.channels", "model.patch"};
constexpr const char* kEmbedding[] = {"model.vocabulary",   "model.d_model",   "model.input",
                                      "model.positions",    "model.rope_base", "model.alibi_slope",
                                      "model.alibi_signed", "model.segments",  "model.embedding_norm",
                                      "model.patch",        "model.channels",  "model.embedding_dropout"};
constexpr const char* kAttention[] = {"model.d_model",          "model.heads",          "model.kv_heads",
                                      "model.head_dim",         "model.causal",         "model.attention",
                                      "model.attention_scale",  "model.attention_bias", "model.projection_bias",
                                      "model.attention_dropout"};
constexpr const char* kNorm[] = {"model.norm", "model.placement", "model.norm_epsilon", "model.norm_bias",
                                 "model.final_norm"};
constexpr const char* kForward[] = {"model.d_ff", "model.activation", "model.feed_forward_bias"};
constexpr const char* kOutput[] = {"model.output", "model.output_bias", "model.head_transform"};
constexpr const char* kRepeated[] = {"model.layers", "model.residual", "model.residual_dropout", "model.placement"};

constexpr OwnBlock kBlocks[] = {
    {"none", N_("none"), {}},
    {"tokens", N_("tokens"), kTokens},
    {"embedding", N_("embedding"), kEmbedding},
    {"attention", N_("attention"), kAttention},
    {"norm", N_("norm"), kNorm},
    {"feed-forward", N_("feed-forward"), kForward},
    {"logits", N_("logits"), kOutput},
    {"layers", N_("layers"), kRepeated},
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

}  // namespace

std::span<const OwnGroup> ownGroups() {
  return kGroups;
}

const char* groupOfField(std::string_view place) {
  const std::string_view section = place.substr(0, place.find('.'));
  if (section == "model") return "model";
  if (section == "initial" || place == "seed") return "start";
  if (section == "data") return "data";
  if (section == "objective" || section == "constraint") return "objective";
  const bool stops = place.starts_with("schedule.stop_") || place == "schedule.steps" || place == "schedule.batch";
  return section == "optimisation" || stops ? "optimiser" : "recording";
}

std::span<const OwnBlock> ownBlocks() {
  return kBlocks;
}

bool isInBlock(std::string_view block, std::string_view place) {
  for (const OwnBlock& one : kBlocks)
    if (one.word == block) return std::ranges::find(one.places, place) != one.places.end();
  return false;
}

bool isFound(const Property& property, std::string_view search) {
  const std::string among =
      lower(tr(property.label) + " " + property.symbol + " " + property.key + " " + tr(property.help));
  std::istringstream words{lower(std::string(search))};
  for (std::string word; words >> word;)
    if (among.find(word) == std::string::npos) return false;
  return true;
}

}  // namespace sepx::ui
