// SPDX-License-Identifier: Apache-2.0
// See checkpoint_page.h.
#include "ui/exhibits/reversal/checkpoint/checkpoint_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/data/pairs.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/reversal/shared/plane_charts.h"
#include "ui/page/number_table.h"
#include "ui/page/requests.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kLeastWidth = 22, kLeastHeight = 12;  // of a part, in text sizes

Numbers headNumbers(const HeadsResult& result, int distance) {
  const auto index = [&result](const reversal::RopePlanes& one) { return &one - result.heads.data(); };
  return {
      {numberTable(
          "heads", result.heads, NumberColumn{"head", index},
          NumberColumn{"correlation", [distance](const auto& one) { return one.correlationAt(distance, distance); }},
          NumberColumn{"assumed", [distance](const auto& one) { return one.assumedCorrelation(distance, distance); }},
          NumberColumn{"violating", &reversal::RopePlanes::violating})},
      {}};
}

Numbers transferNumbers(const TransferResult& result) {
  using Point = reversal::TransferPoint;
  const auto step = [&result](const Point& one) { return &one - result.points.data(); };
  return {{numberTable(
              "forward_only", result.points, NumberColumn{"step", step},
              NumberColumn{"forward_probability", &Point::forward},
              NumberColumn{"reverse_probability", &Point::reverse}, NumberColumn{"forward_loss", &Point::forwardLoss},
              NumberColumn{"reverse_loss", &Point::reverseLoss}, NumberColumn{"gradient_cosine", &Point::cosine})},
          {}};
}

Numbers promptNumbers(const HeadsResult& result) {
  std::vector<double> layers, heads, scores;
  for (const studies::PromptLayer& layer : result.layers)
    for (std::size_t i = 0; i < layer.heads.size(); ++i) {
      layers.push_back(layer.layer);
      heads.push_back(static_cast<double>(i));
      scores.push_back(layer.heads[i].correlation);
    }
  return {
      {{"prompts",
        {{"layer", "", std::move(layers)}, {"head", "", std::move(heads)}, {"correlation", "", std::move(scores)}}}},
      {}};
}

}  // namespace

void CheckpointPage::read(const Document& document, const PropertyRegistry& registry, const ReversalShared&) {
  request_ = {};
  registry.read(document, request_);
  if (request_.path.empty()) request_.path = openCheckpoint(document);
  request_.ships = request_.path.empty();
  registry.read(document, *this);
  registry.read(document, steps_);
}

void CheckpointPage::ask(const ReversalFrame& frame, ExhibitContext& context) {
  if (request_.ships && request_.path.empty() && !frame.shared.assets.empty()) {
    request_.path = frame.shared.assets + "/models/mdm";
    if (request_.mask < 0) request_.mask = data::kPairMask;
  }
  measured_.refresh(context.jobs);
  transfer_.refresh(context.jobs);
  if (request_.path.empty()) return;
  TransferRequest further = steps_;
  further.path = request_.path;
  transfer_.ask(context.jobs, std::move(further), tr("training on forward queries"),
                [&pool = context.pool](const TransferRequest& request, auto& output) {
                  return measureTransfer(
                      request, pool, [&output] { return output.cancelled(); },
                      [&output](double share) { output.progress(share); });
                });
  // An earlier result for the same checkpoint stays if the new measurement fails.
  const bool same = measured() && measured()->request.path == request_.path;
  measured_.ask(
      context.jobs, request_, tr("measuring heads"),
      [&pool = context.pool](const HeadsRequest& request, auto& output) {
        return measureHeads(
            request, pool, [&output] { return output.cancelled(); },
            [&output](double share) { output.progress(share); });
      },
      same);
}

std::string CheckpointPage::failure() const {
  if (!measured_.sentence().empty()) return measured_.sentence();
  return measured() ? sentenceCase(measured()->promptFailure) : std::string();
}

const reversal::RopePlanes* CheckpointPage::planes() const {
  if (!measured() || measured()->heads.empty()) return nullptr;
  return &measured()->heads[std::min(static_cast<std::size_t>(head_), measured()->heads.size() - 1)];
}

const studies::PromptHead* CheckpointPage::prompted() const {
  if (!measured() || measured()->layers.empty()) return nullptr;
  const studies::PromptLayer& layer =
      measured()->layers[std::min(static_cast<std::size_t>(layer_), measured()->layers.size() - 1)];
  return &layer.heads[std::min(static_cast<std::size_t>(head_), layer.heads.size() - 1)];
}

const reversal::TransferPoint* CheckpointPage::transferPoint(bool last) const {
  if (!transfer()) return nullptr;
  return last ? &transfer()->points.back() : &transfer()->points.front();
}

std::string CheckpointPage::transferFailure() const {
  if (transfer()) return {};
  return transfer_.sentence().empty() ? std::string(tr("Training on forward queries…")) : transfer_.sentence();
}

TextContent CheckpointPage::words() const {
  using Role = NoteLine::Role;
  TextContent text;
  if (const HeadsResult* const result = measured()) {
    text.lines.push_back({{result->title}, Role::Title});
    text.lines.push_back({{trFormat("Heads of layer 0: {}. [M] is token {}. Tokens of the sample: {}.",
                                    result->heads.size(), result->mask, result->sampled)}});
  }
  if (!failure().empty()) text.lines.push_back({{failure()}, Role::Error});
  if (request_.ships)
    text.lines.push_back(
        {{tr("This is the model of letter pairs that ships with the program. Open a checkpoint with RoPE in Weights, "
             "or enter its file: LLaDA, Dream, LLaMA and related models.")}});
  text.lines.push_back({{tr("A head scores a token B to the right and to the left of [M]. The paper finds both scores "
                            "correlated in LLaDA at all placements (Figure 4). It does not say what the correlation "
                            "is taken over; here it is taken over the sample of tokens, or over the prompts of a "
                            "file.")},
                        Role::Muted});
  text.lines.push_back({{tr("Figures 4 and 6 of the paper also follow the cosine of both gradients and the "
                            "probability of the answer while LLaDA and Dream are fine-tuned on forward queries. Here "
                            "a model of letter pairs is trained further in this way, with plain gradient steps in "
                            "place of LoRA.")},
                        Role::Muted});
  text.lines.push_back({{tr("Fine-tuning models of 4 to 8 billion parameters is out of the scope of this program; the "
                            "page Tables shows Table 7 as published.")},
                        Role::Muted});
  return text;
}

namespace {

/// Arranges transfer, curve and planes with the curve below the others.
Arrangement withWideCurve(Arrangement grid) {
  Arrangement &transfer = grid.parts[0], &curve = grid.parts[1], &planes = grid.parts[2];
  curve.order = std::max(1, curve.order);
  Arrangement upper{.kind = Arrangement::Kind::Row, .parts = {transfer, planes}, .gap = grid.gap};
  upper.leastHeight = transfer.leastHeight;
  Arrangement column{.kind = Arrangement::Kind::Column, .parts = {std::move(upper), curve}, .gap = grid.gap};
  column.leastHeight = grid.leastHeight;
  return column;
}

}  // namespace

Views CheckpointPage::views(const ReversalFrame& frame) const {
  const Theme& theme = frame.theme;
  const double unit = theme.textSize;
  Views made;
  Arrangement charts = gridOfViews(2, 1.5 * theme.space, {});
  // If there is little room, the text is dropped first, unless it reports a failure.
  int order = failure().empty() ? 0 : 1;
  const auto stands = [&](const char* name) {
    Arrangement part = viewNamed(name);
    part.leastWidth = kLeastWidth * unit;
    part.leastHeight = kLeastHeight * unit;
    part.order = order++;
    charts.parts.push_back(std::move(part));
  };
  const auto addTransfer = [&] {
    if (transfer())
      made.views.push_back({"transfer", ChartContent{transferChart(*transfer(), theme), {}, {}, {}},
                            [this] { return transferNumbers(*transfer()); }});
    else
      made.views.push_back({"transfer", TextContent{.lines = {{{transferFailure()}}}, .centred = true}});
    stands("transfer");
  };
  if (const reversal::RopePlanes* const shown = planes()) {
    const HeadsResult& result = *measured();
    const int heads = static_cast<int>(result.heads.size()), head = std::min(head_, heads - 1);
    const auto pick = [heads](double x) {
      const int at = std::clamp(static_cast<int>(std::lround(x)), 0, heads - 1);
      return Changes{{"reversal.checkpoint.layer", 0.0}, {"reversal.checkpoint.head", static_cast<double>(at)}};
    };
    const auto ofHeads = [this] { return headNumbers(*measured(), distance_); };
    if (!result.layers.empty())
      made.views.push_back({"map", promptMap(result, layer_, head_), [this] { return promptNumbers(*measured()); }});
    if (heads > 1 || !result.layers.empty()) {
      made.views.push_back(
          {"heads", ChartContent{headsChart(result, distance_, theme), static_cast<double>(head), pick, {}}, ofHeads});
      stands(result.layers.empty() ? "heads" : "map");
    }
    addTransfer();
    made.views.push_back({"far", ChartContent{headDistances(*shown, head, theme), {}, {}, {}}});
    if (heads == 1 && result.layers.empty()) made.views.back().numbers = ofHeads;
    stands("far");
    made.views.push_back({"planes", ChartContent{planesChart(*shown, theme), {}, {}, {}}});
    stands("planes");
  } else if (transfer()) {
    addTransfer();  // needs no RoPE
  }
  made.views.push_back({"words", words()});
  Arrangement below = asHighAsContent("words");
  below.order = failure().empty() && planes() ? order : 0;
  below.called = tr("the explanation");
  made.arrangement = {.kind = Arrangement::Kind::Column, .gap = 1.5 * theme.space, .margin = 1.5 * theme.space};
  const auto rows = static_cast<double>((charts.parts.size() + 1) / 2);
  if (failure().empty()) charts.leastHeight = rows * kLeastHeight * unit + (rows - 1) * charts.gap;
  // With one head, the chart by head would be a single point, so the curve over the distance takes the width instead.
  if (planes() && measured()->heads.size() == 1 && measured()->layers.empty())
    charts = withWideCurve(std::move(charts));
  if (!charts.parts.empty()) made.arrangement.parts.push_back(std::move(charts));
  made.arrangement.parts.push_back(std::move(below));
  return made;
}

void CheckpointPage::panel(const ReversalFrame&, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Checkpoint"), "reversal.checkpoint.", {"file", "mask", "tokens", "sample"});
  panel.row("reversal.checkpoint.failure");
  panel.group(tr("Head of layer 0"), "reversal.checkpoint.",
              {"head", "distance", "correlation", "assumed", "trace", "violating", "weight"});
  panel.group(tr("Forward queries only"), "reversal.checkpoint.", {"steps", "rate"});
  panel.rows("reversal.checkpoint.", {"transfer.cosine", "transfer.forward", "transfer.reverse",
                                      "transfer.after.cosine", "transfer.after.forward", "transfer.after.reverse"});
  panel.group(tr("Prompts"), "reversal.checkpoint.", {"prompts", "layers"});
  if (!prompted()) return;
  panel.row("reversal.checkpoint.layer");
  panel.rows("reversal.checkpoint.", {"prompts.pairs", "prompts.correlation", "prompts.forward", "prompts.reverse"});
}

std::string CheckpointPage::caption(const ReversalShared&) const {
  if (!measured()) return {};
  return trFormat("{}: correlation of forward and reverse attention scores over {} tokens, by head of layer 0.",
                  measured()->title, measured()->sampled);
}

std::unique_ptr<ReversalPage> makeCheckpointPage() {
  return std::make_unique<CheckpointPage>();
}

// Declarations of the page Checkpoint: the checkpoint, the sample and the prompts, the head that is shown, and numbers.

namespace {

constexpr const char* kLargeFigure = "Reversal, section 6, Figure 4";
constexpr const char* kTransferFigures = "Reversal, Figures 4 and 6";
constexpr const char* kPlaneAssumption = "Reversal, Assumption 4.2";

}  // namespace

// clang-format off
void CheckpointPage::declare(PropertyRegistry& registry, const ReversalShared&) {
  const Condition here = onPages("reversal.page", "race", {"checkpoint"});
  declareParameters(registry, {.prefix = "reversal.checkpoint.", .applies = here}, {
      {.key = "file", .into = &HeadsRequest::path, .label = N_("File"), .kind = Kind::Text, .fallback = std::string(),
       .help = N_("A checkpoint with RoPE: a file or a folder. Empty: the model that is open in Weights, or else the "
                  "model of letter pairs that ships with the program."),
       .file = true},
      {.key = "head",
       .into = &CheckpointPage::head_, .label = N_("Head"), .kind = Kind::Integer, .min = 0, .max = 4095, .step = 1, .fallback = 0.0,
       .help = N_("The head whose planes and distances are shown, counted from 0. A click on a head chooses it.")},
      {.key = "distance",
       .into = &CheckpointPage::distance_, .label = N_("Distance"), .symbol = "Δ", .kind = Kind::Integer, .min = 1, .max = kFarthestHeads,
       .scale = Scale::Logarithmic, .step = 1, .fallback = 1.0,
       .help = N_("The distance Δ1 = Δ2 at which the heads of layer 0 are compared.")},
      {.key = "mask",
       .into = &HeadsRequest::mask, .label = N_("[M]"), .kind = Kind::Integer, .min = -1, .max = 1e9, .step = 1,
       .options = {{"-1", N_("config's")}}, .fallback = -1.0,
       .help = N_("The mask token. −1: mask_token_id of the config; for a model without one, such as LLaMA, choose any id.")},
      {.key = "tokens",
       .into = &HeadsRequest::tokens, .label = N_("Tokens"), .kind = Kind::Text, .fallback = std::string(),
       .help = N_("The sample whose keys are correlated: ids separated by commas. Empty: tokens spread over the vocabulary.")},
      {.key = "sample",
       .into = &HeadsRequest::sample, .label = N_("Sample"), .kind = Kind::Integer, .min = 3, .max = 4096, .scale = Scale::Logarithmic, .step = 1,
       .fallback = 64.0, .help = N_("The number of tokens, spread over the vocabulary, that are used if none are given.")},
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
       .help = N_("The layer of the selected head of the prompts. A click in the map chooses it."), .inPicture = true},
      {.key = "steps",
       .into = &TransferRequest::steps, .label = N_("Steps"), .kind = Kind::Integer, .min = 0, .max = 500, .step = 1, .fallback = 60.0,
       .help = N_("How many steps a model of letter pairs is trained further on forward queries only. The checkpoint itself is not changed."),
       .equation = kTransferFigures},
      {.key = "rate",
       .into = &TransferRequest::rate, .label = N_("Rate"), .symbol = "η", .min = 0.0001, .max = 1, .scale = Scale::Logarithmic, .digits = 4,
       .fallback = 0.003,
       .help = N_("The learning rate: θ moves by −η times the gradient of the mean forward loss, which is clipped to "
                  "norm 1. Ours; the paper fine-tunes with LoRA."),
       .equation = kTransferFigures, .formula = "\\theta-\\eta\\,g/\\max(1,|g|)"}});
  declareResults(registry);
}

void CheckpointPage::declareResults(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"checkpoint"});
  const Getters of([this](int) { return measured(); });
  const Getters head([this](int) { return planes(); });
  const Getters asked([this](int) { return prompted(); });
  const Getters first([this](int) { return transferPoint(false); });
  const Getters last([this](int) { return transferPoint(true); });
  declareReadOuts(registry, {.prefix = "reversal.checkpoint.", .applies = here}, {
      {.key = "model", .label = N_("Model"), .help = N_("The checkpoint that is measured, with its family."), .get = of(&HeadsResult::title)},
      {.key = "heads", .label = N_("Heads"), .help = N_("Heads of layer 0."), .digits = 0,
       .get = of([](const HeadsResult& result) { return result.heads.size(); })},
      {.key = "asks", .label = N_("Mask token"), .help = N_("The id of [M]."), .digits = 0, .get = of(&HeadsResult::mask)},
      {.key = "sampled", .label = N_("Sampled tokens"), .help = N_("Tokens over which the head's scores are correlated."), .digits = 0,
       .get = of(&HeadsResult::sampled)},
      {.key = "correlation", .label = N_("Correlation"),
       .help = N_("The correlation of the scores of the sample Δ positions to the right of [M] with those Δ positions "
                  "to its left, in the selected head of layer 0. Our reading: the paper does not say what its "
                  "correlation is taken over."),
       .equation = kLargeFigure, .digits = 4, .get = head([this](const reversal::RopePlanes& one) { return one.correlationAt(distance_, distance_); })},
      {.key = "assumed", .label = N_("By the assumption"), .help = N_("The correlation that follows from Assumption 4.2 with the measured weights of the planes."),
       .equation = kPlaneAssumption, .digits = 4, .get = head([this](const reversal::RopePlanes& one) { return one.assumedCorrelation(distance_, distance_); })},
      {.key = "trace", .label = N_("Trace"), .help = N_("The bound of Theorem 4.3 at this distance."), .equation = "Reversal, Theorem 4.3",
       .formula = "\\frac{1}{D}\\mathrm{Tr}\\,R(2\\Delta)", .digits = 4, .get = head([this](const reversal::RopePlanes& one) { return traceOfPlanes(one, distance_); })},
      {.key = "violating", .label = N_("Violating planes"), .help = N_("Planes in which keys vary more across the query of [M] than along it."),
       .equation = kPlaneAssumption, .formula = "\\rho_s<0", .digits = 0, .get = head(&reversal::RopePlanes::violating)},
      {.key = "weight", .label = N_("Weight of these planes"), .help = N_("The share of |q|² that lies in these planes."), .equation = kPlaneAssumption,
       .digits = 3, .get = head(&reversal::RopePlanes::violatingWeight)},
      {.key = "prompts.pairs", .label = N_("Pairs of prompts"), .help = N_("Relations that were asked forwards and in reverse."), .digits = 0,
       .get = of([](const HeadsResult& result) { return result.layers.empty() ? std::nan("") : static_cast<double>(result.pairs); })},
      {.key = "prompts.correlation", .label = N_("Over prompts"),
       .help = N_("Correlation over the prompts of the forward and the reverse score of the selected layer and head, from [M] to the "
                  "evidence."), .equation = kLargeFigure, .digits = 4, .get = asked(&studies::PromptHead::correlation)},
      {.key = "prompts.forward", .label = N_("Forward score"), .help = N_("The mean of this score over the prompts."), .digits = 4, .get = asked(&studies::PromptHead::forward)},
      {.key = "prompts.reverse", .label = N_("Reverse score"), .help = N_("The mean of this score over the prompts."), .digits = 4, .get = asked(&studies::PromptHead::reverse)},
      {.key = "transfer.cosine", .label = N_("Cosine"), .help = N_("The cosine of the gradients of forward and reverse loss with respect to all parameters, before the first step."),
       .equation = kTransferFigures, .formula = "\\cos(g_{fwd},g_{rev})", .digits = 3, .get = first(&reversal::TransferPoint::cosine)},
      {.key = "transfer.forward", .label = N_("p forward"), .help = N_("Mean probability of the right letter in forward queries, before the first step."),
       .equation = kTransferFigures, .digits = 3, .get = first(&reversal::TransferPoint::forward)},
      {.key = "transfer.reverse", .label = N_("p reverse"), .help = N_("Mean probability of the right letter in reverse queries, before the first step."),
       .equation = kTransferFigures, .digits = 3, .get = first(&reversal::TransferPoint::reverse)},
      {.key = "transfer.after.cosine", .label = N_("Cosine, after"), .help = N_("The same after the last step."),
       .equation = kTransferFigures, .digits = 3, .get = last(&reversal::TransferPoint::cosine)},
      {.key = "transfer.after.forward", .label = N_("p forward, after"), .help = N_("The same after the last step."),
       .equation = kTransferFigures, .digits = 3, .get = last(&reversal::TransferPoint::forward)},
      {.key = "transfer.after.reverse", .label = N_("p reverse, after"),
       .help = N_("The same after the last step. The paper finds that it rises during fine-tuning on forward queries."),
       .equation = kTransferFigures, .digits = 3, .get = last(&reversal::TransferPoint::reverse)},
      {.key = "transfer.failure", .label = N_("Why there is no gradient"), .help = N_("Why gradient and probability are not computed; empty if they are."),
       .get = [this](int) { return Value(transferFailure()); }},
      {.key = "failure", .label = N_("What is wrong"), .help = N_("Why nothing is measured; empty if there is a result."),
       .get = [this](int) { return Value(failure()); }}});
}
// clang-format on

}  // namespace sepx::ui
