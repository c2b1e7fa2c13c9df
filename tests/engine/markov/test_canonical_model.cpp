// SPDX-License-Identifier: Apache-2.0
// Compares derivatives with finite differences and tests the relations between the models.
#include "engine/core/random.h"
#include "engine/markov/canonical_model.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;
using sepx::markov::test::state;

namespace {

constexpr Model kModels[] = {Model::EW, Model::EWB, Model::EWA, Model::EWAB};

State drawTheta(Model model, sepx::RandomStream& random) {
  State theta(dimension(model));
  for (Eigen::Index i = 0; i < theta.size(); ++i)
    theta[i] = random.uniform(-1.6, 1.6);
  return theta;
}
Chain drawChain(sepx::RandomStream& random) {
  return Chain{random.uniform(0.05, 0.95), random.uniform(0.05, 0.95)};
}

}  // namespace

TEST_CASE("The names of the models read back") {
  for (const Model model : kModels)
    CHECK(modelFromName(modelName(model)) == model);
  CHECK_FALSE(modelFromName("we").has_value());
  CHECK(dimension(Model::EWAB) == 4);
}

TEST_CASE("The gradient agrees with differences of the loss and the Hessian with differences of the gradient") {
  sepx::RandomStream random(11);
  for (const Model model : kModels) {
    INFO(modelName(model));
    for (int repeat = 0; repeat < 100; ++repeat) {
      const Chain chain = drawChain(random);
      const State theta = drawTheta(model, random);
      const Evaluation at = evaluate(chain, model, theta);
      CHECK((at.gradient - gradient(chain, model, theta)).norm() < 1e-14 * (1 + at.gradient.norm()));
      CHECK(at.loss == Approx(loss(chain, model, theta)).epsilon(1e-14));
      CHECK((at.hessian - at.hessian.transpose()).cwiseAbs().maxCoeff() == 0);
      for (Eigen::Index j = 0; j < theta.size(); ++j) {
        const double h = 1e-5;
        State up = theta, down = theta;
        up[j] += h;
        down[j] -= h;
        const double slope = (loss(chain, model, up) - loss(chain, model, down)) / (2 * h);
        CHECK(std::abs(slope - at.gradient[j]) < 1e-7 * (1 + at.gradient.norm()));
        const State bend = (gradient(chain, model, up) - gradient(chain, model, down)) / (2 * h);
        // The second derivative jumps where w changes sign within h.
        const bool kink = std::abs(theta[1]) < 2 * h;
        if (!kink) CHECK((bend - at.hessian.col(j)).norm() < 1e-5 * (1 + at.hessian.norm()));
      }
    }
  }
}

TEST_CASE("The optimal bias is optimal and connects the models") {
  sepx::RandomStream random(12);
  for (const auto& [optimal, free] : {std::pair{Model::EW, Model::EWB}, {Model::EWA, Model::EWAB}}) {
    for (int repeat = 0; repeat < 100; ++repeat) {
      const Chain chain = drawChain(random);
      const State theta = drawTheta(optimal, random);
      State withBias(theta.size() + 1);
      withBias << theta, optimalBias(chain, optimal, theta);
      const Evaluation at = evaluate(chain, free, withBias);
      CHECK(std::abs(at.gradient[theta.size()]) < 1e-13);
      CHECK(at.loss == Approx(loss(chain, optimal, theta)).epsilon(1e-13));
      // Envelope theorem: the other components agree.
      CHECK((at.gradient.head(theta.size()) - gradient(chain, optimal, theta)).norm() <
            1e-12 * (1 + at.gradient.norm()));
      CHECK(evaluate(chain, optimal, theta).bias == Approx(withBias[theta.size()]).margin(1e-14));
      withBias[theta.size()] += 0.1;
      CHECK(loss(chain, free, withBias) > at.loss);
    }
  }
}

TEST_CASE("a = 0 gives the plane, and the loss is even in e") {
  sepx::RandomStream random(13);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Chain chain = drawChain(random);
    const State plane = drawTheta(Model::EW, random), lifted = state({plane[0], plane[1], 0});
    CHECK(loss(chain, Model::EWA, lifted) == loss(chain, Model::EW, plane));
    CHECK(gradient(chain, Model::EWA, lifted).head(2) == gradient(chain, Model::EW, plane));
    const State mirrored = state({-plane[0], plane[1]});
    CHECK(loss(chain, Model::EW, mirrored) == loss(chain, Model::EW, plane));
    CHECK(gradient(chain, Model::EW, mirrored)[0] == -gradient(chain, Model::EW, plane)[0]);
  }
}

TEST_CASE("The absolute value in the constant is kept (erratum 4)") {
  const Chain chain{0.35, 0.6};
  CHECK(optimalBias(chain, Model::EWA, state({1.1, -0.45, -1.2})) == Approx(-0.474446).margin(1e-6));
  CHECK(std::abs(gradient(chain, Model::EWAB, state({1.1, -0.45, -1.2, -0.695949}))[3] + 0.050) < 5e-4);
}

TEST_CASE("The stationary set off the axis consists of strict saddles (erratum 3)") {
  const double e = 0.9;
  const Evaluation at = evaluate(Chain{0.2, 0.3}, Model::EWA, state({e, -std::sqrt(0.5), -1 / (e * e)}));
  CHECK(at.gradient.norm() < 1e-15);
  const State rates = hessianEigenvalues(at.hessian);
  CHECK(rates[0] == Approx(-0.650).margin(1e-3));
  CHECK(rates[1] == Approx(0).margin(1e-12));
  CHECK(rates[2] == Approx(0.650).margin(1e-3));
}

TEST_CASE("All values are finite or infinite, never NaN, for extreme parameters") {
  const Chain chain{0.5, 0.8};
  for (const State& theta : {state({1e6, 0.5}), state({-1e6, -2}), state({1e-200, 3}), state({0.5, 1e-200}),
                             state({0, 0}), state({1e75, -0.7}), state({1e-3, -1e6}), state({1e100, 0})}) {
    INFO(theta.transpose());
    const Evaluation at = evaluate(chain, Model::EW, theta);
    CHECK(std::isfinite(at.loss));
    CHECK_FALSE(at.gradient.hasNaN());
    CHECK_FALSE(at.hessian.hasNaN());
  }
  const Evaluation free = evaluate(chain, Model::EWAB, state({1e6, -2, 3, -1e6}));
  CHECK(std::isfinite(free.loss));
  CHECK_FALSE(free.gradient.hasNaN());
  CHECK_FALSE(free.hessian.hasNaN());
  Jacobian broken = Jacobian::Constant(2, 2, std::nan(""));
  CHECK(hessianEigenvalues(broken).hasNaN());
}
