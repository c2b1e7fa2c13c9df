// SPDX-License-Identifier: Apache-2.0
#include "app/cli/qk_scores.h"

#include <algorithm>

#include "app/cli/progress.h"
#include "app/cli/text.h"
#include "engine/gpu/context.h"
#include "engine/gpu/kernels/qk_kernel.h"

namespace sepx::app::cli {

using attention::LayerFactors;
using attention::Moments;

QkComputer::QkComputer(const Options& common) : pool_(common.threads) {}
QkComputer::~QkComputer() = default;

Result<std::unique_ptr<QkComputer>> QkComputer::create(const Options& common) {
  std::unique_ptr<QkComputer> made(new QkComputer(common));
  if (common.compute != ui::Compute::Gpu) return made;
  auto context = gpu::Context::create(contextOptions(common, false));
  if (!context) return tl::unexpected(context.error());
  made->context_ = std::move(*context);
  made->device_ = made->context_->info().name;
  return made;
}

tl::unexpected<Error> QkComputer::interrupted() {
  return fail(ErrorKind::Interrupted, tr(N_("interrupted; nothing was written")));
}

const char* QkComputer::word() const {
  return context_ ? "gpu" : "cpu";
}

std::string QkComputer::forPeople() const {
  return context_ ? device_ : counted(pool_.size(), N_("CPU, {} thread"), N_("CPU, {} threads"));
}

namespace {

/// A kernel keeps its factors as long as it lives; the caller's outlive it here.
std::shared_ptr<const LayerFactors> borrowed(const LayerFactors& factors) {
  return {std::shared_ptr<const LayerFactors>(), &factors};
}

/// What a float kernel cannot see: weights that are no numbers.
std::size_t nonfiniteOf(const LayerFactors& factors) {
  const auto bad = [](const attention::Matrix& matrix) {
    return static_cast<std::size_t>(matrix.size() - matrix.array().isFinite().count());
  };
  return bad(factors.W_Q) + bad(factors.W_K);
}

}  // namespace

Result<Moments> QkComputer::moments(const LayerFactors& factors) {
  if (!context_) {
    auto moments = attention::momentsOf(factors, &pool_, [this] { return interrupts_.seen(); });
    if (!moments) return interrupted();
    return std::move(*moments);
  }
  auto kernel = gpu::QkKernel::create(*context_, borrowed(factors));
  if (!kernel) return tl::unexpected(kernel.error());
  auto moments = (*kernel)->moments();
  if (moments) moments->nonfinite = nonfiniteOf(factors);
  return moments;
}

Result<std::vector<Moments>> QkComputer::momentsOfHeads(const LayerFactors& factors) {
  if (!context_) {
    auto moments = attention::momentsOfHeads(factors, &pool_, [this] { return interrupts_.seen(); });
    if (!moments) return interrupted();
    return std::move(*moments);
  }
  std::vector<Moments> all;
  for (int head = 0; head < factors.heads; ++head) {
    if (interrupts_.seen()) return interrupted();
    auto one = moments(attention::headOf(factors, head));
    if (!one) return tl::unexpected(one.error());
    all.push_back(std::move(*one));
  }
  return all;
}

Result<attention::Matrix> QkComputer::crop(const LayerFactors& factors, attention::Part part,
                                           const attention::Crop& crop) {
  if (!context_) return attention::cropOf(factors, part, crop, &pool_);
  auto kernel = gpu::QkKernel::create(*context_, borrowed(factors));
  if (!kernel) return tl::unexpected(kernel.error());
  return (*kernel)->crop(part, crop);
}

namespace {

Scored scored(const Moments& moments, const attention::ScoreOptions& options) {
  return {attention::scoresOf(moments, options), moments.nonfinite};
}

/// No band where a symmetry has no meaning.
std::optional<attention::RandomBands> bandFor(const checkpoint::AttentionLayer& layer, int rank,
                                              const ScoreRequest& request) {
  if (!request.bands || layer.d_model != layer.d_key) return std::nullopt;
  return attention::randomBands(layer.d_model, rank, request.options);
}

Result<ScoredLayer> scoreLayer(const checkpoint::Model& model, const checkpoint::AttentionLayer& layer,
                               const ScoreRequest& request, QkComputer& computer) {
  const auto factors = checkpoint::loadFactors(*model.checkpoint, layer, {.pairing = request.pairing});
  if (!factors) return tl::unexpected(factors.error());
  ScoredLayer row;
  row.layer = &layer;
  const auto all = computer.moments(*factors);
  if (!all) return tl::unexpected(all.error());
  row.all = scored(*all, request.options);
  row.band = bandFor(layer, attention::rankOf(*factors), request);
  if (!request.heads) return row;
  const auto heads = computer.momentsOfHeads(*factors);
  if (!heads) return tl::unexpected(heads.error());
  for (const Moments& head : *heads)
    row.heads.push_back(scored(head, request.options));
  row.headBand = bandFor(layer, attention::rankOf(attention::headOf(*factors, 0)), request);
  return row;
}

}  // namespace

Result<std::vector<ScoredLayer>> scoreLayers(const checkpoint::Model& model, const Layers& layers,
                                             const ScoreRequest& request, QkComputer& computer, Console& console,
                                             const std::string& name) {
  Progress progress(console, name);
  std::vector<ScoredLayer> rows;
  for (const checkpoint::AttentionLayer* layer : layers) {
    progress.at(static_cast<double>(rows.size()) / static_cast<double>(layers.size()));
    if (computer.interrupts().seen()) return QkComputer::interrupted();
    auto row = scoreLayer(model, *layer, request, computer);
    if (!row) return tl::unexpected(row.error());
    rows.push_back(std::move(*row));
  }
  return rows;
}

std::vector<Summary> summaries(const std::vector<ScoredLayer>& scoredRows) {
  std::vector<Summary> all;
  for (const ScoredLayer& row : scoredRows) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Summary& one) { return one.stack == row.layer->stack; });
    if (known) continue;
    std::vector<double> symmetry, directionality;
    for (const ScoredLayer& other : scoredRows) {
      if (other.layer->stack != row.layer->stack) continue;
      symmetry.push_back(other.all.scores.symmetry);
      directionality.push_back(other.all.scores.directionality);
    }
    all.push_back(
        {row.layer->stack, attention::quartiles(std::move(symmetry)), attention::quartiles(std::move(directionality))});
  }
  return all;
}

Summary acrossHeads(const ScoredLayer& layer) {
  std::vector<double> symmetry, directionality;
  for (const Scored& head : layer.heads) {
    symmetry.push_back(head.scores.symmetry);
    directionality.push_back(head.scores.directionality);
  }
  return {layer.layer->stack, attention::quartiles(std::move(symmetry)),
          attention::quartiles(std::move(directionality))};
}

Json toJson(const attention::Quartiles& quartiles) {
  Json json = Json::object();
  json["median"] = quartiles.median;
  json["q1"] = quartiles.q1;
  json["q3"] = quartiles.q3;
  return json;
}

Json toJson(const Summary& summary) {
  Json json = Json::object();
  json["stack"] = checkpoint::word(summary.stack);
  json["symmetry"] = toJson(summary.symmetry);
  json["directionality"] = toJson(summary.directionality);
  return json;
}

}  // namespace sepx::app::cli
