#version 460
// SPDX-License-Identifier: Apache-2.0
// Maps categories to a palette (one word per label: colour, ink, hatch). Hatches are fixed to the page, in points, as
// in svg_writer.cpp. A small palette is passed by the vertex shader, because llvmpipe fetches a word of a buffer
// separately for each pixel, which takes ten times as long as the rest of this shader.
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(constant_id = 0) const uint kSmall = 0;
layout(set = 1, binding = 0) uniform usampler2D labels;
layout(location = 0) in flat uvec4 colors[4];
layout(location = 4) in flat uvec4 inks[4];
layout(location = 8) in flat uint hatches;
layout(location = 0) out vec4 result;

const float kPeriod = 8.0;     // points between the lines of a hatch
const float kHalfLine = 0.55;  // half the width of such a line
const float kDot = 1.2;        // radius of a dot

float hatchDistance(uint hatch, vec2 at) {
  if (hatch == 3u) return length(mod(at, kPeriod) - 0.5 * kPeriod) - kDot;
  const float across = (hatch == 1u ? at.x + at.y : at.x - at.y) * 0.70710678;
  return abs(mod(across, kPeriod) - 0.5 * kPeriod) - kHalfLine;
}

uint chosen(uvec4 from[4], uint label) {
  const uvec4 four = (label & 8u) != 0u ? ((label & 4u) != 0u ? from[3] : from[2]) : ((label & 4u) != 0u ? from[1] : from[0]);
  const uvec2 two = (label & 2u) != 0u ? four.zw : four.xy;
  return (label & 1u) != 0u ? two.y : two.x;
}

// Colour, ink and hatch.
uvec3 entryOf(uint label) {
  if (kSmall == 0u) return words[push.base + label].xyz;
  if (label > 15u) return uvec3(0u);
  return uvec3(chosen(colors, label), chosen(inks, label), (hatches >> (2u * label)) & 3u);
}

void main() {
  const vec2 offset = push.fraction + (gl_FragCoord.xy - push.rect.xy) * push.texelStep;
  const ivec2 last = textureSize(labels, 0) - 1;
  const uint label = texelFetch(labels, clamp(push.texel + ivec2(floor(offset)), ivec2(0), last), 0).r;
  const uvec3 entry = entryOf(label);
  vec4 color = unpackUnorm4x8(entry.x);
  if (entry.z != 0u) {
    const vec2 at = (gl_FragCoord.xy - push.pageOrigin) / push.pixelsPerPoint;
    const float coverage = clamp(0.5 - hatchDistance(entry.z, at) * push.pixelsPerPoint, 0.0, 1.0);
    color = mix(color, unpackUnorm4x8(entry.y), coverage);
  }
  result = premultiplied(color, 1.0);
}
