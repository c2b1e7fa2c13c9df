// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "engine/markov/critical_points.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;

TEST_CASE("Every critical set of Theorems 1, 7, 9, 10 is critical, with the loss and the signs of the theorem",
          "[markov][critical]") {
  for (const Model model : {Model::EW, Model::EWB, Model::EWA, Model::EWAB})
    for (const Chain& chain :
         {Chain{0.5, 0.8}, Chain{0.2, 0.3}, Chain{0.35, 0.6}, Chain{0.999, 0.999}, Chain{1e-6, 1e-6}, Chain{0.1, 0.95}})
      for (const CriticalSetInfo& info : criticalSetsOf(chain, model)) {
        const std::vector<State> points = criticalPoints(chain, model, info.set, 200, 5);
        const CriticalFindings found = examine(chain, model, info, points);
        INFO(modelName(model) << ", p = " << chain.p << ", q = " << chain.q << ": " << info.name);
        CHECK(found.largestGradient < 1e-10);
        CHECK(found.largestLossError < 1e-12);
        CHECK(found.asTheorem);
        CHECK(points.front().size() == dimension(model));
        CHECK(points == criticalPoints(chain, model, info.set, 200, 5));
      }
}

TEST_CASE("The critical sets have the numbers and dimensions of the theorems", "[markov][critical]") {
  const Chain chain{0.5, 0.8};
  const std::map<Model, std::pair<std::size_t, int>> wanted{
      {Model::EW, {4, 1}}, {Model::EWB, {3, 7}}, {Model::EWA, {5, 10}}, {Model::EWAB, {4, 9}}};
  for (const auto& [model, count] : wanted) {
    CHECK(criticalSetsOf(chain, model).size() == count.first);
    CHECK(criticalTheorem(model) == count.second);
  }
  CHECK(criticalSetsOf(chain, Model::EW).back().dimensions == 0);
  CHECK(criticalPoints(chain, Model::EW, CriticalSet::Saddles, 50).size() == 1);
  const auto degenerate = criticalSetsOf(Chain{0.3, 0.7}, Model::EWA);
  REQUIRE(degenerate.size() == 1);
  CHECK(examine(Chain{0.3, 0.7}, Model::EWA, degenerate[0],
                criticalPoints({0.3, 0.7}, Model::EWA, CriticalSet::Star, 100))
            .largestGradient < 1e-10);
}

TEST_CASE("Points that are not critical are detected: the published bias of Gamma*, points beside the curve",
          "[markov][critical]") {
  // Erratum 4: without the absolute value of 1 + a e^2 the bias is not critical.
  const Chain chain{0.35, 0.6};
  const double e = 1.1, a = -1.2, u = 1 + a * e * e;
  const double v = chain.S_star() / (e * e * u), w = -std::sqrt((1 - v) / 2);
  REQUIRE(1 + 2 * w * std::abs(w) == Approx(v));
  const double odds = 0.5 * std::log(chain.p * (1 - chain.q) / (chain.q * (1 - chain.p)));
  const CriticalSetInfo star = criticalSetsOf(chain, Model::EWAB).front();
  const State right = sepx::markov::test::state({e, w, a, odds - e * e * w * std::abs(w) * std::abs(u)});
  const State printed = sepx::markov::test::state({e, w, a, odds - e * e * w * std::abs(w) * u});
  CHECK(examine(chain, Model::EWAB, star, {right}).largestGradient < 1e-12);
  CHECK(examine(chain, Model::EWAB, star, {printed}).largestGradient > 1e-3);
  State beside = criticalPoints(chain, Model::EW, CriticalSet::Star, 1).front();
  beside[0] *= 1.01;
  CHECK(examine(chain, Model::EW, criticalSetsOf(chain, Model::EW).front(), {beside}).largestGradient > 1e-5);
  // Local maxima are not minima.
  const auto maxima = criticalPoints(chain, Model::EW, CriticalSet::Maxima, 20);
  CHECK_FALSE(examine(chain, Model::EW, criticalSetsOf(chain, Model::EW)[1], maxima).asTheorem);
}

TEST_CASE("The eigenvalues on the stationary curve agree with independently computed values", "[markov][critical]") {
  const Chain chain{0.2, 0.3};
  const double e = 0.9;
  const State theta = sepx::markov::test::state({e, -1 / std::sqrt(2.0), -1 / (e * e)});
  const State eigenvalues = hessianEigenvalues(evaluate(chain, Model::EWA, theta).hessian);
  CHECK(eigenvalues[0] == Approx(-0.650).margin(5e-4));
  CHECK(std::abs(eigenvalues[1]) < 1e-12);
  CHECK(eigenvalues[2] == Approx(0.650).margin(5e-4));
  CHECK(inertiaOf(eigenvalues) == Inertia{1, 1, 1});
}
