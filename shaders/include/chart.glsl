// SPDX-License-Identifier: Apache-2.0
// The coordinates y in which an orbit is followed: x itself, or log|x_i| if the field declares that the plane x_i = 0
// is invariant and the orbit does not start in it, so that no step crosses it. Needs `field`; FIELD_INVARIANT of
// shaders/fields is optional. Twin: Chart in engine/dynamics/basin_map.cpp (VectorField::invariantPlanes).
#ifndef SEPX_CHART_GLSL
#define SEPX_CHART_GLSL

#include "unit_speed.glsl"

#ifndef FIELD_INVARIANT
#define FIELD_INVARIANT bvec2(false)
#endif

const float kNearest = 1e-30;  // least distance from a plane: f_i/x_i has a limit there, but 0/0 is undefined

// For each coordinate the side of its plane; 0 where x itself is followed.
vec2 chartSide(vec2 start) { return mix(vec2(0.0), sign(start), FIELD_INVARIANT); }

vec2 intoChart(vec2 x, vec2 side) { return mix(x, log(abs(x)), notEqual(side, vec2(0.0))); }

vec2 outOfChart(vec2 y, vec2 side) {
  return mix(y, side * max(exp(min(y, vec2(80.0))), vec2(kNearest)), notEqual(side, vec2(0.0)));
}

// y' at unit speed.
vec2 chartSpeed(vec2 y, vec2 side, vec4 parameters) {
  vec2 x = outOfChart(y, side);
  vec2 f = field(x, parameters);
  return atUnitSpeed(mix(f, f / x, notEqual(side, vec2(0.0))));
}

#endif
