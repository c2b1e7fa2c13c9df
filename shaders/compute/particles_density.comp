// SPDX-License-Identifier: Apache-2.0
// Adds the counts to the trails and converts the trails to levels, four pixels of one byte each per invocation. The
// tallies are written after the levels, for the host. Twin: ParticleCloud::tone of engine/dynamics/particles.cpp.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "kernel_params.h"
#include "particles.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Push { DensityParams params; };
layout(std430, binding = 0) buffer Counts { uint counts[]; };
layout(std430, binding = 1) buffer Trails { float trails[]; };
layout(std430, binding = 2) readonly buffer Tallies { uint tallies[]; };
layout(std430, binding = 3) writeonly buffer Levels { uint levels[]; };  // followed by the tallies

const float kDensityTop = 100.0;
const float kNothing = 1e-3;

void main() {
  uint index = gl_GlobalInvocationID.x;
  uint words = (params.pixels + 3u) / 4u;
  if (params.clearing == 0u && index <= kParticleLabels) levels[words + index] = tallies[index];
  if (index >= words) return;
  uint word = 0u;
  for (uint k = 0; k < 4u; ++k) {
    uint at = 4u * index + k;
    if (at >= params.pixels) break;
    float density = params.fade * trails[at] + float(counts[at]) * (1.0 / float(kSplatUnit));
    counts[at] = 0u;
    if (params.clearing == 1u || density < kNothing) density = 0.0;
    trails[at] = density;
    float share = density > 0.0 ? log(1.0 + params.gain * density) / log(1.0 + kDensityTop) : 0.0;
    word |= uint(round(255.0 * min(share, 1.0))) << (8u * k);
  }
  if (params.clearing == 0u) levels[index] = word;
}
