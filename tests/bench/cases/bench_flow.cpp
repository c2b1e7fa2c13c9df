// SPDX-License-Identifier: Apache-2.0
// Benchmarks of many orbits at once: ten thousand trajectories to their limits, and the integrated basin map at the
// size of a whole screen.
#include "tests/bench/cases/bench.h"

#include <algorithm>
#include <cmath>

#include "app/cli/text.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"

namespace sepx::app::cli {
namespace {

using markov::Model;

constexpr markov::Chain kChain{0.5, 0.8};
constexpr std::size_t kTrajectories = 10000;

struct Cloud {
  std::vector<double> e, w, a;
  explicit Cloud(Model model) {
    for (std::size_t i = 0; i < kTrajectories; ++i) {
      const markov::State start = markov::gaussianStart(model, 1, 0, i);
      e.push_back(start[0]);
      w.push_back(start[1]);
      if (model == Model::EWA) a.push_back(start[2]);
    }
  }
};

Result<markov::FlowBatch> timed(Measurement& measurement, Model model, const Cloud& cloud, ThreadPool& pool,
                                int times) {
  markov::FlowBatch batch;
  const auto once = [&]() -> Result<void> {
    batch = markov::flowBatch(kChain, model, {cloud.e, cloud.w, cloud.a}, {}, pool);
    return {};
  };
  SEPX_TRY(measure(measurement, {times, 2}, once));
  return batch;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

Result<BenchResult> benchFlowBatch(const Options& common) {
  ThreadPool pool(common.threads);
  const Cloud plane(Model::EW), space(Model::EWA);
  Measurement inPlane{"plane", trf(N_("10,000 trajectories of (e,w) to their limits, {} threads"), pool.size()), {}};
  Measurement inSpace{"space", trf(N_("10,000 trajectories of (e,w,a) to their limits, {} threads"), pool.size()), {}};
  SEPX_ASSIGN(const auto ends, timed(inPlane, Model::EW, plane, pool, 31));
  SEPX_ASSIGN(const auto ends3, timed(inSpace, Model::EWA, space, pool, 11));
  double apart = 0;
  for (std::size_t i = 0; i < kTrajectories; ++i)
    if (const auto limit = markov::exactLimit(kChain, plane.e[i], plane.w[i]))
      apart = std::max(apart, std::hypot(limit->theta[0] - ends.e[i], limit->theta[1] - ends.w[i]));
  const double perSecond = 1000 * static_cast<double>(kTrajectories) / inPlane.median();
  BenchResult result{"flow-batch", {std::move(inPlane), std::move(inSpace)}};
  result.amounts = {
      {"trajectories-per-second", tr(N_("trajectories of (e,w) a second")), perSecond},
      {"end-error-femto", tr(N_("largest distance from the limit in closed form, 1e-15")), 1e15 * apart},
      {"drift-femto", tr(N_("largest drift of the energy of (e,w), 1e-15")), 1e15 * largest(ends.energyDrift)},
      {"drift-space-femto", tr(N_("largest drift of the energy of (e,w,a), 1e-15")),
       1e15 * largest(ends3.energyDrift)}};
  return result;
}

Result<BenchResult> benchBasinScreen(const Options& common) {
  ThreadPool pool(common.threads);
  dynamics::FieldRegistry registry;
  markov::addCanonicalFields(registry);
  const dynamics::BasinWindow window{-2, 2, -2, 2, 1920, 1080};
  const std::vector<double> parameters{kChain.p, kChain.q};
  Measurement screen{"screen", trf(N_("integrated basin map 1920 x 1080, {} threads"), pool.size()), {}};
  dynamics::BasinMap map;
  SEPX_TRY(measure(screen, {5}, [&]() -> Result<void> {
    map =
        dynamics::integrateBasinMap(*registry.find("ew"), parameters, window, dynamics::basinMapOptions(window), pool);
    return {};
  }));
  const double differ = dynamics::disagreement(map, markov::exactBasinMap(kChain, window, pool));
  BenchResult result{"basin-screen", {std::move(screen)}};
  result.amounts = {{"pixels-differ", tr(N_("pixels that differ from the closed form")),
                     differ * static_cast<double>(map.labels.size())}};
  return result;
}

}  // namespace sepx::app::cli
