#version 460
// SPDX-License-Identifier: Apache-2.0
// One quad around each marker or box (ShapeRecord).
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(location = 0) out flat vec4 place;  // centre, half size
layout(location = 1) out flat vec4 fillColor;
layout(location = 2) out flat vec4 edgeColor;
layout(location = 3) out flat vec2 widths;  // edge, radius of the corners
layout(location = 4) out flat uint kind;

void main() {
  const uint at = push.base + 3u * uint(gl_VertexIndex >> 2);
  const uvec4 style = words[at + 1u];
  place = uintBitsToFloat(words[at]);
  fillColor = unpackUnorm4x8(style.x);
  edgeColor = unpackUnorm4x8(style.y);
  widths = vec2(uintBitsToFloat(style.z), uintBitsToFloat(words[at + 2u].x));
  kind = style.w;
  gl_Position = clipPosition(place.xy + quadCorner(gl_VertexIndex & 3) * (place.zw + 1.0));
}
