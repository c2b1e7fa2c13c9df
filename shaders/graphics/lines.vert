#version 460
// SPDX-License-Identifier: Apache-2.0
// One quad around each segment of a polyline (SegmentRecord).
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(location = 0) out flat vec4 ends;     // p0, p1
layout(location = 1) out flat vec4 normals;  // n0, n1
layout(location = 2) out flat uvec4 style;   // half width, fade at both ends, colour
layout(location = 3) out flat vec3 dash;     // position at p0, drawn part, period

// How far past its end a segment covers pixels: the whole cap, or up to where the slanted plane meets the rim.
float reachBeyond(vec2 direction, vec2 normal, float reach) {
  const float slope = dot(direction, normal);
  if (slope <= 0.0) return reach;
  return min(1.0, abs(direction.x * normal.y - direction.y * normal.x) / slope) * reach;
}

void main() {
  const uint at = push.base + 4u * uint(gl_VertexIndex >> 2);
  const uvec4 tail = words[at + 2u], rest = words[at + 3u];
  ends = uintBitsToFloat(words[at]);
  normals = uintBitsToFloat(words[at + 1u]);
  style = uvec4(rest.x, tail.yzw);
  dash = uintBitsToFloat(uvec3(tail.x, rest.yz));
  const vec2 along = ends.zw - ends.xy;
  const float size = length(along);
  const vec2 direction = size > 0.0 ? along / size : vec2(1.0, 0.0);
  const vec2 corner = quadCorner(gl_VertexIndex & 3);
  const float reach = uintBitsToFloat(rest.x) + 0.5;
  const bool first = corner.x < 0.0;
  const float beyond = reachBeyond(direction, first ? normals.xy : normals.zw, reach);
  gl_Position = clipPosition((first ? ends.xy : ends.zw) + corner.x * beyond * direction +
                             corner.y * reach * vec2(-direction.y, direction.x));
}
