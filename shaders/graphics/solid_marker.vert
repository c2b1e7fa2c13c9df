#version 460
// SPDX-License-Identifier: Apache-2.0
// One quad around each marker of a three-dimensional picture (ShapeRecord with its depth).
#extension GL_GOOGLE_include_directive : require
#include "graphics/solid.glsl"

layout(location = 0) out flat vec4 place;  // centre, half size
layout(location = 1) out flat vec4 fillColor;
layout(location = 2) out flat vec4 edgeColor;
layout(location = 3) out flat vec2 widths;  // edge, radius of the corners
layout(location = 4) out flat uint kind;

void main() {
  const uint at = push.base + 3u * uint(gl_VertexIndex >> 2);
  const uvec4 style = words[at + 1u], rest = words[at + 2u];
  place = uintBitsToFloat(words[at]);
  fillColor = unpackUnorm4x8(style.x);
  edgeColor = unpackUnorm4x8(style.y);
  widths = vec2(uintBitsToFloat(style.z), uintBitsToFloat(rest.x));
  kind = style.w;
  const vec2 corner = place.xy + quadCorner(gl_VertexIndex & 3) * (place.zw + 1.0);
  gl_Position = vec4(corner * push.toClip - 1.0, uintBitsToFloat(rest.y), 1.0);
}
