#version 460
// SPDX-License-Identifier: Apache-2.0
// The rectangle of one image; everything about it is in the push constants.
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

void main() { gl_Position = clipPosition(mix(push.rect.xy, push.rect.zw, quadCorner(gl_VertexIndex) * 0.5 + 0.5)); }
