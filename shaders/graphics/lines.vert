#version 460
// SPDX-License-Identifier: Apache-2.0
// One quad around each piece of a polyline (SegmentRecord).
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(location = 0) out flat vec4 ends;     // p0, p1
layout(location = 1) out flat vec4 normals;  // n0, n1
layout(location = 2) out flat vec4 color;
layout(location = 3) out flat vec4 dash;     // position at p0, drawn part, period, half width
layout(location = 4) out flat vec2 fade;

void main() {
  const uint at = push.base + 4u * uint(gl_VertexIndex >> 2);
  const uvec4 tail = words[at + 2u], rest = words[at + 3u];
  ends = uintBitsToFloat(words[at]);
  normals = uintBitsToFloat(words[at + 1u]);
  color = unpackUnorm4x8(tail.w);
  dash = vec4(uintBitsToFloat(tail.x), uintBitsToFloat(rest.y), uintBitsToFloat(rest.z), uintBitsToFloat(rest.x));
  fade = vec2(uintBitsToFloat(tail.y), uintBitsToFloat(tail.z));
  const vec2 along = ends.zw - ends.xy;
  const float size = length(along);
  const vec2 direction = size > 0.0 ? along / size : vec2(1.0, 0.0);
  const vec2 corner = quadCorner(gl_VertexIndex & 3);
  const float reach = dash.w + 1.0;
  const vec2 end = corner.x < 0.0 ? ends.xy : ends.zw;
  gl_Position = clipPosition(end + reach * (corner.x * direction + corner.y * vec2(-direction.y, direction.x)));
}
