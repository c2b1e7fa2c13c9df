#version 460
// SPDX-License-Identifier: Apache-2.0
// One quad around each segment of a tube (TubeRecord): a SegmentRecord with depth.
#extension GL_GOOGLE_include_directive : require
#include "graphics/solid.glsl"

layout(location = 0) out flat vec4 ends;     // p0, p1
layout(location = 1) out flat vec4 normals;  // n0, n1
layout(location = 2) out flat uvec4 style;   // half width, fade at both ends, colour
layout(location = 3) out flat vec3 dash;     // position at p0, drawn part, period
layout(location = 4) out flat vec3 body;     // slope towards the eye, 1 if it is lit, 1 if it has a core

// How far past its end a segment covers pixels: the whole cap, or up to where the slanted plane meets the rim.
float reachBeyond(vec2 direction, vec2 normal, float reach) {
  const float slope = dot(direction, normal);
  if (slope <= 0.0) return reach;
  return min(1.0, abs(direction.x * normal.y - direction.y * normal.x) / slope) * reach;
}

void main() {
  const uint at = push.base + 5u * uint(gl_VertexIndex >> 2);
  const uvec4 tail = words[at + 2u], rest = words[at + 3u];
  const vec4 depth = uintBitsToFloat(words[at + 4u]);
  ends = uintBitsToFloat(words[at]);
  normals = uintBitsToFloat(words[at + 1u]);
  style = uvec4(rest.x, tail.yzw);
  dash = uintBitsToFloat(uvec3(tail.x, rest.yz));
  const uint kind = floatBitsToUint(depth.w);
  body = vec3(depth.z, float(kind & 1u), float(kind >> 1));
  const vec2 along = ends.zw - ends.xy;
  const float size = length(along);
  const vec2 direction = size > 0.0 ? along / size : vec2(1.0, 0.0);
  const vec2 corner = quadCorner(gl_VertexIndex & 3);
  const float reach = uintBitsToFloat(rest.x) + 0.5;
  const bool first = corner.x < 0.0;
  const float beyond = reachBeyond(direction, first ? normals.xy : normals.zw, reach);
  const vec2 place = (first ? ends.xy : ends.zw) + corner.x * beyond * direction +
                     corner.y * reach * vec2(-direction.y, direction.x);
  gl_Position = vec4(place * push.toClip - 1.0, first ? depth.x : depth.y, 1.0);
}
