// SPDX-License-Identifier: Apache-2.0
// Many orbits at once, sampled by arc length: classical Runge-Kutta 4 on the field at unit speed, one orbit per
// invocation. An orbit has arrived when its direction reverses within one step, and then stays there (at unit speed it
// would jitter around a sink). Compiled once per field. Twin: engine/dynamics/trajectories.cpp.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "kernel_params.h"
#include "field.glsl"
#include "unit_speed.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Push { TrajectoriesParams params; };
layout(std430, binding = 0) readonly buffer Starts { vec2 starts[]; };
layout(std430, binding = 1) writeonly buffer States { vec2 states[]; };  // [points, samples]

void main() {
  uint point = gl_GlobalInvocationID.x;
  if (point >= params.points) return;
  vec2 x = starts[point];
  vec2 k1 = unitSpeed(x, params.parameters);
  bool arrived = k1 == vec2(0.0);
  states[point * params.samples] = x;
  for (uint sampled = 1; sampled < params.samples; ++sampled) {
    for (uint i = 0; i < params.substeps && !arrived; ++i) {
      float h = params.step;
      vec2 k2 = unitSpeed(x + 0.5 * h * k1, params.parameters);
      vec2 k3 = unitSpeed(x + 0.5 * h * k2, params.parameters);
      vec2 k4 = unitSpeed(x + h * k3, params.parameters);
      vec2 y = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
      vec2 next = unitSpeed(y, params.parameters);
      bool finite = isFinite(y) && isFinite(next);  // tested first: drivers disagree about comparisons with NaN
      arrived = !finite || dot(next, k1) <= 0.0;
      if (!finite || (arrived && next != vec2(0.0))) break;
      x = y;
      k1 = next;
    }
    states[point * params.samples + sampled] = x;
  }
}
