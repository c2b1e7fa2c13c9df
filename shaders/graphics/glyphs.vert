#version 460
// SPDX-License-Identifier: Apache-2.0
// One rectangle of whole pixels per glyph (GlyphRecord).
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(location = 0) out flat vec4 place;   // left, top, width, height
layout(location = 1) out flat ivec3 source; // atlas x, y, turned
layout(location = 2) out flat vec4 color;

void main() {
  const uint at = push.base + 2u * uint(gl_VertexIndex >> 2);
  const uvec4 style = words[at + 1u];
  place = uintBitsToFloat(words[at]);
  source = ivec3(style.x & 0xffffu, style.x >> 16, style.z);
  color = unpackUnorm4x8(style.y);
  gl_Position = clipPosition(place.xy + (quadCorner(gl_VertexIndex & 3) * 0.5 + 0.5) * place.zw);
}
