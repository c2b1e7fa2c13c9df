#version 460
// SPDX-License-Identifier: Apache-2.0
// Coverage of a pixel by a segment of a polyline: half the width minus the distance to the segment, with a transition
// over one pixel.
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(constant_id = 0) const uint kDashed = 0;
layout(location = 0) in flat vec4 ends;
layout(location = 1) in flat vec4 normals;
layout(location = 2) in flat uvec4 style;
layout(location = 3) in flat vec3 dash;
layout(location = 0) out vec4 result;

// `position` along the line and `offset` across it, pixels.
float dashCoverage(float position, float offset, float halfWidth) {
  const float drawn = dash.y, period = dash.z;
  float place = mod(position, period);
  if (place > 0.5 * (drawn + period)) place -= period;
  if (drawn > 0.0) return clamp(0.5 - (abs(place - 0.5 * drawn) - 0.5 * drawn), 0.0, 1.0);
  return clamp(halfWidth + 0.5 - length(vec2(place, offset)), 0.0, 1.0);
}

void main() {
  const vec2 from = gl_FragCoord.xy - ends.xy, to = gl_FragCoord.xy - ends.zw;
  // A pixel beyond a shared plane belongs to the neighbouring segment. A zero normal keeps all pixels.
  if (dot(from, normals.xy) < 0.0 || (normals.zw != vec2(0.0) && dot(to, normals.zw) >= 0.0)) discard;
  const vec2 along = ends.zw - ends.xy;
  const float square = dot(along, along), halfWidth = uintBitsToFloat(style.x);
  const float t = square > 0.0 ? clamp(dot(from, along) / square, 0.0, 1.0) : 0.0;
  const float distance = length(from - t * along);
  float coverage = clamp(halfWidth + 0.5 - distance, 0.0, 1.0);
  if (kDashed != 0u) coverage = min(coverage, dashCoverage(dash.x + t * sqrt(square), distance, halfWidth));
  const vec2 fade = uintBitsToFloat(style.yz);
  result = premultiplied(unpackUnorm4x8(style.w), coverage * mix(fade.x, fade.y, t));
}
