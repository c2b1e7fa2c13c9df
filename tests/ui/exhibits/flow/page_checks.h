// SPDX-License-Identifier: Apache-2.0
// Checks for every page of Flow that draws paths over the plane.
#pragma once

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/flow/flow_rig.h"

namespace sepx::ui {

/// In small panes, for distant initial points and at p + q = 1 the page becomes complete and has axes. `steps`: the key
/// of the number of steps.
inline void checkExtremes(const std::string& page, const std::string& steps) {
  for (const auto& [width, height] : {std::pair(480.0, 360.0), std::pair(200.0, 150.0), std::pair(400.0, 900.0)})
    for (const double q : {0.8, 0.5, 0.2}) {
      Rig rig;
      rig.area = {{0, 0}, {width, height}};
      rig.set("flow.page", page);
      rig.set("flow.q", q);
      rig.set(steps, 50.0);
      for (const auto& [e, w] : {std::pair(0.6, -0.9), std::pair(0.0, 0.0), std::pair(1e8, -1e8)}) {
        REQUIRE(rig.add(e, w));
        const render::Scene& scene = rig.settle();
        CHECK(rig.exhibit->complete());
        CHECK(Rig::layer(scene, "flow." + page + ".axes") != nullptr);
      }
    }
}

}  // namespace sepx::ui
