// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_flow.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/cli/text.h"
#include "engine/core/clock.h"
#include "engine/core/thread_pool.h"
#include "engine/markov/flow.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/gaussian.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;
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

markov::FlowBatch timed(Measurement& measurement, Model model, const Cloud& cloud, ThreadPool& pool, int times) {
  markov::FlowBatch batch;
  for (int i = -2; i < times; ++i) {
    const Clock::time_point start = Clock::now();
    batch = markov::flowBatch(kChain, model, {cloud.e, cloud.w, cloud.a}, {}, pool);
    if (i >= 0) measurement.milliseconds.push_back(millisecondsSince(start));
  }
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
  const markov::FlowBatch ends = timed(inPlane, Model::EW, plane, pool, 31);
  const markov::FlowBatch ends3 = timed(inSpace, Model::EWA, space, pool, 11);
  double apart = 0;
  for (std::size_t i = 0; i < kTrajectories; ++i)
    if (const auto limit = markov::exactLimit(kChain, plane.e[i], plane.w[i]))
      apart = std::max(apart, std::hypot(limit->theta[0] - ends.e[i], limit->theta[1] - ends.w[i]));
  const double perSecond = 1000 * static_cast<double>(kTrajectories) / inPlane.median();
  BenchResult result{"flow-batch", {}, {}, 0, {}, {}};
  result.measurements = {std::move(inPlane), std::move(inSpace)};
  result.amounts = {
      {"trajectories-per-second", tr(N_("trajectories of (e,w) a second")), perSecond},
      {"end-error-femto", tr(N_("largest distance from the limit in closed form, 1e-15")), 1e15 * apart},
      {"drift-femto", tr(N_("largest drift of the energy of (e,w), 1e-15")), 1e15 * largest(ends.energyDrift)},
      {"drift-space-femto", tr(N_("largest drift of the energy of (e,w,a), 1e-15")),
       1e15 * largest(ends3.energyDrift)}};
  return result;
}

Result<BenchResult> benchBasinScreen(const Options& common) {
  constexpr int kTimes = 5;
  ThreadPool pool(common.threads);
  dynamics::FieldRegistry registry;
  markov::addCanonicalFields(registry);
  const dynamics::BasinWindow window{-2, 2, -2, 2, 1920, 1080};
  const std::vector<double> parameters{kChain.p, kChain.q};
  Measurement screen{"screen", trf(N_("integrated basin map 1920 x 1080, {} threads"), pool.size()), {}};
  dynamics::BasinMap map;
  for (int i = -1; i < kTimes; ++i) {
    const Clock::time_point start = Clock::now();
    map =
        dynamics::integrateBasinMap(*registry.find("ew"), parameters, window, dynamics::basinMapOptions(window), pool);
    if (i >= 0) screen.milliseconds.push_back(millisecondsSince(start));
  }
  const double differ = dynamics::disagreement(map, markov::exactBasinMap(kChain, window, pool));
  BenchResult result{"basin-screen", {}, {}, 0, {}, {}};
  result.measurements = {std::move(screen)};
  result.amounts = {{"pixels-differ", tr(N_("pixels that are not as the closed form says")),
                     differ * static_cast<double>(map.labels.size())}};
  return result;
}

}  // namespace sepx::app::cli
