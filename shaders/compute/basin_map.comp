// SPDX-License-Identifier: Apache-2.0
// Finds the limit that the flow from the centre of a pixel reaches: Bogacki-Shampine 3(2) at unit speed in the chart of
// the orbit. One pixel per invocation, one label per word of the output (in the order of the dispatch). Compiled once
// per field: "field.glsl" is that field. Twin: engine/dynamics/basin_map.cpp. Single precision: the tolerance is not
// below the resolution of float.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "kernel_params.h"
#include "field.glsl"
#include "chart.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Push { BasinMapParams params; };
layout(std430, binding = 0) readonly buffer Attractors { vec2 attractors[]; };
layout(std430, binding = 1) writeonly buffer Labels { uint labels[]; };

const float kFirstStep = 0.05;  // arc length, as in the twin
const float kMinStep = 1e-8;    // below this, single precision cannot distinguish the ends of a step

const float kTrapCheckLength = 25.0;  // as in the twin
const float kTrapRateFactor = 2.0;

uint labelAt(vec2 start, vec2 x) {
#ifdef FIELD_CLASSIFIES
  return uint(classify(start, x, params.parameters));
#else
#ifdef FIELD_TRAPS
  if (params.attractorCount > 0u) {
    vec2 trapped = trap(x, params.parameters);
    if (trapped.x < 0.0) return SEPX_ATTRACTOR + uint(trapped.y);
  }
#endif
  for (uint i = 0; i < params.attractorCount; ++i)
    if (distance(x, attractors[i]) < params.attractorRadius) return SEPX_ATTRACTOR + i;
  return SEPX_UNDECIDED;
#endif
}

// Whether the remaining length is too short to reach a trap, judged by how much the excess has fallen so far.
bool cannotReachTrap(vec2 start, vec2 x, float travelled, uint steps) {
#ifdef FIELD_TRAPS
  if (travelled <= kTrapCheckLength || params.attractorCount == 0u) return false;
  float excess = trap(x, params.parameters).x;
  float fallen = trap(start, params.parameters).x - excess;
  float bySteps = travelled * float(params.maxSteps - steps) / float(steps);
  return excess * travelled > kTrapRateFactor * fallen * min(params.maxLength - travelled, bySteps);
#else
  return false;
#endif
}

uint follow(vec2 start) {
  vec2 x = start;
  uint label = labelAt(start, x);
  if (label != SEPX_UNDECIDED) return label;
  vec2 side = chartSide(start);
  vec2 y = intoChart(x, side);
  vec2 k1 = chartSpeed(y, side, params.parameters);
  if (k1 == vec2(0.0)) return SEPX_UNDECIDED;  // a fixed point without a label
  float h = kFirstStep;
  float travelled = 0.0;
  for (uint i = 0; i < params.maxSteps && travelled < params.maxLength; ++i) {
    vec2 k2 = chartSpeed(y + 0.5 * h * k1, side, params.parameters);
    vec2 k3 = chartSpeed(y + 0.75 * h * k2, side, params.parameters);
    vec2 next = y + h * (2.0 / 9.0 * k1 + 1.0 / 3.0 * k2 + 4.0 / 9.0 * k3);
    vec2 k4 = chartSpeed(next, side, params.parameters);
    vec2 wrong = abs(-5.0 / 72.0 * k1 + 1.0 / 12.0 * k2 + 1.0 / 9.0 * k3 - 1.0 / 8.0 * k4);
    float error = max(wrong.x, wrong.y);  // per unit of arc length, of second order in h
    bool finite = isFinite(next) && isFinite(wrong);
    if (finite && error <= params.tolerance) {
      vec2 before = x;
      y = next;
      x = outOfChart(y, side);
      travelled += distance(x, before);
      k1 = k4;
      label = labelAt(start, x);
      if (label != SEPX_UNDECIDED) return label;
      if (cannotReachTrap(start, x, travelled, i + 1)) return SEPX_UNDECIDED;
    }
    // A trial with a non-finite result was too long a step.
    h *= finite ? clamp(0.9 * sqrt(params.tolerance / max(error, 1e-12)), 0.2, 5.0) : 0.2;
    if (h < kMinStep) return SEPX_UNDECIDED;  // the field reverses: a sink without a label
  }
  return SEPX_UNDECIDED;
}

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index >= params.count) return;
  uint point = params.first + index;
  uvec2 at = uvec2(point % params.columns, point / params.columns);
  if (params.skipCoarse == 1 && ((at.x | at.y) & 1u) == 0u) return;
  // The offset is counted from the middle in half pixels, so that the centre column of a symmetric window is exactly 0.
  ivec2 offset = ivec2(2 * at * params.stride + 1) - ivec2(params.width, params.height);
  labels[index] = follow(params.middle + params.halfPixel * vec2(offset));
}
