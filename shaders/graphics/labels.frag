#version 460
// SPDX-License-Identifier: Apache-2.0
// Categories through a palette (one word a label: colour, ink, hatch); hatches hang on the page, in points, as in hatch.h.
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(set = 1, binding = 0) uniform usampler2D labels;
layout(location = 0) out vec4 result;

const float kPeriod = 8.0;     // points between the lines of a hatch
const float kHalfLine = 0.55;  // half the width of such a line
const float kDot = 1.2;        // radius of a dot

float hatchDistance(uint hatch, vec2 at) {
  if (hatch == 3u) return length(mod(at, kPeriod) - 0.5 * kPeriod) - kDot;
  const float across = (hatch == 1u ? at.x + at.y : at.x - at.y) * 0.70710678;
  return abs(mod(across, kPeriod) - 0.5 * kPeriod) - kHalfLine;
}

void main() {
  const vec2 offset = push.fraction + (gl_FragCoord.xy - push.rect.xy) * push.texelStep;
  const ivec2 last = textureSize(labels, 0) - 1;
  const uint label = texelFetch(labels, clamp(push.texel + ivec2(floor(offset)), ivec2(0), last), 0).r;
  const uvec4 entry = words[push.base + label];
  vec4 color = unpackUnorm4x8(entry.x);
  if (entry.z != 0u) {
    const vec2 at = (gl_FragCoord.xy - push.pageOrigin) / push.pixelsPerPoint;
    const float coverage = clamp(0.5 - hatchDistance(entry.z, at) * push.pixelsPerPoint, 0.0, 1.0);
    color = mix(color, unpackUnorm4x8(entry.y), coverage);
  }
  result = premultiplied(color, 1.0);
}
