#version 460
// SPDX-License-Identifier: Apache-2.0
// The rectangle of one picture of categories, with its palette if that is small.
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(constant_id = 0) const uint kSmall = 0;  // the palette has at most 16 labels
layout(location = 0) out flat uvec4 colors[4];
layout(location = 4) out flat uvec4 inks[4];
layout(location = 8) out flat uint hatches;  // two bits per label

void main() {
  gl_Position = clipPosition(mix(push.rect.xy, push.rect.zw, quadCorner(gl_VertexIndex) * 0.5 + 0.5));
  hatches = 0u;
  for (uint i = 0u; i < 4u; ++i) {
    uvec4 entries[4];
    for (uint j = 0u; j < 4u; ++j) {
      entries[j] = kSmall != 0u ? words[push.base + 4u * i + j] : uvec4(0u);
      hatches |= entries[j].z << (2u * (4u * i + j));
    }
    colors[i] = uvec4(entries[0].x, entries[1].x, entries[2].x, entries[3].x);
    inks[i] = uvec4(entries[0].y, entries[1].y, entries[2].y, entries[3].y);
  }
}
