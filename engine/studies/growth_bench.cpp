// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/growth_bench.h"

#include <algorithm>
#include <cmath>

namespace sepx::studies {
namespace {

constexpr std::int64_t kFactor = 4;  // ratio of the updates of successive points

/// Ascending numbers of updates, each kFactor times the one before, from a few up to `updates`.
std::vector<std::int64_t> places(std::int64_t updates) {
  std::vector<std::int64_t> all{updates};
  while (all.back() > kFactor)
    all.push_back(all.back() / kFactor);
  std::reverse(all.begin(), all.end());
  return all;
}

Result<void> check(const GrowthOptions& options) {
  const bool sound = options.d >= 2 && options.d <= 1024 && options.tokens >= 1 && options.tokens <= 4096 &&
                     std::abs(options.predictedPower) <= 4 && std::abs(options.contextPower) <= 4 &&
                     std::abs(options.early) <= 4 && options.mask > 0 && options.mask < 1 && options.updates >= 1 &&
                     options.updates <= 10'000'000 && options.matrices >= 1 && options.matrices <= 1000;
  if (!sound)
    return fail(ErrorKind::Usage,
                N_("a number of the bench is out of range: d 2 to 1024, tokens 1 to 4096, powers "
                   "and early -4 to 4, mask above 0 and below 1, updates 1 to 10000000, matrices 1 to "
                   "1000"));
  return {};
}

}  // namespace

double worstNorm(const attention::NormModel& model, const attention::NormGrowth& growth) {
  const attention::ExpectedNorms expected = attention::expectedNorms(model);
  const Eigen::ArrayXd rows = (growth.rows2 - expected.rows2).cwiseAbs().cwiseQuotient(growth.rowErrors),
                       columns = (growth.columns2 - expected.columns2).cwiseAbs().cwiseQuotient(growth.columnErrors);
  return std::max(rows.maxCoeff<Eigen::PropagateNaN>(), columns.maxCoeff<Eigen::PropagateNaN>());
}

TailClaim tailClaim(const attention::NormGrowth& growth) {
  TailClaim claim;
  const double mean = (growth.moments.rowNorms.mean() + growth.moments.columnNorms.mean()) / 2;
  const double product = std::sqrt(std::max(0.0, growth.rowVariance * growth.columnVariance));
  claim.gamma = std::sqrt(product) - mean;
  claim.printed = product - mean;
  std::vector<double> norms{std::max(0.0, claim.gamma)};  // the shares change only at norms
  norms.insert(norms.end(), growth.rows.norm.begin(), growth.rows.norm.end());
  norms.insert(norms.end(), growth.columns.norm.begin(), growth.columns.norm.end());
  std::sort(norms.begin(), norms.end());
  claim.worst = -1;
  const auto excess = [&growth](double w) { return growth.rows.at(w) - growth.columns.at(w); };
  for (const double w : norms)
    if (w >= claim.gamma) claim.worst = std::max(claim.worst, excess(w));
  const bool any = !growth.rows.norm.empty() && !growth.columns.norm.empty();
  if (!any || growth.columns.norm.back() <= growth.rows.norm.back()) return claim;
  for (std::size_t i = norms.size(); i-- > 0 && excess(norms[i]) <= 0;)
    claim.from = norms[i];
  return claim;
}

Result<GrowthBench> benchGrowth(const GrowthOptions& options, ThreadPool& pool,
                                const std::function<bool(const GrowthBench& bench, double share)>& made,
                                const std::function<bool()>& cancelled) {
  if (const Result<void> sound = check(options); !sound) return tl::unexpected(sound.error());
  GrowthBench bench;
  bench.options = options;
  bench.model = {attention::powerVariances(options.d, options.predictedPower),
                 attention::powerVariances(options.d, options.contextPower),
                 options.tokens,
                 options.role,
                 options.early,
                 options.mask};
  const auto matrices = static_cast<std::size_t>(options.matrices);
  const std::uint64_t first = options.seed * matrices;
  bench.growth = attention::growNorms(bench.model, options.updates, first, cancelled);
  if (cancelled && cancelled()) return interrupted();
  bench.worst = worstNorm(bench.model, bench.growth);
  bench.claim = tailClaim(bench.growth);
  const double all = static_cast<double>(options.updates) * (1 + options.matrices * 4.0 / 3);
  double done = static_cast<double>(options.updates);
  if (!made(bench, done / all)) return interrupted();
  for (const std::int64_t updates : places(options.updates)) {
    std::vector<double> values(matrices);
    pool.parallelFor(0, matrices, 1, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const attention::NormGrowth growth = attention::growNorms(bench.model, updates, first + i, cancelled);
        values[i] = attention::scoresOf(growth.moments, kPrintedDirectionality).directionality;
      }
    });
    if (cancelled && cancelled()) return interrupted();
    bench.points.push_back({updates, attention::quartiles(values)});
    done += static_cast<double>(updates) * options.matrices;
    if (!made(bench, std::min(1.0, done / all))) return interrupted();
  }
  return bench;
}

}  // namespace sepx::studies
