// SPDX-License-Identifier: Apache-2.0
// The page of (e, w, a) by script: a drag in three dimensions across the Airy surface changes the named limit, and
// views, slice and clip planes are controlled by keys and parameters.
#include "tests/ui/workbench/bench.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A scripted drag across the Airy surface changes the named limit", "[script][space]") {
  Bench bench;
  bench.play(R"(set flow.p 0.5
set flow.q 0.8
key 2
expect flow.page == space
add point 0.6,0.4
set flow.points[0].a -1
set flow.space.perspective off
key Shift+W
wait settled
expect flow.points[0].space.kind == local-min
drag 0.6,-1 -> 0.8,-1 in 0.5
wait settled
expect flow.points[0].e ~ 0.8 +- 0.003
expect flow.points[0].w == 0.4
expect flow.points[0].space.kind == global-min
expect flow.points[0].space.planekind == local-min
undo
wait settled
expect flow.points[0].space.kind == local-min
)");
}

TEST_CASE("Views, the slice and the clip planes can be set by a script", "[script][space]") {
  Bench bench;
  bench.play(R"(set flow.page space
add point 0.6,0.4
wait settled
key Shift+A
expect flow.space.pitch == 90
key Shift+S
expect flow.space.slice.show == false
set flow.space.slice.show true
expect flow.space.slice.show == true
set flow.space.clip.w.keep above
set flow.space.clip.w.at 0.5
key R
expect flow.space.pitch == 20
wait settled
)");
}
