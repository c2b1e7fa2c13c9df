// SPDX-License-Identifier: Apache-2.0
// A real transformer that starts at a point of the canonical plane: its projection is that point, its loss is the loss
// of the point, and training moves it along the flow.
#include <cmath>
#include <memory>

#include <catch2/catch.hpp>

#include "engine/data/source_config.h"
#include "engine/markov/canonical_model.h"
#include "engine/nn/canonical_projection.h"
#include "engine/studies/canonical_start.h"
#include "engine/train/metrics.h"
#include "engine/train/run_store.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::studies::start_tests {
namespace {

struct Trained {
  train::RunConfig config;
  std::unique_ptr<data::Source> source;
  ThreadPool pool{1};
  std::unique_ptr<train::Stepper> stepper;

  explicit Trained(const CanonicalStart& start) {
    auto made = canonicalRun(start);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    config = *made;
    auto opened = data::makeSource(config.data);
    REQUIRE(opened);
    source = std::move(*opened);
    REQUIRE(train::resolve(config, *source));
    stepper = std::make_unique<train::Stepper>(config, *source, pool);
    stepper->begin();
  }
  nn::CanonicalProjection projection() const {
    return nn::projectCanonical(config.model, stepper->layout(), stepper->theta());
  }
};

}  // namespace

TEST_CASE("A canonical start projects onto its point, and its loss is L(e, w, a) there") {
  for (const markov::Chain chain : {markov::Chain{0.5, 0.8}, markov::Chain{0.2, 0.3}})
    for (const auto& [e, w, a] : {std::tuple{0.5, -1.0, 0.0}, {-0.7, 0.6, 0.0}, {0.9, -0.9, 0.8}, {-1.1, -0.4, -1.5}}) {
      INFO("p " << chain.p << " e " << e << " w " << w << " a " << a);
      CanonicalStart start;
      start.chain = chain;
      start.e = e;
      start.w = w;
      start.a = a;
      Trained run(start);
      const nn::CanonicalProjection found = run.projection();
      CHECK(found.e == Approx(e).epsilon(1e-5));
      CHECK(found.w == Approx(w).epsilon(1e-5));
      CHECK(found.a == Approx(a).epsilon(1e-5).margin(1e-5));
      CHECK(found.residual < 1e-6);
      CHECK(found.uneven < 1e-6);
      const double loss = markov::loss(chain, markov::Model::EWA, Eigen::Vector3d(e, w, a));
      const train::MeanLoss measured = run.stepper->validate();
      CHECK(std::abs(measured.value - loss) < 5 * measured.error + 1e-6);
    }
}

TEST_CASE("Steps of the network move its projection in the direction of the flow of the plane") {
  CanonicalStart start;
  start.chain = {0.5, 0.8};
  start.e = 0.6;
  start.w = -0.9;
  Trained run(start);
  for (int i = 0; i < 150; ++i)
    REQUIRE(run.stepper->step(1000));
  const nn::CanonicalProjection after = run.projection();
  // The flow goes from here to (0.848, -1.210).
  CHECK(after.e > 0.61);
  CHECK(after.w < -0.91);
  CHECK(after.residual < 0.3);
  CHECK(after.residual > 1e-4);  // the part outside the plane
}

TEST_CASE("The metrics of a run with a projection contain the projection") {
  CanonicalStart start;
  start.a = 0.4;
  start.chain = {0.5, 0.8};
  const Trained run(start);
  std::vector<train::Metric> metrics;
  train::scoreMetrics(run.config.model, run.stepper->layout(), run.stepper->theta(), 7, metrics);
  const auto valueOf = [&](const char* name) {
    for (const train::Metric& metric : metrics)
      if (train::metricName(metric.name) == name) return metric.value;
    return std::nan("");
  };
  CHECK(valueOf("canonical_e") == Approx(0.5));
  CHECK(valueOf("canonical_w") == Approx(-1));
  CHECK(valueOf("canonical_a") == Approx(0.4));
  CHECK(valueOf("canonical_residual") < 1e-6);
  start.a = 0;
  const Trained softmax(start);
  metrics.clear();
  train::scoreMetrics(softmax.config.model, softmax.stepper->layout(), softmax.stepper->theta(), 7, metrics);
  CHECK(std::isnan(valueOf("canonical_a")));
  CHECK(valueOf("canonical_w") == Approx(-1));
}

TEST_CASE("A start that a config does not allow is refused") {
  CanonicalStart start;
  start.chain = {0.5, 0.8};
  start.e = std::nan("");
  CHECK_FALSE(canonicalRun(start));
  start.e = 0.5;
  start.d_model = 0;
  CHECK_FALSE(canonicalRun(start));
}

}  // namespace sepx::studies::start_tests
