#version 460
// SPDX-License-Identifier: Apache-2.0
// Triangles of filled polygons (FillVertex).
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(location = 0) out flat vec4 color;
layout(location = 1) out float coverage;

void main() {
  const uvec4 vertex = words[push.base + uint(gl_VertexIndex)];
  color = unpackUnorm4x8(vertex.z);
  coverage = uintBitsToFloat(vertex.w);
  gl_Position = clipPosition(uintBitsToFloat(vertex.xy));
}
