// SPDX-License-Identifier: Apache-2.0
// The inequality of I_common agrees with both theorems and with the integrated flow.
#include "engine/core/random.h"
#include "engine/markov/basin.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/common_region.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "tests/engine/markov/fixtures.h"

using namespace sepx::markov;

TEST_CASE("A point is in the common region exactly if both theorems predict the global minimum") {
  sepx::RandomStream random(11);
  for (int i = 0; i < 20000; ++i) {
    const double e = 2 * random.normal(), w = 1.5 * random.normal();
    if (w >= 0 || std::abs(e * e - separatrixSquared(w)) < 1e-9) continue;
    const bool both =
        basinLabel({0.5, 0.8}, e, w) == LimitKind::GlobalMin && basinLabel({0.2, 0.3}, e, w) == LimitKind::GlobalMin;
    INFO(e << " " << w);
    REQUIRE(inCommon(e, w) == both);
  }
  CHECK(inCommon(0.5, -1));                   // the guideline of A.3.2 with scalars (remark l2g-15)
  CHECK_FALSE(inCommon(std::sqrt(2.0), -8));  // the guideline with matrix entries at d = 8
  for (const double w : {0.0, 0.3, -0.0})
    CHECK_FALSE(inCommon(1.5, w));
  CHECK_FALSE(inCommon(0, -1));
  CHECK_FALSE(inCommon(0, -std::sqrt(0.5)));
  CHECK_FALSE(inCommon(std::nan(""), -1));
}

TEST_CASE("Theory and integration agree on the common region for chains on both sides of p + q = 1 and on it") {
  sepx::dynamics::FieldRegistry fields;
  addCanonicalFields(fields);
  sepx::ThreadPool pool(2);
  const sepx::dynamics::BasinWindow window{-2, 2, -2, 2, 160, 120};
  const CommonMap theory = commonByTheory(window, pool);
  CHECK(theory.share > 0.1);
  for (const Chain& chain : {Chain{0.5, 0.8}, Chain{0.2, 0.3}, Chain{0.5, 0.5}, Chain{0.95, 0.9}, Chain{0.5, 0.51}}) {
    INFO("p " << chain.p << " q " << chain.q);
    const auto integrated = commonByIntegration(*fields.find("ew"), chain, window, pool);
    REQUIRE(integrated.has_value());
    const std::vector<std::uint8_t> differs = differences(theory, *integrated);
    CHECK(std::count(differs.begin(), differs.end(), std::uint8_t{1}) == 0);
    const auto [here, across] = bothSides(chain);
    CHECK((here.switching() > 0) != (across.switching() > 0));
  }
  CHECK_FALSE(commonByIntegration(*fields.find("ew"), {0.5, 0.8}, window, pool, [] { return true; }).has_value());
}
