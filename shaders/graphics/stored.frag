#version 460
// SPDX-License-Identifier: Apache-2.0
// Copies a cached picture (still layers, or a three-dimensional picture) pixel for pixel. It is already premultiplied.
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(set = 1, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 result;

void main() { result = texelFetch(picture, ivec2(gl_FragCoord.xy - push.rect.xy), 0); }
