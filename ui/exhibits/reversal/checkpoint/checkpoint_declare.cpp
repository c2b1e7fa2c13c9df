// SPDX-License-Identifier: Apache-2.0
// What the page Checkpoint declares: the checkpoint, the sample and the prompts, the head that is shown, and numbers.
#include "ui/exhibits/reversal/checkpoint/checkpoint_page.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kLargeFigure = "Reversal, section 6, Figure 4";
constexpr const char* kPlaneAssumption = "Reversal, Assumption 4.2";

}  // namespace

// clang-format off
void CheckpointPage::declare(PropertyRegistry& registry, const ReversalShared&) {
  const Condition here = onPages("reversal.page", "race", {"checkpoint"});
  declareParameters(registry, {.prefix = "reversal.checkpoint.", .applies = here}, {
      {.key = "file", .into = &HeadsRequest::path, .label = N_("File"), .kind = Kind::Text, .fallback = std::string(),
       .help = N_("A checkpoint with RoPE: a file or a folder. Empty: the model that is open in Weights, else the model of pairs "
                  "that ships.")},
      {.key = "head",
       .into = &CheckpointPage::head_, .label = N_("Head"), .kind = Kind::Integer, .min = 0, .max = 4095, .step = 1, .fallback = 0.0,
       .help = N_("The head whose planes and distances are shown, counted from 0. A click on a head chooses it.")},
      {.key = "distance",
       .into = &CheckpointPage::distance_, .label = N_("Distance"), .symbol = "Δ", .kind = Kind::Integer, .min = 1, .max = kFarthestHeads,
       .scale = Scale::Logarithmic, .step = 1, .fallback = 1.0,
       .help = N_("Δ1 = Δ2 at which the heads of layer 0 are compared.")},
      {.key = "mask",
       .into = &HeadsRequest::mask, .label = N_("[M]"), .kind = Kind::Integer, .min = -1, .max = 1e9, .step = 1,
       .options = {{"-1", N_("config's")}}, .fallback = -1.0,
       .help = N_("The token that asks. −1: mask_token_id of the config; of a model without one, as LLaMA, choose any id.")},
      {.key = "tokens",
       .into = &HeadsRequest::tokens, .label = N_("Tokens"), .kind = Kind::Text, .fallback = std::string(),
       .help = N_("The sample whose keys are correlated: ids separated by commas. Empty: tokens spread over the vocabulary.")},
      {.key = "sample",
       .into = &HeadsRequest::sample, .label = N_("Sample"), .kind = Kind::Integer, .min = 3, .max = 4096, .scale = Scale::Logarithmic, .step = 1,
       .fallback = 64.0, .help = N_("How many tokens are spread over the vocabulary where none are named.")},
      {.key = "prompts",
       .into = &HeadsRequest::prompts, .label = N_("Prompts"), .kind = Kind::Text, .fallback = std::string(),
       .help = N_("A JSON file of prompts as token ids, forwards and in reverse, with their evidence; the manual page of the exhibit "
                  "describes it."), .equation = kLargeFigure},
      {.key = "layers",
       .into = &HeadsRequest::layers, .label = N_("Layers"), .kind = Kind::Integer, .min = 1, .max = 1000, .step = 1, .fallback = 1.0,
       .help = N_("How many layers read the prompts. The first reads embeddings; each further one takes a forward pass through the "
                  "block below it."), .equation = kLargeFigure},
      {.key = "layer",
       .into = &CheckpointPage::layer_, .label = N_("Layer"), .kind = Kind::Integer, .min = 0, .max = 999, .step = 1, .fallback = 0.0,
       .help = N_("The layer of the selected head of the prompts. A click in the map chooses it."), .inPicture = true}});
  declareResults(registry);
}

void CheckpointPage::declareResults(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"checkpoint"});
  const Getters of([this](int) { return measured(); });
  const Getters head([this](int) { return planes(); });
  const Getters asked([this](int) { return prompted(); });
  declareReadOuts(registry, {.prefix = "reversal.checkpoint.", .applies = here}, {
      {.key = "model", .label = N_("Model"), .help = N_("The checkpoint that is measured, with its family."), .get = of(&HeadsView::title)},
      {.key = "heads", .label = N_("Heads"), .help = N_("Heads of layer 0."), .digits = 0,
       .get = of([](const HeadsView& view) { return view.heads.size(); })},
      {.key = "asks", .label = N_("Asking token"), .help = N_("The id of [M]."), .digits = 0, .get = of(&HeadsView::mask)},
      {.key = "sampled", .label = N_("Sampled tokens"), .help = N_("Tokens over which the head's scores are correlated."), .digits = 0,
       .get = of(&HeadsView::sampled)},
      {.key = "correlation", .label = N_("Correlation"),
       .help = N_("The correlation of the scores of the sample Δ places to the right of [M] with those Δ places to its left, in the selected head of "
                  "layer 0. Our reading: the paper does not print over what it correlates."),
       .equation = kLargeFigure, .digits = 4, .get = head([this](const reversal::RopePlanes& one) { return one.correlationAt(distance_, distance_); })},
      {.key = "assumed", .label = N_("By the assumption"), .help = N_("What Assumption 4.2 says of it with the measured weights of the planes."),
       .equation = kPlaneAssumption, .digits = 4, .get = head([this](const reversal::RopePlanes& one) { return one.assumedCorrelation(distance_, distance_); })},
      {.key = "trace", .label = N_("Trace"), .help = N_("The bound of Theorem 4.3 at this distance."), .equation = "Reversal, Theorem 4.3",
       .formula = "\\frac{1}{D}\\mathrm{Tr}\\,R(2\\Delta)", .digits = 4, .get = head([this](const reversal::RopePlanes& one) { return traceOfPlanes(one, distance_); })},
      {.key = "violating", .label = N_("Violating planes"), .help = N_("Planes in which keys vary more across the query of [M] than along it."),
       .equation = kPlaneAssumption, .formula = "\\rho_s<0", .digits = 0, .get = head(&reversal::RopePlanes::violating)},
      {.key = "weight", .label = N_("Weight of these planes"), .help = N_("The share of |q|² that lies in these planes."), .equation = kPlaneAssumption,
       .digits = 3, .get = head(&reversal::RopePlanes::violatingWeight)},
      {.key = "prompts.pairs", .label = N_("Pairs of prompts"), .help = N_("Relations that were asked forwards and in reverse."), .digits = 0,
       .get = of([](const HeadsView& view) { return view.layers.empty() ? std::nan("") : static_cast<double>(view.pairs); })},
      {.key = "prompts.correlation", .label = N_("Over prompts"),
       .help = N_("Correlation over the prompts of the forward and the reverse score of the selected layer and head, from [M] to the "
                  "evidence."), .equation = kLargeFigure, .digits = 4, .get = asked(&studies::PromptHead::correlation)},
      {.key = "prompts.forward", .label = N_("Forward score"), .help = N_("Its mean over the prompts."), .digits = 4, .get = asked(&studies::PromptHead::forward)},
      {.key = "prompts.reverse", .label = N_("Reverse score"), .help = N_("Its mean over the prompts."), .digits = 4, .get = asked(&studies::PromptHead::reverse)},
      {.key = "failure", .label = N_("What is wrong"), .help = N_("Why nothing is measured; empty: it is."),
       .get = [this](int) { return Value(failure()); }}});
}
// clang-format on

}  // namespace sepx::ui
